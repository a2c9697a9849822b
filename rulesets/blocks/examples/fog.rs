//! Proves the fog on many positions: `fog SCENARIO POSITIONS [SEED [VARIANT]]`.
#[path = "../tests/common/fog.rs"]
mod fog;

use cupola_kernel::Seed;
use cupola_library::Library;
use std::path::Path;

fn main() {
    let root = Library::find_root().expect("data");
    let library = Library::new(root, None, fog::bent::registry(None));
    let mut arguments = std::env::args().skip(1);
    let scenario = arguments.next().unwrap_or_else(|| "day2".into());
    let wanted = arguments.next().and_then(|n| n.parse().ok());
    let seed = arguments.next().and_then(|n| n.parse().ok());
    let variant = arguments.next();
    let play = library
        .play("blocks", &scenario, variant.as_deref().map(Path::new))
        .unwrap_or_else(|problems| panic!("{problems}"));
    match fog::prove(&play, wanted.unwrap_or(100_000), Seed(seed.unwrap_or(63))) {
        Ok(proof) => println!("{scenario}: {proof:?}"),
        Err(why) => panic!("{scenario}: {why}"),
    }
}
