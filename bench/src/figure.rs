//! What is measured, and how its values are written.

/// What is measured of a target, in the order in which it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Figure {
    /// In microseconds, with one call in flight.
    RoundTrip { percent: usize },
    /// With so many in flight.
    CallsPerSecond { window: usize },
    /// In microseconds, with all that the server starts.
    CpuPerCall { window: usize },
    /// In microseconds, of the server's first process.
    OwnCpuPerCall { window: usize },
    /// In milliseconds, with one call in flight.
    LongCall,
    /// In milliseconds, from before the process is started until `server/discover` is answered.
    FirstAnswer,
    /// The same until `tools/list` is.
    FirstList,
    /// In MiB, one second after the start.
    AtRest,
    /// In MiB, of the processes below it.
    BelowAtRest,
    /// In MiB.
    FloodPeak,
    /// How many times its memory at rest.
    FloodPeakRatio,
    /// In KiB that it took before it waited for its reader.
    FloodTaken,
    /// In MiB over its memory at rest.
    LongLine,
    /// Per call.
    Allocations { window: usize },
    /// In bytes per call.
    Allocated { window: usize },
}

impl Figure {
    pub(crate) fn name(self) -> String {
        match self {
            Self::RoundTrip { percent } => format!("round trip, p{percent}"),
            Self::CallsPerSecond { window } => format!("calls, {window} in flight"),
            Self::CpuPerCall { window } => format!("CPU per call, {window} in flight"),
            Self::OwnCpuPerCall { window } => format!("of which its own, {window} in flight"),
            Self::LongCall => "a call".to_owned(),
            Self::FirstAnswer => "first answer".to_owned(),
            Self::FirstList => "first list of tools".to_owned(),
            Self::AtRest => "memory at rest".to_owned(),
            Self::BelowAtRest => "memory at rest, its processes".to_owned(),
            Self::FloodPeak => "peak, 100,000 calls unread".to_owned(),
            Self::FloodPeakRatio => "the same, in units of its rest".to_owned(),
            Self::FloodTaken => "taken before it waits".to_owned(),
            Self::LongLine => "cost of a line of 1 GiB".to_owned(),
            Self::Allocations { window } => format!("allocations per call, {window} in flight"),
            Self::Allocated { window } => format!("allocated per call, {window} in flight"),
        }
    }

    pub(crate) fn unit(self) -> &'static str {
        match self {
            Self::RoundTrip { .. } | Self::CpuPerCall { .. } | Self::OwnCpuPerCall { .. } => " µs",
            Self::CallsPerSecond { .. } => "/s",
            Self::LongCall | Self::FirstAnswer | Self::FirstList => " ms",
            Self::AtRest | Self::BelowAtRest | Self::FloodPeak | Self::LongLine => " MiB",
            Self::FloodPeakRatio => " ×",
            Self::FloodTaken => " KiB",
            Self::Allocations { .. } => "",
            Self::Allocated { .. } => " B",
        }
    }
}

/// Three digits that matter; whole from 100 on, in groups of three.
pub(crate) fn number(value: f64) -> String {
    if value < 10.0 {
        return format!("{value:.2}");
    }
    if value < 100.0 {
        return format!("{value:.1}");
    }
    let whole = format!("{value:.0}");
    let mut grouped = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_keep_three_digits() {
        let shown: Vec<String> = [0.5, 12.34, 123.4, 1_234_567.8].into_iter().map(number).collect();
        assert_eq!(shown, ["0.50", "12.3", "123", "1,234,568"]);
    }
}
