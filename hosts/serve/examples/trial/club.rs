//! A club in a process of its own, that can be measured and killed.

use cupola_corps20 as _;
use cupola_database::Database;
use cupola_gbacw as _;
use cupola_kernel::Registry;
use cupola_library::Library;
use cupola_serve::{Club, Place, Settings};
use std::io::{BufRead, BufReader, Write as _};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};

/// Serves a club until the process is killed: `serve FILE-OR-DATABASE`.
pub fn serve(args: &[String]) -> ExitCode {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
    let library = Library::new(data, None, Registry::linked().unwrap());
    let place = match args[0].contains("://") {
        true => Place::Database(Box::new(Database::at(&args[0]).unwrap())),
        false => Place::File(PathBuf::from(&args[0])),
    };
    let settings = Settings {
        address: SocketAddr::from(([127, 0, 0, 1], 0)),
        place,
        public: None,
        trust: None,
        remind: None,
        cache: None,
        lab: None,
        bots: 1,
    };
    let club = Club::open(library, settings).unwrap();
    let served = cupola_serve::run(&club, |serving| {
        println!("{}", serving.address);
        let _ = std::io::stdout().flush();
    });
    served.unwrap();
    ExitCode::SUCCESS
}

/// A club that runs.
pub struct Running {
    folder: PathBuf,
    place: String,
    child: Child,
    pub address: SocketAddr,
}

impl Running {
    /// Opens a club: in a database, or in a file of its own.
    pub fn open(database: Option<&String>) -> Running {
        Running::named("club", database)
    }

    /// The same with a folder of this name: several can be one club in a database.
    pub fn named(name: &str, database: Option<&String>) -> Running {
        let folder = format!("cupola-trial-{}-{name}", std::process::id());
        let folder = std::env::temp_dir().join(folder);
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join("club.db").to_str().unwrap().to_owned();
        let place = database.cloned().unwrap_or(file);
        let (child, address) = start(&folder, &place);
        Running {
            folder,
            place,
            child,
            address,
        }
    }

    /// Kills it, without a word.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Opens the same club again.
    pub fn again(&mut self) {
        (self.child, self.address) = start(&self.folder, &self.place);
    }

    /// A number of kilobytes that the system knows of the process.
    fn status(&self, name: &str) -> u64 {
        let text = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = text.lines().find(|line| line.starts_with(name)).unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    }

    /// Kilobytes of memory.
    pub fn memory(&self) -> u64 {
        self.status("VmRSS:")
    }

    /// Seconds of the processors' time so far.
    pub fn work(&self) -> f64 {
        let text = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap();
        let fields: Vec<&str> = text.rsplit(") ").next().unwrap().split(' ').collect();
        let ticks: u64 = fields[11..13]
            .iter()
            .map(|field| field.parse::<u64>().unwrap())
            .sum();
        ticks as f64 / 100.0
    }

    /// How often something in it has panicked.
    pub fn panics(&self) -> usize {
        let text = std::fs::read_to_string(self.folder.join("log")).unwrap_or_default();
        text.matches("panicked").count()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn start(folder: &Path, place: &str) -> (Child, SocketAddr) {
    let log = std::fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(folder.join("log"));
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["serve", place])
        .stdout(Stdio::piped())
        .stderr(log.unwrap())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let output = child.stdout.take().unwrap();
    BufReader::new(output).read_line(&mut line).unwrap();
    let address = line.trim().parse().expect("the club's address");
    (child, address)
}
