//! Tokens that say themselves what they are: a beginning, an alphabet, a length, and a check.

use crate::bytes::{at, before, contains, is_web, part, run};
use crate::checks::base62_crc32;
use crate::finding::Certainty;
use crate::randomness::{Makeup, is_made_up};
use crate::scan::Scan;
use crate::structures::aws_secret_near;

/// How a kind of token is written.
#[derive(Debug)]
pub(crate) struct Shape {
    pub(crate) prefix: &'static str,
    kind: &'static str,
    alphabet: Alphabet,
    shortest: usize,
    longest: usize,
    check: Check,
}

#[derive(Clone, Copy, Debug)]
enum Alphabet {
    Alphanumeric,
    /// And `-`, `_`.
    Web,
    /// And `-`, `_`, `.`.
    Dotted,
    /// And `+`, `/`, `=`.
    Base64,
    /// Upper-case letters and digits.
    Upper,
    /// `A` to `Z`, `2` to `7`.
    Base32,
    Hex,
    /// Whatever a URL may hold, and `%`.
    Url,
}

#[derive(Clone, Copy, Debug)]
enum Check {
    /// The beginning is enough, unless the rest was made up.
    Prefix,
    /// The rest must look as if it had been drawn.
    Random,
    /// The last six characters carry a checksum, as GitHub does it.
    Checksum,
    /// It holds this mark in its middle.
    Holds(&'static str),
}

const LONG: usize = 4096;

macro_rules! shapes {
    ($($prefix:literal $kind:literal $alphabet:ident $shortest:literal..$longest:tt $check:ident $(($argument:literal))?;)*) => {
        &[$(Shape {
            prefix: $prefix,
            kind: $kind,
            alphabet: Alphabet::$alphabet,
            shortest: $shortest,
            longest: $longest,
            check: Check::$check $(($argument))?,
        }),*]
    };
}

/// What is known of such tokens. A kind whose values are meant to be seen has no row.
pub(crate) const SHAPES: &[Shape] = shapes! {
    // Where code lives.
    "ghp_" "github-token" Alphanumeric 36..36 Checksum;
    "gho_" "github-token" Alphanumeric 36..36 Checksum;
    "ghu_" "github-token" Alphanumeric 36..36 Checksum;
    "ghs_" "github-token" Alphanumeric 36..36 Checksum;
    "ghs_" "github-token" Dotted 60..LONG Random;
    "ghr_" "github-token" Alphanumeric 36..36 Checksum;
    "ghr_" "github-token" Alphanumeric 40..100 Random;
    "github_pat_" "github-token" Web 60..255 Random;
    "glpat-" "gitlab-token" Dotted 20..300 Prefix;
    "gldt-" "gitlab-token" Web 20..300 Prefix;
    "glrt-" "gitlab-token" Dotted 20..300 Prefix;
    "glcbt-" "gitlab-token" Web 20..300 Prefix;
    "glptt-" "gitlab-token" Web 20..300 Prefix;
    "glft-" "gitlab-token" Web 20..300 Prefix;
    "glsoat-" "gitlab-token" Web 20..300 Prefix;
    "glimt-" "gitlab-token" Web 20..300 Prefix;
    "glagent-" "gitlab-token" Web 20..300 Prefix;
    "gloas-" "gitlab-token" Web 20..300 Prefix;
    "glffct-" "gitlab-token" Web 20..300 Prefix;
    "glwt-" "gitlab-token" Web 20..300 Random;
    "GR1348941" "gitlab-token" Web 20..60 Prefix;
    "_gitlab_session=" "gitlab-session" Hex 32..32 Prefix;
    "ATBB" "bitbucket-token" Alphanumeric 28..40 Random;
    "ATCTT3" "atlassian-token" Base64 60..LONG Random;
    "ATATT3" "atlassian-token" Url 60..LONG Random;
    "ATSTT3" "atlassian-token" Url 60..LONG Random;
    // Packages.
    "npm_" "npm-token" Alphanumeric 36..36 Checksum;
    "pypi-AgE" "pypi-token" Web 50..LONG Random;
    "pypi-AgN" "pypi-token" Web 50..LONG Random;
    "cio" "crates-token" Alphanumeric 32..32 Random;
    "rubygems_" "rubygems-token" Hex 48..48 Random;
    "oy2" "nuget-key" Alphanumeric 43..43 Random;
    "dckr_pat_" "docker-token" Web 20..60 Prefix;
    "dckr_oat_" "docker-token" Web 20..60 Prefix;
    "AKCp" "artifactory-token" Alphanumeric 60..80 Random;
    "cmVmdGtu" "artifactory-token" Alphanumeric 50..100 Random;
    "CLOJARS_" "clojars-token" Alphanumeric 60..60 Random;
    // Clouds.
    "AKIA" "aws-key-id" Base32 16..16 Prefix;
    "ASIA" "aws-key-id" Base32 16..16 Prefix;
    "ABIA" "aws-key-id" Base32 16..16 Prefix;
    "ACCA" "aws-key-id" Base32 16..16 Prefix;
    "ABSK" "aws-key" Base64 60..LONG Random;
    "IQoJb3JpZ2lu" "aws-session-token" Base64 100..LONG Random;
    "FwoGZXIvYXdz" "aws-session-token" Base64 100..LONG Random;
    "AIza" "google-key" Web 35..35 Prefix;
    "AQ.Ab" "google-key" Web 40..80 Random;
    "GOCSPX-" "google-secret" Web 28..28 Prefix;
    "ya29." "google-token" Dotted 20..LONG Random;
    "1//0" "google-token" Web 35..200 Random;
    "LTAI" "alibaba-key-id" Alphanumeric 12..26 Random;
    "AKID" "tencent-key-id" Alphanumeric 32..36 Random;
    "dop_v1_" "digitalocean-token" Hex 64..64 Random;
    "doo_v1_" "digitalocean-token" Hex 64..64 Random;
    "dor_v1_" "digitalocean-token" Hex 64..64 Random;
    "hvs." "vault-token" Web 24..300 Random;
    "hvb." "vault-token" Web 24..300 Random;
    "hvr." "vault-token" Web 24..300 Random;
    "s." "vault-token" Alphanumeric 24..24 Random;
    "HRKU-" "heroku-key" Web 36..80 Random;
    "fo1_" "fly-token" Web 40..60 Random;
    "FlyV1 " "fly-token" Base64 60..LONG Random;
    "fm2_" "fly-token" Base64 60..LONG Random;
    "nfp_" "netlify-token" Alphanumeric 30..60 Random;
    "vcp_" "vercel-token" Alphanumeric 20..80 Random;
    "vercel_blob_rw_" "vercel-token" Web 20..80 Random;
    "dapi" "databricks-token" Hex 32..34 Random;
    "dkea" "databricks-token" Hex 32..34 Random;
    "pscale_tkn_" "planetscale-token" Dotted 32..64 Prefix;
    "pscale_pw_" "planetscale-password" Dotted 32..64 Prefix;
    "pscale_oauth_" "planetscale-token" Dotted 32..64 Prefix;
    "sbp_" "supabase-token" Hex 40..60 Random;
    "sb_secret_" "supabase-key" Web 20..60 Prefix;
    "napi_" "neon-key" Alphanumeric 60..70 Random;
    "rnd_" "render-key" Alphanumeric 28..40 Random;
    "tskey-" "tailscale-key" Web 20..80 Random;
    "pul-" "pulumi-token" Hex 40..40 Random;
    ".atlasv1." "terraform-token" Web 60..70 Random;
    "CFPAT-" "contentful-token" Web 43..43 Random;
    "v1.0-" "cloudflare-key" Hex 24..200 Random;
    "cfut_" "cloudflare-token" Web 40..60 Random;
    "cfat_" "cloudflare-token" Web 40..60 Random;
    "dp.pt." "doppler-token" Alphanumeric 40..50 Random;
    "dp.st." "doppler-token" Dotted 40..80 Random;
    "dp.ct." "doppler-token" Alphanumeric 40..50 Random;
    "dp.sa." "doppler-token" Alphanumeric 40..50 Random;
    "AccountKey=" "azure-key" Base64 60..100 Random;
    "SharedAccessKey=" "azure-key" Base64 40..100 Random;
    "ops_eyJ" "onepassword-token" Web 100..LONG Random;
    "A3-" "onepassword-key" Web 30..50 Random;
    "AGE-SECRET-KEY-1" "age-key" Upper 58..58 Prefix;
    "AGE-SECRET-KEY-PQ-1" "age-key" Upper 58..200 Prefix;
    // Messages.
    "xoxb-" "slack-token" Web 20..300 Random;
    "xoxp-" "slack-token" Web 20..300 Random;
    "xoxa-" "slack-token" Web 20..300 Random;
    "xoxr-" "slack-token" Web 20..300 Random;
    "xoxs-" "slack-token" Web 20..300 Random;
    "xoxo-" "slack-token" Web 20..300 Random;
    "xoxc-" "slack-token" Web 20..300 Random;
    "xoxd-" "slack-token" Url 20..400 Random;
    "xoxe-" "slack-token" Web 20..300 Random;
    "xoxe." "slack-token" Web 20..300 Random;
    "xapp-" "slack-token" Web 20..300 Random;
    "xwfp-" "slack-token" Web 20..300 Random;
    "hooks.slack.com/services/" "slack-webhook" Url 30..100 Random;
    "hooks.slack.com/workflows/" "slack-webhook" Url 30..150 Random;
    "hooks.slack.com/triggers/" "slack-webhook" Url 30..150 Random;
    "discord.com/api/webhooks/" "discord-webhook" Url 60..150 Random;
    "discordapp.com/api/webhooks/" "discord-webhook" Url 60..150 Random;
    "webhook.office.com/webhookb2/" "teams-webhook" Url 60..400 Random;
    "hooks.zapier.com/hooks/catch/" "zapier-webhook" Url 10..60 Prefix;
    "api.telegram.org/bot" "telegram-token" Url 30..80 Random;
    "SG." "sendgrid-key" Dotted 60..70 Random;
    "xkeysib-" "brevo-key" Web 60..100 Random;
    "xsmtpsib-" "brevo-key" Web 60..100 Random;
    "key-" "mailgun-key" Hex 32..32 Random;
    "re_" "resend-key" Web 24..50 Random;
    "mlsn." "mailersend-key" Hex 64..64 Random;
    "EAAC" "facebook-token" Alphanumeric 60..400 Random;
    "EAAG" "facebook-token" Alphanumeric 60..400 Random;
    "EAAA" "square-token" Web 56..70 Random;
    "AAAAAAAAAAAAAAAAAAAAA" "twitter-token" Url 40..200 Random;
    // Money.
    "sk_live_" "stripe-key" Alphanumeric 20..250 Prefix;
    "sk_test_" "stripe-key" Alphanumeric 20..250 Prefix;
    "rk_live_" "stripe-key" Alphanumeric 20..250 Prefix;
    "rk_test_" "stripe-key" Alphanumeric 20..250 Prefix;
    "sk_org_" "stripe-key" Web 20..250 Random;
    "whsec_" "webhook-secret" Base64 24..120 Random;
    "sq0atp-" "square-token" Web 22..22 Prefix;
    "sq0csp-" "square-secret" Web 43..43 Prefix;
    "access_token$production$" "paypal-token" Web 40..60 Random;
    "access_token$sandbox$" "paypal-token" Web 40..60 Random;
    "rzp_live_" "razorpay-key" Alphanumeric 14..24 Prefix;
    "rzp_test_" "razorpay-key" Alphanumeric 14..24 Prefix;
    "FLWSECK-" "flutterwave-key" Web 30..60 Random;
    "FLWSECK_TEST-" "flutterwave-key" Web 12..60 Random;
    "shpat_" "shopify-token" Hex 32..64 Random;
    "shpca_" "shopify-token" Hex 32..64 Random;
    "shppa_" "shopify-token" Hex 32..64 Random;
    "shpss_" "shopify-secret" Hex 32..64 Random;
    "EZAK" "easypost-key" Alphanumeric 54..54 Random;
    "EZTK" "easypost-key" Alphanumeric 54..54 Random;
    "shippo_live_" "shippo-key" Hex 40..40 Random;
    "shippo_test_" "shippo-key" Hex 40..40 Random;
    "live_" "api-key" Alphanumeric 32..64 Random;
    // Models.
    "sk-ant-" "anthropic-key" Web 24..200 Random;
    "sk-proj-" "openai-key" Web 40..300 Random;
    "sk-svcacct-" "openai-key" Web 40..300 Random;
    "sk-admin-" "openai-key" Web 40..300 Random;
    "sk-or-v1-" "openrouter-key" Hex 60..70 Random;
    "sk-lf-" "langfuse-key" Web 32..40 Random;
    "sk-" "api-key" Web 28..200 Random;
    "sess-" "openai-session" Alphanumeric 36..48 Random;
    "hf_" "huggingface-token" Alphanumeric 34..40 Prefix;
    "api_org_" "huggingface-token" Alphanumeric 34..34 Random;
    "r8_" "replicate-token" Alphanumeric 37..40 Random;
    "gsk_" "groq-key" Alphanumeric 48..60 Random;
    "xai-" "xai-key" Alphanumeric 60..100 Random;
    "pplx-" "perplexity-key" Alphanumeric 40..64 Random;
    "nvapi-" "nvidia-key" Web 50..80 Random;
    "tgp_v1_" "together-key" Web 40..60 Random;
    "fw_" "fireworks-key" Alphanumeric 22..40 Random;
    "csk-" "cerebras-key" Alphanumeric 40..60 Random;
    "pcsk_" "pinecone-key" Web 40..90 Random;
    "jina_" "jina-key" Web 40..80 Random;
    "tvly-" "tavily-key" Web 28..60 Random;
    "fc-" "firecrawl-key" Hex 32..32 Random;
    "pa-" "voyage-key" Web 40..60 Random;
    "lsv2_pt_" "langsmith-key" Web 32..60 Random;
    "lsv2_sk_" "langsmith-key" Web 32..60 Random;
    "ls__" "langsmith-key" Hex 32..32 Random;
    "e2b_" "e2b-key" Hex 40..40 Random;
    "bb_live_" "browserbase-key" Web 20..60 Random;
    // Work.
    "lin_api_" "linear-key" Alphanumeric 32..48 Random;
    "lin_oauth_" "linear-token" Hex 64..64 Random;
    "ntn_" "notion-token" Alphanumeric 40..60 Random;
    "secret_" "notion-token" Alphanumeric 43..43 Random;
    "figd_" "figma-token" Web 36..60 Random;
    "figu_" "figma-token" Web 36..60 Random;
    "PMAK-" "postman-key" Web 50..64 Random;
    "PMAT-" "postman-key" Upper 26..26 Prefix;
    "pat-na1-" "hubspot-token" Web 36..40 Random;
    "pat-na2-" "hubspot-token" Web 36..40 Random;
    "pat-eu1-" "hubspot-token" Web 36..40 Random;
    "NRAK-" "newrelic-key" Upper 27..27 Prefix;
    "NRII-" "newrelic-key" Web 32..32 Random;
    "NRRA-" "newrelic-key" Hex 42..42 Random;
    "glsa_" "grafana-token" Web 36..60 Random;
    "glc_" "grafana-token" Base64 32..400 Random;
    "eyJrIjoi" "grafana-key" Base64 60..400 Random;
    "sntrys_" "sentry-token" Url 60..400 Random;
    "sntryu_" "sentry-token" Hex 64..64 Random;
    "phx_" "posthog-key" Alphanumeric 40..60 Random;
    "phs_" "posthog-key" Alphanumeric 40..60 Random;
    "dd_pat_" "datadog-key" Web 32..80 Random;
    "ddapp_" "datadog-key" Web 34..60 Random;
    "sqp_" "sonarqube-token" Hex 40..40 Random;
    "squ_" "sonarqube-token" Hex 40..40 Random;
    "sqa_" "sonarqube-token" Hex 40..40 Random;
    "snyk_" "snyk-token" Dotted 36..200 Random;
    "pnu_" "prefect-token" Alphanumeric 36..36 Random;
    "ion_" "api-key" Alphanumeric 42..42 Random;
    "ptr_" "portainer-token" Base64 40..50 Random;
    "tk-us-" "typeform-token" Web 40..60 Random;
    "tfp_" "typeform-token" Dotted 59..70 Random;
    "dt0c01." "dynatrace-token" Dotted 80..100 Random;
    "dt0s01." "dynatrace-token" Dotted 80..100 Random;
    "bkua_" "buildkite-token" Hex 40..40 Random;
    "CCIPAT_" "circleci-token" Web 40..80 Random;
    "CCIPRJ_" "circleci-token" Web 40..80 Random;
    "duffel_live_" "duffel-token" Web 40..50 Random;
    "duffel_test_" "duffel-token" Web 40..50 Random;
    "flb_live_" "api-key" Web 20..40 Random;
    "sk.eyJ" "mapbox-token" Dotted 40..300 Random;
    "pat" "airtable-token" Dotted 79..79 Holds(".");
    "nsec1" "nostr-key" Alphanumeric 58..58 Random;
    "xprv" "wallet-key" Alphanumeric 107..107 Random;
    "zprv" "wallet-key" Alphanumeric 107..107 Random;
};

/// Looks at a place where such a token may begin.
pub(crate) fn look(scan: &mut Scan<'_>, start: usize, shape: &'static Shape) {
    let text = scan.text;
    let body = start + shape.prefix.len();
    // The table is matched without regard to case, and then with it.
    if part(text, start, body) != shape.prefix.as_bytes() {
        return;
    }
    let opens_a_word = is_web(at(text, start)) && start > 0;
    let joins = before(text, start) == b'-' && shape.prefix.len() >= 4;
    if opens_a_word && is_web(before(text, start)) && !joins {
        return;
    }
    let mut end = run(text, body, shape.longest + 1, |byte| shape.alphabet.holds(byte));
    // A full stop that ends a sentence is no part of it.
    while end - body > shape.shortest
        && matches!(at(text, end - 1), b'.' | b'-')
        && shape.longest != end - body
    {
        end -= 1;
    }
    if !scan.effort.spend(end - start) {
        return scan.effort.cut(start);
    }
    let length = end - body;
    let goes_on = at(text, end).is_ascii_alphanumeric();
    if length < shape.shortest || length > shape.longest || goes_on {
        return;
    }
    let value = part(text, body, end);
    let passes = match shape.check {
        Check::Checksum => base62_crc32(value) || base62_crc32(part(text, start, end)),
        Check::Prefix => !is_made_up(value),
        Check::Random => is_drawn(value) && !is_made_up(value),
        Check::Holds(mark) => contains(value, mark.as_bytes()) && is_drawn(value),
    };
    if !passes {
        return;
    }
    // A beginning that many services share says less than one that is a service's own.
    let is_shared = matches!(shape.kind, "api-key" | "token");
    let certainty = if is_shared { Certainty::Placed } else { Certainty::SelfEvident };
    let is_url = shape.prefix.contains(".com/") || shape.prefix.contains(".org/");
    let names = is_url || shape.prefix.ends_with('=');
    scan.mark(if names { body } else { start }, end, shape.kind, certainty);
    if shape.kind == "aws-key-id" {
        aws_secret_near(scan, start, end);
    }
}

/// Does it hold a piece that was drawn, as long as pieces are between signs?
fn is_drawn(value: &[u8]) -> bool {
    let is_piece = |piece: &[u8]| {
        let makeup = Makeup::of(piece);
        let is_mixed = makeup.digits > 0 && makeup.letters() > 0 || makeup.is_gibberish();
        piece.len() >= 12 && makeup.distinct * 3 >= piece.len().min(24) && is_mixed
    };
    Makeup::of(value).is_random() || value.split(|byte| !byte.is_ascii_alphanumeric()).any(is_piece)
}

impl Alphabet {
    const fn holds(self, byte: u8) -> bool {
        match self {
            Self::Alphanumeric => byte.is_ascii_alphanumeric(),
            Self::Web => is_web(byte),
            Self::Dotted => is_web(byte) || byte == b'.',
            Self::Base64 => {
                byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'-' | b'_')
            }
            Self::Upper => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
            Self::Base32 => byte.is_ascii_uppercase() || matches!(byte, b'2'..=b'7'),
            Self::Hex => byte.is_ascii_hexdigit() || byte == b'-',
            Self::Url => {
                is_web(byte) || matches!(byte, b'.' | b'/' | b':' | b'@' | b'%' | b'=' | b'+')
            }
        }
    }
}
