//! The client: keeps calls in flight, matches answers by id, and counts every one.

use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::cores::Cores;
use crate::server::{PATIENCE, Server, Target};
use crate::wire::{Asked, FIRST, Form, Speech};

/// The warm-up before every measurement, not counted in it.
pub(crate) const WARM_UP: Extent = Extent { calls: 2_000, time: Duration::from_millis(300) };

/// No measurement is longer, in calls.
const MOST: usize = 2_000_000;

/// Where to stop: at whichever comes first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    pub(crate) calls: usize,
    pub(crate) time: Duration,
}

/// What one run of calls gave.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) per_second: f64,
    /// Of the server and all that it starts, its start and the warm-up included.
    pub(crate) cpu_per_call: Duration,
    /// The same of its first process alone.
    pub(crate) own_cpu_per_call: Duration,
    /// From each call to its answer, in order of length; only with one in flight.
    pub(crate) round_trips: Vec<Duration>,
}

/// A server that is being called.
struct Talk {
    server: Server,
    speech: Speech,
    form: Form,
    next: u64,
    /// By id, whether its answer came.
    answered: Vec<bool>,
}

/// Starts the target, keeps `window` calls in flight for so long, and ends it.
pub(crate) fn run(
    target: &Target,
    cores: Cores,
    scratch: &Path,
    window: usize,
    time: Duration,
) -> Result<Run, String> {
    let mut talk = Talk::begin(target, cores, scratch)?;
    let warm_up = talk.keep(window, WARM_UP).map_err(|error| talk.server.trouble(&error))?;
    let extent = Extent { calls: MOST, time };
    let kept = talk.keep(window, extent).map_err(|error| talk.server.trouble(&error))?;
    let own_cpu = talk.server.own_cpu().map_err(|error| error.to_string())?;
    let cpu = talk.server.end().map_err(|error| error.to_string())?;
    let calls = u32::try_from(1 + warm_up.calls + kept.calls).unwrap_or(u32::MAX);
    let mut round_trips = kept.round_trips;
    round_trips.sort_unstable();
    Ok(Run {
        per_second: f64::from(u32::try_from(kept.calls).unwrap_or(u32::MAX))
            / kept.time.as_secs_f64(),
        cpu_per_call: cpu / calls,
        own_cpu_per_call: own_cpu / calls,
        round_trips,
    })
}

/// Makes so many calls, `window` at once, and gives back what the server wrote to stderr.
pub(crate) fn calls(
    target: &Target,
    cores: Cores,
    scratch: &Path,
    window: usize,
    calls: usize,
) -> Result<String, String> {
    let mut talk = Talk::begin(target, cores, scratch)?;
    let extent = Extent { calls, time: PATIENCE };
    talk.keep(window, extent).map_err(|error| talk.server.trouble(&error))?;
    talk.server.end().and_then(|_| Server::log(scratch)).map_err(|error| error.to_string())
}

/// The time from before the process is started until a request is answered.
pub(crate) fn first_answer(
    target: &Target,
    cores: Cores,
    scratch: &Path,
    asked: Asked,
) -> Result<Duration, String> {
    let started = Instant::now();
    let mut server =
        Server::start(target, cores, scratch).map_err(|error| format!("not started: {error}"))?;
    let took =
        ask(&mut server, target.speech, asked, started).map_err(|error| server.trouble(&error))?;
    server.end().map_err(|error| error.to_string())?;
    Ok(took)
}

fn ask(
    server: &mut Server,
    speech: Speech,
    asked: Asked,
    started: Instant,
) -> io::Result<Duration> {
    for lane in &mut server.lanes {
        speech.ask(asked, lane.unsent());
        lane.send()?;
    }
    let answers = lines(server, 1)?;
    let took = started.elapsed();
    for answer in &answers {
        if serde_json::from_slice::<Value>(answer)?.get("result").is_none() {
            let answer = String::from_utf8_lossy(answer);
            return Err(io::Error::other(format!("no answer to {asked:?}: {answer}")));
        }
    }
    Ok(took)
}

/// The first lines that come, from any lane.
fn lines(server: &mut Server, count: usize) -> io::Result<Vec<Vec<u8>>> {
    let deadline = Instant::now() + PATIENCE;
    let mut lines = Vec::new();
    while lines.len() < count {
        if !server.wait(PATIENCE)? || Instant::now() > deadline {
            return Err(silent());
        }
        for lane in &mut server.lanes {
            lane.send()?;
            lane.hear(|line| {
                lines.push(line.to_vec());
                Ok(())
            })?;
        }
    }
    Ok(lines)
}

/// A stretch of calls as it was kept up.
struct Kept {
    calls: usize,
    time: Duration,
    round_trips: Vec<Duration>,
}

impl Talk {
    /// Starts the target and learns the form of its answers from the first.
    fn begin(target: &Target, cores: Cores, scratch: &Path) -> Result<Self, String> {
        let mut server = Server::start(target, cores, scratch)
            .map_err(|error| format!("not started: {error}"))?;
        let form = first_call(&mut server, target).map_err(|error| server.trouble(&error))?;
        Ok(Self { server, speech: target.speech, form, next: 0, answered: Vec::new() })
    }

    /// Keeps `window` calls in flight, then lets the last be answered.
    fn keep(&mut self, window: usize, extent: Extent) -> io::Result<Kept> {
        let lanes = self.server.lanes.len();
        let share = (window / lanes).max(1);
        let started = Instant::now();
        let mut asked = started;
        let (mut calls, mut round_trips) = (0, Vec::new());
        loop {
            let said = Instant::now();
            let over = |calls| calls >= extent.calls || said - started >= extent.time;
            for lane in &mut self.server.lanes {
                while lane.in_flight < share && !over(calls) {
                    self.speech.call(self.next, lane.unsent());
                    self.answered.push(false);
                    asked = said;
                    self.next += 1;
                    lane.in_flight += 1;
                    calls += 1;
                }
                lane.send()?;
            }
            if self.server.lanes.iter().all(|lane| lane.in_flight == 0) {
                let time = said - started;
                return Ok(Kept { calls, time, round_trips });
            }
            if !self.server.wait(PATIENCE)? {
                return Err(silent());
            }
            for lane in &mut self.server.lanes {
                let mut heard = 0;
                lane.hear(|line| {
                    heard += 1;
                    answered(&self.form, &mut self.answered, line)
                })?;
                lane.in_flight -= heard;
            }
            if window == 1 && self.server.lanes.iter().all(|lane| lane.in_flight == 0) {
                round_trips.push(asked.elapsed());
            }
        }
    }
}

/// Calls once, through every lane.
pub(crate) fn first_call(server: &mut Server, target: &Target) -> io::Result<Form> {
    for lane in &mut server.lanes {
        target.speech.call(FIRST, lane.unsent());
        lane.send()?;
    }
    let answers = lines(server, server.lanes.len())?;
    let first = answers.first().map(Vec::as_slice).unwrap_or_default();
    let form = Form::learn(first, target.answer)?;
    if answers.iter().any(|answer| form.read(answer) != Some(FIRST)) {
        return Err(io::Error::other("two lanes answer differently"));
    }
    Ok(form)
}

/// Takes one answer: to a call that was made, once, and of the known form.
pub(crate) fn answered(form: &Form, answered: &mut [bool], line: &[u8]) -> io::Result<()> {
    let wrong = |why: &str| {
        let line = String::from_utf8_lossy(line).chars().take(400).collect::<String>();
        Err(io::Error::other(format!("{why}: {line}")))
    };
    let Some(id) = form.read(line) else { return wrong("an answer unlike the first") };
    let known = usize::try_from(id).ok().and_then(|id| answered.get_mut(id));
    match known {
        None => wrong("an answer to no call"),
        Some(true) => wrong("a second answer"),
        Some(open) => {
            *open = true;
            Ok(())
        }
    }
}

pub(crate) fn silent() -> io::Error {
    io::Error::other(format!("no answer within {} s", PATIENCE.as_secs()))
}
