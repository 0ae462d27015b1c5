//! A name to numbers: each sample has a seed of its own, so that a new one moves no other.

pub(crate) const DIGITS: &str = "0123456789";
pub(crate) const HEX: &str = "0123456789abcdef";
pub(crate) const CAPITAL_HEX: &str = "0123456789ABCDEF";
pub(crate) const LOWER: &str = "abcdefghijklmnopqrstuvwxyz0123456789";
pub(crate) const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
pub(crate) const BASE32: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
pub(crate) const BASE62: &str = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
pub(crate) const BASE64: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
pub(crate) const BASE64_URL: &str =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

const WORDS: &[&str] = &[
    "amber", "anchor", "autumn", "basket", "beacon", "bridge", "candle", "canyon", "copper",
    "cradle", "ember", "falcon", "forest", "garden", "granite", "harbor", "hollow", "island",
    "juniper", "kettle", "lantern", "marble", "meadow", "mirror", "nickel", "orchard", "paper",
    "pebble", "planet", "quartz", "ribbon", "saddle", "shadow", "silver", "summit", "thunder",
    "timber", "tunnel", "velvet", "violet", "walnut", "willow", "winter", "yellow",
];

/// Numbers that follow from a name (`SplitMix64`).
pub(crate) struct Random(u64);

impl Random {
    /// The numbers of this name under this seed.
    pub(crate) fn of(seed: u64, name: &str) -> Self {
        let mut state = 0xcbf2_9ce4_8422_2325 ^ seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        for byte in name.bytes() {
            state = (state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        Self(state)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number less than this one.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.next() >> 11) as usize % end.max(1)
    }

    /// A number from here to there, both possible.
    pub(crate) fn between(&mut self, from: usize, to: usize) -> usize {
        from + self.below(to - from + 1)
    }

    pub(crate) fn one_in(&mut self, many: usize) -> bool {
        self.below(many) == 0
    }

    pub(crate) fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    /// So many characters of an alphabet of ASCII.
    pub(crate) fn text(&mut self, alphabet: &str, length: usize) -> String {
        let alphabet = alphabet.as_bytes();
        (0..length).map(|_| char::from(*self.pick(alphabet))).collect()
    }

    pub(crate) fn bytes(&mut self, length: usize) -> Vec<u8> {
        (0..length).map(|_| self.next().to_be_bytes()[0]).collect()
    }

    pub(crate) fn word(&mut self) -> &'static str {
        let word: &&'static str = self.pick(WORDS);
        word
    }

    pub(crate) fn uuid(&mut self) -> String {
        let hex = self.text(HEX, 30);
        format!("{}-{}-4{}-a{}-{}", &hex[..8], &hex[8..12], &hex[12..15], &hex[15..18], &hex[18..])
    }

    /// What people and generators of passwords make: it begins with a letter and ends in a letter
    /// or a digit, so that it is clear where it ends.
    pub(crate) fn password(&mut self) -> String {
        match self.below(3) {
            0 => {
                let length = self.between(10, 18);
                let middle = self.text(&format!("{BASE62}!@$%^*-_+?~"), length);
                format!("{}{middle}{}", self.text("abcdefghXYZ", 1), self.text(BASE62, 1))
            }
            1 => {
                let (one, two) = (capital(self.word()), capital(self.word()));
                format!("{one}{}{two}{}", self.text("!@$%*-_+?", 1), self.between(10, 9999))
            }
            _ => {
                let length = self.between(15, 23);
                format!("{}{}", self.text("abcdefghXYZ", 1), self.text(BASE62, length))
            }
        }
    }

    /// A password as it is written in a URL.
    pub(crate) fn url_password(&mut self) -> String {
        let (from, to) = (self.between(5, 9), self.between(5, 9));
        let (start, end) = (self.text(BASE62, from), self.text(BASE62, to));
        format!("{start}{}{end}", self.pick(&["-", "_", ".", "%40", "%23", "%2F", "!", "~", ""]))
    }
}

pub(crate) fn capital(word: &str) -> String {
    let mut marks = word.chars();
    marks.next().map_or_else(String::new, |first| first.to_uppercase().chain(marks).collect())
}

#[test]
fn the_same_name_gives_the_same_numbers_and_another_seed_gives_others() {
    let draw = |seed, name| Random::of(seed, name).text(BASE62, 20);
    assert_eq!(draw(1, "a"), draw(1, "a"));
    assert_ne!(draw(1, "a"), draw(1, "b"));
    assert_ne!(draw(1, "a"), draw(2, "a"));
}
