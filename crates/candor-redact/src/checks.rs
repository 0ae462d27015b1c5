//! Arithmetic that tells a real value from one that only resembles it.

use base64::Engine;
use base64::alphabet::{STANDARD, URL_SAFE};
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

const LENIENT: GeneralPurposeConfig = GeneralPurposeConfig::new()
    .with_decode_allow_trailing_bits(true)
    .with_decode_padding_mode(DecodePaddingMode::Indifferent);
const BASE64: GeneralPurpose = GeneralPurpose::new(&STANDARD, LENIENT);
const BASE64_URL: GeneralPurpose = GeneralPurpose::new(&URL_SAFE, LENIENT);

/// Decodes base64 of either alphabet, padded or not.
pub(crate) fn base64(text: &[u8]) -> Option<Vec<u8>> {
    let is_url = text.iter().any(|byte| matches!(byte, b'-' | b'_'));
    let engine = if is_url { &BASE64_URL } else { &BASE64 };
    let text = text.trim_ascii_end();
    let padding = text.iter().rev().take_while(|byte| **byte == b'=').count();
    let body = text.get(..text.len() - padding)?;
    // One letter too many carries no byte: the run was cut somewhere.
    let body = if body.len() % 4 == 1 { body.get(..body.len() - 1)? } else { body };
    engine.decode(body).ok()
}

/// Decodes pairs of hexadecimal digits.
pub(crate) fn hex(text: &[u8]) -> Option<Vec<u8>> {
    text.chunks(2)
        .map(|pair| match pair {
            [high, low] => Some(hex_digit(*high)? << 4 | hex_digit(*low)?),
            _ => None,
        })
        .collect()
}

pub(crate) const fn hex_digit(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        b'A'..=b'F' => Some(byte - b'A' + 10),
        _ => None,
    }
}

/// CRC-32 as in zip files.
pub(crate) fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
        }
    }
    !crc
}

/// Do the last six of these carry the checksum of the rest, as in the tokens of GitHub and npm?
pub(crate) fn base62_crc32(body: &[u8]) -> bool {
    let Some((value, sum)) = body.split_last_chunk::<6>() else { return false };
    let crc = u64::from(crc32(value));
    [b'A', b'a'].into_iter().any(|first| base62(sum, first) == Some(crc))
}

/// A number in base 62, whose first letter after the digits is `A` or `a`.
fn base62(digits: &[u8], first: u8) -> Option<u64> {
    digits.iter().try_fold(0_u64, |number, byte| {
        let digit = match byte {
            b'0'..=b'9' => byte - b'0',
            b'A'..=b'Z' => byte - b'A' + if first == b'A' { 10 } else { 36 },
            b'a'..=b'z' => byte - b'a' + if first == b'a' { 10 } else { 36 },
            _ => return None,
        };
        Some(number * 62 + u64::from(digit))
    })
}

/// The check digit of payment cards.
pub(crate) fn luhn(digits: &[u8]) -> bool {
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(place, byte)| {
            let digit = u32::from(byte.wrapping_sub(b'0'));
            match (place % 2, digit) {
                (0, digit) => digit,
                (_, digit) if digit > 4 => digit * 2 - 9,
                (_, digit) => digit * 2,
            }
        })
        .sum();
    sum.is_multiple_of(10)
}

/// The check digits of bank account numbers (IBAN).
pub(crate) fn mod97(iban: &[u8]) -> bool {
    let (Some(head), Some(tail)) = (iban.get(..4), iban.get(4..)) else { return false };
    let rest = tail.iter().chain(head).try_fold(0_u32, |rest, byte| match byte {
        b'0'..=b'9' => Some((rest * 10 + u32::from(byte - b'0')) % 97),
        b'A'..=b'Z' => Some((rest * 100 + u32::from(byte - b'A') + 10) % 97),
        _ => None,
    });
    rest == Some(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_of_zip_files() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
    }

    #[test]
    fn base64_of_either_alphabet_with_or_without_padding() {
        for text in ["aGk_", "aGk/"] {
            assert_eq!(base64(text.as_bytes()).unwrap(), b"hi?");
        }
        assert_eq!(base64(b"aGk=").unwrap(), b"hi");
        assert_eq!(base64(b"aGk").unwrap(), b"hi");
        assert_eq!(base64(b"aGkxa").unwrap(), b"hi1");
        assert_eq!(base64(b"a+_k"), None);
    }

    #[test]
    fn cards_and_accounts_have_check_digits() {
        assert!(luhn(b"4242424242424242"));
        assert!(!luhn(b"4242424242424241"));
        assert!(mod97(b"DE89370400440532013000"));
        assert!(!mod97(b"DE89370400440532013001"));
    }
}
