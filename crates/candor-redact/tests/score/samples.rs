//! Kinds, contexts and encodings to samples: each kind in each context, raw and in an encoding that
//! is drawn for it, and in each encoding once more.

use super::contexts::{self, Context, fill};
use super::encodings::{self, Encoding};
use super::held_out;
use super::kinds::{self, Kind, Shape};
use super::negatives::{self, Negative};
use super::random::Random;
use super::written::Written;

/// Which parts of a sample are held out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct HeldOut {
    pub(crate) kind: bool,
    pub(crate) context: bool,
    pub(crate) encoding: bool,
}

impl HeldOut {
    pub(crate) fn any(self) -> bool {
        self.kind || self.context || self.encoding
    }
}

/// A text with a secret in it.
pub(crate) struct Sample {
    pub(crate) kind: &'static str,
    pub(crate) context: &'static str,
    pub(crate) encoding: &'static str,
    pub(crate) held_out: HeldOut,
    pub(crate) json: bool,
    pub(crate) written: Written,
}

/// A text without one.
pub(crate) struct Clean {
    pub(crate) kind: &'static str,
    pub(crate) held_out: bool,
    pub(crate) text: String,
}

/// A part of a sample, and whether it is held out.
type Part<T> = (T, bool);

fn all_kinds() -> Vec<Part<&'static Kind>> {
    let seen = kinds::seen().into_iter().map(|kind| (kind, false));
    seen.chain(held_out::KINDS.iter().map(|kind| (kind, true))).collect()
}

fn all_contexts() -> Vec<Part<&'static Context>> {
    let seen = contexts::SEEN.iter().map(|context| (context, false));
    seen.chain(held_out::CONTEXTS.iter().map(|context| (context, true))).collect()
}

fn all_encodings() -> Vec<Part<&'static Encoding>> {
    let seen = encodings::SEEN.iter().map(|encoding| (encoding, false));
    seen.chain(held_out::ENCODINGS.iter().map(|encoding| (encoding, true))).collect()
}

/// All of them.
pub(crate) fn positive(seed: u64) -> Vec<Sample> {
    let (contexts, encodings) = (all_contexts(), all_encodings());
    let raw = (&encodings::RAW, false);
    let mut samples = Vec::new();
    for kind in all_kinds() {
        for &context in &contexts {
            let mut random = Random::of(seed, &format!("{}/{}", kind.0.name, context.0.name));
            let drawn = *random.pick(&encodings);
            for encoding in [raw, drawn] {
                samples.extend(sample(seed, kind, context, encoding));
            }
        }
        for &encoding in &encodings {
            let mut random = Random::of(seed, &format!("{}/{}", kind.0.name, encoding.0.name));
            // Not every context takes every value: the first that does, of a few.
            let mut drawn = (0..12).map(|_| *random.pick(&contexts));
            samples.extend(drawn.find_map(|context| sample(seed, kind, context, encoding)));
        }
    }
    samples
}

/// A sample, if the three go together.
fn sample(
    seed: u64,
    (kind, kind_held): Part<&'static Kind>,
    (context, context_held): Part<&'static Context>,
    (encoding, encoding_held): Part<&'static Encoding>,
) -> Option<Sample> {
    let name = format!("{}/{}/{}", kind.name, context.name, encoding.name);
    let mut random = Random::of(seed, &name);
    let random = &mut random;
    let alone = matches!(kind.shape, Shape::Line | Shape::Block);
    let templates = if alone { context.whole } else { context.named };
    if templates.is_empty() || !(encoding.fits)(kind.shape) {
        return None;
    }
    let value = (kind.make)(random);
    let mut key = *random.pick(kind.keys);
    let encoded = (encoding.write)(random, key, &value);
    let changes = encoding.name == encodings::RAW.name || encoded.text != value.text;
    let fits = alone || context.lines || !encoded.text.contains('\n');
    if !changes || !fits {
        return None;
    }
    let known_by_itself = kind.shape == Shape::Token && random.one_in(2);
    if encoding.takes_name || known_by_itself {
        key = *random.pick(&["payload", "value", "data", "result_text"]);
    }
    let escape = if alone { context.escape_whole } else { context.escape };
    let template = *random.pick(templates);
    let other = if template.contains('¤') { neighbour(random) } else { Written::default() };
    let filled = fill(random, template, key, &escape(&encoded), &other);
    Some(Sample {
        kind: kind.name,
        context: context.name,
        encoding: encoding.name,
        held_out: HeldOut { kind: kind_held, context: context_held, encoding: encoding_held },
        json: context.json,
        written: (context.finish)(filled),
    })
}

/// Another secret on the same line: one that is known by itself.
fn neighbour(random: &mut Random) -> Written {
    let tokens: Vec<&Kind> =
        kinds::seen().into_iter().filter(|kind| kind.shape == Shape::Token).collect();
    (random.pick(&tokens).make)(random)
}

/// Harmless values in every context, and harmless texts in so many copies each.
pub(crate) fn negative(seed: u64) -> Vec<Clean> {
    let mut clean = Vec::new();
    for harmless in negatives::VALUES {
        for (context, held_out) in all_contexts() {
            let mut random = Random::of(seed, &format!("{}/{}", harmless.name, context.name));
            for _ in 0..2 {
                let text = harmless.inside(&mut random, context);
                clean.push(Clean { kind: harmless.name, held_out, text });
            }
        }
    }
    let texts = |texts: &'static [Negative], held_out: bool, clean: &mut Vec<Clean>| {
        for negative in texts {
            let mut random = Random::of(seed, negative.name);
            for _ in 0..20 {
                clean.push(Clean {
                    kind: negative.name,
                    held_out,
                    text: (negative.make)(&mut random),
                });
            }
        }
    };
    texts(negatives::TEXTS, false, &mut clean);
    texts(held_out::NEGATIVES, true, &mut clean);
    clean
}
