//! `candor call`: one call of one tool.

use serde_json::Value;
use serde_json::value::RawValue;

use crate::arguments::{self, Word};
use crate::ask::ask;
use crate::exit::Exit;
use crate::json::Members;
use crate::options::Call;
use crate::peer::Peer;
use crate::schema::Schema;
use crate::terminal::complain;
use crate::verdict::{self, Verdict};

/// What is to be sent, before the schema is known.
enum Given {
    Words(Vec<Word>),
    Whole(Box<RawValue>),
}

impl Given {
    fn read(whole: Option<&str>, words: &[String]) -> Result<Self, String> {
        if let Some(text) = whole {
            return arguments::whole(text).map(Self::Whole);
        }
        words.iter().map(|word| Word::read(word)).collect::<Result<_, _>>().map(Self::Words)
    }
}

pub(crate) async fn run(call: Call) -> Exit {
    let Call { target, tool, words, arguments, json, running, choice, logging } = call;
    let given = match Given::read(arguments.as_deref(), &words) {
        Ok(given) => given,
        Err(why) => {
            complain(&why);
            return Exit::Unusable;
        }
    };
    let talk = async |peer: &mut Peer| one_call(peer, &tool, given, json).await;
    ask(&target, running, choice, &logging, talk).await
}

async fn one_call(peer: &mut Peer, tool: &str, given: Given, json: bool) -> Verdict {
    let listed = match peer.list_tools().await {
        Ok(listed) => listed,
        Err(why) => return verdict::of_no_result(&why, json),
    };
    let tools = Members::read(listed.get()).and_then(|members| members.array("tools"));
    let tools = tools.unwrap_or_default();
    let tools: Vec<_> = tools.iter().filter_map(|tool| Members::read(tool.get())).collect();
    let names: Vec<_> = tools.iter().filter_map(|tool| tool.string("name")).collect();

    let document: Option<Value> = tools
        .iter()
        .find(|it| it.string("name").as_deref() == Some(tool))
        .and_then(|tool| serde_json::from_str(tool.get("inputSchema")?).ok());
    let arguments = match given {
        Given::Whole(json) => Ok(json),
        Given::Words(words) => arguments::object(&words, document.as_ref().map(Schema::new)),
    };
    let arguments = match arguments {
        Ok(arguments) => arguments,
        Err(why) => return Verdict::unusable(why),
    };
    match peer.call_tool(tool, &arguments).await {
        Ok(result) => verdict::of_result(result.get(), json),
        Err(why) => {
            let verdict = verdict::of_no_result(&why, json);
            verdict::with_names(verdict, tool, names.iter().map(String::as_str))
        }
    }
}
