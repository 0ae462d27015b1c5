//! The characters of a pattern to its parts.

use super::{Item, Node, Set};

/// Groups within groups within groups.
const DEEPEST: usize = 32;
/// What a single count may ask for.
const MOST: usize = 1000;

const KNOWN: &str = r"Known are \d \D \w \W \s \S \b \B \t \n \r \f \v \xHH \uHHHH.";

/// Why a pattern is none that every engine reads alike.
#[derive(Clone, Debug)]
pub(in crate::tags) struct Unreadable {
    /// The number of the character, from zero.
    pub(in crate::tags) at: usize,
    pub(in crate::tags) said: String,
    pub(in crate::tags) right: String,
}

type Read<T> = Result<T, Unreadable>;

pub(super) fn read(text: &str) -> Read<Node> {
    let mut reader = Reader { letters: text.chars().collect(), at: 0, depth: 0 };
    if text.is_empty() {
        return refuse(0, "the pattern is empty.", "Write /^[a-z]+$/, for example.");
    }
    let node = reader.either()?;
    match reader.peek() {
        None => Ok(node),
        Some(letter) => itself(reader.at, letter, "closes nothing"),
    }
}

fn refuse<T>(at: usize, said: impl Into<String>, right: impl Into<String>) -> Read<T> {
    Err(Unreadable { at, said: said.into(), right: right.into() })
}

fn itself<T>(at: usize, letter: char, is_wrong: &str) -> Read<T> {
    refuse(
        at,
        format!("\"{letter}\" {is_wrong}."),
        format!(r"Write \{letter} for the character itself."),
    )
}

struct Reader {
    letters: Vec<char>,
    at: usize,
    depth: usize,
}

impl Reader {
    fn peek(&self) -> Option<char> {
        self.letters.get(self.at).copied()
    }

    fn eat(&mut self, letter: char) -> bool {
        let is_next = self.peek() == Some(letter);
        self.at += usize::from(is_next);
        is_next
    }

    fn begins(&self, text: &str) -> bool {
        let rest = self.letters.get(self.at..).unwrap_or_default();
        text.chars().enumerate().all(|(at, letter)| rest.get(at) == Some(&letter))
    }

    /// The characters from there to here.
    fn since(&self, start: usize) -> String {
        self.letters.iter().take(self.at).skip(start).collect()
    }

    fn either(&mut self) -> Read<Node> {
        let mut branches = vec![self.branch()?];
        while self.eat('|') {
            branches.push(self.branch()?);
        }
        Ok(match <[Node; 1]>::try_from(branches) {
            Ok([only]) => only,
            Err(branches) => Node::Either(branches),
        })
    }

    fn branch(&mut self) -> Read<Node> {
        let mut nodes = Vec::new();
        while let Some(letter) = self.peek() {
            let start = self.at;
            let node = match letter {
                '|' | ')' => break,
                '^' => Node::Start,
                '$' => Node::End,
                '*' | '+' | '?' | '{' => return itself(start, letter, "repeats nothing"),
                ']' | '}' => return itself(start, letter, "closes nothing"),
                '.' => Node::Letter(Set::any()),
                '(' => self.group()?,
                '[' => Node::Letter(self.set()?),
                '\\' if self.begins(r"\b") || self.begins(r"\B") => {
                    let is_edge = self.begins(r"\b");
                    self.at += 2;
                    Node::Edge(is_edge)
                }
                '\\' => Node::Letter(Set::of(vec![self.escape(false)?], false)),
                _ => Node::Letter(Set::letter(letter)),
            };
            if self.at == start {
                self.at += 1;
            }
            nodes.push(self.repeated(node)?);
        }
        Ok(Node::Sequence(nodes))
    }

    fn repeated(&mut self, node: Node) -> Read<Node> {
        if matches!(node, Node::Start | Node::End | Node::Edge(_)) {
            return Ok(node);
        }
        let (least, most) = match self.peek() {
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some('?') => (0, Some(1)),
            Some('{') => self.count()?,
            _ => return Ok(node),
        };
        self.at += 1;
        // As few as possible or as many: that changes what is found, not whether.
        self.eat('?');
        Ok(Node::Repeat { node: Box::new(node), least, most })
    }

    /// `{2}`, `{2,}` or `{2,3}`, up to the brace that closes it.
    fn count(&mut self) -> Read<(usize, Option<usize>)> {
        let start = self.at;
        self.at += 1;
        let least = self.digits();
        let most = if self.eat(',') { self.digits() } else { least.clone() };
        let is_open = self.since(start).ends_with(',');
        if least.is_empty() || self.peek() != Some('}') {
            return refuse(
                start,
                "\"{\" begins no count.",
                r"Write {3}, {1,} or {1,3}, or \{ for the character itself.",
            );
        }
        let text = format!("{}}}", self.since(start));
        let number = |digits: &str| digits.parse().ok().filter(|number| *number <= MOST);
        match (number(&least), number(&most)) {
            (Some(least), _) if is_open => Ok((least, None)),
            (Some(least), Some(most)) if least <= most => Ok((least, Some(most))),
            (Some(least), Some(most)) => refuse(
                start,
                format!("\"{text}\" asks for at least {least} and at most {most}."),
                format!("Write {{{most},{least}}}."),
            ),
            _ => refuse(
                start,
                format!("\"{text}\" counts to more than {MOST}."),
                "Use a smaller count.",
            ),
        }
    }

    fn digits(&mut self) -> String {
        let start = self.at;
        while self.peek().is_some_and(|letter| letter.is_ascii_digit()) {
            self.at += 1;
        }
        self.since(start)
    }

    fn group(&mut self) -> Read<Node> {
        let start = self.at;
        for sign in ["(?=", "(?!", "(?<=", "(?<!"] {
            if self.begins(sign) {
                return refuse(
                    start,
                    format!("\"{sign}\" looks around, which only some engines can."),
                    "Check that in the tool instead.",
                );
            }
        }
        for sign in ["(?<", "(?P"] {
            if self.begins(sign) {
                return refuse(
                    start,
                    format!("\"{sign}\" names a group, which engines write in different ways."),
                    "Write ( alone.",
                );
            }
        }
        self.at += 1;
        if self.eat('?') && !self.eat(':') {
            self.at += 1;
            return refuse(
                start,
                format!("\"{}\" is not known to every engine.", self.since(start)),
                "Write ( or (?: here; for both cases of a letter, write [Aa].",
            );
        }
        self.depth += 1;
        if self.depth > DEEPEST {
            return refuse(start, "the groups of this pattern are nested too deep.", "Use fewer.");
        }
        let node = self.either()?;
        self.depth -= 1;
        if self.eat(')') { Ok(node) } else { unclosed(start, '(', ')') }
    }

    fn set(&mut self) -> Read<Set> {
        let start = self.at;
        self.at += 1;
        let is_all_but = self.eat('^');
        let mut items = Vec::new();
        while !self.begins("]") {
            items.push(self.item(start)?);
        }
        self.at += 1;
        if items.is_empty() {
            return refuse(
                start,
                format!("\"{}\" holds nothing.", self.since(start)),
                r"Write \] for the character itself.",
            );
        }
        Ok(Set::of(items, is_all_but))
    }

    fn item(&mut self, set: usize) -> Read<Item> {
        let start = self.at;
        let first = self.member(set)?;
        let is_range = self.begins("-") && !self.begins("-]");
        if !is_range {
            return Ok(first);
        }
        let hyphen = self.at;
        self.at += 1;
        let last = self.member(set)?;
        match (first, last) {
            (Item::Range(first, _), Item::Range(last, _)) if first <= last => {
                Ok(Item::Range(first, last))
            }
            (Item::Range(first, _), Item::Range(last, _)) => refuse(
                start,
                format!("\"{}\" runs backwards.", self.since(start)),
                format!("Write {last}-{first}."),
            ),
            _ => itself(hyphen, '-', "within [ ] stands between two characters, first or last"),
        }
    }

    fn member(&mut self, set: usize) -> Read<Item> {
        let Some(letter) = self.peek() else { return unclosed(set, '[', ']') };
        match letter {
            '[' => {
                return itself(self.at, '[', "within [ ] is not read alike by every engine");
            }
            '&' | '-' | '~' if self.begins(&format!("{letter}{letter}")) => {
                return refuse(
                    self.at,
                    format!("\"{letter}{letter}\" within [ ] is not read alike by every engine."),
                    "Write the character once.",
                );
            }
            '\\' => return self.escape(true),
            _ => {}
        }
        self.at += 1;
        Ok(Item::Range(letter, letter))
    }

    /// What a backslash and the next characters stand for.
    fn escape(&mut self, is_in_set: bool) -> Read<Item> {
        let start = self.at;
        self.at += 1;
        let Some(letter) = self.peek() else {
            return itself(start, '\\', "stands before nothing");
        };
        self.at += 1;
        if let Some(item) = Item::class(letter) {
            return Ok(item);
        }
        let letter = match letter {
            't' => '\t',
            'n' => '\n',
            'r' => '\r',
            'f' => '\u{c}',
            'v' => '\u{b}',
            'x' => self.hexadecimal(start, 2, r"\x41")?,
            'u' => self.hexadecimal(start, 4, r"\u0041")?,
            '^' | '$' | '\\' | '.' | '*' | '+' | '?' | '(' | ')' | '[' | ']' | '{' | '}' | '|'
            | '/' => letter,
            '-' if is_in_set => letter,
            '1'..='9' => {
                return refuse(
                    start,
                    format!("\"\\{letter}\" refers to a group, which only some engines can."),
                    "Check that in the tool instead.",
                );
            }
            letter if letter.is_alphanumeric() => {
                return refuse(
                    start,
                    format!("\"\\{letter}\" is not known to every engine."),
                    KNOWN,
                );
            }
            letter => {
                return refuse(
                    start,
                    format!("\"{letter}\" needs no backslash here."),
                    format!("Write {letter} alone."),
                );
            }
        };
        Ok(Item::Range(letter, letter))
    }

    fn hexadecimal(&mut self, start: usize, count: usize, example: &str) -> Read<char> {
        let digits: String = self.letters.iter().skip(self.at).take(count).collect();
        let is_whole = digits.chars().filter(char::is_ascii_hexdigit).count() == count;
        let Some(number) = is_whole.then(|| u32::from_str_radix(&digits, 16).ok()).flatten() else {
            return refuse(
                start,
                format!("\"{}\" needs {count} hexadecimal digits.", self.since(start)),
                format!("Write {example}, for example."),
            );
        };
        self.at += count;
        match char::from_u32(number) {
            Some(letter) => Ok(letter),
            None => refuse(
                start,
                format!("\"{}\" is half a character.", self.since(start)),
                "Write the character itself.",
            ),
        }
    }
}

fn unclosed<T>(at: usize, opening: char, closing: char) -> Read<T> {
    refuse(
        at,
        format!("\"{opening}\" is not closed."),
        format!(r"Close it with {closing}, or write \{opening} for the character itself."),
    )
}
