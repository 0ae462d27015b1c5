//! Hosts that only our own network knows, private addresses, and the ports beside them.

use std::sync::LazyLock;

use regex::bytes::Regex;

use crate::bytes::{at, before, is_word, line_start, part};
use crate::finding::Certainty;
use crate::scan::Scan;

/// Private and local addresses, and names that end as internal ones do.
static ADDRESSES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?-u)(?i:(?:10(?:\.\d{1,3}){3}|127(?:\.\d{1,3}){3}|192\.168(?:\.\d{1,3}){2}",
        r"|172\.(?:1[6-9]|2\d|3[01])(?:\.\d{1,3}){2}|169\.254(?:\.\d{1,3}){2}",
        r"|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])(?:\.\d{1,3}){2}",
        r"|\[?(?:fe80|f[cd][0-9a-f]{2})(?::[0-9a-f]{0,4}){2,7}(?:%\w+)?\]?|\[::1\]",
        r"|(?:[a-z0-9_-]+\.)+(?:internal|local|lan|corp|intra|intranet|private|localdomain|svc|consul|cluster|arpa)",
        r"|localhost:\d))(?::?\d{1,5})?",
    ))
    .ok()
});

/// What follows these words is a host that somebody could not reach.
static REACHED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?-u)(?:ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|getaddrinfo",
        r"|dial (?:tcp|udp)|lookup|host=|hostname=|[Cc]ould not resolve host:|translate host name|server at|[Cc]onnect(?:ion|ing)? to(?: server)?(?: at)?)",
        r"(?: (?:ENOTFOUND|EAI_AGAIN))? ?[\x22']?([A-Za-z0-9_][A-Za-z0-9_.-]*)(:\d{1,5})?",
    ))
    .ok()
});

static URLS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r#"(?-u)\b([A-Za-z][A-Za-z0-9+.-]{1,20})://(?:[^\s/@"'<>]*@)?(\[?[A-Za-z0-9_][A-Za-z0-9_.-]*)(:\d{1,5})?"#)
        .ok()
});

static PORTS: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?-u)\b[Pp]ort[ =:]{1,3}(\d{2,5})\b").ok());

pub(super) fn look(scan: &mut Scan<'_>) {
    let text = scan.text;
    if !scan.effort.spend(text.len()) {
        return scan.effort.cut(0);
    }
    let (Some(addresses), Some(reached), Some(urls), Some(ports)) =
        (&*ADDRESSES, &*REACHED, &*URLS, &*PORTS)
    else {
        // They are constants of ours. Without them, nothing may leave.
        return scan.effort.cut(0);
    };
    let first = scan.found.len();
    for found in addresses.find_iter(text) {
        let (start, end) = (found.start(), found.end());
        let joins = is_word(before(text, start))
            || matches!(before(text, start), b'.' | b'-')
            || is_word(at(text, end))
            || at(text, end) == b'.' && at(text, end + 1).is_ascii_alphanumeric()
            || at(text, end) == b'-';
        if !joins {
            scan.mark(start, end, "host", Certainty::Internal);
        }
    }
    for found in reached.captures_iter(text) {
        let Some(host) = found.get(1) else { continue };
        let end = found.get(2).map_or(host.end(), |port| port.end());
        let name = host.as_bytes();
        if part(text, end, end + 3) == b"://" {
            continue;
        }
        let is_name = name.len() > 1
            && (name.contains(&b'.')
                || found.get(2).is_some()
                || quoted(text, host.start())
                || after_code(text, host.start()));
        if is_name && !name.ends_with(b".") {
            scan.mark(host.start(), end, "host", Certainty::Internal);
        }
    }
    for found in urls.captures_iter(text) {
        let (Some(scheme), Some(host)) = (found.get(1), found.get(2)) else { continue };
        // A mark of before, or an address in brackets, which the rule above knows.
        if host.as_bytes().starts_with(b"[") {
            continue;
        }
        let end = found.get(3).map_or(host.end(), |port| port.end());
        let scheme = scheme.as_bytes();
        let is_public =
            [&b"http"[..], b"https", b"ftp", b"ws", b"wss", b"git", b"ssh", b"urn", b"mcp"]
                .iter()
                .any(|known| scheme.eq_ignore_ascii_case(known));
        let is_named = host.as_bytes().contains(&b'.');
        let is_local = host.as_bytes() == b"localhost" && found.get(3).is_none();
        let is_place = [
            &b"file"[..],
            b"data",
            b"s3",
            b"gs",
            b"ui",
            b"app",
            b"resource",
            b"note",
            b"notes",
            b"memo",
        ]
        .iter()
        .any(|known| scheme.eq_ignore_ascii_case(known));
        let is_service = SERVICES.iter().any(|known| scheme.starts_with(known.as_bytes()));
        if !is_place && !is_local && (is_service || is_public && !is_named) {
            scan.mark(host.start(), end, "host", Certainty::Internal);
        }
    }
    // A port by itself is no secret; beside a host that went, it is a piece of it.
    let hosts: Vec<usize> = scan.found.iter().skip(first).map(|found| found.end).collect();
    for found in ports.captures_iter(text) {
        let Some(port) = found.get(1) else { continue };
        let line = line_start(text, port.start(), 120);
        let is_beside = hosts.iter().any(|end| (line..port.start()).contains(end));
        let is_marked = crate::marks::all(part(text, line, port.start())).next().is_some();
        if is_beside || is_marked {
            scan.mark(port.start(), port.end(), "port", Certainty::Internal);
        }
    }
}

/// What only speaks to servers of our own.
const SERVICES: &[&str] = &[
    "postgres",
    "mysql",
    "mariadb",
    "mongodb",
    "redis",
    "rediss",
    "amqp",
    "kafka",
    "jdbc",
    "sqlserver",
    "mssql",
    "oracle",
    "ldap",
    "nats",
    "mqtt",
    "smtp",
    "imap",
    "clickhouse",
    "cassandra",
    "couchdb",
    "neo4j",
    "bolt",
    "etcd",
    "zookeeper",
    "memcache",
    "smb",
    "nfs",
    "tcp",
    "udp",
    "grpc",
    "cockroach",
];

fn quoted(text: &[u8], start: usize) -> bool {
    matches!(before(text, start), b'"' | b'\'')
}

/// `ENOTFOUND db`: the codes of the system stand before hosts only.
fn after_code(text: &[u8], start: usize) -> bool {
    before(text, start) == b'=' || before(text, start.saturating_sub(1)).is_ascii_uppercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_is_one() {
        for pattern in [&ADDRESSES, &REACHED, &URLS, &PORTS] {
            assert!(pattern.is_some());
        }
    }
}
