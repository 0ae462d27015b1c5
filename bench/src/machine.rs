//! On what it was measured, in a few lines.

use std::fs;
use std::process::Command;

use crate::client::WARM_UP;
use crate::plan::Plan;

pub(crate) fn describe(plan: &Plan) -> String {
    let read = |path| fs::read_to_string(path).unwrap_or_default();
    let processor = read("/proc/cpuinfo")
        .lines()
        .find_map(|line| {
            Some(line.strip_prefix("model name")?.trim_start_matches([' ', '\t', ':']).to_owned())
        })
        .unwrap_or_else(|| "unknown processor".to_owned());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let bash = Command::new("bash").args(["-c", "echo $BASH_VERSION"]).output();
    let bash = bash.map(|bash| String::from_utf8_lossy(&bash.stdout).trim().to_owned());
    format!(
        "{processor}, {cores} cores, Linux {}, bash {}; load before the run {}.\n\
         Medians of {} rounds of {:.2} s after a warm-up of {} calls or {:.1} s, each with a fresh \
         process. CPU per call is that of the server and all that it starts, its start included. `apart`: client and \
         server on one core each; `free`: the kernel decides; `together`: both on one core. After \
         a median stands half the range of its rounds, then the ratio to the floor round by round.",
        read("/proc/sys/kernel/osrelease").trim(),
        bash.unwrap_or_default(),
        read("/proc/loadavg").split(' ').next().unwrap_or_default(),
        plan.rounds,
        plan.time.as_secs_f64(),
        WARM_UP.calls,
        WARM_UP.time.as_secs_f64(),
    )
}
