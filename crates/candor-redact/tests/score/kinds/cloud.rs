//! Keys of clouds, of databases that somebody else runs, and of what watches over them.

use super::Shape::{Named, Token, Word};
use super::{Kind, between, token};
use crate::checksum::crc32;
use crate::random::{BASE32, BASE62, BASE64, BASE64_URL, DIGITS, HEX, UPPER};
use crate::written::{Written, sixes};

pub(crate) const KINDS: &[Kind] = &[
    Kind {
        name: "aws access key id",
        shape: Token,
        keys: &["aws_access_key_id", "access_key"],
        make: |random| {
            let prefix = random.pick(&[concat!("AK", "IA"), concat!("AS", "IA")]);
            token(prefix, &random.text(BASE32, 16))
        },
    },
    Kind {
        name: "google api key",
        shape: Token,
        keys: &["google_api_key", "maps_key"],
        make: |random| token(concat!("AI", "za"), &format!("Sy{}", random.text(BASE64_URL, 33))),
    },
    Kind {
        name: "google oauth client secret",
        shape: Token,
        keys: &["google_client_secret", "client_secret"],
        make: |random| token(concat!("GOC", "SPX-"), &random.text(BASE64_URL, 28)),
    },
    Kind {
        name: "google access token",
        shape: Token,
        keys: &["access_token", "google_token"],
        make: |random| {
            let core = format!("a0A{}", random.text(BASE64_URL, 160));
            token(concat!("ya", "29."), &core)
        },
    },
    Kind {
        name: "azure client secret",
        shape: Token,
        keys: &["azure_client_secret", "client_secret"],
        make: |random| {
            let (start, end) = (random.text(BASE62, 3), random.text(BASE62, 34));
            Written::default().secret(&format!("{start}8Q~{end}"))
        },
    },
    Kind {
        name: "azure storage connection string",
        shape: Word,
        keys: &["azure_storage_connection_string", "storage"],
        make: |random| {
            let key = format!("{}==", random.text(BASE64, 86));
            between(
                &format!(
                    "DefaultEndpointsProtocol=https;AccountName={};AccountKey=",
                    random.word()
                ),
                &key,
                ";EndpointSuffix=core.windows.net",
            )
        },
    },
    Kind {
        name: "azure service bus connection string",
        shape: Word,
        keys: &["service_bus_connection", "queue"],
        make: |random| {
            let key = format!("{}=", random.text(BASE64, 43));
            let before = format!(
                "Endpoint=sb://{}.servicebus.windows.net/;SharedAccessKeyName=send;SharedAccessKey=",
                random.word()
            );
            between(&before, &key, "")
        },
    },
    Kind {
        name: "alibaba access key id",
        shape: Token,
        keys: &["alibaba_access_key_id", "oss_key"],
        make: |random| token(concat!("LT", "AI"), &format!("5t{}", random.text(BASE62, 18))),
    },
    Kind {
        name: "cloudflare origin key",
        shape: Token,
        keys: &["origin_ca_key", "cloudflare_key"],
        make: |random| {
            token("v1.0-", &format!("{}-{}", random.text(HEX, 24), random.text(HEX, 146)))
        },
    },
    Kind {
        name: "heroku key",
        shape: Token,
        keys: &["heroku_api_key", "heroku_token"],
        make: |random| token(concat!("HRKU", "-AA"), &random.text(BASE64_URL, 58)),
    },
    Kind {
        name: "fly token",
        shape: Token,
        keys: &["fly_api_token", "deploy_token"],
        make: |random| {
            let length = random.between(40, 60) * 4;
            token(concat!("fm", "2_"), &format!("lJPE{}", random.text(BASE64, length)))
        },
    },
    Kind {
        name: "netlify token",
        shape: Token,
        keys: &["netlify_auth_token", "site_token"],
        make: |random| token(concat!("nf", "p_"), &random.text(BASE62, 36)),
    },
    Kind {
        name: "planetscale password",
        shape: Token,
        keys: &["database_password", "planetscale_token"],
        make: |random| {
            let prefix = random.pick(&[concat!("pscale", "_tkn_"), concat!("pscale", "_pw_")]);
            token(prefix, &random.text(BASE64_URL, 43))
        },
    },
    Kind {
        name: "supabase token",
        shape: Token,
        keys: &["supabase_access_token", "service_key"],
        make: |random| token(concat!("sb", "p_"), &random.text(HEX, 40)),
    },
    Kind {
        name: "databricks token",
        shape: Token,
        keys: &["databricks_token", "dapi_token"],
        make: |random| token(concat!("da", "pi"), &format!("{}-2", random.text(HEX, 32))),
    },
    Kind {
        name: "terraform cloud token",
        shape: Token,
        keys: &["tfe_token", "terraform_token"],
        make: |random| {
            let start = random.text(BASE62, 14);
            let end = random.text(BASE62, 67);
            Written::default().secret(&format!("{start}.{}v1.{end}", concat!("at", "las")))
        },
    },
    Kind {
        name: "pulumi token",
        shape: Token,
        keys: &["pulumi_access_token", "stack_token"],
        make: |random| token(concat!("pu", "l-"), &random.text(HEX, 40)),
    },
    Kind {
        name: "doppler token",
        shape: Token,
        keys: &["doppler_token", "secrets_token"],
        make: |random| {
            let prefix = random.pick(&["dp.pt.", "dp.ct.", "dp.st.prd."]);
            token(prefix, &random.text(BASE62, 43))
        },
    },
    Kind {
        name: "tailscale key",
        shape: Token,
        keys: &["ts_authkey", "tailscale_key"],
        make: |random| {
            let (id, rest) = (random.text(BASE62, 12), random.text(BASE62, 32));
            token(concat!("tskey", "-auth-"), &format!("k{id}CNTRL-{rest}"))
        },
    },
    Kind {
        name: "grafana service account token",
        shape: Token,
        keys: &["grafana_token", "dashboards_token"],
        make: |random| {
            let body = random.text(BASE62, 32);
            token(concat!("gl", "sa_"), &format!("{body}_{:08x}", crc32(&body)))
        },
    },
    Kind {
        name: "grafana cloud token",
        shape: Token,
        keys: &["grafana_cloud_token", "metrics_token"],
        make: |random| {
            let inside = format!(
                "{{\"o\":\"{}\",\"n\":\"write-{}\",\"k\":\"{}\",\"m\":{{\"r\":\"eu\"}}}}",
                random.text(DIGITS, 6),
                random.word(),
                random.text(BASE62, 24)
            );
            token(concat!("gl", "c_"), &sixes(inside.as_bytes(), BASE64, true))
        },
    },
    Kind {
        name: "new relic key",
        shape: Token,
        keys: &["new_relic_api_key", "nr_key"],
        make: |random| token(concat!("NR", "AK-"), &random.text(UPPER, 27)),
    },
    Kind {
        name: "dynatrace token",
        shape: Token,
        keys: &["dynatrace_token", "dt_token"],
        make: |random| {
            let (public, secret) = (random.text(UPPER, 24), random.text(UPPER, 64));
            Written::default()
                .known(&format!("{}{public}.", concat!("dt0", "c01.")))
                .secret(&secret)
        },
    },
    Kind {
        name: "sentry token",
        shape: Token,
        keys: &["sentry_auth_token", "release_token"],
        make: |random| {
            let inside = format!(
                "{{\"iat\":17{}.0,\"url\":\"https://sentry.io\",\"region_url\":\
                 \"https://eu.sentry.io\",\"org\":\"{}\"}}",
                random.text(DIGITS, 8),
                random.word()
            );
            Written::default()
                .known(concat!("snt", "rys_"))
                .known(&sixes(inside.as_bytes(), BASE64, true))
                .known("_")
                .secret(&random.text(BASE64, 43))
        },
    },
    Kind {
        name: "algolia admin key",
        shape: Named,
        keys: &["algolia_admin_api_key", "algolia_api_key"],
        make: |random| Written::default().secret(&random.text(HEX, 32)),
    },
    Kind {
        name: "aws secret access key",
        shape: Named,
        keys: &["aws_secret_access_key", "secret_access_key", "aws_secret_key"],
        make: |random| Written::default().secret(&random.text(BASE64, 40)),
    },
    Kind {
        name: "aws session token",
        shape: Named,
        keys: &["aws_session_token", "session_token"],
        make: |random| {
            let length = random.between(60, 90) * 4;
            let core = format!("IQoJb3JpZ2luX2VjE{}==", random.text(BASE64, length));
            Written::default().secret(&core)
        },
    },
    Kind {
        name: "cloudflare token",
        shape: Named,
        keys: &["cloudflare_api_token", "cf_api_token"],
        make: |random| Written::default().secret(&random.text(BASE64_URL, 40)),
    },
    Kind {
        name: "datadog key",
        shape: Named,
        keys: &["datadog_api_key", "dd_api_key", "dd_app_key"],
        make: |random| {
            let length = *random.pick(&[32, 40]);
            Written::default().secret(&random.text(HEX, length))
        },
    },
    Kind {
        name: "fastly token",
        shape: Named,
        keys: &["fastly_api_token", "fastly_key"],
        make: |random| Written::default().secret(&random.text(BASE64_URL, 32)),
    },
    Kind {
        name: "confluent secret",
        shape: Named,
        keys: &["confluent_api_secret", "sasl_password", "kafka_secret"],
        make: |random| Written::default().secret(&random.text(BASE64, 64)),
    },
    Kind {
        name: "elastic key",
        shape: Named,
        keys: &["elastic_api_key", "es_api_key"],
        make: |random| {
            let inside = format!("{}:{}", random.text(BASE64_URL, 20), random.text(BASE64_URL, 22));
            Written::default().secret(&sixes(inside.as_bytes(), BASE64, true))
        },
    },
    Kind {
        name: "snyk token",
        shape: Named,
        keys: &["snyk_token", "snyk_api_token"],
        make: |random| Written::default().secret(&random.uuid()),
    },
    Kind {
        name: "launchdarkly key",
        shape: Token,
        keys: &["launchdarkly_sdk_key", "flags_key"],
        make: |random| token(concat!("sd", "k-"), &random.uuid()),
    },
    Kind {
        name: "infracost key",
        shape: Token,
        keys: &["infracost_api_key", "cost_key"],
        make: |random| token(concat!("ic", "o-"), &random.text(BASE62, 32)),
    },
    Kind {
        name: "ibm cloud key",
        shape: Named,
        keys: &["ibmcloud_api_key", "ibm_api_key"],
        make: |random| Written::default().secret(&random.text(BASE64_URL, 44)),
    },
    Kind {
        name: "scaleway secret key",
        shape: Named,
        keys: &["scw_secret_key", "scaleway_secret_key"],
        make: |random| Written::default().secret(&random.uuid()),
    },
    Kind {
        name: "linode token",
        shape: Named,
        keys: &["linode_token", "linode_api_token"],
        make: |random| Written::default().secret(&random.text(HEX, 64)),
    },
    Kind {
        name: "hetzner token",
        shape: Named,
        keys: &["hcloud_token", "hetzner_token"],
        make: |random| Written::default().secret(&random.text(BASE62, 64)),
    },
    Kind {
        name: "wireguard private key",
        shape: Named,
        keys: &["private_key", "wg_private_key", "preshared_key"],
        make: |random| {
            let bytes = random.bytes(32);
            Written::default().secret(&sixes(&bytes, BASE64, true))
        },
    },
    Kind {
        name: "sumo logic key",
        shape: Named,
        keys: &["sumo_access_key", "sumologic_access_key"],
        make: |random| Written::default().secret(&random.text(BASE62, 64)),
    },
    Kind {
        name: "consul token",
        shape: Named,
        keys: &["consul_http_token", "acl_token"],
        make: |random| Written::default().secret(&random.uuid()),
    },
];
