//! Absolute paths: below a root that a model may know they become relative, others lose all but
//! their last name.

use memchr::memchr2;

use crate::bytes::{at, before, is_quote, is_word, part, run, run_back};
use crate::finding::Certainty;
use crate::scan::Scan;

const LONGEST: usize = 1024;

/// Where systems keep files. Other paths are routes of some service, unless they name a file.
const TREES: &[&str] = &[
    "home",
    "Users",
    "root",
    "srv",
    "var",
    "etc",
    "opt",
    "usr",
    "tmp",
    "private",
    "mnt",
    "media",
    "Volumes",
    "proc",
    "sys",
    "run",
    "dev",
    "bin",
    "sbin",
    "lib",
    "lib64",
    "boot",
    "app",
    "workspace",
    "workspaces",
    "work",
    "code",
    "repo",
    "build",
    "builds",
    "github",
    "nix",
    "snap",
    "Applications",
    "Library",
    "System",
    "usr2",
    "export",
    "scratch",
    "rustc",
    "vagrant",
    "runner",
    "lambda",
    "function",
];

/// Endings of files that programs are made of, and that they read.
const ENDINGS: &[&str] = &[
    "rs", "py", "js", "mjs", "cjs", "ts", "tsx", "jsx", "go", "rb", "php", "java", "kt", "cs", "c",
    "h", "cc", "cpp", "hpp", "sh", "bash", "pl", "pm", "ex", "exs", "swift", "scala", "sql", "db",
    "sqlite", "sqlite3", "toml", "yaml", "yml", "ini", "conf", "cfg", "env", "lock", "log", "pid",
    "sock", "so", "dll", "exe", "jar", "war", "pem", "key", "crt", "txt", "csv", "md", "bak",
];

pub(super) fn look(scan: &mut Scan<'_>, roots: &[String]) {
    let text = scan.text;
    let mut place = 0;
    while let Some(next) = memchr2(b'/', b'\\', part(text, place, text.len())) {
        let sign = place + next;
        place = sign + 1;
        let Some((start, end)) = whole(text, sign) else { continue };
        if !scan.effort.spend(end - start + 8) {
            return scan.effort.cut(start);
        }
        place = place.max(end);
        one(scan, start, end, roots);
    }
}

/// Where the path begins and ends whose first sign this is.
fn whole(text: &[u8], sign: usize) -> Option<(usize, usize)> {
    let previous = before(text, sign);
    let is_drive = previous == b':'
        && before(text, sign - 1).is_ascii_alphabetic()
        && !is_word(before(text, sign.saturating_sub(2)));
    let start = if is_drive {
        sign - 2
    } else if at(text, sign) == b'\\' {
        // A share: `\\server\share\file`. Other backslashes escape something.
        let server = run(text, sign + 2, 64, |byte| is_word(byte) || matches!(byte, b'.' | b'-'));
        let is_share =
            at(text, sign + 1) == b'\\' && server > sign + 3 && at(text, server) == b'\\';
        if !is_share || is_word(at(text, server + 1)) && previous == b'\\' {
            return None;
        }
        sign
    } else if at(text, sign + 1) == b'/' {
        let is_file = part(text, sign.saturating_sub(5), sign).eq_ignore_ascii_case(b"file:");
        if !is_file {
            return None;
        }
        sign - 5
    } else if is_word(previous)
        || matches!(previous, b'/' | b'.' | b'~' | b'-' | b'}' | b'*' | b'\\' | b'%' | b'$')
        || previous >= 0x80
        || previous == b'<'
    {
        return None;
    } else {
        sign
    };
    let quote = before(text, start);
    let is_quoted = is_quote(quote);
    let belongs = |byte: u8| {
        !byte.is_ascii_control()
            && !matches!(byte, b'"' | b'\'' | b'`' | b'<' | b'>' | b'|' | b'*' | b'?' | b'\n')
            && (is_quoted || !b" ,;()[]{}".contains(&byte))
    };
    let from = if start < sign { sign + 1 } else { start + 1 };
    let from = run(text, from, 4, |byte| matches!(byte, b'/' | b'\\'));
    let mut end = run(text, from, LONGEST, |byte| belongs(byte) && byte != b':');
    if is_quoted && at(text, end) != quote && at(text, end) != b':' {
        // The quote closed before the path; read it as if it had none.
        end = run(text, from, LONGEST, |byte| belongs(byte) && !b" :,;()[]{}".contains(&byte));
    }
    while end > from && matches!(before(text, end), b'.' | b',' | b' ' | b'/' | b'\\') {
        end -= 1;
    }
    (end > start + 1).then_some((start, end))
}

fn one(scan: &mut Scan<'_>, start: usize, end: usize, roots: &[String]) {
    let text = scan.text;
    let path = part(text, start, end);
    let scheme =
        if path.starts_with(b"file:") { run(path, 5, 3, |byte| byte == b'/') - 1 } else { 0 };
    let plain = part(path, scheme, path.len());
    for root in roots {
        let Some(rest) = plain.strip_prefix(root.as_bytes()) else { continue };
        if rest.is_empty() {
            return keep_name(scan, start, end);
        }
        if matches!(rest.first(), Some(b'/' | b'\\')) {
            let from = end - rest.len();
            return super::keep(
                scan,
                (start, end),
                (run(text, from, 4, |byte| matches!(byte, b'/' | b'\\')), end),
            );
        }
    }
    if part(plain, 0, 5) == b"/dev/" && !plain.starts_with(b"/dev/shm") {
        return;
    }
    let names: Vec<&[u8]> =
        plain.split(|byte| matches!(byte, b'/' | b'\\')).filter(|name| !name.is_empty()).collect();
    let Some((first, last)) = names.first().zip(names.last()) else { return };
    let is_windows = plain.contains(&b'\\') || first.ends_with(b":");
    let is_tree = TREES.iter().any(|tree| tree.as_bytes() == *first);
    let ending = last.rsplit(|byte| *byte == b'.').next().unwrap_or_default();
    let is_file = names.len() > 1
        && last.contains(&b'.')
        && ENDINGS.iter().any(|known| known.as_bytes().eq_ignore_ascii_case(ending));
    let is_ours = is_windows || is_tree && names.len() > 1 || is_file || scheme > 0;
    if !is_ours || is_route(text, start) {
        return;
    }
    // The name of a home is the name of a person.
    let is_home = names.len() == 2 && matches!(*first, b"home" | b"Users")
        || names.len() == 3
            && is_windows
            && names.get(1).is_some_and(|name| name.eq_ignore_ascii_case(b"users"));
    if is_home {
        return scan.mark(start, end, "path", Certainty::Internal);
    }
    keep_name(scan, start, end);
}

fn keep_name(scan: &mut Scan<'_>, start: usize, end: usize) {
    let name = run_back(scan.text, end, LONGEST, |byte| !matches!(byte, b'/' | b'\\'));
    super::keep(scan, (start, end), (name.max(start), end));
}

/// `GET /app/users`: what follows is asked of a server.
fn is_route(text: &[u8], start: usize) -> bool {
    let lead = part(text, start.saturating_sub(9), start).trim_ascii_end();
    [&b"GET"[..], b"POST", b"PUT", b"PATCH", b"DELETE", b"HEAD", b"OPTIONS", b"route", b"endpoint"]
        .iter()
        .any(|method| lead.ends_with(method))
}
