//! Tokens of those who keep code, build it and hand out packages.

use super::Shape::{Named, Token};
use super::{Kind, token};
use crate::checksum::{base36, base62, crc32};
use crate::random::{
    BASE62, BASE64, BASE64_URL, CAPITAL_HEX, DIGITS, HEX, LOWER, Random, UPPER, capital,
};
use crate::written::{Written, sixes};

pub(crate) const KINDS: &[Kind] = &[
    Kind {
        name: "github token",
        shape: Token,
        keys: &["github_token", "gh_token"],
        make: |random| github(random, concat!("gh", "p_")),
    },
    Kind {
        name: "github app token",
        shape: Token,
        keys: &["installation_token", "github_token"],
        make: |random| {
            let prefix =
                random.pick(&[concat!("gh", "s_"), concat!("gh", "o_"), concat!("gh", "u_")]);
            github(random, prefix)
        },
    },
    Kind {
        name: "github refresh token",
        shape: Token,
        keys: &["refresh_token", "github_refresh_token"],
        make: |random| {
            let body = random.text(BASE62, 70);
            token(concat!("gh", "r_"), &format!("{body}{}", base62(crc32(&body))))
        },
    },
    Kind {
        name: "github fine-grained token",
        shape: Token,
        keys: &["github_pat", "repo_token"],
        make: |random| {
            let (id, secret) = (random.text(BASE62, 20), random.text(BASE62, 59));
            token(concat!("github", "_pat_"), &format!("11{id}_{secret}"))
        },
    },
    Kind {
        name: "gitlab token",
        shape: Token,
        keys: &["gitlab_token", "private_token"],
        make: |random| token(concat!("gl", "pat-"), &random.text(BASE64_URL, 20)),
    },
    Kind {
        name: "gitlab routable token",
        shape: Token,
        keys: &["gitlab_token", "ci_token"],
        make: |random| {
            let bytes = random.bytes(27);
            let payload = sixes(&bytes, BASE64_URL, false);
            let length = base36(u32::try_from(payload.len()).unwrap(), 2);
            let all = format!("{payload}.{length}");
            let sum = base36(crc32(&format!("{}{all}", concat!("gl", "pat-"))), 7);
            token(concat!("gl", "pat-"), &format!("{all}{sum}"))
        },
    },
    Kind {
        name: "gitlab deploy and runner tokens",
        shape: Token,
        keys: &["deploy_token", "runner_token"],
        make: |random| {
            let prefix =
                random.pick(&[concat!("gl", "dt-"), concat!("gl", "rt-"), concat!("gl", "soat-")]);
            token(prefix, &random.text(BASE64_URL, 20))
        },
    },
    Kind {
        name: "gitlab trigger token",
        shape: Token,
        keys: &["trigger_token", "pipeline_token"],
        make: |random| token(concat!("gl", "ptt-"), &random.text(HEX, 40)),
    },
    Kind {
        name: "atlassian token",
        shape: Token,
        keys: &["jira_token", "atlassian_api_token"],
        make: |random| {
            let prefix = concat!("ATA", "TT3x");
            let body = format!("FfGF0{}", random.text(BASE64_URL, 171));
            let sum = crc32(&format!("{prefix}{body}"));
            token(prefix, &format!("{body}={sum:08X}"))
        },
    },
    Kind {
        name: "bitbucket app password",
        shape: Token,
        keys: &["bitbucket_app_password", "bitbucket_token"],
        make: |random| {
            token(
                concat!("AT", "BB"),
                &format!("{}{}", random.text(BASE62, 24), random.text(CAPITAL_HEX, 8)),
            )
        },
    },
    Kind {
        name: "circleci token",
        shape: Token,
        keys: &["circle_token", "circleci_token"],
        make: |random| {
            let (id, secret) = (random.text(BASE62, 22), random.text(HEX, 40));
            token(concat!("CCI", "PAT_"), &format!("{id}_{secret}"))
        },
    },
    Kind {
        name: "travis token",
        shape: Named,
        keys: &["travis_token", "travis_api_token"],
        make: |random| Written::default().secret(&random.text(BASE64_URL, 22)),
    },
    Kind {
        name: "buildkite token",
        shape: Token,
        keys: &["buildkite_token", "agent_token"],
        make: |random| token(concat!("bk", "ua_"), &random.text(HEX, 40)),
    },
    Kind {
        name: "sonarqube token",
        shape: Token,
        keys: &["sonar_token", "sonar_login"],
        make: |random| {
            let prefix = random.pick(&["squ_", "sqp_", "sqa_"]);
            token(prefix, &random.text(HEX, 40))
        },
    },
    Kind {
        name: "codecov token",
        shape: Named,
        keys: &["codecov_token", "coverage_token"],
        make: |random| Written::default().secret(&random.uuid()),
    },
    Kind {
        name: "npm token",
        shape: Token,
        keys: &["npm_token", "node_auth_token"],
        make: |random| {
            let body = random.text(BASE62, 30);
            token(concat!("np", "m_"), &format!("{body}{}", base62(crc32(&body))))
        },
    },
    Kind {
        name: "pypi token",
        shape: Token,
        keys: &["pypi_token", "twine_password"],
        make: |random| {
            let mut bytes = b"\x02\x01\x08pypi.org\x02\x24".to_vec();
            bytes.extend(random.uuid().bytes());
            bytes.extend(b"\x00\x02\x2a[3,\"");
            bytes.extend(random.uuid().bytes());
            bytes.extend(b"\"]\x00\x00\x06 ");
            bytes.extend(random.bytes(32));
            let body = sixes(&bytes, BASE64_URL, false);
            // The first part names the host, alike in all of them.
            let (host, rest) = body.split_at(16);
            token(&format!("{}{host}", concat!("py", "pi-")), rest)
        },
    },
    Kind {
        name: "crates.io token",
        shape: Token,
        keys: &["cargo_registry_token", "registry_token"],
        make: |random| token(concat!("ci", "o"), &random.text(BASE62, 32)),
    },
    Kind {
        name: "docker hub token",
        shape: Token,
        keys: &["docker_token", "docker_password"],
        make: |random| token(concat!("dckr", "_pat_"), &random.text(BASE64_URL, 27)),
    },
    Kind {
        name: "nuget key",
        shape: Token,
        keys: &["nuget_api_key", "nuget_key"],
        make: |random| token(concat!("oy", "2"), &random.text(LOWER, 43)),
    },
    Kind {
        name: "clojars token",
        shape: Token,
        keys: &["clojars_token", "clojars_password"],
        make: |random| token(concat!("CLO", "JARS_"), &random.text(HEX, 60)),
    },
    Kind {
        name: "artifactory key",
        shape: Token,
        keys: &["artifactory_api_key", "jfrog_token"],
        make: |random| token(concat!("AK", "Cp"), &random.text(BASE62, 69)),
    },
    Kind {
        name: "octopus deploy key",
        shape: Token,
        keys: &["octopus_api_key", "octopus_key"],
        make: |random| token("API-", &random.text(UPPER, 26)),
    },
    Kind {
        name: "jenkins token",
        shape: Named,
        keys: &["jenkins_api_token", "jenkins_token"],
        make: |random| Written::default().secret(&format!("11{}", random.text(HEX, 32))),
    },
    Kind {
        name: "azure devops token",
        shape: Named,
        keys: &["azure_devops_pat", "system_access_token"],
        make: |random| Written::default().secret(&random.text(&LOWER[..26], 52)),
    },
    Kind {
        name: "sourcegraph token",
        shape: Token,
        keys: &["src_access_token", "sourcegraph_token"],
        make: |random| {
            token(
                concat!("sg", "p_"),
                &format!("{}_{}", random.text(HEX, 16), random.text(HEX, 40)),
            )
        },
    },
    Kind {
        name: "postman key",
        shape: Token,
        keys: &["postman_api_key", "pm_key"],
        make: |random| {
            token(
                concat!("PM", "AK-"),
                &format!("{}-{}", random.text(HEX, 24), random.text(HEX, 34)),
            )
        },
    },
    Kind {
        name: "onepassword service token",
        shape: Token,
        keys: &["op_service_account_token", "op_token"],
        make: |random| {
            let inside = format!(
                "{{\"email\":\"{}@1passwordserviceaccounts.com\",\"muk\":{{\"k\":\"{}\"}},\
                 \"secretKey\":\"{}\",\"deviceUuid\":\"{}\"}}",
                random.text(LOWER, 13),
                random.text(BASE64_URL, 43),
                random.text(UPPER, 26),
                random.text(LOWER, 26)
            );
            token(concat!("op", "s_"), &sixes(inside.as_bytes(), BASE64, true))
        },
    },
    Kind {
        name: "vercel token",
        shape: Named,
        keys: &["vercel_token", "vercel_access_token"],
        make: |random| Written::default().secret(&random.text(BASE62, 24)),
    },
    Kind {
        name: "expo token",
        shape: Named,
        keys: &["expo_token", "eas_token"],
        make: |random| {
            let (first, second) = (random.text(BASE62, 20), random.text(BASE64_URL, 20));
            Written::default().secret(&format!("{first}{second}"))
        },
    },
    Kind {
        name: "gradle enterprise key",
        shape: Named,
        keys: &["gradle_enterprise_access_key", "develocity_access_key"],
        make: |random| Written::default().secret(&random.text(LOWER, 52)),
    },
    Kind {
        name: "package registry password",
        shape: Named,
        keys: &["nexus_password", "registry_password", "maven_repo_password"],
        make: |random| {
            let (one, two) = (capital(random.word()), capital(random.word()));
            let number = random.text(DIGITS, 4);
            Written::default().secret(&format!("{one}{two}{number}{}", random.text(BASE64, 4)))
        },
    },
];

/// Thirty characters and the checksum of them.
fn github(random: &mut Random, prefix: &str) -> Written {
    let body = random.text(BASE62, 30);
    token(prefix, &format!("{body}{}", base62(crc32(&body))))
}
