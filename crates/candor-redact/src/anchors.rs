//! A text to the places at which a rule should look, in one pass for all rules.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

use crate::scan::Scan;
use crate::tokens::{SHAPES, Shape};
use crate::{headers, jwt, named, pem, structures, tokens, urls};

/// A rule looks at a place: where its word begins, and where it ends.
pub(crate) type Look = fn(&mut Scan<'_>, usize, usize);

#[derive(Clone, Copy)]
enum Rule {
    Token(&'static Shape),
    Look(Look),
}

struct Anchors {
    automaton: Option<AhoCorasick>,
    rules: Vec<Rule>,
}

static ANCHORS: LazyLock<Anchors> = LazyLock::new(|| {
    let mut words: Vec<&str> = Vec::new();
    let mut rules = Vec::new();
    for shape in SHAPES {
        words.push(shape.prefix);
        rules.push(Rule::Token(shape));
    }
    for (look, list) in [
        (named::look as Look, named::ANCHORS),
        (headers::scheme, headers::SCHEMES),
        (headers::cookies, headers::COOKIES),
        (jwt::look, jwt::ANCHORS),
        (pem::look, pem::ANCHORS),
        (urls::look, urls::ANCHORS),
    ] {
        for word in list {
            words.push(word);
            rules.push(Rule::Look(look));
        }
    }
    for (word, look) in structures::ANCHORS {
        words.push(word);
        rules.push(Rule::Look(*look));
    }
    let automaton = AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .match_kind(MatchKind::Standard)
        .kind(Some(AhoCorasickKind::ContiguousNFA))
        .build(words)
        .ok();
    Anchors { automaton, rules }
});

/// Lets every rule look where its word stands.
pub(crate) fn look(scan: &mut Scan<'_>) {
    let anchors = &*ANCHORS;
    // It is built from constants of ours. Without it, nothing may leave.
    let Some(automaton) = &anchors.automaton else { return scan.effort.cut(0) };
    let text = scan.text;
    for place in automaton.find_overlapping_iter(text) {
        if !scan.effort.spend(1) {
            return scan.effort.cut(place.start());
        }
        match anchors.rules.get(place.pattern().as_usize()) {
            Some(Rule::Token(shape)) => tokens::look(scan, place.start(), shape),
            Some(Rule::Look(look)) => look(scan, place.start(), place.end()),
            None => {}
        }
    }
}
