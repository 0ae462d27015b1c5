//! Names the commit that the program is built from, where git knows it.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // A package that was unpacked inside some other repository is not of its commit.
    let is_ours = git(&["ls-files", "--error-unmatch", "build.rs"]).is_some();
    let commit = is_ours.then(|| git(&["rev-parse", "--short=9", "HEAD"])).flatten();
    println!("cargo::rustc-env=CANDOR_COMMIT={}", commit.as_deref().unwrap_or("unknown"));
    for file in ["HEAD", "logs/HEAD"] {
        let Some(path) = git(&["rev-parse", "--git-path", file]) else { return };
        // Of a file that is not there cargo would think that it changes all the time.
        if is_ours && Path::new(&path).exists() {
            println!("cargo::rerun-if-changed={path}");
        }
    }
}

/// One line from git, or nothing if it has nothing to say.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let line = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (output.status.success() && !line.is_empty()).then_some(line)
}
