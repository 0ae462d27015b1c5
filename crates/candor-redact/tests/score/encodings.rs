//! A secret to another way of writing it.

use super::kinds::Shape;
use super::random::Random;
use super::written::Written;

/// A way of writing a value.
pub(crate) struct Encoding {
    pub(crate) name: &'static str,
    /// Whether it goes with secrets that only their name or their line gives away.
    pub(crate) fits: fn(Shape) -> bool,
    /// Whether the name of the value is encoded with it, and no longer stands beside it.
    pub(crate) takes_name: bool,
    /// With the name of the value.
    pub(crate) write: fn(&mut Random, &str, &Written) -> Written,
}

pub(crate) const RAW: Encoding =
    Encoding { name: "raw", fits: any, takes_name: false, write: |_, _, value| value.clone() };

/// Those that a writer of rules may look at.
pub(crate) const SEEN: &[Encoding] = &[
    RAW,
    Encoding { name: "base64", fits: any, takes_name: false, write: |_, _, value| value.base64() },
    Encoding {
        name: "base64 of a line",
        fits: any,
        takes_name: false,
        // `echo secret | base64`
        write: |_, _, value| value.clone().then("\n").base64(),
    },
    Encoding {
        name: "inside larger base64",
        fits: any,
        takes_name: true,
        write: |random, key, value| {
            let before = format!("{{\"id\":{},\"{key}\":\"", random.between(1, 99_999));
            let after = format!("\",\"region\":\"eu\",\"owner\":\"{}\"}}", random.word());
            Written::plain(&before).with(&value.json()).then(&after).base64()
        },
    },
    Encoding {
        name: "percent",
        fits: any,
        takes_name: false,
        write: |_, _, value| value.percent(),
    },
    Encoding {
        name: "percent in small letters",
        fits: any,
        takes_name: false,
        write: |_, _, value| value.small_percent(),
    },
    Encoding {
        name: "percent twice",
        fits: any,
        takes_name: false,
        write: |_, _, value| value.percent().percent(),
    },
    Encoding {
        name: "json escapes",
        fits: any,
        takes_name: false,
        write: |_, _, value| value.careful_json(),
    },
    Encoding {
        name: "single quotes of a shell",
        fits: one_word,
        takes_name: false,
        write: |_, _, value| value.shell_single(),
    },
    Encoding {
        name: "double quotes of a shell",
        fits: one_word,
        takes_name: false,
        write: |_, _, value| value.shell_double(),
    },
    Encoding {
        name: "backslashes of a shell",
        fits: one_word,
        takes_name: false,
        write: |_, _, value| value.shell_bare(),
    },
    Encoding { name: "hex", fits: any, takes_name: false, write: |_, _, value| value.hex() },
    Encoding {
        name: "split by a backslash",
        fits: one_word,
        takes_name: false,
        write: |random, _, value| split(random, value, "\\\n"),
    },
    Encoding {
        name: "split into two strings",
        fits: one_word,
        takes_name: false,
        write: |random, _, value| split(random, value, "\" +\n    \""),
    },
];

pub(crate) fn any(_: Shape) -> bool {
    true
}

pub(crate) fn one_word(shape: Shape) -> bool {
    matches!(shape, Shape::Token | Shape::Named | Shape::Word)
}

/// In the middle third of the longest secret part.
fn split(random: &mut Random, value: &Written, by: &str) -> Written {
    let Some(longest) = value.core.iter().max_by_key(|range| range.len()) else {
        return value.clone();
    };
    let third = longest.len() / 3;
    let place = random.between(longest.start + third, longest.end - third);
    value.broken(&[place], by)
}

/// What stands outside of a secret must not tell one secret from another: if it does, the places
/// of the secret are wrong. In base64 a character at an edge holds bits of both sides.
#[test]
fn what_is_around_a_secret_does_not_depend_on_it() {
    let all = SEEN.iter().chain(super::held_out::ENCODINGS);
    for encoding in all {
        for before in ["", "x", "xy=\"", "https://u:"] {
            let write = |secret: &str| {
                let value = Written::plain(before).secret(secret).then("@host;\n");
                (encoding.write)(&mut Random::of(1, encoding.name), "key", &value)
            };
            let (one, two) = (write("kXq/+72mZ=vvTr0p"), write("Bd3/+tYcA=99hhWe"));
            assert_eq!(one.whole, two.whole, "{}", encoding.name);
            let inside = |at: usize| {
                one.whole.iter().any(|range| range.start <= at + 2 && at < range.end + 2)
            };
            for (at, (left, right)) in one.text.bytes().zip(two.text.bytes()).enumerate() {
                assert!(left == right || inside(at), "{}: {at} of {}", encoding.name, one.text);
            }
            let covered: usize = one.whole.iter().map(ExactSizeIterator::len).sum();
            assert!(covered >= 16, "{}: {:?}", encoding.name, one.whole);
        }
    }
}
