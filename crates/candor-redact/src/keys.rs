//! The name of a value to what it promises about the value.

use crate::bytes::{at, part};

/// What a name says that its value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sense {
    Password,
    /// May hold blanks.
    Passphrase,
    Secret,
    ApiKey,
    PrivateKey,
    /// Often a secret, often a place in a list.
    Token,
    /// A key of some service; or of a map, a sort, a piano.
    Key,
    Auth,
    Signature,
    /// A short number that is good once.
    Code,
    /// Twelve words or more that a wallet is made from.
    Words,
}

impl Sense {
    pub(crate) const fn kind(self) -> &'static str {
        match self {
            Self::Password => "password",
            Self::Passphrase => "passphrase",
            Self::Secret => "secret",
            Self::ApiKey => "api-key",
            Self::PrivateKey => "private-key",
            Self::Token => "token",
            Self::Key => "key",
            Self::Auth => "authorization",
            Self::Signature => "signature",
            Self::Code => "one-time-code",
            Self::Words => "recovery-phrase",
        }
    }

    pub(crate) const fn is_password(self) -> bool {
        matches!(self, Self::Password | Self::Passphrase)
    }
}

const MOST_WORDS: usize = 10;
const LONGEST_WORD: usize = 24;

/// The words of a name, in lower case: `dbPassword`, `DB_PASSWORD`, `db-password`, `Db.Password`.
struct Words {
    letters: [[u8; LONGEST_WORD]; MOST_WORDS],
    lengths: [usize; MOST_WORDS],
    count: usize,
}

impl Words {
    fn of(name: &[u8]) -> Self {
        let mut words =
            Self { letters: [[0; LONGEST_WORD]; MOST_WORDS], lengths: [0; MOST_WORDS], count: 0 };
        let mut last = 0_u8;
        for (place, &byte) in name.iter().enumerate() {
            if !byte.is_ascii_alphanumeric() {
                last = 0;
                continue;
            }
            let next = at(name, place + 1);
            let begins = last == 0
                || byte.is_ascii_uppercase() && last.is_ascii_lowercase()
                || byte.is_ascii_uppercase()
                    && last.is_ascii_uppercase()
                    && next.is_ascii_lowercase()
                || byte.is_ascii_digit() && last.is_ascii_alphabetic()
                || byte.is_ascii_alphabetic() && last.is_ascii_digit();
            words.count += usize::from(begins && words.count < MOST_WORDS);
            words.push(byte.to_ascii_lowercase());
            last = byte;
        }
        words
    }

    fn push(&mut self, byte: u8) {
        let Some(word) = self.count.checked_sub(1) else { return };
        let (Some(letters), Some(length)) =
            (self.letters.get_mut(word), self.lengths.get_mut(word))
        else {
            return;
        };
        if let Some(letter) = letters.get_mut(*length) {
            *letter = byte;
            *length += 1;
        }
    }

    fn word(&self, place: usize) -> &[u8] {
        let length = self.lengths.get(place).copied().unwrap_or_default();
        self.letters.get(place).map_or(&[], |letters| part(letters, 0, length))
    }
}

/// What a name promises, or `None` if it promises nothing.
pub(crate) fn sense(name: &[u8]) -> Option<Sense> {
    let words = Words::of(name);
    let mut count = words.count;
    // What only says which of several, or how it is written, stands at the end.
    while count > 1 && is_neutral(words.word(count - 1)) {
        count -= 1;
    }
    let head = words.word(count.checked_sub(1)?);
    let of = |back: usize| count.checked_sub(back + 1).map_or(&b""[..], |place| words.word(place));
    if (0..count).any(|place| takes_back(words.word(place))) {
        return None;
    }
    match head {
        b"key" | b"keys" => key(of(1)),
        b"token" | b"tok" | b"tokens" => token(of(1), head == b"tokens"),
        b"pass" | b"pw" | b"psw" | b"pat" => short(head, count > 1 || name.len() < 6),
        b"phrase" | b"words" | b"word" => phrase(head, of(1)),
        b"base" if of(1) == b"key" && of(2) == b"secret" => Some(Sense::Secret),
        b"code" if is_code_owner(of(1)) => Some(Sense::Code),
        head => alone(head),
    }
}

/// Names that need no word before them.
fn alone(head: &[u8]) -> Option<Sense> {
    Some(match head {
        b"password" | b"passwords" | b"passwd" | b"pwd" | b"passcode" | b"pswd" | b"passw"
        | b"userpassword" | b"dbpassword" | b"dbpass" | b"userpass" | b"mysqlpassword"
        | b"pgpassword" | b"rootpassword" | b"adminpassword" | b"sshpass" | b"requirepass"
        | b"masterauth" | b"bindpw" | b"rootpw" | b"storepass" | b"keypass" | b"passwort"
        | b"kennwort" | b"senha" | b"contrasena" | b"clave" | b"wachtwoord" | b"parola"
        | b"haslo" | b"psk" | b"motdepasse" | b"mdp" | b"losenord" | b"salasana" | b"sifre" => {
            Sense::Password
        }
        b"passphrase" => Sense::Passphrase,
        b"mnemonic" | b"seedphrase" => Sense::Words,
        b"secret" | b"secrets" | b"clientsecret" | b"appsecret" | b"secretkey" | b"pepper"
        | b"sharedsecret" | b"jwtsecret" | b"consumersecret" | b"apisecret" | b"webhooksecret" => {
            Sense::Secret
        }
        b"apikey"
        | b"apikeys"
        | b"authkey"
        | b"accesskey"
        | b"appkey"
        | b"masterkey"
        | b"apisecretkey"
        | b"accountkey"
        | b"secretaccesskey"
        | b"subscriptionkey"
        | b"apitoken"
        | b"writekey"
        | b"accesstoken"
        | b"authtoken"
        | b"refreshtoken"
        | b"bearertoken"
        | b"sessiontoken"
        | b"idtoken"
        | b"usertoken"
        | b"bottoken"
        | b"githubtoken"
        | b"authenticationtoken" => Sense::ApiKey,
        b"privatekey" | b"signingkey" | b"encryptionkey" | b"sshkey" | b"privkey" => {
            Sense::PrivateKey
        }
        b"jwt" | b"bearer" | b"sas" | b"sastoken" | b"authenticator" | b"sessionid" | b"sessid"
        | b"phpsessid" | b"jsessionid" => Sense::Token,
        b"auth" | b"authorization" | b"credential" | b"credentials" | b"creds" | b"cred" => {
            Sense::Auth
        }
        b"sig" | b"signature" | b"hmac" => Sense::Signature,
        b"otp" | b"totp" | b"otpcode" => Sense::Code,
        _ => return None,
    })
}

fn short(head: &[u8], is_clear: bool) -> Option<Sense> {
    is_clear.then_some(if head == b"pat" { Sense::Token } else { Sense::Password })
}

fn phrase(head: &[u8], owner: &[u8]) -> Option<Sense> {
    match (owner, head) {
        (b"pass", b"phrase") => Some(Sense::Passphrase),
        (b"pass", b"word") => Some(Sense::Password),
        (b"seed" | b"recovery" | b"mnemonic" | b"backup" | b"secret", b"phrase" | b"words") => {
            Some(Sense::Words)
        }
        _ => None,
    }
}

/// What kind of key it is: for a door, or for a list.
fn key(owner: &[u8]) -> Option<Sense> {
    match owner {
        b"api" | b"access" | b"secret" | b"auth" | b"app" | b"application" | b"account"
        | b"service" | b"master" | b"admin" | b"license" | b"subscription" | b"shared"
        | b"storage" | b"function" | b"functions" | b"deploy" | b"write" | b"webhook"
        | b"client" | b"consumer" | b"token" | b"user" | b"developer" | b"integration"
        | b"session" | b"cookie" | b"jwt" | b"hmac" | b"ingest" | b"ingestion" | b"role"
        | b"anon" => Some(Sense::ApiKey),
        b"private" | b"signing" | b"sign" | b"encryption" | b"encrypt" | b"decryption"
        | b"crypto" | b"aes" | b"ssh" | b"rsa" | b"ssl" | b"tls" | b"wallet" | b"cipher"
        | b"gpg" | b"deployer" | b"preshared" | b"psk" => Some(Sense::PrivateKey),
        b"primary" | b"socket" | b"foreign" | b"sort" | b"partition" | b"cache" | b"object"
        | b"idempotency" | b"row" | b"map" | b"hash" | b"index" | b"unique" | b"group"
        | b"routing" | b"dedup" | b"translation" | b"i18n" | b"config" | b"registry"
        | b"option" | b"arrow" | b"shortcut" | b"s3" | b"file" | b"message" | b"issue"
        | b"project" | b"next" | b"last" | b"start" | b"end" | b"item" | b"entity" | b"range"
        | b"metric" => None,
        _ => Some(Sense::Key),
    }
}

/// What kind of token it is: one that opens, or one that says where a list goes on.
fn token(owner: &[u8], is_plural: bool) -> Option<Sense> {
    match owner {
        b"next" | b"page" | b"continuation" | b"cursor" | b"sync" | b"progress"
        | b"cancellation" | b"cancel" | b"total" | b"prompt" | b"completion" | b"input"
        | b"output" | b"eos" | b"bos" | b"pad" | b"sep" | b"unk" | b"mask" | b"stop"
        | b"special" | b"resume" | b"skip" | b"start" | b"previous" | b"prev" | b"pagination"
        | b"change" | b"snapshot" | b"watermark" | b"concurrency" | b"resumption" | b"etag"
        | b"end" | b"idempotency" | b"dedup" => None,
        b"access" | b"auth" | b"refresh" | b"bearer" | b"session" | b"api" | b"secret"
        | b"security" | b"personal" | b"bot" | b"user" | b"oauth" | b"private" | b"deploy"
        | b"service" | b"login" | b"gh" | b"github" | b"gitlab" | b"vault" | b"admin"
        | b"registration" | b"root" | b"jwt" | b"id" | b"device" | b"account" | b"runner"
        | b"job" | b"push" | b"webhook" | b"verification"
            if !is_plural =>
        {
            Some(Sense::ApiKey)
        }
        _ => Some(Sense::Token),
    }
}

fn is_code_owner(owner: &[u8]) -> bool {
    matches!(owner, b"otp" | b"verification" | b"mfa" | b"2fa" | b"security" | b"pin" | b"login")
}

/// Words that make no secret of what they stand beside.
fn takes_back(word: &[u8]) -> bool {
    matches!(
        word,
        b"public"
            | b"pub"
            | b"publishable"
            | b"hash"
            | b"hashed"
            | b"digest"
            | b"checksum"
            | b"fingerprint"
            | b"has"
            | b"allow"
            | b"use"
            | b"is"
            | b"no"
            | b"min"
            | b"max"
            | b"num"
            | b"reset"
            | b"forgot"
            | b"show"
            | b"hide"
            | b"invalid"
            | b"incorrect"
            | b"missing"
            | b"wrong"
    )
}

/// Words at the end of a name that change nothing.
fn is_neutral(word: &[u8]) -> bool {
    matches!(
        word,
        b"value"
            | b"val"
            | b"string"
            | b"str"
            | b"text"
            | b"plain"
            | b"plaintext"
            | b"raw"
            | b"b64"
            | b"base64"
            | b"encoded"
            | b"decoded"
            | b"prod"
            | b"production"
            | b"dev"
            | b"development"
            | b"test"
            | b"staging"
            | b"stage"
            | b"live"
            | b"old"
            | b"new"
            | b"current"
            | b"backup"
            | b"default"
            | b"main"
            | b"primary"
            | b"secondary"
            | b"env"
            | b"v"
            | b"confirm"
            | b"confirmation"
            | b"again"
            | b"repeat"
            | b"local"
            | b"eu"
            | b"us"
            | b"qa"
            | b"uat"
    ) || word.iter().all(u8::is_ascii_digit) && word.len() <= 2
}
