//! Keys of what people write, pay, mail and ask with.

use super::Shape::{Named, Token};
use super::{Kind, token};
use crate::random::{BASE62, BASE64, BASE64_URL, DIGITS, HEX, LOWER, UPPER};
use crate::written::{Written, sixes};

pub(crate) const KINDS: &[Kind] = &[
    Kind {
        name: "slack bot token",
        shape: Token,
        keys: &["slack_bot_token", "slack_token"],
        make: |random| {
            let ids = format!("{}-{}-", random.text(DIGITS, 12), random.text(DIGITS, 13));
            Written::default()
                .known(concat!("xo", "xb-"))
                .known(&ids)
                .secret(&random.text(BASE62, 24))
        },
    },
    Kind {
        name: "slack user token",
        shape: Token,
        keys: &["slack_user_token", "slack_token"],
        make: |random| {
            let id = |random: &mut crate::random::Random| random.text(DIGITS, 12);
            let ids = format!("{}-{}-{}-", id(random), id(random), id(random));
            Written::default().known(concat!("xo", "xp-")).known(&ids).secret(&random.text(HEX, 32))
        },
    },
    Kind {
        name: "slack app token",
        shape: Token,
        keys: &["slack_app_token", "socket_token"],
        make: |random| {
            let ids = format!("1-A0{}-{}-", random.text(UPPER, 9), random.text(DIGITS, 13));
            Written::default().known(concat!("xa", "pp-")).known(&ids).secret(&random.text(HEX, 64))
        },
    },
    Kind {
        name: "discord bot token",
        shape: Token,
        keys: &["discord_token", "bot_token"],
        make: |random| {
            let id = format!("1{}", random.text(DIGITS, 17));
            Written::default()
                .known(&format!("{}.", sixes(id.as_bytes(), BASE64_URL, false)))
                .secret(&format!("G{}.{}", random.text(BASE64_URL, 5), random.text(BASE64_URL, 38)))
        },
    },
    Kind {
        name: "stripe secret key",
        shape: Token,
        keys: &["stripe_secret_key", "stripe_api_key"],
        make: |random| {
            let prefix = random.pick(&[concat!("sk", "_live_"), concat!("rk", "_live_")]);
            let length = *random.pick(&[24, 99]);
            token(prefix, &random.text(BASE62, length))
        },
    },
    Kind {
        name: "stripe webhook secret",
        shape: Token,
        keys: &["stripe_webhook_secret", "signing_secret"],
        make: |random| token(concat!("wh", "sec_"), &random.text(BASE62, 32)),
    },
    Kind {
        name: "square token",
        shape: Token,
        keys: &["square_access_token", "square_token"],
        make: |random| token(concat!("EA", "AA"), &format!("l{}", random.text(BASE64_URL, 59))),
    },
    Kind {
        name: "shopify token",
        shape: Token,
        keys: &["shopify_access_token", "shopify_api_secret"],
        make: |random| {
            let prefix = random.pick(&[concat!("shp", "at_"), concat!("shp", "ss_")]);
            token(prefix, &random.text(HEX, 32))
        },
    },
    Kind {
        name: "braintree token",
        shape: Token,
        keys: &["braintree_access_token", "payments_token"],
        make: |random| {
            let merchant = random.text(LOWER, 16);
            Written::default()
                .known(&format!("access_token${}${merchant}$", "production"))
                .secret(&random.text(HEX, 32))
        },
    },
    Kind {
        name: "adyen key",
        shape: Token,
        keys: &["adyen_api_key", "checkout_key"],
        make: |random| {
            let (head, tail) = (random.text(BASE62, 60), random.text(BASE62, 44));
            token(concat!("AQ", "E"), &format!("h{head}-{tail}"))
        },
    },
    Kind {
        name: "mailgun key",
        shape: Token,
        keys: &["mailgun_api_key", "mail_key"],
        make: |random| token("key-", &random.text(HEX, 32)),
    },
    Kind {
        name: "mailchimp key",
        shape: Token,
        keys: &["mailchimp_api_key", "newsletter_key"],
        make: |random| {
            let core = random.text(HEX, 32);
            let center = random.between(1, 21);
            Written::default().secret(&core).known(&format!("-us{center}"))
        },
    },
    Kind {
        name: "brevo key",
        shape: Token,
        keys: &["brevo_api_key", "sendinblue_key"],
        make: |random| {
            token(
                concat!("xkey", "sib-"),
                &format!("{}-{}", random.text(HEX, 64), random.text(BASE62, 16)),
            )
        },
    },
    Kind {
        name: "postmark token",
        shape: Named,
        keys: &["postmark_server_token", "postmark_api_token"],
        make: |random| Written::default().secret(&random.uuid()),
    },
    Kind {
        name: "resend key",
        shape: Token,
        keys: &["resend_api_key", "mail_api_key"],
        make: |random| {
            token("re_", &format!("{}_{}", random.text(BASE62, 8), random.text(BASE62, 24)))
        },
    },
    Kind {
        name: "twilio key",
        shape: Token,
        keys: &["twilio_api_key", "sms_key"],
        make: |random| token("SK", &random.text(HEX, 32)),
    },
    Kind {
        name: "twilio auth token",
        shape: Named,
        keys: &["twilio_auth_token", "twilio_token"],
        make: |random| Written::default().secret(&random.text(HEX, 32)),
    },
    Kind {
        name: "openai key",
        shape: Token,
        keys: &["openai_api_key", "llm_key"],
        make: |random| {
            let (head, tail) = (random.text(BASE64_URL, 74), random.text(BASE64_URL, 74));
            let prefix = random.pick(&[concat!("sk", "-proj-"), concat!("sk", "-svcacct-")]);
            token(prefix, &format!("{head}{}{tail}", concat!("T3Blb", "kFJ")))
        },
    },
    Kind {
        name: "openai old key",
        shape: Token,
        keys: &["openai_api_key", "openai_key"],
        make: |random| {
            let (head, tail) = (random.text(BASE62, 20), random.text(BASE62, 20));
            token(concat!("s", "k-"), &format!("{head}{}{tail}", concat!("T3Blb", "kFJ")))
        },
    },
    Kind {
        name: "anthropic key",
        shape: Token,
        keys: &["anthropic_api_key", "model_key"],
        make: |random| {
            let prefix =
                random.pick(&[concat!("sk", "-ant-api03-"), concat!("sk", "-ant-admin01-")]);
            token(prefix, &format!("{}AA", random.text(BASE64_URL, 93)))
        },
    },
    Kind {
        name: "groq key",
        shape: Token,
        keys: &["groq_api_key", "inference_key"],
        make: |random| token(concat!("gs", "k_"), &random.text(BASE62, 52)),
    },
    Kind {
        name: "perplexity key",
        shape: Token,
        keys: &["perplexity_api_key", "search_key"],
        make: |random| token(concat!("pp", "lx-"), &random.text(BASE62, 48)),
    },
    Kind {
        name: "replicate token",
        shape: Token,
        keys: &["replicate_api_token", "replicate_token"],
        make: |random| token(concat!("r", "8_"), &random.text(BASE62, 37)),
    },
    Kind {
        name: "xai key",
        shape: Token,
        keys: &["xai_api_key", "grok_key"],
        make: |random| token(concat!("xa", "i-"), &random.text(BASE62, 80)),
    },
    Kind {
        name: "openrouter key",
        shape: Token,
        keys: &["openrouter_api_key", "router_key"],
        make: |random| token(concat!("sk", "-or-v1-"), &random.text(HEX, 64)),
    },
    Kind {
        name: "cohere key",
        shape: Named,
        keys: &["cohere_api_key", "co_api_key"],
        make: |random| Written::default().secret(&random.text(BASE62, 40)),
    },
    Kind {
        name: "mistral key",
        shape: Named,
        keys: &["mistral_api_key", "mistral_key_secret"],
        make: |random| Written::default().secret(&random.text(BASE62, 32)),
    },
    Kind {
        name: "linear key",
        shape: Token,
        keys: &["linear_api_key", "tracker_key"],
        make: |random| token(concat!("lin", "_api_"), &random.text(BASE62, 40)),
    },
    Kind {
        name: "notion token",
        shape: Token,
        keys: &["notion_token", "notion_api_key"],
        make: |random| {
            token(
                concat!("nt", "n_"),
                &format!("{}{}", random.text(DIGITS, 11), random.text(BASE62, 35)),
            )
        },
    },
    Kind {
        name: "figma token",
        shape: Token,
        keys: &["figma_token", "design_token"],
        make: |random| token(concat!("fi", "gd_"), &random.text(BASE64_URL, 40)),
    },
    Kind {
        name: "airtable token",
        shape: Token,
        keys: &["airtable_api_key", "airtable_token"],
        make: |random| {
            token("pat", &format!("{}.{}", random.text(BASE62, 14), random.text(HEX, 64)))
        },
    },
    Kind {
        name: "dropbox token",
        shape: Token,
        keys: &["dropbox_access_token", "files_token"],
        make: |random| token("sl.", &format!("B{}", random.text(BASE64_URL, 134))),
    },
    Kind {
        name: "asana token",
        shape: Named,
        keys: &["asana_access_token", "asana_token"],
        make: |random| {
            let core = format!("1/{}:{}", random.text(DIGITS, 16), random.text(HEX, 32));
            Written::default().secret(&core)
        },
    },
    Kind {
        name: "facebook page token",
        shape: Token,
        keys: &["facebook_access_token", "page_token"],
        make: |random| token(concat!("EA", "AC"), &random.text(BASE62, 170)),
    },
    Kind {
        name: "facebook app secret",
        shape: Named,
        keys: &["facebook_app_secret", "fb_app_secret"],
        make: |random| Written::default().secret(&random.text(HEX, 32)),
    },
    Kind {
        name: "twitter bearer",
        shape: Token,
        keys: &["twitter_bearer_token", "x_bearer_token"],
        make: |random| {
            token(
                &"A".repeat(22),
                &format!("{}%3D{}", random.text(BASE62, 24), random.text(BASE62, 50)),
            )
        },
    },
    Kind {
        name: "okta token",
        shape: Named,
        keys: &["okta_api_token", "okta_token"],
        make: |random| Written::default().secret(&format!("00{}", random.text(BASE64_URL, 40))),
    },
    Kind {
        name: "zendesk token",
        shape: Named,
        keys: &["zendesk_api_token", "zendesk_token"],
        make: |random| Written::default().secret(&random.text(BASE62, 40)),
    },
    Kind {
        name: "hubspot token",
        shape: Token,
        keys: &["hubspot_access_token", "crm_token"],
        make: |random| token(concat!("pa", "t-eu1-"), &random.uuid()),
    },
    Kind {
        name: "pagerduty key",
        shape: Named,
        keys: &["pagerduty_api_key", "pagerduty_token"],
        make: |random| Written::default().secret(&format!("u+{}", random.text(BASE64_URL, 18))),
    },
    Kind {
        name: "plaid secret",
        shape: Named,
        keys: &["plaid_secret", "plaid_client_secret"],
        make: |random| Written::default().secret(&random.text(HEX, 30)),
    },
    Kind {
        name: "coinbase secret",
        shape: Named,
        keys: &["coinbase_api_secret", "exchange_secret"],
        make: |random| Written::default().secret(&format!("{}==", random.text(BASE64, 86))),
    },
    Kind {
        name: "mapbox secret token",
        shape: Token,
        keys: &["mapbox_secret_token", "mapbox_token"],
        make: |random| {
            let inside =
                format!("{{\"u\":\"{}\",\"a\":\"{}\"}}", random.word(), random.text(LOWER, 25));
            Written::default()
                .known("sk.")
                .known(&sixes(inside.as_bytes(), BASE64_URL, false))
                .known(".")
                .secret(&random.text(BASE64_URL, 22))
        },
    },
];
