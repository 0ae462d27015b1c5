//! What a server keeps in memory: at rest, under a peer that does not read, and under one line
//! that does not end.

use std::fs;
use std::io;
use std::iter::{once, repeat_n};
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::client::{self, silent};
use crate::cores::Cores;
use crate::server::{PATIENCE, Server, Target};
use crate::wire::{self, FIRST};

/// How many calls a peer writes before it reads the first answer.
pub(crate) const FLOOD: usize = 100_000;

/// How long the pipe must take nothing until the server counts as waiting for its reader.
const STILL: Duration = Duration::from_millis(500);

/// As long as a flood or a long line may take.
const LONG: Duration = Duration::from_mins(4);

/// One gibibyte in one argument.
const LONG_LINE: usize = 1 << 30;

/// In KiB, as the kernel counts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AtRest {
    pub(crate) own: u64,
    /// Of the processes below it: the warm bash.
    pub(crate) below: u64,
}

/// What a flood did.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flooded {
    /// The bytes that the server took before it waited for its reader, out of all.
    pub(crate) taken: usize,
    pub(crate) written: usize,
    /// Its highest memory, in KiB.
    pub(crate) peak: u64,
}

/// Its memory one second after its start, when nobody has spoken to it.
pub(crate) fn at_rest(target: &Target, cores: Cores, scratch: &Path) -> Result<AtRest, String> {
    let server = start(target, cores, scratch)?;
    sleep(Duration::from_secs(1));
    let rest = resident(&server).map_err(|error| server.trouble(&error))?;
    server.end().map_err(|error| error.to_string())?;
    Ok(rest)
}

fn resident(server: &Server) -> io::Result<AtRest> {
    let (mut own, mut below) = (0, 0);
    for lane in &server.lanes {
        own += kib(lane.pid, "VmRSS")?;
        for pid in descendants(lane.pid)? {
            // One may have ended since.
            below += kib(pid, "VmRSS").unwrap_or_default();
        }
    }
    Ok(AtRest { own, below })
}

/// Writes [`FLOOD`] calls without reading until the server waits, then reads every answer.
pub(crate) fn flood(target: &Target, cores: Cores, scratch: &Path) -> Result<Flooded, String> {
    let mut server = start(target, cores, scratch)?;
    let flooded = pour(&mut server, target).map_err(|error| server.trouble(&error))?;
    server.end().map_err(|error| error.to_string())?;
    Ok(flooded)
}

fn pour(server: &mut Server, target: &Target) -> io::Result<Flooded> {
    let form = client::first_call(server, target)?;
    let lane = server.lanes.first_mut().ok_or_else(silent)?;
    for id in 0..FLOOD {
        target.speech.call(id.try_into().map_err(io::Error::other)?, lane.unsent());
    }
    let written = lane.unsent().len();
    let mut taken = lane.send()?;
    while !lane.is_sent() && lane.wait_for_room(STILL)? {
        taken += lane.send()?;
    }

    let deadline = Instant::now() + LONG;
    let mut answered = vec![false; FLOOD];
    let mut left = FLOOD;
    while left > 0 {
        if !server.wait(PATIENCE)? || Instant::now() > deadline {
            return Err(io::Error::other(format!("{left} of {FLOOD} calls were not answered")));
        }
        for lane in &mut server.lanes {
            lane.send()?;
            lane.hear(|line| {
                left -= 1;
                client::answered(&form, &mut answered, line)
            })?;
        }
    }
    Ok(Flooded { taken, written, peak: peak(server)? })
}

/// Writes a call whose argument has a gibibyte, then an ordinary call; gives the highest memory.
pub(crate) fn long_line(target: &Target, cores: Cores, scratch: &Path) -> Result<u64, String> {
    let mut server = start(target, cores, scratch)?;
    let peak = stretch(&mut server, target).map_err(|error| server.trouble(&error))?;
    server.end().map_err(|error| error.to_string())?;
    Ok(peak)
}

fn stretch(server: &mut Server, target: &Target) -> io::Result<u64> {
    let deadline = Instant::now() + LONG;
    let (head, mut tail) = wire::long_call();
    let filling = vec![b'7'; 1 << 20];
    target.speech.call(FIRST, &mut tail);
    let mut rest = once(head.as_slice())
        .chain(repeat_n(filling.as_slice(), LONG_LINE / filling.len()))
        .chain(once(tail.as_slice()))
        .peekable();
    let mut lines: Vec<Vec<u8>> = Vec::new();
    while lines.len() < 2 {
        let lane = server.lanes.first_mut().ok_or_else(silent)?;
        if lane.is_sent() {
            lane.unsent().extend(rest.next().into_iter().flatten());
        }
        lane.send()?;
        if lane.is_sent() && rest.peek().is_some() {
            continue;
        }
        if !server.wait(PATIENCE)? || Instant::now() > deadline {
            return Err(silent());
        }
        for lane in &mut server.lanes {
            lane.hear(|line| {
                lines.push(line.to_vec());
                Ok(())
            })?;
        }
    }
    let reading = |line: &Vec<u8>| {
        let value: Value = serde_json::from_slice(line).ok()?;
        Some((value.get("id")?.as_u64()?, value.pointer("/error/code").and_then(Value::as_i64)))
    };
    let codes: Vec<_> = lines.iter().map(reading).collect();
    if !codes.contains(&Some((1, Some(-32600)))) || !codes.contains(&Some((FIRST, None))) {
        return Err(io::Error::other(format!("the long line was answered otherwise: {codes:?}")));
    }
    peak(server)
}

fn start(target: &Target, cores: Cores, scratch: &Path) -> Result<Server, String> {
    Server::start(target, cores, scratch).map_err(|error| format!("not started: {error}"))
}

fn peak(server: &Server) -> io::Result<u64> {
    server.lanes.iter().map(|lane| kib(lane.pid, "VmHWM")).sum()
}

/// A line of `/proc/PID/status`.
fn kib(pid: u32, name: &str) -> io::Result<u64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status"))?;
    status
        .lines()
        .find_map(|line| line.strip_prefix(name)?.strip_prefix(':')?.trim().strip_suffix(" kB"))
        .and_then(|number| number.parse().ok())
        .ok_or_else(|| io::Error::other(format!("no {name} of {pid}")))
}

/// Every process below one, by the parents in `/proc/PID/stat`.
fn descendants(pid: u32) -> io::Result<Vec<u32>> {
    let mut parents = Vec::new();
    for entry in fs::read_dir("/proc")? {
        let name = entry?.file_name();
        let Some(child) = name.to_str().and_then(|name| name.parse::<u32>().ok()) else { continue };
        // The name of the program, in parentheses, may hold spaces; the parent is second after it.
        let stat = fs::read_to_string(format!("/proc/{child}/stat")).unwrap_or_default();
        let parent = stat.rsplit(") ").next().and_then(|rest| rest.split(' ').nth(1)?.parse().ok());
        parents.push((child, parent));
    }
    let mut below = vec![pid];
    let mut at = 0;
    while let Some(&parent) = below.get(at) {
        below.extend(parents.iter().filter(|(_, of)| *of == Some(parent)).map(|(child, _)| child));
        at += 1;
    }
    below.remove(0);
    Ok(below)
}
