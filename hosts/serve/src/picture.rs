//! Pictures of maps: drawn tile by tile as somebody looks, kept by the hash of what they show.

use cupola_draw::{Atlas, TILE};
use cupola_ground::{Battlefield, Board};
use cupola_kernel::hash_bytes;
use cupola_look::{Scene, SceneName, SceneZoom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// The picture of a board.
pub(crate) struct Picture {
    atlas: Atlas<'static>,
    board: Arc<Board>,
    /// Its name: a hash of what it shows.
    pub name: String,
    /// Where the hexes are.
    pub scene: Scene,
    overview: Arc<Vec<u8>>,
    cache: Option<PathBuf>,
    /// One tile at a time: drawing takes a core.
    drawing: Mutex<()>,
}

impl Picture {
    /// Lays out the picture of a board and draws it as a whole.
    ///
    /// # Errors
    /// If it cannot be drawn.
    pub fn new(
        field: Battlefield,
        board: Arc<Board>,
        cache: Option<&Path>,
    ) -> Result<Picture, String> {
        // Boards are few, and a picture lives as long as the club.
        let field: &'static Battlefield = Box::leak(Box::new(field));
        let ground: &'static Arc<Board> = Box::leak(Box::new(board.clone()));
        let atlas = Atlas::new(field, ground);
        let overview = atlas.overview().map_err(|error| error.to_string())?;
        let name = hash_bytes(&overview).to_string();
        let scene = scene(&atlas, &board, &name);
        Ok(Picture {
            atlas,
            board,
            name,
            scene,
            overview: Arc::new(overview),
            cache: cache.map(Path::to_owned),
            drawing: Mutex::default(),
        })
    }

    /// Whether this is the picture of that board.
    pub fn shows(&self, board: &Board) -> bool {
        *self.board == *board
    }

    /// The whole map in one picture.
    pub fn overview(&self) -> Arc<Vec<u8>> {
        self.overview.clone()
    }

    /// A tile.
    ///
    /// # Errors
    /// If there is no such tile.
    pub fn tile(&self, zoom: usize, column: u32, row: u32) -> Result<Vec<u8>, String> {
        let file = self.cache.as_ref().map(|folder| {
            let name = format!("{zoom}-{column}-{row}.png");
            folder.join(format!("tiles-{}", self.name)).join(name)
        });
        let kept = file.as_ref().and_then(|path| std::fs::read(path).ok());
        if let Some(bytes) = kept {
            return Ok(bytes);
        }
        let _turn = self.drawing.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = self
            .atlas
            .tile(zoom, column, row)
            .map_err(|error| error.to_string())?;
        if let Some(path) = &file {
            keep(path, &bytes);
        }
        Ok(bytes)
    }
}

fn scene(atlas: &Atlas<'_>, board: &Board, name: &str) -> Scene {
    let first = atlas.zooms()[0];
    let zooms = atlas.zooms().iter().map(|zoom| SceneZoom {
        columns: zoom.columns,
        rows: zoom.rows,
    });
    let names = atlas.names().into_iter().map(|name| SceneName {
        text: name.text,
        kind: name.kind.to_owned(),
        x: name.x,
        y: name.y,
        zoom: name.zoom,
    });
    Scene {
        picture: name.to_owned(),
        tile: TILE,
        width: f64::from(first.width),
        height: f64::from(first.height),
        hex: first.hex,
        zooms: zooms.collect(),
        names: names.collect(),
        attribution: atlas.attribution().map(str::to_owned),
        centres: board.hexes().map(|hex| atlas.point(hex)).collect(),
        corners: atlas.corners(),
    }
}

/// Writes a file whole or not at all. A cache that cannot be written is no fault.
pub(crate) fn keep(path: &Path, bytes: &[u8]) {
    let beside = path.with_extension(format!("{}.new", std::process::id()));
    let folder = path.parent().map(std::fs::create_dir_all);
    if folder.is_some_and(|made| made.is_ok()) && std::fs::write(&beside, bytes).is_ok() {
        let _ = std::fs::rename(&beside, path);
    }
}
