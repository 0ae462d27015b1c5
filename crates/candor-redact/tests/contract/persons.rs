//! What points to a person, if asked for.

use candor_redact::Redactor;

#[test]
fn addresses_numbers_cards_and_accounts_go_only_if_asked_for() {
    let asked = Redactor::builder().pii(true).build();
    for (text, masked) in [
        ("write to ada@example.org.", "write to [redacted:email#1]."),
        ("call +44 20 7946 0958 now", "call [redacted:phone#1] now"),
        ("call (415) 555-0132 now", "call [redacted:phone#1] now"),
        ("call 415-555-0132", "call [redacted:phone#1]"),
        ("card 4242 4242 4242 4242", "card [redacted:card-number#1]"),
        ("card 378282246310005", "card [redacted:card-number#1]"),
        ("pay DE89 3704 0044 0532 0130 00", "pay [redacted:bank-account#1]"),
        ("pay GB82WEST12345698765432, please", "pay [redacted:bank-account#1], please"),
    ] {
        assert_eq!(asked.success(text), masked);
        assert_eq!(Redactor::default().success(text), text);
    }
}

#[test]
fn numbers_that_do_not_check_are_numbers() {
    let asked = Redactor::builder().pii(true).build();
    for text in [
        "order 4242 4242 4242 4241",
        "pay DE89 3704 0044 0532 0130 01",
        "version 1.2.3-4, build 20260115.100000",
        "2026-01-15 10:00:00",
        "id 1234567890",
        "git@example.org:acme/shop.git",
        "npm:left-pad@1.3.0",
        "10.0.0.7:5432",
        "0000 0000 0000 0000",
    ] {
        assert_eq!(asked.success(text), text);
    }
}
