//! A body to what its vendor adds, so that a made-up token passes for a real one.

use super::random::{BASE62, LOWER};

/// CRC-32 as in zip files.
pub(crate) fn crc32(text: &str) -> u32 {
    let mut sum = u32::MAX;
    for byte in text.bytes() {
        sum ^= u32::from(byte);
        for _ in 0..8 {
            sum = if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 };
        }
    }
    !sum
}

/// Six digits to the base of 62.
pub(crate) fn base62(sum: u32) -> String {
    digits(sum, BASE62, 6)
}

/// So many digits to the base of 36.
pub(crate) fn base36(sum: u32, width: usize) -> String {
    let digits_first = format!("{}{}", &LOWER[26..], &LOWER[..26]);
    digits(sum, &digits_first, width)
}

fn digits(mut sum: u32, alphabet: &str, width: usize) -> String {
    let alphabet: Vec<char> = alphabet.chars().collect();
    let mut backwards = Vec::new();
    for _ in 0..width {
        backwards.push(alphabet[sum as usize % alphabet.len()]);
        sum /= u32::try_from(alphabet.len()).unwrap();
    }
    backwards.iter().rev().collect()
}

const BECH32: &str = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";

/// Bech32: what stands after the `1`, the checksum included.
pub(crate) fn bech32(prefix: &str, bytes: &[u8]) -> String {
    let mut fives = Vec::new();
    let (mut bits, mut count) = (0_u32, 0);
    for &byte in bytes {
        bits = bits << 8 | u32::from(byte);
        count += 8;
        while count >= 5 {
            count -= 5;
            fives.push(bits >> count & 31);
        }
        bits &= (1 << count) - 1;
    }
    if count > 0 {
        fives.push(bits << (5 - count) & 31);
    }
    let high = prefix.bytes().map(|byte| u32::from(byte >> 5));
    let low = prefix.bytes().map(|byte| u32::from(byte & 31));
    let all: Vec<u32> =
        high.chain([0]).chain(low).chain(fives.iter().copied()).chain([0; 6]).collect();
    let sum = polymod(&all) ^ 1;
    fives.extend((0..6).map(|place| sum >> (5 * (5 - place)) & 31));
    let alphabet: Vec<char> = BECH32.chars().collect();
    fives.iter().map(|&five| alphabet[five as usize]).collect()
}

fn polymod(values: &[u32]) -> u32 {
    let generators = [0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3];
    let mut sum = 1_u32;
    for value in values {
        let top = sum >> 25;
        sum = (sum & 0x01ff_ffff) << 5 ^ value;
        for (place, generator) in generators.iter().enumerate() {
            if top >> place & 1 == 1 {
                sum ^= generator;
            }
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crc_is_that_of_zip_files() {
        assert_eq!(crc32("123456789"), 0xcbf4_3926);
    }

    #[test]
    fn digits_keep_their_width() {
        assert_eq!(base62(61 + 62 * 10), "0000Az");
        assert_eq!(base36(35, 2), "0z");
    }

    #[test]
    fn a_bech32_text_is_one_of_the_standard() {
        // BIP 173: a witness program without its version.
        let text = bech32("a", &[]);
        assert_eq!(text, "2uel5l");
    }
}
