//! What a server said to what a person at a terminal is told: the answer as a model reads it, and,
//! if something went wrong, who should act.

use serde_json::value::RawValue;

use crate::exit::Exit;
use crate::json::Members;
use crate::peer::NoResult;
use crate::terminal::one_line;

/// What is told, and how the program ends.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Verdict {
    /// For standard output, whole lines.
    pub(crate) answer: String,
    /// For standard error, if something went wrong.
    pub(crate) remark: Option<Remark>,
    pub(crate) exit: Exit,
}

/// One line about a failure, and perhaps a second one that helps.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Remark {
    /// In which channel it came: `tool error`, `protocol error -32602`.
    pub(crate) channel: String,
    /// Who should act, and on what.
    pub(crate) text: String,
    pub(crate) help: Option<String>,
}

impl Verdict {
    /// What was asked for cannot be asked of a server.
    pub(crate) fn unusable(why: String) -> Self {
        Self::wrong(Exit::Unusable, String::new(), "candor", why)
    }

    fn wrong(exit: Exit, answer: String, channel: &str, text: String) -> Self {
        let remark = Remark { channel: channel.to_owned(), text, help: None };
        Self { answer, remark: Some(remark), exit }
    }
}

/// Judges the result of a call. The answer is what a model reads, or the whole result as it came.
pub(crate) fn of_result(result: &str, json: bool) -> Verdict {
    let verdict = judge(result);
    if json { Verdict { answer: format!("{result}\n"), ..verdict } } else { verdict }
}

fn judge(result: &str) -> Verdict {
    let Some(members) = Members::read(result) else {
        return broken("its result is not an object");
    };
    match members.get("resultType") {
        None | Some("\"complete\"") => {}
        Some("\"input_required\"") => return input_required(&members),
        Some(_) => return broken("its result is of a type that nobody knows"),
    }
    let Some(answer) = answer(&members) else {
        return broken("its result has no content");
    };
    match members.get("isError") {
        None | Some("false") => Verdict { answer, remark: None, exit: Exit::Done },
        Some("true") => Verdict::wrong(Exit::ToolError, answer, "tool error", who_acts(&members)),
        // What may have failed is no success.
        Some(_) => broken("its `isError` is neither true nor false"),
    }
}

/// Judges that there is no result. The answer is empty, or the whole error as it came.
pub(crate) fn of_no_result(why: &NoResult, json: bool) -> Verdict {
    let (exit, channel, text) = match why {
        NoResult::Error(error) => {
            let answer = if json { format!("{error}\n") } else { String::new() };
            return Verdict { answer, ..of_error(error.get()) };
        }
        NoResult::NotSent => (Exit::Unreachable, "unreachable", "the server is gone; nothing ran"),
        NoResult::Lost => (
            Exit::NoAnswer,
            "no answer",
            "the server is gone, and the call may have taken effect; check before another one",
        ),
    };
    Verdict::wrong(exit, String::new(), channel, text.to_owned())
}

fn of_error(error: &str) -> Verdict {
    let members = Members::read(error);
    let code = members.as_ref().and_then(|it| it.get("code"));
    let message = members.as_ref().and_then(|it| it.string("message"));
    let (Some(code), Some(message)) = (code, message) else {
        return broken("its error has no code or no message");
    };
    let text = format!("the host has to repair this: {}", one_line(&message));
    let channel = format!("protocol error {}", one_line(code));
    Verdict::wrong(Exit::ProtocolError, String::new(), &channel, text)
}

/// Adds what there would be, to an error that says that there is no such tool.
pub(crate) fn with_names<'a>(
    mut verdict: Verdict,
    tool: &str,
    names: impl Iterator<Item = &'a str>,
) -> Verdict {
    let names: Vec<&str> = names.collect();
    if let Some(remark) = &mut verdict.remark
        && remark.channel == "protocol error -32602"
        && !names.contains(&tool)
    {
        remark.help = Some(what_there_is(tool, &names));
    }
    verdict
}

fn what_there_is(tool: &str, names: &[&str]) -> String {
    const MOST: usize = 20;
    if names.is_empty() {
        return "There are no tools.".to_owned();
    }
    // The function of a tool has the tool's name and more.
    let bare = tool.strip_prefix("tool_").unwrap_or(tool);
    let nearest = names.iter().map(|name| (distance(tool, name).min(distance(bare, name)), name));
    let nearest = nearest.min();
    let nearest = match nearest {
        Some((distance, name)) if distance <= 2 => format!("Did you mean {name}? "),
        Some(_) | None => String::new(),
    };
    let more = match names.len().saturating_sub(MOST) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{nearest}There are: {}{more}", names.get(..MOST).unwrap_or(names).join(", "))
}

/// Judges that an answer is none of the protocol's.
pub(crate) fn broken(how: &str) -> Verdict {
    let text = format!("the server broke the protocol: {how}");
    Verdict::wrong(Exit::ProtocolError, String::new(), "protocol error", text)
}

fn input_required(members: &Members<'_>) -> Verdict {
    let requests = members.object("inputRequests");
    let keys: Vec<_> = requests.iter().flat_map(Members::keys).map(one_line).collect();
    let text = match keys.as_slice() {
        [] => "the host has to call again with the state that it was given".to_owned(),
        keys => format!("the host has to ask the user, and to call again: {}", keys.join(", ")),
    };
    Verdict::wrong(Exit::InputRequired, String::new(), "input required", text)
}

/// Who should act on a tool error.
fn who_acts(result: &Members<'_>) -> String {
    let failure = result.object("_meta").and_then(|meta| meta.object("dev.candor/failure"));
    let said = |key| failure.as_ref().and_then(|it| it.string(key)).map(|it| one_line(&it));
    let (kind, retry) = (said("kind"), said("retry"));
    let who = match (kind.as_deref(), retry.as_deref()) {
        (Some("crash" | "output"), _) => "the author of the tool has to repair this",
        (_, Some("unknown_effect")) => "the model must check what was done before it calls again",
        _ => "the model can act on this",
    };
    let facts: Vec<_> =
        [("kind", kind), ("same call again:", retry), ("incident", said("incident"))]
            .into_iter()
            .filter_map(|(name, value)| Some(format!("{name} {}", value?)))
            .collect();
    if facts.is_empty() { who.to_owned() } else { format!("{who} ({})", facts.join(", ")) }
}

/// The answer as a model reads it; `None` if there is none.
fn answer(result: &Members<'_>) -> Option<String> {
    let mut lines = String::new();
    let mut add = |line: &str| {
        lines.push_str(line);
        if !line.ends_with('\n') {
            lines.push('\n');
        }
    };
    let content = result.array("content");
    let structured = result.get("structuredContent");
    if content.is_none() && structured.is_none() {
        return None;
    }
    let mut has_text = false;
    for block in content.unwrap_or_default() {
        let text = Members::read(block.get())
            .filter(|block| block.string("type").as_deref() == Some("text"))
            .and_then(|block| block.string("text"));
        match text {
            Some(text) => {
                has_text = true;
                // An empty text is an empty answer, not an empty line.
                if !text.is_empty() {
                    add(&text);
                }
            }
            None => add(&other_block(block)),
        }
    }
    if let Some(structured) = structured.filter(|_| !has_text) {
        add(structured);
    }
    Some(lines)
}

/// A block that is no text, in brackets: what it is, and how large.
fn other_block(block: &RawValue) -> String {
    let size = |bytes: usize| format!("{bytes} bytes");
    let Some(members) = Members::read(block.get()) else {
        return format!("[something that is no content, {}]", size(block.get().len()));
    };
    let string = |key| members.string(key);
    let kind = string("type").unwrap_or_else(|| "something without a type".to_owned());
    let facts = match kind.as_str() {
        "image" | "audio" => {
            vec![string("mimeType"), string("data").map(|data| size(decoded(&data)))]
        }
        "resource_link" => vec![
            string("uri"),
            string("mimeType"),
            members.get("size").map(|it| format!("{it} bytes")),
        ],
        "resource" => {
            let resource = members.object("resource");
            let string = |key| resource.as_ref().and_then(|it| it.string(key));
            let text = string("text").map(|text| size(text.len()));
            let blob = || string("blob").map(|blob| size(decoded(&blob)));
            vec![string("uri"), string("mimeType"), text.or_else(blob)]
        }
        _ => vec![Some(size(block.get().len()))],
    };
    let facts: Vec<_> = [Some(kind)].into_iter().chain(facts).flatten().collect();
    format!("[{}]", one_line(&facts.join(", ")))
}

/// How many bytes a Base64 text stands for.
fn decoded(base64: &str) -> usize {
    base64.trim_end_matches('=').len() * 3 / 4
}

/// How many letters have to be changed, added or left out to make one word the other.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut above: Vec<usize> = (0..=other.len()).collect();
    for (row, letter) in one.chars().enumerate() {
        let mut line = vec![row + 1];
        for (column, (pair, other)) in above.windows(2).zip(&other).enumerate() {
            let (&[corner, above], Some(&left)) = (pair, line.get(column)) else { break };
            let changed = corner + usize::from(letter != *other);
            line.push(changed.min(above + 1).min(left + 1));
        }
        above = line;
    }
    above.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::value::RawValue;

    use super::{
        Exit, NoResult, Remark, Verdict, distance, judge, of_error, of_no_result, of_result,
        with_names,
    };

    fn remark(verdict: &Verdict) -> String {
        let Remark { channel, text, .. } = verdict.remark.as_ref().unwrap();
        format!("{channel}: {text}")
    }

    #[test]
    fn an_answer_is_printed_as_a_model_reads_it() {
        let answer = |result: &str| of_result(result, false).answer;
        let data = "AAAA".repeat(4) + "AA==";

        assert_eq!(answer(r#"{"content":[{"type":"text","text":"a\nb"}]}"#), "a\nb\n");
        assert_eq!(
            answer(r#"{"content":[{"type":"text","text":"a\n"},{"type":"text","text":"b"}]}"#),
            "a\nb\n"
        );
        assert_eq!(answer(r#"{"content":[{"type":"text","text":""}]}"#), "");
        assert_eq!(
            answer(r#"{"content":[{"type":"text","text":"a"}],"structuredContent":{"a":1}}"#),
            "a\n"
        );
        assert_eq!(answer(r#"{"content":[],"structuredContent":{"a": 1.0}}"#), "{\"a\": 1.0}\n");
        assert_eq!(
            answer(&format!(
                r#"{{"content":[{{"type":"image","mimeType":"image/png","data":"{data}"}}]}}"#
            )),
            "[image, image/png, 13 bytes]\n"
        );
        assert_eq!(
            answer(r#"{"content":[{"type":"resource_link","uri":"x:y","name":"z","size":7}]}"#),
            "[resource_link, x:y, 7 bytes]\n"
        );
        assert_eq!(
            answer(r#"{"content":[{"type":"resource","resource":{"uri":"x:y","text":"é"}}]}"#),
            "[resource, x:y, 2 bytes]\n"
        );
        assert_eq!(answer(r#"{"content":[{"type":"new"}]}"#), "[new, 14 bytes]\n");
        assert_eq!(answer(r#"{"content":[7]}"#), "[something that is no content, 1 bytes]\n");
    }

    /// B06: a failure of an older server, which says nothing of the type of its result, was taken for
    /// one of the protocol. It is a failure of the tool, with its text.
    #[test]
    fn a_result_without_a_type_is_complete() {
        let verdict = judge(
            r#"{"content":[{"type":"text","text":"Error executing tool x: Booooo"}],"isError":true}"#,
        );

        assert_eq!(verdict.exit, Exit::ToolError);
        assert_eq!(verdict.answer, "Error executing tool x: Booooo\n");
    }

    /// B29: the flag of a failure was not read. A failure is one, and a flag that is none, such as a
    /// word or null, is no success.
    #[test]
    fn a_flag_that_is_neither_true_nor_false_is_no_success() {
        let judged = |flag: &str| {
            judge(&format!(
                r#"{{"content":[{{"type":"text","text":"no such file"}}],"isError":{flag}}}"#
            ))
        };

        assert_eq!(judged("false").exit, Exit::Done);
        assert_eq!(judged("true").exit, Exit::ToolError);
        for flag in ["\"true\"", "null", "1", "{}"] {
            let verdict = judged(flag);
            assert_eq!(verdict.exit, Exit::ProtocolError, "{flag}");
            assert_eq!(
                remark(&verdict),
                "protocol error: the server broke the protocol: its `isError` is neither true nor \
                 false"
            );
        }
    }

    /// B33: a failure that was told in structure alone became an empty one. The structure is what is
    /// read then.
    #[test]
    fn a_failure_without_words_is_read_from_its_structure() {
        let verdict = judge(
            r#"{"content":[],"structuredContent":{"code":"E1","message":"quota"},"isError":true,"resultType":"complete"}"#,
        );

        assert_eq!(verdict.exit, Exit::ToolError);
        assert_eq!(verdict.answer, "{\"code\":\"E1\",\"message\":\"quota\"}\n");
    }

    /// B54: a result without content was shown as the dump of a validator. It is said in a sentence, and
    /// is no success.
    #[test]
    fn a_result_without_content_is_no_success() {
        for result in
            [r#"{"toolResult":{"content":[]}}"#, r#"{"isError":true,"resultType":"complete"}"#]
        {
            let verdict = judge(result);
            assert_eq!(verdict.exit, Exit::ProtocolError);
            assert_eq!(
                remark(&verdict),
                "protocol error: the server broke the protocol: its result has no content"
            );
        }
    }

    /// B72: an error whose message was no text was shown as the name of a type. What cannot be shown
    /// is said to be none, in a sentence.
    #[test]
    fn an_error_whose_message_is_no_text_is_said_to_have_none() {
        for error in [
            r#"{"code":-32603,"message":{"reason":"quota"}}"#,
            r#"{"code":-32603,"message":null}"#,
            r#"{"code":-32603}"#,
        ] {
            assert_eq!(
                remark(&of_error(error)),
                "protocol error: the server broke the protocol: its error has no code or no message"
            );
        }
        let nested = judge(r#"{"content":[{"type":"text","text":{"a":1}}],"isError":true}"#);
        assert_eq!(nested.answer, "[text, 30 bytes]\n");
    }

    /// B134: a question to the user was read as a result without content. The type of a result is read
    /// first, and one that nobody knows is no success.
    #[test]
    fn each_end_has_its_exit_status_and_says_who_acts() {
        let failed = |meta: &str| {
            judge(&format!(
                r#"{{"resultType":"complete","content":[],"isError":true,"_meta":{{{meta}}}}}"#
            ))
        };
        for (verdict, exit, said) in [
            (failed(""), Exit::ToolError, "tool error: the model can act on this"),
            (
                failed(r#""dev.candor/failure":{"kind":"tool","retry":"no"}"#),
                Exit::ToolError,
                "tool error: the model can act on this (kind tool, same call again: no)",
            ),
            (
                failed(
                    r#""dev.candor/failure":{"kind":"crash","retry":"no","incident":"7f3a91c2"}"#,
                ),
                Exit::ToolError,
                "tool error: the author of the tool has to repair this (kind crash, same call again: no, \
                 incident 7f3a91c2)",
            ),
            (
                failed(r#""dev.candor/failure":{"kind":"timeout","retry":"unknown_effect"}"#),
                Exit::ToolError,
                "tool error: the model must check what was done before it calls again (kind \
                 timeout, same call again: unknown_effect)",
            ),
            (
                of_error(r#"{"code":-32602,"message":"Unknown tool: x"}"#),
                Exit::ProtocolError,
                "protocol error -32602: the host has to repair this: Unknown tool: x",
            ),
            (
                of_error(r#"{"code":"x"}"#),
                Exit::ProtocolError,
                "protocol error: the server broke the protocol: its error has no code or no message",
            ),
            (
                judge(r#"{"resultType":"partial","content":[]}"#),
                Exit::ProtocolError,
                "protocol error: the server broke the protocol: its result is of a type that nobody \
                 knows",
            ),
            (
                judge("[]"),
                Exit::ProtocolError,
                "protocol error: the server broke the protocol: its result is not an object",
            ),
            (
                judge("{}"),
                Exit::ProtocolError,
                "protocol error: the server broke the protocol: its result has no content",
            ),
            (
                judge(
                    r#"{"resultType":"input_required","_meta":{},"inputRequests":{"sure":{},"name":{}},"requestState":"s"}"#,
                ),
                Exit::InputRequired,
                "input required: the host has to ask the user, and to call again: sure, name",
            ),
            (
                judge(r#"{"resultType":"input_required","requestState":"x"}"#),
                Exit::InputRequired,
                "input required: the host has to call again with the state that it was given",
            ),
            (
                of_no_result(&NoResult::Lost, false),
                Exit::NoAnswer,
                "no answer: the server is gone, and the call may have taken effect; check before \
                 another one",
            ),
            (
                of_no_result(&NoResult::NotSent, false),
                Exit::Unreachable,
                "unreachable: the server is gone; nothing ran",
            ),
        ] {
            assert_eq!((verdict.exit, remark(&verdict).as_str()), (exit, said));
        }
        assert_eq!(judge(r#"{"content":[],"isError":false}"#).exit, Exit::Done);
    }

    #[test]
    fn scripts_get_what_the_server_sent_to_the_letter() {
        let result = r#"{ "content":[], "isError":true, "x":1.50 }"#;
        let verdict = of_result(result, true);
        assert_eq!((verdict.answer, verdict.exit), (format!("{result}\n"), Exit::ToolError));

        let error = r#"{"code":-32602, "message":"Unknown tool: x"}"#;
        let why = NoResult::Error(RawValue::from_string(error.to_owned()).unwrap());
        let verdict = of_no_result(&why, true);
        assert_eq!((verdict.answer, verdict.exit), (format!("{error}\n"), Exit::ProtocolError));
    }

    #[test]
    fn an_unknown_tool_is_told_what_there_is() {
        let help = |tool, names: &[&str]| {
            let error = of_error(r#"{"code":-32602,"message":"Unknown tool"}"#);
            with_names(error, tool, names.iter().copied()).remark.and_then(|it| it.help)
        };
        let help = |tool, names| help(tool, names).unwrap_or_default();

        assert_eq!(help("x", &[]), "There are no tools.");
        assert_eq!(help("draft", &["book", "list"]), "There are: book, list");
        assert_eq!(help("bok", &["list", "book"]), "Did you mean book? There are: list, book");
        assert_eq!(
            help("tool_book", &["cook", "book"]),
            "Did you mean book? There are: cook, book"
        );
        assert_eq!(
            help("a", &["bcd"; 22]),
            format!("There are: {}bcd and 2 more", "bcd, ".repeat(19))
        );
        assert_eq!(help("book", &["book"]), "", "it is about something else");
    }

    #[test]
    fn words_are_compared_by_letters() {
        assert_eq!(distance("", ""), 0);
        assert_eq!(distance("abc", "abc"), 0);
        assert_eq!(distance("abc", ""), 3);
        assert_eq!(distance("", "ab"), 2);
        assert_eq!(distance("book_tiket", "book_ticket"), 1);
        assert_eq!(distance("kitten", "sitting"), 3);
    }
}
