//! A PostgreSQL server of a test's own: in a folder of its own, on a socket in that folder, gone when the test is. One
//! that is to be reached over the network has a port of this machine besides, with certificates or without.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A running server.
pub struct Server {
    folder: PathBuf,
    programs: PathBuf,
    /// None if only those who see the folder can connect.
    port: Option<u16>,
}

impl Server {
    /// Makes a cluster and starts it.
    pub fn start() -> Server {
        Server::new(None).run("-c listen_addresses=''")
    }

    /// The same with a port; anybody can read along.
    pub fn start_on_a_port() -> Server {
        let port = free_port();
        let options = format!("-c listen_addresses=127.0.0.1 -c port={port}");
        Server::new(Some(port)).run(&options)
    }

    /// The same with a port and TLS: `ca.crt` is the issuer's certificate, `server.crt` the server's, for `localhost`.
    pub fn start_with_tls() -> Server {
        let port = free_port();
        let server = Server::new(Some(port));
        server.certificate("other", &[]);
        server.certificate("ca", &[]);
        let issuer = ["-CA", "ca.crt", "-CAkey", "ca.key"];
        let leaf = [
            "-addext",
            "subjectAltName=DNS:localhost",
            "-addext",
            "basicConstraints=critical,CA:FALSE",
        ];
        server.certificate("server", &[issuer, leaf].concat());
        let (key, shown) = (server.file("server.key"), server.file("server.crt"));
        server.run(&format!(
            "-c listen_addresses=127.0.0.1 -c port={port} -c ssl=on -c ssl_key_file={key} -c ssl_cert_file={shown}"
        ))
    }

    fn new(port: Option<u16>) -> Server {
        let programs = programs().expect("PostgreSQL's server programs; tests/run installs them");
        static NEXT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
        let n = NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let folder = PathBuf::from(format!("/tmp/cupola-pg-{}-{n}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        let server = Server {
            folder,
            programs,
            port,
        };
        if root() {
            run(Command::new("chown").arg("postgres").arg(&server.folder));
        }
        server
    }

    fn run(self, options: &str) -> Server {
        let (data, log, socket) = (self.file("data"), self.file("log"), self.file(""));
        self.program(
            "initdb",
            &["-D", &data, "-U", "lab", "-A", "trust", "--no-sync"],
        );
        let options = format!("{options} -c unix_socket_directories='{socket}' -c fsync=off");
        self.program(
            "pg_ctl",
            &["-D", &data, "-w", "-l", &log, "-o", &options, "start"],
        );
        self
    }

    /// A file in the server's folder.
    pub fn file(&self, name: &str) -> String {
        let path = self.folder.join(name);
        path.to_str().unwrap().trim_end_matches('/').to_owned()
    }

    /// A certificate that signs itself, unless somebody else does.
    fn certificate(&self, name: &str, more: &[&str]) {
        let (key, shown) = (format!("{name}.key"), format!("{name}.crt"));
        let subject = format!("/CN={name}");
        let kind = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2";
        let mut args: Vec<&str> = kind.split(' ').collect();
        args.extend(["-subj", &subject, "-keyout", &key, "-out", &shown]);
        args.extend(more);
        self.as_owner(Path::new("openssl"), &args);
    }

    /// How to reach it.
    pub fn url(&self) -> String {
        let folder = self.file("").replace('/', "%2F");
        match self.port {
            Some(port) => format!("postgres://lab@{folder}:{port}/postgres"),
            None => format!("postgres://lab@{folder}/postgres"),
        }
    }

    /// How to reach it over the network, under one of its names.
    pub fn url_by(&self, name: &str, words: &str) -> String {
        let port = self.port.expect("a port");
        format!("postgres://lab@{name}:{port}/postgres?{words}")
    }

    /// Runs a statement and returns what it prints.
    pub fn execute(&self, statement: &str) -> String {
        let mut command = Command::new(self.programs.join("psql"));
        command.args(["-p", &self.port.unwrap_or(5432).to_string()]);
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
        self.as_owner(&self.programs.join(name), args);
    }

    fn as_owner(&self, path: &Path, args: &[&str]) {
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

/// A port that nobody uses now.
fn free_port() -> u16 {
    let any = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    any.local_addr().unwrap().port()
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
