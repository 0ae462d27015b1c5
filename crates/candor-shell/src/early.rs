//! What can be said of a server before bash has read a line.

use std::path::Path;
use std::sync::Arc;

use candor::About;

/// Who a server of these files and folders says it is: known at once, unless a file may name a
/// config.
pub(crate) fn early<P: AsRef<Path>>(targets: &[P]) -> Option<Arc<About>> {
    let may_be_configured = |file: &P| {
        // A folder names none. Whatever else it is will be refused, and reading it might never
        // end.
        let is_file = std::fs::metadata(file).is_ok_and(|about| about.is_file());
        is_file
            && std::fs::read(file).is_ok_and(|text| {
                let text = String::from_utf8_lossy(&text);
                text.contains("MCP_") || text.lines().any(may_source)
            })
    };
    let is_in_environment = std::env::var_os("MCP_CONFIG_FILE").is_some();
    let is_early = !is_in_environment && !targets.iter().any(may_be_configured);
    is_early.then(|| Arc::new(unconfigured(targets)))
}

/// Does a line of a script look as if it read another file, which may name a config?
fn may_source(line: &str) -> bool {
    line.split([';', '&', '|', '(', '{']).map(str::trim_start).any(|command| {
        command.starts_with("source ") || command.starts_with(". ") || command.contains(" source ")
    })
}

/// A server is named after its file or folder, unless something else names it.
pub(crate) fn unconfigured<P: AsRef<Path>>(targets: &[P]) -> About {
    let name = match targets {
        [target] => name(target.as_ref()),
        _ => None,
    };
    About::new(name.as_deref().unwrap_or("candor"), "0.0.0")
}

fn name(target: &Path) -> Option<String> {
    if !target.is_dir() {
        return Some(target.file_stem()?.to_string_lossy().into_owned());
    }
    // `.` has a name, too.
    let folder = target.canonicalize().ok()?;
    Some(folder.file_name()?.to_string_lossy().into_owned())
}
