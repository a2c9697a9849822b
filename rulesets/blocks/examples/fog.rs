//! Proves the fog on many positions: `fog SCENARIO POSITIONS`.
#[path = "../tests/common/fog.rs"]
mod fog;

use cupola_blocks as _;
use cupola_kernel::{Registry, Seed};
use cupola_library::Library;

fn main() {
    let root = Library::find_root().expect("data");
    let library = Library::new(root, None, Registry::linked().expect("registry"));
    let mut arguments = std::env::args().skip(1);
    let scenario = arguments.next().unwrap_or_else(|| "day2".into());
    let wanted = arguments.next().and_then(|n| n.parse().ok());
    let play = library
        .play("blocks", &scenario, None)
        .unwrap_or_else(|problems| panic!("{problems}"));
    match fog::prove(&play, wanted.unwrap_or(100_000), Seed(63)) {
        Ok(proof) => println!("{scenario}: {proof:?}"),
        Err(why) => panic!("{scenario}: {why}"),
    }
}
