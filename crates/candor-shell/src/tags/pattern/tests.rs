//! What a pattern finds, and what is said of one that is none.

use super::Pattern;

fn is_in(pattern: &str, text: &str) -> bool {
    Pattern::read(pattern).unwrap().is_in(text)
}

/// A pattern, texts that hold it, texts that do not.
const FOUND: &[(&str, &[&str], &[&str])] = &[
    ("b", &["b", "abc"], &["", "ac"]),
    ("^b", &["b", "bc"], &["ab"]),
    ("b$", &["ab"], &["bc", "b\n"]),
    (r"^\d\d:\d\d$", &["13:30"], &["1:30", "13:300", "ab:cd", "١٣:30"]),
    (r"^BK\d+$", &["BK1", "BK123"], &["BK", "bk1", "BK1x"]),
    ("^(a|bc|)$", &["a", "bc", ""], &["b", "abc"]),
    ("^(?:ab)*$", &["", "abab"], &["aba"]),
    ("^a{2}$", &["aa"], &["a", "aaa"]),
    ("^a{2,}$", &["aa", "aaaa"], &["a"]),
    ("^a{1,3}?$", &["a", "aaa"], &["", "aaaa"]),
    ("^a?b+?c*?$", &["b", "abbcc"], &["a", "ac"]),
    ("^[a-c_-]+$", &["a_b-c"], &["d", ""]),
    (r"^[^\d\]]$", &["a", "^"], &["1", "]", ""]),
    (r"^[\w.]+@[\w.]+$", &["a.b@c"], &["a b@c"]),
    (r"^[\S]\s\S$", &["a b", "a\tb"], &["abc"]),
    (r"\bone\b", &["one", "is one!"], &["none", "ones"]),
    (r"\Bn", &["on"], &["n"]),
    (r"^\x41\u00e9$", &["Aé"], &["Ae"]),
    (r"^.$", &["é", "😀"], &["\n", ""]),
    ("^(a*)*$", &["", "aaa"], &["b"]),
    ("(x+x+)+y", &["xxy"], &["xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"]),
    ("^$", &[""], &["a"]),
    ("^[ -~]{0,64}$", &["any thing"], &["é"]),
];

/// A pattern, the character that is wrong, and what is said.
const REFUSED: &[(&str, usize, &str)] = &[
    (
        r"a(?=b)",
        1,
        r#""(?=" looks around, which only some engines can. Check that in the tool instead."#,
    ),
    (
        r"(?<!a)b",
        0,
        r#""(?<!" looks around, which only some engines can. Check that in the tool instead."#,
    ),
    (
        r"(a)\1",
        3,
        r#""\1" refers to a group, which only some engines can. Check that in the tool instead."#,
    ),
    (
        r"(?<year>\d+)",
        0,
        r#""(?<" names a group, which engines write in different ways. Write ( alone."#,
    ),
    (
        r"(?P<year>\d+)",
        0,
        r#""(?P" names a group, which engines write in different ways. Write ( alone."#,
    ),
    (
        r"(?i)a",
        0,
        r#""(?i" is not known to every engine. Write ( or (?: here; for both cases of a letter, write [Aa]."#,
    ),
    (
        r"\pL",
        0,
        r#""\p" is not known to every engine. Known are \d \D \w \W \s \S \b \B \t \n \r \f \v \xHH \uHHHH."#,
    ),
    (
        r"\Aa\z",
        0,
        r#""\A" is not known to every engine. Known are \d \D \w \W \s \S \b \B \t \n \r \f \v \xHH \uHHHH."#,
    ),
    (r"a\-b", 1, r#""-" needs no backslash here. Write - alone."#),
    (r"a\", 1, r#""\" stands before nothing. Write \\ for the character itself."#),
    (r"\x4", 0, r#""\x" needs 2 hexadecimal digits. Write \x41, for example."#),
    (r"\ud800", 0, r#""\ud800" is half a character. Write the character itself."#),
    ("a++", 2, r#""+" repeats nothing. Write \+ for the character itself."#),
    ("*a", 0, r#""*" repeats nothing. Write \* for the character itself."#),
    ("(|*)", 2, r#""*" repeats nothing. Write \* for the character itself."#),
    ("^*", 1, r#""*" repeats nothing. Write \* for the character itself."#),
    (
        "a{,3}",
        1,
        r#""{" begins no count. Write {3}, {1,} or {1,3}, or \{ for the character itself."#,
    ),
    ("a{3,1}", 1, r#""{3,1}" asks for at least 3 and at most 1. Write {1,3}."#),
    ("a{1001}", 1, r#""{1001}" counts to more than 1000. Use a smaller count."#),
    (
        "a{99999999999999999999}",
        1,
        r#""{99999999999999999999}" counts to more than 1000. Use a smaller count."#,
    ),
    ("a{2}{3}", 4, r#""{" repeats nothing. Write \{ for the character itself."#),
    ("(a", 0, r#""(" is not closed. Close it with ), or write \( for the character itself."#),
    ("a)", 1, r#"")" closes nothing. Write \) for the character itself."#),
    ("a]", 1, r#""]" closes nothing. Write \] for the character itself."#),
    ("a}", 1, r#""}" closes nothing. Write \} for the character itself."#),
    ("[a", 0, r#""[" is not closed. Close it with ], or write \[ for the character itself."#),
    ("[]a]", 0, r#""[]" holds nothing. Write \] for the character itself."#),
    ("[^]", 0, r#""[^]" holds nothing. Write \] for the character itself."#),
    (
        "[[:alpha:]]",
        1,
        r#""[" within [ ] is not read alike by every engine. Write \[ for the character itself."#,
    ),
    (
        "[a-z&&b]",
        4,
        r#""&&" within [ ] is not read alike by every engine. Write the character once."#,
    ),
    ("[z-a]", 1, r#""z-a" runs backwards. Write a-z."#),
    (
        r"[\d-x]",
        3,
        r#""-" within [ ] stands between two characters, first or last. Write \- for the character itself."#,
    ),
    ("", 0, "the pattern is empty. Write /^[a-z]+$/, for example."),
    ("(a{1000}){1000}", 0, "the counts of this pattern multiply to too much. Use smaller ones."),
    (
        "((((((((((((((((((((((((((((((((((((((((a",
        32,
        "the groups of this pattern are nested too deep. Use fewer.",
    ),
];

#[test]
fn a_pattern_is_found_where_every_engine_finds_it() {
    for (pattern, yes, no) in FOUND {
        assert_eq!(Pattern::read(pattern).unwrap().as_str(), *pattern);
        for text in *yes {
            assert!(is_in(pattern, text), "/{pattern}/ in {text:?}");
        }
        for text in *no {
            assert!(!is_in(pattern, text), "/{pattern}/ not in {text:?}");
        }
    }
}

#[test]
fn what_only_some_engines_read_is_refused_in_a_sentence() {
    for (pattern, at, sentence) in REFUSED {
        let wrong = Pattern::read(pattern).expect_err(pattern);
        assert_eq!(format!("{} {}", wrong.said, wrong.right), *sentence, "/{pattern}/");
        assert_eq!(wrong.at, *at, "/{pattern}/");
    }
}

#[test]
fn no_empty_loop_is_walked_for_ever() {
    assert!(Pattern::read("(((){1000}){1000}){1000}").is_err());
    assert!(is_in("((a?){9}){9}$", "aaa"));
}
