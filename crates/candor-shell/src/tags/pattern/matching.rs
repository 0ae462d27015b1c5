//! A pattern's parts to a verdict on a text, in time that the text's length bounds.

use super::{Node, Set};

/// A pattern with more steps than this is refused.
const MOST_STEPS: usize = 10_000;

/// What to do at each step, for all ways through the pattern at once.
#[derive(Clone, Debug)]
pub(super) struct Program(Vec<Step>);

#[derive(Clone, Debug)]
enum Step {
    Letter(Set),
    Start,
    End,
    Edge(bool),
    Go(usize),
    Fork(usize, usize),
    Found,
}

impl Program {
    /// `None` if it would be too long.
    pub(super) fn of(node: &Node) -> Option<Self> {
        let mut program = Self(Vec::new());
        program.add(node)?;
        program.push(Step::Found)?;
        Some(program)
    }

    fn push(&mut self, step: Step) -> Option<usize> {
        let at = self.0.len();
        (at < MOST_STEPS).then(|| self.0.push(step))?;
        Some(at)
    }

    fn set(&mut self, at: usize, step: Step) {
        if let Some(place) = self.0.get_mut(at) {
            *place = step;
        }
    }

    fn add(&mut self, node: &Node) -> Option<()> {
        match node {
            Node::Letter(set) => self.push(Step::Letter(set.clone())).map(drop),
            Node::Start => self.push(Step::Start).map(drop),
            Node::End => self.push(Step::End).map(drop),
            Node::Edge(is_edge) => self.push(Step::Edge(*is_edge)).map(drop),
            Node::Sequence(nodes) => nodes.iter().try_for_each(|node| self.add(node)),
            Node::Either(branches) => self.add_branches(branches),
            Node::Repeat { node, least, most } => self.add_repeated(node, *least, *most),
        }
    }

    fn add_branches(&mut self, branches: &[Node]) -> Option<()> {
        let mut leaving = Vec::new();
        for branch in branches {
            let fork = self.push(Step::Go(0))?;
            self.add(branch)?;
            leaving.push(self.push(Step::Go(0))?);
            self.set(fork, Step::Fork(fork + 1, self.0.len()));
        }
        // The last branch has no other to fall back on: its fork leads to a dead end.
        let dead = self.push(Step::Letter(Set::nothing()))?;
        for at in leaving {
            self.set(at, Step::Go(dead + 1));
        }
        Some(())
    }

    fn add_repeated(&mut self, node: &Node, least: usize, most: Option<usize>) -> Option<()> {
        for _ in 0..least {
            // A step of its own, so that a thousand times nothing is counted, too.
            let at = self.push(Step::Go(0))?;
            self.set(at, Step::Go(at + 1));
            self.add(node)?;
        }
        let mut forks = Vec::new();
        let Some(most) = most else {
            let fork = self.push(Step::Go(0))?;
            self.add(node)?;
            self.push(Step::Go(fork))?;
            self.set(fork, Step::Fork(fork + 1, self.0.len()));
            return Some(());
        };
        for _ in least..most {
            forks.push(self.push(Step::Go(0))?);
            self.add(node)?;
        }
        let end = self.0.len();
        for at in forks {
            self.set(at, Step::Fork(at + 1, end));
        }
        Some(())
    }

    /// Is the pattern somewhere in this text?
    pub(super) fn is_in(&self, text: &str) -> bool {
        let mut here = Vec::new();
        let mut before = None;
        let mut rest = text.chars();
        loop {
            let after = rest.clone().next();
            // It may begin anywhere.
            here.push(0);
            let Some(reading) = self.letters(here, before, after) else { return true };
            let Some(letter) = rest.next() else { return false };
            here = reading
                .into_iter()
                .filter(|(_, set)| set.holds(letter))
                .map(|(at, _)| at + 1)
                .collect();
            before = Some(letter);
        }
    }

    /// The steps that read a letter and can be reached from these without one; `None` if the end
    /// can be reached.
    fn letters(
        &self,
        from: Vec<usize>,
        before: Option<char>,
        after: Option<char>,
    ) -> Option<Vec<(usize, &Set)>> {
        let mut seen = vec![false; self.0.len()];
        let mut waiting = from;
        let mut reading = Vec::new();
        while let Some(at) = waiting.pop() {
            match seen.get_mut(at) {
                Some(seen) if !*seen => *seen = true,
                _ => continue,
            }
            match self.0.get(at)? {
                Step::Letter(set) => reading.push((at, set)),
                Step::Start if before.is_none() => waiting.push(at + 1),
                Step::End if after.is_none() => waiting.push(at + 1),
                Step::Edge(wanted) if *wanted == (is_word(before) != is_word(after)) => {
                    waiting.push(at + 1);
                }
                Step::Start | Step::End | Step::Edge(_) => {}
                Step::Go(to) => waiting.push(*to),
                Step::Fork(one, other) => waiting.extend([*one, *other]),
                Step::Found => return None,
            }
        }
        Some(reading)
    }
}

fn is_word(letter: Option<char>) -> bool {
    letter.is_some_and(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}
