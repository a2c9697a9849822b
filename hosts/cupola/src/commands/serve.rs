//! `cupola serve`: the club's table in the browser.

use crate::answer::Answer;
use crate::context::{Context, cache_folder};
use crate::followed::Followed;
use anyhow::Context as _;
use cupola_data::visible;
use cupola_database::Database;
use cupola_serve::{Club, Files, Place, Rules, Settings, Trust};
use std::io::Write;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

/// Arguments of `cupola serve`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  cupola                                          the same as `cupola serve`: open the address that it prints
  cupola serve --file club.db                     a club in a file of its own
  cupola serve --public https://club.example      behind a web server; people come by invitation
  cupola serve --database postgres://club@db/club  in PostgreSQL, for more people and several programs
  cupola backup --file club.db copy.db            while it runs
  cupola serve --follow my-variant.ron            a game that follows your files while you edit them

The link that is printed makes you the club's keeper; it works once, and a new one is printed at every start. With --follow
it leads to a game of the keeper's. Whenever a file of the data folder or one that is named there is saved, its choices are
played again under the new rules, and its page says what changed, or what is wrong with the file. All other games keep the rules
that they began with.")]
pub struct Args {
    /// Where to listen.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:1863")]
    address: SocketAddr,
    /// The file with people and games; `cupola/club.db` in the user's data folder if left out.
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// A PostgreSQL database instead of a file: postgres://user@host/database, or @FILE for a file that holds the
    /// address; the password may come from PGPASSWORD or ~/.pgpass. Several programs may share one.
    #[arg(long, value_name = "URL", conflicts_with = "file")]
    database: Option<String>,
    /// The address by which people reach it through a web server, such as https://club.example.
    #[arg(long, value_name = "URL")]
    public: Option<String>,
    /// A web server before it that knows its users names them in this header, such as X-Remote-User. It is believed from
    /// this machine and from every --proxy.
    #[arg(long, value_name = "HEADER")]
    trust_header: Option<String>,
    /// The address of a web server that is believed, if it is not on this machine.
    #[arg(long, value_name = "ADDRESS", requires = "trust_header")]
    proxy: Vec<IpAddr>,
    /// After so many hours whoever must choose is told once more; 0 for never.
    #[arg(long, value_name = "HOURS", default_value_t = 24)]
    remind: u16,
    /// The folder for the lab's reports; `cupola/reports` in the user's data folder if left out.
    #[arg(long, value_name = "DIR")]
    reports: Option<PathBuf>,
    /// Open a game that follows a ruleset, scenario, variant or position, named as for `cupola watch`.
    #[arg(long, value_name = "WHAT", conflicts_with = "database")]
    follow: Option<String>,
    /// A folder of `cupola lab test`, whose verdict stands on the page of that game too.
    #[arg(long, value_name = "DIR", requires = "follow")]
    lab: Option<PathBuf>,
    /// Threads on which bots think; 0 if they think in other programs on the same database.
    #[arg(long, value_name = "N", default_value_t = 1)]
    bots: usize,
}

impl Default for Args {
    fn default() -> Args {
        Args {
            address: SocketAddr::from(([127, 0, 0, 1], 1863)),
            file: None,
            database: None,
            public: None,
            trust_header: None,
            proxy: vec![],
            remind: 24,
            reports: None,
            follow: None,
            lab: None,
            bots: 1,
        }
    }
}

/// Serves until it is stopped.
pub fn run(args: &Args, context: Context, out: &mut dyn Write) -> anyhow::Result<Answer> {
    let settings = Settings {
        address: args.address,
        place: place(args.file.as_ref(), args.database.as_deref())?,
        public: args.public.clone(),
        trust: trust(args)?,
        remind: (args.remind > 0).then_some(args.remind),
        lab: lab(args.reports.as_ref()),
        cache: cache_folder(),
        bots: args.bots,
    };
    let stored = settings.place.to_string();
    let base = settings.base();
    // Plugins that were loaded stay loaded: the library refers to them.
    let club = Club::open(context.library.clone(), settings)?;
    if let Some(what) = &args.follow {
        let files = Followed::new(what, args.lab.as_deref(), vec![]);
        club.follow(Box::new(Desk { files, context }))?;
    }
    cupola_serve::run(&club, |serving| {
        // If nobody reads it, the table is open all the same.
        let _ = writeln!(
            out,
            "The table is open at {base}\nOpen this as its keeper: {}\nPeople and games are kept in {stored}. Stop with Ctrl-C.",
            serving.keeper
        );
        let _ = out.flush();
    })?;
    Ok(Answer::Yes)
}

/// The files that a game follows, and what they are read with.
struct Desk {
    files: Followed,
    context: Context,
}

impl Files for Desk {
    fn name(&self) -> &str {
        &self.files.what
    }

    fn saved(&mut self) -> Option<Result<Rules, String>> {
        let Desk { files, context } = self;
        if !files.is_saved(context) {
            return None;
        }
        let rules = files.rules(context).map(|rules| Rules {
            library: context.library.clone(),
            resolved: rules.resolved,
            variant: rules.variant,
            play: rules.play,
        });
        Some(rules.map_err(|error| visible(&format!("{error:#}")).to_string()))
    }

    fn verdict(&self) -> Option<String> {
        self.files.verdict()
    }
}

fn trust(args: &Args) -> anyhow::Result<Option<Trust>> {
    let Some(name) = &args.trust_header else {
        return Ok(None);
    };
    Ok(Some(Trust {
        header: name.parse().with_context(|| {
            format!("--trust-header {name}: expected the name of a header, such as X-Remote-User")
        })?,
        proxies: args.proxy.clone(),
    }))
}

/// Where the lab's reports are, and this program, which makes them; none where there is no home.
fn lab(named: Option<&PathBuf>) -> Option<(PathBuf, PathBuf)> {
    let folder = match named {
        Some(folder) => folder.clone(),
        None => file(None).ok()?.with_file_name("reports"),
    };
    Some((folder, std::env::current_exe().ok()?))
}

/// Where a club is kept: in the database that is named, or in a file.
///
/// # Errors
/// If it is no address, or there is no home to keep a file in.
pub fn place(path: Option<&PathBuf>, database: Option<&str>) -> anyhow::Result<Place> {
    match database {
        Some(address) => {
            let database = Database::at(address).map_err(anyhow::Error::msg);
            Ok(Place::Database(Box::new(
                database.context("the club's database")?,
            )))
        }
        None => Ok(Place::File(file(path)?)),
    }
}

/// The club's file if none is named: `XDG_DATA_HOME/cupola/club.db`, or in `~/.local/share`.
///
/// # Errors
/// If there is no home to keep it in.
fn file(named: Option<&PathBuf>) -> anyhow::Result<PathBuf> {
    if let Some(path) = named {
        return Ok(path.clone());
    }
    let var = |name| {
        std::env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    let base = var("XDG_DATA_HOME").or_else(|| Some(var("HOME")?.join(".local/share")));
    let base = base.context("there is no home folder; name the club's file with --file")?;
    Ok(base.join("cupola").join("club.db"))
}
