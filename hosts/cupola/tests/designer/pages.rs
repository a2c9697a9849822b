//! Pages that follow the files, and what a sweep shows.

use super::*;

#[test]
fn a_page_follows_the_files() {
    let folder = folder("watch");
    let file = variant(
        &folder,
        "v",
        r#"set(path: "counters/heth/strength", to: 4)"#,
    );
    in_folder(&folder, &["watch", &file, "--once"]).code(0);
    let page = std::fs::read_to_string(folder.join("watch.html")).unwrap();
    assert!(
        page.contains("<svg") && page.contains("choices</p>"),
        "{}",
        &page[..2000]
    );
    variant(
        &folder,
        "v",
        r#"set(path: "counters/hteh/strength", to: 4)"#,
    );
    let told = in_folder(&folder, &["watch", &file, "--once"]).code(0).out;
    assert!(told.contains("it does not fit yet: "), "{told}");
    let page = std::fs::read_to_string(folder.join("watch.html")).unwrap();
    assert!(
        page.contains("no &quot;hteh&quot; in counters; did you mean &quot;heth&quot;?"),
        "{page}"
    );
    std::fs::remove_dir_all(folder).unwrap();
}

/// A program that is ended when the test is.
struct Running(std::process::Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The page in a folder after so many saves. As long as it takes: this is no race, and a machine may be slow.
fn page_after(watch: &mut Running, folder: &Path, saves: u32) -> String {
    let wanted = format!("saved({saves});\n");
    for _ in 0..3000 {
        let signal = std::fs::read_to_string(folder.join("watch.js"));
        let page = std::fs::read_to_string(folder.join("watch.html"));
        if signal.is_ok_and(|signal| signal == wanted) {
            return page.unwrap();
        }
        assert!(watch.0.try_wait().unwrap().is_none(), "it has ended");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    panic!("nothing for a minute");
}

/// Begins to watch something in a folder.
fn watching(folder: &Path, args: &[&str]) -> Running {
    let mut command = cupola();
    command.current_dir(folder).args(args);
    command.stdin(Stdio::null()).stdout(Stdio::null());
    Running(command.spawn().unwrap())
}

/// Whoever draws a wood in a map program sees the hexes that it makes.
#[test]
fn a_ground_that_is_saved_is_compiled_and_told_hex_by_hex() {
    let folder = folder("ground-watched");
    let data = data("ground-watched-data");
    let args = [
        "--data",
        data.to_str().unwrap(),
        "--no-cache",
        "watch",
        "classic/wickerby",
    ];
    let mut watch = watching(&folder, &args);
    page_after(&mut watch, &folder, 1);
    let cover = data.join("battlefields/training/cover.geojson");
    let text = std::fs::read_to_string(&cover).unwrap();
    let mut ground: Value = serde_json::from_str(&text).unwrap();
    ground["features"].as_array_mut().unwrap().truncate(1);
    std::fs::write(&cover, ground.to_string()).unwrap();
    let page = page_after(&mut watch, &folder, 2);
    assert!(page.contains("woods → clear"), "{}", &page[..3000]);
    drop(watch);
    std::fs::remove_dir_all(folder).unwrap();
    std::fs::remove_dir_all(data.parent().unwrap()).unwrap();
}

#[test]
fn a_page_comes_anew_whenever_a_file_is_saved() {
    let folder = folder("watching");
    let set = |to: &str| format!(r#"set(path: "counters/heth/strength", to: {to})"#);
    let file = variant(&folder, "v", &set("4"));
    let mut watch = watching(&folder, &["watch", &file]);
    let mut wait_for = |saves: u32| page_after(&mut watch, &folder, saves);
    let page = wait_for(1);
    assert!(page.contains("nothing changed yet"), "{}", &page[..2000]);
    assert!(page.contains("watch.js"), "{}", &page[..2000]);
    variant(&folder, "v", &set("6"));
    let page = wait_for(2);
    assert!(page.contains("strength 4 → 6"), "{}", &page[..3000]);
    variant(&folder, "v", &set("\"six\""));
    let page = wait_for(3);
    assert!(page.contains("It does not fit yet"), "{}", &page[..2000]);
    drop(watch);
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_sweep_tells_which_number_matters() {
    let folder = folder("sweep");
    let out = folder.to_str().unwrap();
    let sweep = [
        "lab",
        "sweep",
        "corps20/july1",
        "--value",
        "scenario/../x",
        "--out",
        out,
    ];
    run(&sweep).code(2);
    // Values with a slip in them were taken for a part of the path.
    let slip = sweep.map(|word| match word {
        "scenario/../x" => "counters/reynolds/ma=1,x",
        word => word,
    });
    run(&slip)
        .code(2)
        .complains("=1,x: expected values such as =1..4 or =1,3,5");
    let told = run(&[
        "lab",
        "sweep",
        "corps20/july1",
        "--value",
        "counters/reynolds/ma=1,4",
        "--value",
        "counters/meade/range",
        "--metric",
        "decisions",
        "--metric",
        "marched",
        "--pairs",
        "24",
        "--bot",
        "random",
        "--strongest",
        "2",
        "--json",
        "--out",
        out,
    ]);
    let told = told.code(0).json();
    let knobs = told["knobs"].as_array().unwrap();
    assert_eq!(knobs.len(), 2);
    // Reynolds marches or does not; Meade comes at night, after the scenario's end.
    assert_eq!(knobs[0]["path"], "counters/us-reynolds/ma");
    assert_eq!(knobs[1]["settings"][0][1][0]["mean"], 0.0);
    assert!(
        std::fs::read_to_string(folder.join("index.html"))
            .unwrap()
            .contains("us-reynolds: ma")
    );
    assert!(
        std::fs::read_to_string(folder.join("sweep.csv"))
            .unwrap()
            .lines()
            .count()
            > 4
    );
    std::fs::remove_dir_all(folder).unwrap();
}

/// What is printed, what the page draws and what the table has are one thing, and a second run plays nothing again.
#[test]
fn a_sweep_is_told_as_text_page_and_table() {
    let folder = folder("sweep-text");
    let sweep = || {
        let values = ["counters/reynolds/ma=1,4", "counters/howard/ma=1"];
        let values = values.iter().flat_map(|value| ["--value", value]);
        let rest = "--metric decisions --pairs 24 --bot random --strongest 2 --out";
        let args: Vec<&str> = ["lab", "sweep", "corps20/july1"]
            .into_iter()
            .chain(values)
            .chain(rest.split(' '))
            .chain([folder.to_str().unwrap()])
            .collect();
        run(&args).code(0)
    };
    let told = sweep().out;
    let lines: Vec<&str> = told.lines().collect();
    assert!(lines[0].starts_with("decisions: "), "{told}");
    // The setting that is the base is no setting.
    let one = |line: &&&str| line.contains("/ma ") && !line.contains(" and ");
    let settings: Vec<&&str> = lines.iter().filter(one).collect();
    assert_eq!(settings.len(), 2, "{told}");
    // The longest bar is on top, in words as on the page.
    let far = |line: &str| {
        let (before, _) = line.split_once(" (").unwrap();
        let mean = before.split_whitespace().next_back().unwrap();
        mean.parse::<f64>().unwrap().abs()
    };
    assert!(far(settings[0]) >= far(settings[1]), "{told}");
    let both = lines.iter().find(|line| line.contains("beyond their sum"));
    assert!(
        both.is_some_and(|line| line.contains(" and counters/")),
        "{told}"
    );
    assert!(lines.iter().any(|line| line.contains("in 100")), "{told}");
    let page = std::fs::read_to_string(folder.join("index.html")).unwrap();
    let first = |name: &str| page.find(&format!(">{name}: ma<")).unwrap();
    let top = settings[0].contains("reynolds");
    assert_eq!(top, first("us-reynolds") < first("us-howard"));
    assert!(page.contains("Two at once"), "no interactions");
    assert_eq!(sweep().out, told);
    std::fs::remove_dir_all(folder).unwrap();
}
