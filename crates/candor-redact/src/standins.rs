//! What stands where a secret could: an example, a variable, the place where it can be had.

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::bytes::{at, contains, is_word, part};
use crate::checks::base64;
use crate::marks;
use crate::randomness::{Makeup, is_made_up};

/// What people write where a value shall be put later, and what says that there is none.
const WORDS: &str = "
    password passwd passphrase pass pwd pw secret token key apikey api_key api-key username user
    login admin root guest anonymous test testing tester foo bar baz qux foobar abc xyz none null
    nil undefined true false yes no on off default required optional string string? str text value
    int integer number bool boolean bytes object array any empty unset missing invalid valid
    unknown hidden masked redacted filtered removed encrypted enabled disabled changeme change_me
    change-me changeit todo tbd fixme n/a na dummy example sample placeholder something whatever
    anything here field input hash base64 plain plaintext random generated auto manual localhost
    production development staging database postgres postgresql mysql mariadb mongodb redis
    rabbitmq sa oracle public private basic bearer oauth oauth2 jwt x y z p u s t k p@ssword 123456
    12345678 123456789 1234567890 qwertyuiop password1 password123 mypassword mysecret mytoken
    my_password my-password my_secret my-secret my_token my-token supersecret super-secret
    newpassword oldpassword new_password old_password accesstoken access_token access-token
    refresh_token client_secret client-secret secretkey secret_key secret-key authorization header
    cookie query body session expired revoked active inactive present absent set not is the a an
    self this ok error failed denied rejected incorrect wrong mismatch protected only
    authentication credentials credential certificate signature application administrator
    postgresuser kubernetes configured provided sensitive prompt interactive keyboard-interactive
    publickey environment variable identifier literal function interface component";

static COMMON: LazyLock<HashSet<&'static [u8]>> =
    LazyLock::new(|| WORDS.split_ascii_whitespace().map(str::as_bytes).collect());

const LONGEST_WORD: usize = 24;

/// A word that stands in many texts and gives nothing away.
pub(crate) fn is_common(value: &[u8]) -> bool {
    let mut lower = [0; LONGEST_WORD];
    let Some(lower) = lower.get_mut(..value.len()) else { return false };
    lower.copy_from_slice(value);
    lower.make_ascii_lowercase();
    COMMON.contains(&*lower)
}

/// Does it only show where a value would stand, or say where it can be had?
pub(crate) fn is_placeholder(value: &[u8]) -> bool {
    let value = value.trim_ascii();
    let (first, last) = (at(value, 0), value.last().copied().unwrap_or_default());
    let pairs = [(b'<', b'>'), (b'[', b']'), (b'{', b'}'), (b'%', b'%'), (b'(', b')')];
    let is_framed = value.len() < 64 && pairs.contains(&(first, last));
    let is_doubled = [&b"__"[..], b"**", b"##", b"@@"]
        .iter()
        .any(|sign| value.starts_with(sign) && value.ends_with(sign));
    let is_blank =
        |byte: &u8| matches!(byte, b'*' | b'x' | b'X' | b'.' | b'-' | b'_' | b'?' | b'#' | b'0');
    value.is_empty()
        || is_framed
        || is_doubled
        || marks::read(value, 0).is_some()
        || value.iter().all(is_blank)
        || value.len() < 8 && contains(value, b"%s")
        || is_variable(value)
        || is_reference(value)
        || is_public(value)
        // A pattern that finds one.
        || ["••", "***", "(?", ".*", "[^", "^[", "\\w", "\\["].iter().any(|dots| contains(value, dots.as_bytes()))
        || value.len() >= 4 && is_made_up(value)
}

/// `$NAME`, `${NAME}`, `$(command)`, `{{ name }}`, `%NAME%`, `#{name}`, `<%= name %>`, `%s`.
fn is_variable(value: &[u8]) -> bool {
    let next = at(value, 1);
    match at(value, 0) {
        b'$' if matches!(next, b'{' | b'(' | b'[') => true,
        b'$' => {
            let makeup = Makeup::of(value);
            let is_drawn = makeup.digits > 0 && makeup.lower > 0 && makeup.upper > 0;
            let is_name = value.iter().skip(1).all(|byte| is_word(*byte) || *byte == b'.');
            is_word(next) && is_name && !is_drawn
        }
        // `{name}`, as many languages format.
        b'{' if matches!(next, b'{' | b'%') => true,
        b'{' => {
            let name = value.iter().skip(1).take_while(|byte| is_word(**byte) || **byte == b'.');
            let name = name.count();
            name > 0 && matches!(at(value, name + 1), b'}' | b'!' | b'[' | b':')
        }
        b'(' => matches!(next, b'[' | b'?'),
        b'#' => next == b'{',
        b'<' => next == b'%' || value.contains(&b'>'),
        b'@' => next == b'{' || value.starts_with(b"@Microsoft.KeyVault"),
        b'%' => {
            matches!(next, b'{' | b'(' | b'$') || value.len() == 2 && next.is_ascii_alphabetic()
        }
        b'!' => [&b"!vault"[..], b"!secret", b"!Ref", b"!Sub", b"!env"]
            .iter()
            .any(|tag| value.starts_with(tag)),
        _ => false,
    }
}

/// A public key or a certificate without its frame: in ASN.1, what it is comes first.
fn is_public(value: &[u8]) -> bool {
    if at(value, 0) != b'M' || value.len() < 56 {
        return false;
    }
    let Some(head) = base64(part(value, 0, 24)) else { return false };
    let inside = match at(&head, 1) {
        0x82 => 4,
        0x81 => 3,
        _ => 2,
    };
    at(&head, 0) == 0x30 && at(&head, inside) == 0x30
}

/// How references to a secret begin.
const REFERENCES: &str = "
    process.env os.environ os.getenv env. env( env: env! ENV[ ENV. getenv System.getenv std::env
    option_env! import.meta secrets. vars. var. vault: vault( op:// ref+ arn: sops ENC[ {cipher}
    keyring: file: /run/secrets /var/run/secrets data. local. module. projects/ ssm: secretsmanager
    kms: config. settings. self. this. args. opts. options. params. props. ctx. req. request.
    aws_secretsmanager azurerm_ random_password $ANSIBLE_VAULT gcp-secret: doppler: bw:// keeper://
    sm:// akv:// azurekeyvault:// gsm: secret: cred: ssh-rsa ssh-ed25519 ecdsa-sha2 -----BEGIN";

/// Where a value can be had, which is not the value.
fn is_reference(value: &[u8]) -> bool {
    static PREFIXES: LazyLock<Vec<&'static [u8]>> =
        LazyLock::new(|| REFERENCES.split_ascii_whitespace().map(str::as_bytes).collect());
    PREFIXES.iter().any(|prefix| value.starts_with(prefix)) || is_path(value)
}

const ENDINGS: &str = "
    .pem .key .txt .json .yaml .yml .crt .p12 .pfx .jks .env .toml .rs .py .js .ts .go .md .html
    .php .conf .pub .gpg .asc .der .cer .keystore .sh .so .rb .java";

/// `/etc/app/key.pem`, `./secret`, `~/.token`, `C:\keys\x`, `https://…` without a login.
fn is_path(value: &[u8]) -> bool {
    let is_drive = at(value, 0).is_ascii_alphabetic()
        && at(value, 1) == b':'
        && matches!(at(value, 2), b'\\' | b'/');
    let is_rooted =
        is_drive || [&b"/"[..], b"./", b"../", b"~/"].iter().any(|root| value.starts_with(root));
    let is_link = memchr::memmem::find(part(value, 0, 12), b"://").is_some();
    let names = value.split(|byte| matches!(byte, b'/' | b'\\' | b'-' | b'_' | b'.'));
    let longest = names.map(<[u8]>::len).max().unwrap_or_default();
    let is_file = ENDINGS.split_ascii_whitespace().any(|end| value.ends_with(end.as_bytes()));
    let is_registry = value.iter().filter(|byte| **byte == b'\\').take(3).count() > 1
        && value.iter().all(|byte| is_word(*byte) || matches!(byte, b'\\' | b' ' | b'.'));
    is_link
        || is_registry
        || is_rooted && longest < 24 && !Makeup::of(value).is_random()
        || is_file && !value.contains(&b' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stand_ins_are_placeholders() {
        for value in [
            "<token>",
            "xxxx",
            "${VAR}",
            "$VAR",
            "{{ x }}",
            "process.env.X",
            "%PASSWORD%",
            "[hidden]",
            "#{password}",
            "<%= secret %>",
            "your-api-key",
            "********",
            "op://vault/item/field",
            "/run/secrets/db",
            "arn:aws:secretsmanager:eu-west-1:1:secret:x",
            "!vault",
            "%s",
            "__KEY__",
            "./id_rsa",
            "server.pem",
            "https://example.com/token",
            "[redacted:token#1]",
            "AKIAIOSFODNN7EXAMPLE",
        ] {
            assert!(is_placeholder(value.as_bytes()), "{value}");
        }
    }

    #[test]
    fn values_are_not() {
        for value in ["hunter2", "$2b$10$kJ8sd7fH", "S3cure!pass", "abc/def+ghi9", "x7k2m9q4"] {
            assert!(!is_placeholder(value.as_bytes()), "{value}");
        }
    }

    #[test]
    fn common_words_are_known_in_any_case() {
        assert!(is_common(b"ChangeMe"));
        assert!(!is_common(b"hunter2"));
        assert!(!is_common(b"a word far longer than any of the common ones"));
    }
}
