//! The list in `README.md`, held against the tests.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

const LIST: &str = include_str!("README.md");

/// All that there are. A number that is not here was never one, or is the same as another.
const ALL: &str = "\
    1 3 4 5 6 8 9 10 11 13 15 16 17 19 21 22 25 27 28 29 31 33 35 36 37 38 40 41 42 44 46 48 49 50 \
    52 54 56 57 59 60 61 63 65 67 68 70 72 73 74 75 76 77 80 81 82 83 85 87 89 91 92 94 95 96 97 99 \
    101 103 104 105 106 107 108 110 111 112 113 115 118 121 122 123 125 126 127 128 129 131 133 134 \
    135 137 139 141 142 144 145 146 148 150 152 153 154 155 156 159 160 162 164 165 166 167 169 170";

/// The files whose tests carry an id, or the words that say why none does.
type Places = BTreeMap<u32, Vec<String>>;

/// What the list says.
fn listed() -> Places {
    let mut places = Places::new();
    for row in LIST.lines().filter(|line| line.starts_with("| B")) {
        let [_, id, failure, place, _] = row.split('|').map(str::trim).collect::<Vec<_>>()[..]
        else {
            panic!("three columns: {row}");
        };
        let number = id.trim_start_matches('B').parse().unwrap();
        assert_eq!(id, format!("B{number:02}"));
        assert!(failure.len() > 20, "what is the failure? {row}");
        let files = place.split(", ").map(str::to_owned).collect();
        assert_eq!(places.insert(number, files), None, "{id} is listed twice");
    }
    places
}

fn is_file(place: &str) -> bool {
    place.starts_with('`')
}

/// What the tests carry: lines `/// B105: …` above a test.
fn carried() -> Places {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let field = crates.join("candor-cli/tests/field");
    let mut places = BTreeMap::<u32, BTreeSet<String>>::new();
    for file in sources(crates) {
        let text = std::fs::read_to_string(&file).unwrap();
        let name = file.strip_prefix(&field).or(file.strip_prefix(crates)).unwrap();
        let name = format!("`{}`", name.display());
        let (mut ids, mut is_test) = (Vec::new(), false);
        for line in text.lines().map(str::trim) {
            if let Some(id) = id(line) {
                ids.push(id);
            } else if line.starts_with("#[test]") || line.starts_with("#[tokio::test") {
                is_test = true;
            } else if !line.starts_with("///") && !line.starts_with("#[") {
                assert!(ids.is_empty() || is_test, "{name}: {ids:?} stand above no test");
                for id in std::mem::take(&mut ids) {
                    places.entry(id).or_default().insert(name.clone());
                }
                is_test = false;
            }
        }
    }
    places.into_iter().map(|(id, files)| (id, files.into_iter().collect())).collect()
}

fn id(line: &str) -> Option<u32> {
    let (digits, _) = line.strip_prefix("/// B")?.split_once(": ")?;
    digits.parse().ok()
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        // A folder that cargo fills holds nothing of ours.
        if path.is_dir() && !path.ends_with("target") {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|it| it == "rs") {
            found.push(path);
        }
    }
    found
}

#[test]
fn every_id_is_listed_and_no_other() {
    let all: Vec<u32> = ALL.split_whitespace().map(|id| id.parse().unwrap()).collect();
    let listed: Vec<_> = listed().into_keys().collect();

    assert_eq!(all.len(), 114);
    assert_eq!(listed, all);
}

#[test]
fn every_id_has_the_tests_that_the_list_names_or_a_reason_why_it_has_none() {
    let (mut listed, carried) = (listed(), carried());
    for (id, places) in &listed {
        let reason = places.concat();
        assert!(is_file(&reason) || reason.split(' ').count() > 2, "B{id}: why? {reason}");
    }
    listed.retain(|_, places| places.iter().all(|place| is_file(place)));

    assert_eq!(listed, carried);
}
