//! A value that something calls secret: is it one, or does it only stand for one?

use crate::bytes::{at, contains, is_web, is_word, part};
use crate::keys::Sense;
use crate::randomness::Makeup;
use crate::standins::{is_common, is_placeholder};

/// A shorter value is none.
const SHORTEST: usize = 4;

/// How a value stands in its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Setting {
    /// In quotes, under a key in quotes: data.
    Member,
    /// In quotes.
    Quoted,
    /// `KEY=value`, without blanks.
    Tight,
    /// `key: value` or `key = value`, the whole line.
    Line,
    /// After a key, a sign and blanks, with more around it.
    Loose,
    /// In a sentence.
    Prose,
    /// In the query of a URL.
    Query,
}

impl Setting {
    const fn is_quoted(self) -> bool {
        matches!(self, Self::Member | Self::Quoted)
    }

    /// Is it data rather than a sentence or a program?
    const fn is_data(self) -> bool {
        !matches!(self, Self::Prose | Self::Loose)
    }
}

/// Is the value a secret, given what calls it so?
pub(crate) fn is_secret(value: &[u8], sense: Sense, setting: Setting) -> bool {
    let value = value.trim_ascii();
    if value.len() < SHORTEST {
        return false;
    }
    // Most values are none. What is cheapest to see is asked first.
    let makeup = Makeup::of(value);
    let may_be = if makeup.blanks > 0 {
        setting.is_quoted() && spaced(value, sense, makeup)
    } else {
        makeup.foreign * 2 <= makeup.length && fits(value, sense, setting, makeup)
    };
    let may_be_code = makeup.blanks == 0 && !setting.is_quoted() && setting != Setting::Query;
    if !may_be || may_be_code && is_code(value, sense, setting) {
        return false;
    }
    !is_common(value) && !is_label(value, sense) && !is_placeholder(value)
}

/// Does a value look as such values do?
fn fits(value: &[u8], sense: Sense, setting: Setting, makeup: Makeup) -> bool {
    match sense {
        Sense::Password | Sense::Passphrase => password(value, setting, makeup),
        Sense::Secret | Sense::ApiKey | Sense::PrivateKey => secret(value, setting, makeup),
        Sense::Token => token(value, setting, makeup),
        Sense::Key | Sense::Auth => {
            let is_value = !is_uuid(value) && !is_names(value) && !is_date(value);
            value.len() >= 12 && is_drawn(makeup) && is_value
        }
        Sense::Signature => value.len() >= 16 && is_drawn(makeup) && setting.is_data(),
        Sense::Code => {
            let is_number = makeup.digits == value.len();
            is_number && (4..=10).contains(&value.len()) && setting != Setting::Loose
        }
        Sense::Words => false,
    }
}

const fn is_drawn(makeup: Makeup) -> bool {
    makeup.is_random() || makeup.is_mixed()
}

fn password(value: &[u8], setting: Setting, makeup: Makeup) -> bool {
    let has_sign = makeup.signs > 0 && makeup.letters() + makeup.digits > 0;
    let has_digit = makeup.digits > 0 && makeup.letters() > 0;
    if makeup.letters() == makeup.length {
        let is_odd = makeup.is_gibberish();
        let is_word = makeup.length >= 8 && makeup.upper == 0;
        let tells = matches!(setting, Setting::Member | Setting::Tight | Setting::Query);
        return setting != Setting::Loose && is_odd || tells && is_word;
    }
    if makeup.digits == makeup.length {
        return value.len() >= 6 && setting != Setting::Loose;
    }
    if is_names(value) && !makeup.is_gibberish() {
        return setting.is_data() && makeup.is_random();
    }
    match setting {
        Setting::Prose => {
            let is_bracket = |byte: &u8| b"()[]{}<>\"`'".contains(byte);
            let is_odd = has_digit || has_sign || makeup.is_gibberish();
            value.len() >= 6 && is_odd && !value.iter().any(is_bracket)
        }
        Setting::Loose => {
            let is_odd = makeup.is_gibberish() && makeup.signs + makeup.digits > 0;
            let is_long = has_digit && value.len() >= 9;
            value.len() >= 6 && (makeup.is_mixed() || has_digit && has_sign || is_odd || is_long)
        }
        Setting::Member | Setting::Quoted | Setting::Tight | Setting::Line | Setting::Query => {
            has_digit || has_sign || makeup.is_random()
        }
    }
}

fn secret(value: &[u8], setting: Setting, makeup: Makeup) -> bool {
    let is_long = value.len() >= 8;
    match setting {
        Setting::Prose => is_long && is_drawn(makeup),
        Setting::Loose => is_long && is_drawn(makeup) && !is_names(value),
        Setting::Member | Setting::Quoted | Setting::Tight | Setting::Line | Setting::Query => {
            let is_mixed = makeup.letters() > 0 && makeup.digits + makeup.signs > 0;
            is_drawn(makeup) || is_long && is_mixed && !is_names(value)
        }
    }
}

fn token(value: &[u8], setting: Setting, makeup: Makeup) -> bool {
    let shortest = match setting {
        Setting::Prose => 16,
        Setting::Loose | Setting::Line => 12,
        Setting::Member | Setting::Quoted | Setting::Tight | Setting::Query => 8,
    };
    value.len() >= shortest && is_drawn(makeup) && !is_uuid(value) && !is_names(value)
}

/// `name`, `object.member`, `call(…)`, `Type::new`, `&value`: a piece of a program.
fn is_code(value: &[u8], sense: Sense, setting: Setting) -> bool {
    let makeup = Makeup::of(value);
    let is_name = |name: &[u8]| {
        name.first().is_some_and(|first| first.is_ascii_alphabetic() || *first == b'_')
            && name.iter().all(|byte| is_word(*byte))
    };
    let is_member = value.contains(&b'.')
        && value.split(|byte| *byte == b'.').all(is_name)
        && (makeup.digits == 0 || makeup.digits < 3 && !makeup.is_mixed());
    let path = |byte: &u8| is_word(*byte) || matches!(byte, b'.' | b':' | b'&' | b'!');
    let head = value.iter().take_while(|byte| path(byte)).count();
    let opens = head > 1 && matches!(at(value, head), b'(' | b'[');
    let is_typed = [&b"::"[..], b"->", b"=>"].iter().any(|sign| contains(value, sign))
        || value.contains(&b'<') && value.ends_with(b">");
    let is_sign = b"&*|\\+=>({[)]}".contains(&at(value, 0))
        && !matches!(setting, Setting::Tight | Setting::Line);
    let is_told = matches!(setting, Setting::Tight | Setting::Line);
    let is_bare = is_name(value)
        && makeup.digits == 0
        && (makeup.joints > 0 || makeup.upper > 0 && makeup.lower > 0)
        && !(makeup.is_gibberish() && makeup.joints == 0 && (is_told || sense.is_password()));
    let may_be_word = setting == Setting::Tight && sense.is_password() && makeup.joints == 0;
    opens || is_member || is_typed || is_sign || is_bare && !may_be_word
}

/// Words joined by signs, perhaps with a number: names of things, not values.
fn is_names(value: &[u8]) -> bool {
    let mut words = 0;
    for word in value.split(|byte| b"-_./:@,\\".contains(byte)).filter(|word| !word.is_empty()) {
        let letters = word.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let digits = part(word, letters, word.len());
        let most = match letters {
            0 => 4,
            1 => 2,
            _ => 3,
        };
        let is_name = digits.len() <= most && digits.iter().all(u8::is_ascii_digit);
        if !is_name || Makeup::of(part(word, 0, letters)).is_gibberish() {
            return false;
        }
        words += usize::from(letters > 0);
    }
    words > 1 || words > 0 && value.len() < 24 && Makeup::of(value).digits == 0
}

/// Is it the name of the thing, and not the thing?
fn is_label(value: &[u8], sense: Sense) -> bool {
    const WORDS: [&[u8]; 9] = [
        b"password",
        b"passwort",
        b"passphrase",
        b"secret",
        b"token",
        b"credential",
        b"apikey",
        b"api_key",
        b"api-key",
    ];
    if !WORDS.iter().any(|word| contains(value, word)) {
        return false;
    }
    let makeup = Makeup::of(value);
    let is_text = value.iter().all(|byte| is_web(*byte) || b". :/#".contains(byte));
    let is_plain = makeup.digits == 0 && makeup.signs == 0
        || is_text && makeup.digits < 4 && !makeup.is_random();
    is_plain && !(sense == Sense::Passphrase && makeup.blanks > 2)
}

/// Several words: a passphrase if the key says so, otherwise most often a sentence.
fn spaced(value: &[u8], sense: Sense, makeup: Makeup) -> bool {
    let words = value.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let count = words.clone().count();
    let is_word =
        |word: &[u8]| (3..=8).contains(&word.len()) && word.iter().all(u8::is_ascii_lowercase);
    match sense {
        Sense::Words => matches!(count, 12 | 15 | 18 | 21 | 24) && words.clone().all(is_word),
        Sense::Passphrase => {
            let is_sentence = value.ends_with(b".")
                || [&b" the "[..], b" is ", b" a "].iter().any(|word| contains(value, word));
            (3..=12).contains(&count) && makeup.upper < count && !is_sentence
        }
        Sense::Password => {
            let is_odd = makeup.digits > 0 && makeup.signs > 0 && makeup.upper > 0;
            count <= 4 && is_odd && words.clone().any(|word| Makeup::of(word).is_mixed())
        }
        Sense::Secret
        | Sense::ApiKey
        | Sense::PrivateKey
        | Sense::Token
        | Sense::Key
        | Sense::Auth
        | Sense::Signature
        | Sense::Code => false,
    }
}

/// `1979-05-27T00:32:00Z`
fn is_date(value: &[u8]) -> bool {
    let shape = [false, false, false, false, true, false, false, true, false, false];
    value.len() >= shape.len()
        && value
            .iter()
            .zip(shape)
            .all(|(byte, is_hyphen)| if is_hyphen { *byte == b'-' } else { byte.is_ascii_digit() })
}

pub(crate) fn is_uuid(value: &[u8]) -> bool {
    value.len() == 36
        && value.iter().enumerate().all(|(place, byte)| match place {
            8 | 13 | 18 | 23 => *byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}
