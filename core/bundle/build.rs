//! Packs the data folder: for each file, in order, the length of its path, the path, the length of its
//! text and the text; the whole deflated.

use flate2::{Compression, write::DeflateEncoder};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

fn main() -> io::Result<()> {
    let data = Path::new("../../data");
    println!("cargo:rerun-if-changed={}", data.display());
    let mut files = vec![];
    collect(data, &mut files)?;
    files.sort();
    let count = files.len();
    let mut packed = DeflateEncoder::new(Vec::new(), Compression::best());
    for path in files {
        println!("cargo:rerun-if-changed={}", path.display());
        let name = path.strip_prefix(data).unwrap_or(&path);
        // The same bytes whatever the machine that packs them writes between folders.
        let name = name.to_string_lossy().replace('\\', "/");
        let text = std::fs::read(&path)?;
        for part in [name.as_bytes(), &text] {
            packed.write_all(&(part.len() as u32).to_le_bytes())?;
            packed.write_all(part)?;
        }
    }
    let out = std::env::var_os("OUT_DIR").unwrap_or_default();
    // What tells whether a folder of them is whole.
    std::fs::write(Path::new(&out).join("count"), count.to_string())?;
    std::fs::write(Path::new(&out).join("data.deflated"), packed.finish()?)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}
