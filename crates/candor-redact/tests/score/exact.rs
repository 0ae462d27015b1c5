//! Secrets that the redactor was told of, written in every way: each must be found, whatever it
//! looks like.

use candor_redact::Redactor;

use super::random::{BASE62, BASE64_URL, Random};
use super::subject::Subject;
use super::verdict::{Verdict, judge};
use super::written::Written;

/// How a known value is written, with what stands around it.
pub(crate) struct Way {
    pub(crate) name: &'static str,
    write: fn(&mut Random, &Written) -> Written,
}

pub(crate) const WAYS: &[Way] = &[
    Way { name: "as it is", write: |_, value| value.clone() },
    Way { name: "base64", write: |_, value| value.base64() },
    Way { name: "base64 after one byte", write: |random, value| phase(random, value, 1).base64() },
    Way { name: "base64 after two bytes", write: |random, value| phase(random, value, 2).base64() },
    Way {
        name: "base64 for urls after no byte",
        write: |random, value| phase(random, value, 0).base64_url(),
    },
    Way {
        name: "base64 for urls after one byte",
        write: |random, value| phase(random, value, 1).base64_url(),
    },
    Way {
        name: "base64 for urls after two bytes",
        write: |random, value| phase(random, value, 2).base64_url(),
    },
    Way { name: "percent", write: |_, value| value.percent() },
    Way { name: "percent in small letters", write: |_, value| value.small_percent() },
    Way { name: "json escapes", write: |_, value| value.json() },
    Way { name: "careful json escapes", write: |_, value| value.careful_json() },
    Way { name: "json inside json", write: |_, value| value.json().json() },
    Way { name: "single quotes of a shell", write: |_, value| value.shell_single() },
    Way { name: "double quotes of a shell", write: |_, value| value.shell_double() },
    Way { name: "backslashes of a shell", write: |_, value| value.shell_bare() },
    Way { name: "xml", write: |_, value| value.xml() },
    Way { name: "hex", write: |_, value| value.hex() },
    Way { name: "hex in capitals", write: |_, value| value.capital_hex() },
    Way { name: "split by a backslash", write: |random, value| split(random, value, "\\\n") },
    Way { name: "split by a line end", write: |random, value| split(random, value, "\n") },
    Way {
        name: "split into two strings",
        write: |random, value| split(random, value, "\" +\n    \""),
    },
];

/// So many bytes, and some threes, before the value; a few after it.
fn phase(random: &mut Random, value: &Written, bytes: usize) -> Written {
    let threes = random.between(1, 9);
    let (before, after) = (random.text(BASE62, threes * 3 + bytes), random.text(BASE62, 7));
    Written::plain(&before).with(value).then(&after)
}

fn split(random: &mut Random, value: &Written, by: &str) -> Written {
    let third = value.text.len() / 3;
    let mut place = random.between(third, value.text.len() - third);
    while !value.text.is_char_boundary(place) {
        place += 1;
    }
    value.broken(&[place], by)
}

/// Values that nobody would take for a secret by their looks, and some that one would.
fn value(random: &mut Random) -> String {
    match random.below(6) {
        0 => random.password(),
        1 => format!("{} {} {}", random.word(), random.word(), random.word()),
        2 => random.text(BASE64_URL, 40),
        3 => format!("{}'\"\\{}&<{}>/", random.word(), random.text(BASE62, 6), random.word()),
        4 => format!("{}ü{}€", random.word(), random.text(BASE62, 6)),
        _ => random.text("abcdefghijklmnopqrstuvwxyz", 12),
    }
}

/// The verdicts on this way, of so many values.
pub(crate) fn judged(seed: u64, way: &Way, with: fn(&str) -> Box<dyn Subject>) -> Vec<Found> {
    (0..60)
        .map(|number| {
            let mut random = Random::of(seed, &format!("exact/{}/{number}", way.name));
            let value = value(&mut random);
            let plain = Written::default().secret(&value);
            let template = random.pick(&["the answer is § today\n", "[§]", "a=§;b=2", "§"]);
            let (before, after) = template.split_once('§').unwrap();
            let written = (way.write)(&mut random, &plain);
            let text = Written::plain(before).with(&written).then(after);
            let masked = with(&value).success(&text.text);
            Found { verdict: judge(&text, &masked), text: text.text, masked }
        })
        .collect()
}

/// What became of one of them.
pub(crate) struct Found {
    pub(crate) verdict: Verdict,
    pub(crate) text: String,
    pub(crate) masked: String,
}

/// A redactor that was told of this value and of another one.
pub(crate) fn told(value: &str) -> Box<dyn Subject> {
    let redactor = Redactor::builder()
        .secret("BILLING_KEY", value)
        .secret("OTHER_KEY", "another value, never shown")
        .build();
    Box::new(redactor)
}
