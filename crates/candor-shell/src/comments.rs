//! A function's place in its file to the words above it.

/// The comment block that touches the definition of `function`, said to be at `line` of `text`.
///
/// Lines count from one. Bash names the line of the opening brace where that stands alone, so the
/// name is looked for a little above, too.
pub(crate) fn above(text: &str, line: usize, function: &str) -> Option<String> {
    let lines: Vec<&str> = text.lines().take(line).collect();
    let from = lines.len().saturating_sub(3);
    let at = (from..lines.len())
        .rev()
        .find(|&at| lines.get(at).is_some_and(|l| defines(l, function)))?;
    let mut block: Vec<&str> = lines
        .iter()
        .take(at)
        .rev()
        .map_while(|line| comment(line))
        // Said to a linter, and not to a model.
        .filter(|words| !words.trim_start().starts_with("shellcheck "))
        .collect();
    block.reverse();
    let words = block.join("\n");
    let words = words.trim_matches('\n').trim_end();
    (!words.is_empty()).then(|| words.to_owned())
}

fn defines(line: &str, function: &str) -> bool {
    let line = line.trim_start();
    let line = line.strip_prefix("function").map_or(line, str::trim_start);
    line.strip_prefix(function)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t', '(', '{']))
}

fn comment(line: &str) -> Option<&str> {
    let words = line.trim().strip_prefix('#')?;
    (!words.starts_with('!')).then(|| words.strip_prefix(' ').unwrap_or(words))
}

#[cfg(test)]
mod tests {
    use super::above;

    #[test]
    fn the_block_that_touches_a_function_describes_it() {
        let text = "# Apart.\n\n# Tool: Book seats\n#   for one showing\n#\ntool_book() {\n";
        assert_eq!(
            above(text, 6, "tool_book").as_deref(),
            Some("Tool: Book seats\n  for one showing")
        );
    }

    #[test]
    fn a_blank_line_or_code_in_between_leaves_it_undescribed() {
        assert_eq!(above("# Book.\n\ntool_a() { :; }\n", 3, "tool_a"), None);
        assert_eq!(above("# Book.\nX=1\ntool_a() { :; }\n", 3, "tool_a"), None);
    }

    #[test]
    fn the_interpreter_line_is_no_description() {
        assert_eq!(above("#!/bin/bash\ntool_a() { :; }\n", 2, "tool_a"), None);
        let text = "#!/bin/bash\n# Say it.\ntool_a() { :; }\n";
        assert_eq!(above(text, 3, "tool_a").as_deref(), Some("Say it."));
    }

    #[test]
    fn what_is_said_to_a_linter_describes_nothing() {
        let text = "# shellcheck disable=SC2154\ntool_a() { :; }\n";
        assert_eq!(above(text, 2, "tool_a"), None);
        let text = "# Say it.\n# shellcheck disable=SC2154\ntool_a() { :; }\n";
        assert_eq!(above(text, 3, "tool_a").as_deref(), Some("Say it."));
    }

    #[test]
    fn every_way_to_define_a_function_is_found() {
        for (text, line) in [
            ("# A.\ntool_a()\n{\n", 3),
            ("# A.\nfunction tool_a {\n", 2),
            ("# A.\nfunction tool_a()\n{\n", 3),
            ("# A.\n  tool_a () { :; }\n", 2),
        ] {
            assert_eq!(above(text, line, "tool_a").as_deref(), Some("A."), "{text}");
        }
    }

    #[test]
    fn a_longer_name_is_another_function() {
        assert_eq!(above("# A.\ntool_ab() { tool_a() { :; }; }\n", 2, "tool_a"), None);
    }
}
