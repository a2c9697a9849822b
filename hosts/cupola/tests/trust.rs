//! A file is data: looking at one never runs code and never reads a path that it names. What was played is kept.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod common;
use common::{cupola, run, temporary};
// Linked for what it registers.
use cupola_corps20 as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A folder of a test's own.
fn folder(name: &str) -> PathBuf {
    let path = temporary(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

/// A library that any program of this build would open, and that leaves a file behind when it is opened.
fn plant(folder: &Path, witness: &Path) -> PathBuf {
    let text = cupola_plugin::Fingerprint::own().to_string();
    let mut record = b"\x93cupola\x00plugin\x1a\x0a".to_vec();
    record.extend((text.len() as u32).to_le_bytes());
    record.extend(text.as_bytes());
    let bytes: Vec<String> = record.iter().map(u8::to_string).collect();
    let code = format!(
        "#include <stdio.h>\n\
         const unsigned char record[] = {{{}}};\n\
         __attribute__((constructor)) static void opened(void) {{\n\
           FILE *file = fopen(\"{}\", \"w\"); if (file) fclose(file);\n\
         }}\n",
        bytes.join(","),
        witness.display()
    );
    let source = folder.join("planted.c");
    std::fs::write(&source, code).unwrap();
    let library = folder.join(cupola_plugin::file_name("planted"));
    let built = Command::new("cc")
        .args(["-shared", "-fPIC", "-o"])
        .arg(&library)
        .arg(&source)
        .status();
    assert!(built.is_ok_and(|status| status.success()), "needs cc");
    library
}

const VARIANT: &str = r#"(
    base: "corps20",
    name: "planted",
    title: "Planted",
    plugins: ["planted"],
    change: [switch(name: "terrain_per_defender", to: true)],
)"#;

#[test]
fn nothing_that_is_looked_at_opens_a_library() {
    let place = folder("planted");
    let witness = place.join("opened");
    let library = plant(&place, &witness);
    let variant = place.join("planted.ron");
    std::fs::write(&variant, VARIANT).unwrap();
    // A journal of a game under that variant, made where it needs no library.
    let plain = place.join("plain.ron");
    std::fs::write(&plain, VARIANT.replace("plugins: [\"planted\"],", "")).unwrap();
    let journal = place.join("game.cupola");
    let (plain, saved) = (plain.to_str().unwrap(), journal.to_str().unwrap());
    let seats = [
        "--seat",
        "cs=random",
        "--seat",
        "us=random",
        "--quiet",
        "--autosave",
        saved,
    ];
    let args = [
        &["play", "corps20/july1", "--seed", "7", "--variant", plain],
        &seats[..],
    ];
    run(&args.concat()).code(0);
    run(&["replay", saved, "--verify"]).code(0);
    // Then the journal asks for it, as a stranger's might.
    let text = std::fs::read_to_string(&journal).unwrap();
    let asking = text.replace(
        "    name: \"planted\",",
        "    plugins: [\"planted\"], name: \"planted\",",
    );
    assert_ne!(text, asking);
    let end = asking.rfind("end ").unwrap();
    let count = asking[end..].split(' ').nth(1).unwrap();
    let seal = cupola_kernel::digest(&asking.as_bytes()[..end]);
    let asking = format!("{}end {count} {seal}\n", &asking[..end]);
    std::fs::write(&journal, asking).unwrap();
    let file = variant.to_str().unwrap();
    let looks: [&[&str]; 8] = [
        &["replay", saved],
        &["replay", saved, "--verify", "--json"],
        &["check", saved],
        &["check", file],
        &["check", place.to_str().unwrap()],
        &["moves", saved],
        &["play", "--load", saved],
        &["play", "corps20/july1", "--variant", file],
    ];
    for args in looks {
        let mut command = cupola();
        // Beside the file, and where somebody stands who looks at it.
        let told = command
            .args(args)
            .current_dir(&place)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        assert!(!witness.exists(), "{args:?} opened the library");
        let said = [told.stdout, told.stderr].concat();
        let said = String::from_utf8_lossy(&said).into_owned();
        assert!(
            said.contains("this needs the plugin \"planted\""),
            "{args:?}: {said}"
        );
        assert!(said.contains("--plugin"), "{args:?}: {said}");
    }
    // What needs no play of it looks at it all the same.
    let picture = place.join("picture.png");
    let picture = picture.to_str().unwrap();
    let stacked = format!("corps20/july1+{file}");
    let more: [&[&str]; 7] = [
        &["draw", saved, "--png", picture],
        &["draw", &stacked, "--png", picture],
        &["odds", saved],
        &["resolve", &stacked],
        &["diff", "corps20/july1", &stacked],
        &["watch", &stacked, "--once"],
        &["list"],
    ];
    for args in more {
        let mut command = cupola();
        command.args(args).current_dir(&place).stdin(Stdio::null());
        command.output().unwrap();
        assert!(!witness.exists(), "{args:?} opened the library");
    }
    // Who allows it opens it: by its file, by its folder, by the variable.
    let library = library.to_str().unwrap();
    run(&["--plugin", library, "list"])
        .code(2)
        .complains("entry point");
    assert!(
        witness.exists(),
        "the plant does not work, so the test proves nothing"
    );
    std::fs::remove_file(&witness).unwrap();
    let args = ["--plugin", place.to_str().unwrap(), "check", file];
    run(&args);
    assert!(witness.exists(), "a trusted folder is not looked into");
    std::fs::remove_file(&witness).unwrap();
    let mut command = cupola();
    command.env("CUPOLA_PLUGINS", &place).args(["check", file]);
    command.output().unwrap();
    assert!(witness.exists(), "CUPOLA_PLUGINS is not looked into");
}

#[test]
fn a_killed_game_of_bots_is_kept_up_to_its_last_choice() {
    let path = temporary("killed.cupola");
    let _ = std::fs::remove_file(&path);
    let mut command = cupola();
    command.args([
        "play",
        "blindswords/noon",
        "--seat",
        "cs=steady",
        "--seat",
        "us=steady",
        "--quiet",
    ]);
    command.args(["--seed", "3", "--autosave"]).arg(&path);
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let start = Instant::now();
    let steps = || {
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        text.lines()
            .last()
            .and_then(|end| end.split(' ').nth(1)?.parse::<u32>().ok())
    };
    while steps().unwrap_or(0) < 5 {
        assert!(
            start.elapsed() < Duration::from_secs(300),
            "nothing is kept"
        );
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let told = run(&["replay", path.to_str().unwrap(), "--verify"])
        .code(0)
        .out;
    assert!(told.contains("every hash as written"), "{told}");
}

#[test]
fn a_file_that_cannot_be_written_is_told_before_the_game() {
    let args = [
        "play",
        "corps20/july1",
        "--seat",
        "cs=random",
        "--seat",
        "us=random",
        "--autosave",
    ];
    let told = run(&[&args[..], &["/nowhere/at/all.cupola"]].concat()).code(2);
    assert!(told.out.is_empty(), "{}", told.out);
    told.complains("/nowhere/at/all.cupola: cannot be written");
    let here = temporary("a-folder");
    std::fs::create_dir_all(&here).unwrap();
    run(&[&args[..], &[here.to_str().unwrap()]].concat())
        .code(2)
        .complains("this is a folder");
}

/// A terminal of its own for the program: sends what is typed when the prompt shows, and tells all that it said.
const TERMINAL: &str = r#"
import os, pty, sys, select, time
program, typed, args = sys.argv[1], sys.argv[2].split("|"), sys.argv[3:]
pid, fd = pty.fork()
if pid == 0:
    os.execv(program, [program] + args)
said, seen, until = b"", 0, time.time() + 240
while time.time() < until:
    ready, _, _ = select.select([fd], [], [], 1)
    try:
        if ready:
            more = os.read(fd, 65536)
            if not more:
                break
            said += more
    except OSError:
        break
    if typed and (b"> " in said[seen:] or b"no: " in said[seen:]):
        seen = len(said)
        os.write(fd, typed.pop(0).encode().decode("unicode_escape").encode())
_, status = os.waitpid(pid, 0)
sys.stdout.buffer.write(said)
sys.exit(os.waitstatus_to_exitcode(status))
"#;

/// What the program says on a terminal in a folder.
fn on_terminal(folder: &Path, typed: &str, args: &[&str]) -> String {
    let program = cupola();
    let mut command = Command::new("python3");
    command
        .arg("-c")
        .arg(TERMINAL)
        .arg(program.get_program())
        .arg(typed)
        .args(args);
    for (name, value) in program.get_envs() {
        command.env(name, value.unwrap_or_default());
    }
    let output = command
        .env("TERM", "xterm")
        .current_dir(folder)
        .output()
        .unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn an_interrupted_game_offers_to_save_and_yes_is_no_file_name() {
    // Ctrl-C, Ctrl-D and `quit`, each after one choice.
    for (i, leave) in ["\\x03", "\\x04", "quit\\n"].iter().enumerate() {
        let place = folder(&format!("left-{i}"));
        let typed = format!("1\\n|{leave}|y\\n");
        let said = on_terminal(
            &place,
            &typed,
            &["play", "corps20/july1", "--seat", "us=human"],
        );
        assert!(
            said.contains("Save the game? y for corps20-july1.cupola"),
            "{leave}: {said}"
        );
        assert!(!place.join("y").exists());
        let saved = place.join("corps20-july1.cupola");
        let text = std::fs::read_to_string(&saved).unwrap_or_default();
        assert!(
            text.contains("\nseats cs=steady us=human\n"),
            "{leave}: {text}\n{said}"
        );
        // Who had the Union has it again.
        let said = on_terminal(
            &place,
            "quit\\n|n\\n",
            &["play", "--load", "corps20-july1.cupola"],
        );
        assert!(said.contains("Union"), "{said}");
        assert!(!said.contains("Confederacy ["), "{said}");
    }
}

#[test]
fn a_seed_between_people_is_drawn_pledged_and_verified() {
    let path = temporary("drawn.cupola");
    let path = path.to_str().unwrap();
    let (blue, grey) = ("11".repeat(32), "22".repeat(32));
    let (blue, grey) = (format!("us={blue}"), format!("cs={grey}"));
    let told = run(&[
        "play",
        "corps20/july1",
        "--seat",
        "cs=random",
        "--seat",
        "us=random",
        "--quiet",
        "--share",
        &blue,
        "--share",
        &grey,
        "--autosave",
        path,
    ]);
    let told = told.code(0).out;
    for who in ["cs pledged ", "house pledged ", "us pledged "] {
        assert!(told.contains(who), "{told}");
    }
    let told = run(&["replay", path, "--verify"]).code(0).out;
    assert!(
        told.contains("the seed follows from what cs, house, us pledged"),
        "{told}"
    );
    // A game that was played with another seed than was drawn does not pass, though every hash is right.
    let plain = temporary("chosen.cupola");
    let seats = [
        "--seat",
        "cs=random",
        "--seat",
        "us=random",
        "--quiet",
        "--autosave",
    ];
    let args = [
        &["play", "corps20/july1", "--seed", "7"],
        &seats[..],
        &[plain.to_str().unwrap()],
    ];
    run(&args.concat()).code(0);
    let drawn = std::fs::read_to_string(path).unwrap();
    let chosen = forge(&std::fs::read_to_string(&plain).unwrap(), &drawn);
    std::fs::write(&plain, chosen).unwrap();
    let told = run(&["replay", plain.to_str().unwrap(), "--verify"])
        .code(1)
        .out;
    assert!(told.contains("does not follow"), "{told}");
    run(&["play", "corps20/july1", "--share", "us=12"])
        .code(2)
        .complains("64 hexadecimal digits");
}

/// A journal with the pledges and shares of another, every hash made anew by somebody who knows how.
fn forge(text: &str, drawn: &str) -> String {
    let block = |name: &str| {
        let lines: Vec<&str> = drawn.lines().collect();
        let at = lines
            .iter()
            .position(|line| line.starts_with(name))
            .unwrap();
        lines[at..at + 4].join("\n")
    };
    let text = text.replace("pledges 0", &block("pledges 3"));
    let text = text.replace("shares 0", &block("shares 3"));
    // The start covers the head: made anew from the state that the game begins with.
    let root = common::root().join("data");
    let registry = cupola_kernel::Registry::linked().unwrap();
    let library = cupola_library::Library::new(root, None, registry);
    let play = library.play("corps20", "july1", None).unwrap();
    let game = play.game(cupola_kernel::Seed(7)).unwrap();
    let head = &text[..text.find("\n0 ").unwrap() + 1];
    let start = cupola_kernel::digest(format!("{head}{}", game.hash()).as_bytes());
    let rest = text[head.len()..].split_once('\n').unwrap().1;
    let rest = &rest[..rest.rfind("end ").unwrap()];
    let body = format!("{head}0 {start}\n{rest}");
    let count = text.lines().last().unwrap().split(' ').nth(1).unwrap();
    let seal = cupola_kernel::digest(body.as_bytes());
    format!("{body}end {count} {seal}\n")
}

#[test]
fn limits_are_told_and_nothing_hangs() {
    let start = Instant::now();
    for path in ["/dev/zero", "/dev/stdin"] {
        run(&["play", "corps20/july1", "--variant", path])
            .code(2)
            .complains("a device or a pipe");
        let checked = run(&["check", path]).code(1);
        assert!(
            checked.out.contains("a device or a pipe"),
            "{}",
            checked.out
        );
    }
    let pipe = temporary("pipe");
    let _ = std::fs::remove_file(&pipe);
    let made = Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    run(&["replay", pipe.to_str().unwrap()])
        .code(2)
        .complains("a device or a pipe");
    run(&["board", "corps20", "--png", "x.png", "--width", "20000"])
        .code(2)
        .complains("8000");
    let long = "x".repeat(100_000);
    run(&["play", &long]).code(2).complains("no scenario");
    run(&["roster", "--name", "\x1b[2J"]);
    let told = run(&["play", "\x1b[2Jx/\x1b]0;y\x07"]).code(2);
    assert!(!told.err.contains(['\x1b', '\x07']), "{:?}", told.err);
    assert!(start.elapsed() < Duration::from_secs(120));
}
