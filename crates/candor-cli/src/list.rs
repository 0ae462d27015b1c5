//! `candor list`: what a model would see of a server's tools.

use std::io;

use anstyle::Style;

use crate::ask::ask;
use crate::exit::Exit;
use crate::json::Members;
use crate::options::List;
use crate::page::{self, Layout};
use crate::peer::Peer;
use crate::terminal::{style, width};
use crate::verdict::{self, Verdict};

pub(crate) async fn run(list: List) -> Exit {
    let List { target, json, running, choice, logging } = list;
    let talk = async |peer: &mut Peer| match peer.list_tools().await {
        Ok(result) => shown(result.get(), json),
        Err(why) => verdict::of_no_result(&why, json),
    };
    ask(&target, running, choice, &logging, talk).await
}

fn shown(result: &str, json: bool) -> Verdict {
    let members = Members::read(result);
    let text = members.as_ref().and_then(|members| members.get("tools"));
    let tools = members.as_ref().and_then(|members| members.array("tools"));
    let (Some(text), Some(tools)) = (text, tools) else {
        return verdict::broken("its list has no tools");
    };
    let answer = if json {
        format!("{text}\n")
    } else {
        let name = style(&io::stdout(), Style::new().bold());
        page::write(tools.iter().map(|tool| tool.get()), Layout { width: width(), name })
    };
    Verdict { answer, remark: None, exit: Exit::Done }
}
