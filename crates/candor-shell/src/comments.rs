//! A function's place in its file, or a program, to the comment that describes it.

use crate::tags::Line;

/// A comment block, as it stands in its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Comment {
    /// The number of its first line, counted from one.
    pub(crate) first: usize,
    pub(crate) lines: Vec<String>,
}

impl Comment {
    /// The comment block that touches the definition of `function`, said to be at `line` of `text`.
    ///
    /// Lines count from one. Bash names the line of the opening brace where that stands alone, so
    /// the name is looked for a little above, too.
    pub(crate) fn above(text: &str, line: usize, function: &str) -> Option<Self> {
        let lines: Vec<&str> = text.lines().take(line).collect();
        let from = lines.len().saturating_sub(3);
        let at = (from..lines.len())
            .rev()
            .find(|&at| lines.get(at).is_some_and(|l| defines(l, function)))?;
        let above = lines.get(..at)?;
        let count = above.iter().rev().take_while(|line| is_comment(line)).count();
        Self::of(above, at - count, count)
    }

    /// The first comment block of a program, behind the line that names its interpreter and the one
    /// that says how it is written down.
    pub(crate) fn first(text: &str) -> Option<Self> {
        let lines: Vec<&str> = text.lines().collect();
        let is_before = |(at, line): &(usize, &&str)| {
            line.trim().is_empty()
                || (*at == 0 && line.starts_with("#!"))
                || (*at < 2 && is_about_encoding(line))
        };
        let behind = lines.iter().enumerate().take_while(is_before).count();
        let block = lines.iter().skip(behind);
        let count = block.take_while(|line| Line::of_comment(line).is_some()).count();
        Self::of(&lines, behind, count)
    }

    /// So many of these lines, behind the first so many.
    fn of(lines: &[&str], behind: usize, count: usize) -> Option<Self> {
        let lines = lines.get(behind..behind + count)?;
        let lines: Vec<_> = lines.iter().map(|&line| line.to_owned()).collect();
        (!lines.is_empty()).then_some(Self { first: behind + 1, lines })
    }
}

fn defines(line: &str, function: &str) -> bool {
    let line = line.trim_start();
    let line = line.strip_prefix("function").map_or(line, str::trim_start);
    line.strip_prefix(function)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '(', '{']))
}

/// Said to an editor or an interpreter, as in `# -*- coding: utf-8 -*-`.
fn is_about_encoding(line: &str) -> bool {
    let is_comment = Line::of_comment(line).is_some();
    is_comment && ["-*-", "coding:", "coding="].iter().any(|mark| line.contains(mark))
}

/// To bash: two slashes begin none.
fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with('#') && Line::of_comment(line).is_some()
}

#[cfg(test)]
mod tests {
    use super::Comment;

    #[track_caller]
    fn assert_above(text: &str, line: usize, first: usize, lines: &[&str]) {
        let lines = lines.iter().map(|&line| line.to_owned()).collect();
        let comment = Comment::above(text, line, "tool_a");
        assert_eq!(comment, Some(Comment { first, lines }), "{text}");
    }

    #[test]
    fn the_block_that_touches_a_function_is_kept_as_it_stands() {
        assert_above(
            "# Apart.\n\n# Book seats\n  #   for one showing\n#\ntool_a() {\n",
            6,
            3,
            &["# Book seats", "  #   for one showing", "#"],
        );
    }

    #[test]
    fn a_blank_line_or_code_in_between_leaves_it_undescribed() {
        assert_eq!(Comment::above("# Book.\n\ntool_a() { :; }\n", 3, "tool_a"), None);
        assert_eq!(Comment::above("# Book.\nX=1\ntool_a() { :; }\n", 3, "tool_a"), None);
        assert_eq!(Comment::above("//bin/true\ntool_a() { :; }\n", 2, "tool_a"), None);
    }

    #[test]
    fn the_interpreter_line_is_no_description() {
        assert_eq!(Comment::above("#!/bin/bash\ntool_a() { :; }\n", 2, "tool_a"), None);
        assert_above("#!/bin/bash\n# Say it.\ntool_a() { :; }\n", 3, 2, &["# Say it."]);
    }

    #[test]
    fn every_way_to_define_a_function_is_found() {
        for (text, line) in [
            ("# A.\ntool_a()\n{\n", 3),
            ("# A.\nfunction tool_a {\n", 2),
            ("# A.\nfunction tool_a()\n{\n", 3),
            ("# A.\n  tool_a () { :; }\n", 2),
        ] {
            assert_above(text, line, 1, &["# A."]);
        }
    }

    #[test]
    fn the_first_block_of_a_program_describes_it() {
        for (text, first) in [
            ("# A.\n\n# Not.", 1),
            ("#!/bin/sh\n# A.\ncode\n", 2),
            ("#!/bin/sh\n\n\n# A.\n", 4),
            ("#!/usr/bin/env python3\n# -*- coding: utf-8 -*-\n# A.\nimport os\n", 3),
            ("#!/usr/bin/env python3\n# vim: set fileencoding=utf-8 :\n\n# A.\n", 4),
            ("\n# A.\r\n", 2),
        ] {
            let lines = vec!["# A.".to_owned()];
            assert_eq!(Comment::first(text), Some(Comment { first, lines }), "{text}");
        }
        let slashes = Comment::first("#!/usr/bin/env node\n// A.\n// @asks\nf();").unwrap();
        assert_eq!((slashes.first, slashes.lines.len()), (2, 2));
        assert_eq!(Comment::first("#!/bin/sh\nset -e\n# A.\n"), None);
        assert_eq!(Comment::first("\u{7f}ELF\0\n# A.\n"), None);
        assert_eq!(Comment::first(""), None);
    }

    #[test]
    fn a_longer_name_is_another_function() {
        let text = "# A.\ntool_ab() { tool_a() { :; }; }\n";
        assert_eq!(Comment::above(text, 2, "tool_a"), None);
    }
}
