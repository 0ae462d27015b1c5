//! `candor new`: a path to a tools file that its owner can change bit by bit.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use crate::exit::Exit;
use crate::options::New;
use crate::terminal::{complain, print};

/// What is written. It calls itself by this name.
const EXAMPLE: &str = include_str!("new/breakfast.sh");
const ITS_NAME: &str = "breakfast.sh";

pub(crate) fn run(new: &New) -> Exit {
    match write(&new.file) {
        Ok(word) => print(
            &format!(
                "{word} has two tools to start from. Call one, and give them to a host:\n  \
                 candor call {word} shopping_list dish=pancakes guests=4\n  \
                 candor config {word}\n"
            ),
            Exit::Done,
        ),
        Err(why) => {
            complain(&why);
            Exit::Unusable
        }
    }
}

/// Writes the file, and gives its path as a word of a command line.
fn write(path: &Path) -> Result<String, String> {
    let name = path.to_str().filter(|name| !name.contains(char::is_control));
    let Some(name) = name else {
        return Err(format!(
            "{} cannot be typed; choose another name",
            path.to_string_lossy().escape_debug()
        ));
    };
    let beside = Path::new(ITS_NAME);
    if name.ends_with('/') || path.is_dir() {
        let inside = path.join(beside);
        return Err(format!(
            "{name} is a folder; name a file, such as {}",
            word(&inside.to_string_lossy())
        ));
    }
    match path.extension().and_then(|extension| extension.to_str()) {
        None | Some("sh" | "bash") => {}
        Some(other) => {
            return Err(format!(
                "{name} would be a .{other} file, and what is written here is bash; name it {}, or \
                 serve a folder with programs of your own",
                word(&path.with_extension("sh").to_string_lossy())
            ));
        }
    }
    let word = word(name);
    let opened = OpenOptions::new().write(true).create_new(true).mode(0o777).open(path);
    let written =
        opened.and_then(|mut file| file.write_all(EXAMPLE.replace(ITS_NAME, &word).as_bytes()));
    written.map(|()| word).map_err(|cause| {
        let kind = cause.kind();
        if kind == ErrorKind::AlreadyExists {
            format!("{name} is there already, and stays as it is; choose another name")
        } else if kind == ErrorKind::NotFound {
            format!("{name} cannot be written, for its folder is not there")
        } else {
            format!("{name} cannot be written: {cause}")
        }
    })
}

/// A path as a shell reads it back.
fn word(path: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "_./+,:@%-".contains(c);
    if path.starts_with('-') {
        return word(&format!("./{path}"));
    }
    if path.chars().all(is_plain) { path.to_owned() } else { quoted(path) }
}

fn quoted(path: &str) -> String {
    format!("'{}'", path.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::word;

    #[test]
    fn a_path_is_quoted_where_a_shell_would_take_it_apart() {
        assert_eq!(word("tools/my-tools_2.sh"), "tools/my-tools_2.sh");
        assert_eq!(word("größe.sh"), "größe.sh");
        assert_eq!(word("my tools.sh"), "'my tools.sh'");
        assert_eq!(word("it's.sh"), r"'it'\''s.sh'");
        assert_eq!(word("~x.sh"), "'~x.sh'");
        assert_eq!(word("-x.sh"), "./-x.sh");
    }
}
