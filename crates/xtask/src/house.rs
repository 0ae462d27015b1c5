//! Where the repository is, and how its tools are started.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

/// The repository this program was built from.
pub(crate) struct House {
    root: PathBuf,
}

impl House {
    pub(crate) fn here() -> Self {
        let own = Path::new(env!("CARGO_MANIFEST_DIR"));
        Self { root: own.ancestors().nth(2).unwrap_or(own).to_owned() }
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// A cargo command in the root: the cargo that started this program, if one did.
    pub(crate) fn cargo(&self, arguments: &[&str]) -> Command {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command.args(arguments).current_dir(&self.root);
        command
    }

    /// Whether a cargo subcommand, such as `nextest`, is installed.
    pub(crate) fn has(&self, subcommand: &str) -> bool {
        self.cargo(&[subcommand, "--version"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success())
    }

    /// What `cargo metadata` says about the workspace's own crates.
    pub(crate) fn metadata(&self) -> Result<Value, String> {
        let output = self
            .cargo(&["metadata", "--no-deps", "--format-version=1"])
            .stderr(Stdio::inherit())
            .output()
            .map_err(|cause| format!("cargo metadata could not be started: {cause}"))?;
        if !output.status.success() {
            return Err(format!("cargo metadata: {}", output.status));
        }
        serde_json::from_slice(&output.stdout)
            .map_err(|cause| format!("cargo metadata is not JSON: {cause}"))
    }

    /// Where cargo builds, `CARGO_TARGET_DIR` included.
    pub(crate) fn target(&self) -> Result<PathBuf, String> {
        self.metadata()?
            .get("target_directory")
            .and_then(Value::as_str)
            .map(PathBuf::from)
            .ok_or_else(|| "cargo metadata names no target directory".to_owned())
    }
}
