//! Values as machines draw them. They are put together here, so that no file holds what looks like
//! a token of somebody's.

/// So many letters and digits, always the same ones for the same seed.
pub(crate) fn drawn(seed: u64, length: usize, alphabet: &str) -> String {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    (0..length)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            letter(alphabet, state)
        })
        .collect()
}

fn letter(alphabet: &str, number: u64) -> char {
    let place = usize::try_from(number % alphabet.len() as u64).unwrap_or_default();
    alphabet.chars().nth(place).unwrap_or_default()
}

pub(crate) const LETTERS: &str = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
pub(crate) const WEB: &str = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_";
pub(crate) const HEX: &str = "0123456789abcdef";
pub(crate) const BASE32: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
pub(crate) const DIGITS: &str = "0123456789";

/// A token with GitHub's checksum.
pub(crate) fn checked(prefix: &str, seed: u64) -> String {
    let body = drawn(seed, 30, LETTERS);
    let mut crc = u32::MAX;
    for byte in body.bytes() {
        crc ^= u32::from(byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
        }
    }
    let (mut rest, mut sum) = (!crc, String::new());
    while sum.len() < 6 {
        sum.insert(0, letter(LETTERS, u64::from(rest)));
        rest /= 62;
    }
    format!("{prefix}{body}{sum}")
}
