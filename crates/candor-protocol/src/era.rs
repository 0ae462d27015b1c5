//! The five revisions, and what each of them can carry.
//!
//! *Modern* is the era in which every request says its own version; *legacy* the one that opens
//! with `initialize`. What an older revision has no word for is left out or turned into text, and
//! [`Feature`] is the only place that knows which.

use std::fmt;

/// A revision of the protocol, oldest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(clippy::exhaustive_enums, reason = "a new revision asks every reader what to do")]
pub enum Version {
    /// The first.
    V2024_11_05,
    /// Knows batches, and is the only one that does.
    V2025_03_26,
    /// Structured content and elicitation.
    V2025_06_18,
    /// The last that opens with `initialize`.
    V2025_11_25,
    /// Every request carries its own version; there is no handshake.
    V2026_07_28,
}

impl Version {
    /// Every revision, oldest first.
    pub const ALL: [Self; 5] = [
        Self::V2024_11_05,
        Self::V2025_03_26,
        Self::V2025_06_18,
        Self::V2025_11_25,
        Self::V2026_07_28,
    ];
    /// What a server names in `supportedVersions` and in `-32022`: versions that a request can
    /// carry. A client told of a legacy one there would send it and be refused again.
    pub const MODERN: &'static [Self] = &[Self::V2026_07_28];
    /// What a handshake that asks for an unknown version is offered.
    pub const NEWEST_LEGACY: Self = Self::V2025_11_25;

    /// The version that a peer named.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|version| version.name() == name)
    }

    /// The name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::V2024_11_05 => "2024-11-05",
            Self::V2025_03_26 => "2025-03-26",
            Self::V2025_06_18 => "2025-06-18",
            Self::V2025_11_25 => "2025-11-25",
            Self::V2026_07_28 => "2026-07-28",
        }
    }

    /// Does a request carry its own version, or did the connection agree on one?
    #[must_use]
    pub const fn is_modern(self) -> bool {
        matches!(self, Self::V2026_07_28)
    }

    /// Can this revision carry the feature?
    #[must_use]
    pub fn knows(self, feature: Feature) -> bool {
        let (first, last) = feature.lifetime();
        first <= self && self <= last
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Something that some revisions carry and others do not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the published schemas close this set")]
pub enum Feature {
    /// Arrays of messages.
    Batches,
    /// `annotations` of a tool.
    ToolAnnotations,
    /// `title` of a tool or a server.
    Titles,
    /// `_meta` of a tool.
    ToolMeta,
    /// `message` in `notifications/progress`.
    ProgressMessages,
    /// Content of the type `audio`.
    Audio,
    /// Content of the type `resource_link`.
    ResourceLinks,
    /// `icons`, and the description and website of a server.
    Icons,
    /// `outputSchema` and `structuredContent`, objects only.
    StructuredObjects,
    /// The same with any JSON value at the root.
    StructuredValues,
    /// `resultType`, the server's name in each result, and caching hints.
    SelfDescribingResults,
}

impl Feature {
    /// The first and the last revision that carries it.
    const fn lifetime(self) -> (Version, Version) {
        use Version::{V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28};
        match self {
            Self::Batches => (V2025_03_26, V2025_03_26),
            Self::ToolAnnotations | Self::ProgressMessages | Self::Audio => {
                (V2025_03_26, V2026_07_28)
            }
            Self::Titles | Self::ToolMeta | Self::ResourceLinks | Self::StructuredObjects => {
                (V2025_06_18, V2026_07_28)
            }
            Self::Icons => (V2025_11_25, V2026_07_28),
            Self::StructuredValues | Self::SelfDescribingResults => (V2026_07_28, V2026_07_28),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Feature, Version};

    #[test]
    fn a_version_is_named_exactly() {
        for version in Version::ALL {
            assert_eq!(Version::named(version.name()), Some(version));
        }
        assert_eq!(Version::named("2026-07-28 "), None);
        assert_eq!(Version::named("DRAFT-2026"), None);
    }

    #[test]
    fn each_feature_has_its_span() {
        let knowing = |feature| Version::ALL.map(|version| version.knows(feature));

        assert_eq!(knowing(Feature::Batches), [false, true, false, false, false]);
        assert_eq!(knowing(Feature::ToolAnnotations), [false, true, true, true, true]);
        assert_eq!(knowing(Feature::ProgressMessages), [false, true, true, true, true]);
        assert_eq!(knowing(Feature::Audio), [false, true, true, true, true]);
        assert_eq!(knowing(Feature::Titles), [false, false, true, true, true]);
        assert_eq!(knowing(Feature::ResourceLinks), [false, false, true, true, true]);
        assert_eq!(knowing(Feature::Icons), [false, false, false, true, true]);
        assert_eq!(knowing(Feature::StructuredValues), [false, false, false, false, true]);
    }
}
