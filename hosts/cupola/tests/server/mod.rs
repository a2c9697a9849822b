//! A PostgreSQL server of a test's own: in a folder of its own, on a socket in that folder, gone when the test is.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A running server.
pub struct Server {
    folder: PathBuf,
    programs: PathBuf,
}

impl Server {
    /// Makes a cluster and starts it.
    pub fn start() -> Server {
        let programs = programs().expect("PostgreSQL's server programs; tests/run installs them");
        static NEXT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
        let n = NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let folder = PathBuf::from(format!("/tmp/cupola-pg-{}-{n}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        let server = Server { folder, programs };
        if root() {
            run(Command::new("chown").arg("postgres").arg(&server.folder));
        }
        let data = server.folder.join("data");
        let data = data.to_str().unwrap();
        server.program(
            "initdb",
            &["-D", data, "-U", "lab", "-A", "trust", "--no-sync"],
        );
        let socket = server.folder.to_str().unwrap();
        // No port on the network: only those who see the folder can connect.
        let options =
            format!("-c listen_addresses='' -c unix_socket_directories='{socket}' -c fsync=off");
        let log = server.folder.join("log");
        let log = log.to_str().unwrap();
        server.program(
            "pg_ctl",
            &["-D", data, "-w", "-l", log, "-o", &options, "start"],
        );
        server
    }

    /// How to reach it.
    pub fn url(&self) -> String {
        let folder = self.folder.to_str().unwrap().replace('/', "%2F");
        format!("postgres://lab@{folder}/postgres")
    }

    /// Runs a statement and returns what it prints.
    pub fn execute(&self, statement: &str) -> String {
        let mut command = Command::new(self.programs.join("psql"));
        command.args([
            "-h",
            self.folder.to_str().unwrap(),
            "-U",
            "lab",
            "-d",
            "postgres",
        ]);
        let output = command
            .args(["-X", "-t", "-A", "-c", statement])
            .output()
            .unwrap();
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    /// A number; zero while there is no such table yet.
    pub fn count(&self, statement: &str) -> i64 {
        self.execute(statement).parse().unwrap_or(0)
    }

    /// Runs one of the server's programs; as root it refuses to run, so somebody else does.
    fn program(&self, name: &str, args: &[&str]) {
        let path = self.programs.join(name);
        let mut command = if root() {
            let mut command = Command::new("runuser");
            command.args(["-u", "postgres", "--"]).arg(path);
            command
        } else {
            Command::new(path)
        };
        run(command.args(args).current_dir(&self.folder));
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let data = self.folder.join("data");
        self.program(
            "pg_ctl",
            &["-D", data.to_str().unwrap(), "-m", "immediate", "stop"],
        );
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn run(command: &mut Command) {
    let output = command
        .stdout(std::process::Stdio::null())
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{command:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
}

fn root() -> bool {
    let output = Command::new("id").arg("-u").output().unwrap();
    output.stdout.starts_with(b"0\n")
}

/// Where the server's programs are: the newest version that is installed.
fn programs() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").ok()?.flatten();
    let mut found: Vec<PathBuf> = versions.map(|entry| entry.path().join("bin")).collect();
    found.retain(|path: &PathBuf| Path::new(&path.join("initdb")).is_file());
    found.sort();
    found.pop()
}
