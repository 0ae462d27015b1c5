//! The conversations in `tests/transcripts`, with a stage in memory and with one behind pipes.

use candor::Policy;
use candor_testkit::peer::Child;
use candor_testkit::transcript::replay;

use crate::processes::command;
use crate::said::connect;
use crate::stage::Stage;

const TRANSCRIPTS: [(&str, &str); 9] = [
    ("modern.txt", include_str!("../transcripts/modern.txt")),
    ("2025-11-25.txt", include_str!("../transcripts/2025-11-25.txt")),
    ("2025-06-18.txt", include_str!("../transcripts/2025-06-18.txt")),
    ("2025-03-26.txt", include_str!("../transcripts/2025-03-26.txt")),
    ("2024-11-05.txt", include_str!("../transcripts/2024-11-05.txt")),
    ("modern-only.txt", include_str!("../transcripts/modern-only.txt")),
    ("batches.txt", include_str!("../transcripts/batches.txt")),
    ("progress.txt", include_str!("../transcripts/progress.txt")),
    ("bad-bytes.txt", include_str!("../transcripts/bad-bytes.txt")),
];

/// Most need only the four tools that servers of other makes can have too.
fn is_small(name: &str) -> bool {
    name != "progress.txt"
}

#[tokio::test]
async fn every_conversation_is_held_in_memory() {
    for (name, text) in TRANSCRIPTS {
        let mut policy = Policy::default();
        policy.modern_only = name == "modern-only.txt";
        let stage = if is_small(name) { Stage::small(policy) } else { Stage::new(policy) };
        replay(name, text, &mut connect(&stage)).await;
    }
}

#[tokio::test]
async fn every_conversation_is_held_over_standard_streams() {
    for (name, text) in TRANSCRIPTS {
        let mut options = Vec::new();
        options.extend(is_small(name).then_some("--small"));
        options.extend((name == "modern-only.txt").then_some("--modern-only"));
        let mut child = Child::start(command(&options)).unwrap();
        replay(name, text, &mut child).await;
        let (status, stderr) = child.wait().await.unwrap();
        assert!(status.success(), "after {name}: {status}");
        assert_eq!(stderr, "", "after {name}");
    }
}

#[test]
fn every_transcript_is_replayed() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/transcripts");
    let mut found: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    found.sort();
    let mut replayed = TRANSCRIPTS.map(|(name, _)| name);
    replayed.sort_unstable();
    assert_eq!(found, replayed);
}
