//! Scripts by somebody who means ill: each is stopped, with its line, before it has taken much.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use cupola_common as _;
use cupola_data::Source;
use cupola_kernel::{Game, Play, Registry, Seed};
use cupola_library::Library;
use cupola_script as _;
use std::path::Path;

fn classic(scripts: &[(&str, &str)], change: &str) -> Result<Play, String> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
    let library = Library::new(data, None, Registry::linked().unwrap());
    let scripts: Vec<String> = scripts
        .iter()
        .map(|(name, text)| format!("{name:?}: {text:?}"))
        .collect();
    let text = format!(
        "(base: \"classic\", name: \"v\", title: \"V\", scripts: {{{}}}, change: [{change}])",
        scripts.join(", ")
    );
    let play = library.play_with("classic", "wickerby", Some(&Source::new("v.ron", text)));
    play.map_err(|problems| problems.to_string())
}

/// What a phase whose `next` does this comes to, on a stack as small as those of a server's threads.
fn runs(text: &str) -> String {
    let text = text.to_owned();
    let small = std::thread::Builder::new().stack_size(2 * 1024 * 1024);
    let run = move || {
        let added = r#"add_phase(phase: "a.rhai", after: "reinforcements")"#;
        let play = match classic(&[("a.rhai", &text)], added) {
            Ok(play) => play,
            Err(told) => return told,
        };
        let begun = play.game(Seed(1)).map(|_| ());
        begun.map_or_else(|fault| fault.to_string(), |()| "it ends".into())
    };
    small.spawn(run).unwrap().join().unwrap()
}

fn next(body: &str) -> String {
    runs(&format!("fn next() {{\n{body}\n}}"))
}

/// A body, and what must be told of it.
#[track_caller]
fn stopped(body: &str, words: &str) {
    let told = next(body);
    assert!(
        told.contains("a.rhai:") && told.contains(words),
        "{body}\n{told}"
    );
}

#[test]
fn nobody_waits_for_a_script() {
    stopped("sleep(1000000);", "a script does not wait");
    stopped(
        "let f = Fn(\"sleep\"); f.call(1000000);",
        "a script does not wait",
    );
    stopped("call(Fn(\"sleep\"), 1000000);", "a script does not wait");
    stopped("exit(7);", "`return` it");
    stopped("Fn(\"exit\").call();", "`return` it");
    stopped("Fn(\"eval\").call(\"40 + 2\");", "eval");
    stopped("timestamp();", "timestamp");
}

#[test]
fn loops_of_every_kind_end() {
    let away = "runs away";
    stopped("while true { }", away);
    stopped("do { } while true;", away);
    stopped("for i in 0..9223372036854775807 { let x = i; }", away);
    stopped(
        "for a in 0..1000 { for b in 0..1000 { let c = a * b; } }",
        away,
    );
    stopped("let list = [1, 2, 3]; loop { list.sort(); }", away);
    stopped("loop { units(); }", away);
}

#[test]
fn recursion_ends_however_it_is_dressed() {
    let deep = "deep";
    assert!(runs("fn next() { a() }\nfn a() { b() }\nfn b() { a() }").contains(deep));
    // Each call from the middle of a long expression: stack for every bracket.
    let nested = format!("{}f(){}", "(1 + ".repeat(40), ")".repeat(40));
    let told = runs(&format!("fn next() {{ f() }}\nfn f() {{ {nested} }}"));
    assert!(
        told.contains(deep) || told.contains("nest") || told.contains("complex"),
        "{told}"
    );
    let lists = format!("{}f(){}", "[".repeat(40), "]".repeat(40));
    let told = runs(&format!("fn next() {{ f() }}\nfn f() {{ {lists} }}"));
    assert!(
        told.contains(deep) || told.contains("nest") || told.contains("complex"),
        "{told}"
    );
    let told = runs(
        "fn next() { let list = [1, 2, 3]; list.map(again) }\nfn again(x) { let l = [x, x]; l.map(again) }",
    );
    assert!(told.contains("a.rhai"), "{told}");
    let told = runs("fn next() { let f = |x| x; for i in 0..30 { f = f.curry(i); } f.call(f) }");
    assert!(told.contains("a.rhai"), "{told}");
}

#[test]
fn a_script_too_deep_to_be_read_is_not() {
    let brackets = format!(
        "fn next() {{ {}1{} }}",
        "(".repeat(20_000),
        ")".repeat(20_000)
    );
    assert!(runs(&brackets).contains("a.rhai"), "{}", runs(&brackets));
    let blocks = format!(
        "fn next() {{ {} {} }}",
        "{".repeat(20_000),
        "}".repeat(20_000)
    );
    assert!(runs(&blocks).contains("a.rhai"));
    let minus = format!("fn next() {{ {}1 }}", "-".repeat(20_000));
    assert!(runs(&minus).contains("a.rhai"));
    let nots = format!("fn next() {{ {}true }}", "!".repeat(20_000));
    assert!(runs(&nots).contains("a.rhai"));
    let ifs = format!(
        "fn next() {{ {} }}",
        "if true { 1 } else ".repeat(2_000) + "{ 2 }"
    );
    let told = runs(&ifs);
    assert!(told.contains("a.rhai") || told == "it ends", "{told}");
    let long = format!("fn next() {{ {}1; }}", "1 + ".repeat(15_000));
    let told = runs(&long);
    assert!(told.contains("a.rhai") || told == "it ends", "{told}");
    assert!(runs(&"x".repeat(100_000)).contains("a script of more than"));
}

#[test]
fn large_things_are_not_made() {
    let much = "makes too much";
    stopped("let s = \"x\"; s.pad(1000000000, \"y\");", much);
    stopped("let a = []; a.pad(1000000000, 0);", much);
    stopped("let b = blob(1000000000);", much);
    stopped("let a = [0]; a.pad(900, 0); let b = [a, a];", much);
    stopped("let m = #{}; loop { m[`k${m.len()}`] = 1; }", "a.rhai");
    stopped(
        "let s = \"xxxxxxxxxxxxxxxx\"; loop { s = `${s}${s}`; }",
        much,
    );
    stopped(
        "let s = \"abcd\"; loop { s.replace(\"a\", \"aaaaaaaa\"); }",
        much,
    );
    stopped("let a = []; loop { a = [a]; }", "a.rhai");
    stopped("let a = #{}; loop { a = #{ a: a }; }", "a.rhai");
    stopped(
        "parse_json(`[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[`);",
        "a.rhai",
    );
}

#[test]
fn lists_within_lists_do_not_exhaust_the_stack() {
    // As deep as they can be, and then copied, compared, searched, told; also from as deep as functions can be.
    let deep = "let a = []; for i in 0..990 { a = [a]; }";
    for then in [
        "a.to_string()",
        "let b = a; a == b",
        "let b = [1, a]; b.contains(a)",
        "debug(a)",
    ] {
        let told = next(&format!("{deep} {then};"));
        assert!(told.contains("a.rhai") || told == "it ends", "{told}");
        let told = runs(&format!(
            "fn next() {{ f(20) }}\nfn f(n) {{ if n > 0 {{ f(n - 1) }} else {{ {deep} {then}; }} }}"
        ));
        assert!(told.contains("a.rhai") || told == "it ends", "{told}");
    }
    stopped("let a = []; loop { a = [a]; }", "makes too much");
}

#[test]
fn a_question_without_end_is_stopped_too() {
    let script = |options: &str| {
        format!(
            "fn verbs() {{ [\"go\"] }}\nfn next() {{ #{{ side: active(), question: \"q\" }} }}\n\
             fn options(question) {{ {options} }}\nfn take(question, answer) {{ }}"
        )
    };
    assert!(runs(&script("loop { }")).contains("runs away"));
    assert!(runs(&script("let a = []; loop { a.push([\"go\", 1]); }")).contains("makes too much"));
    assert!(runs(&script("[\"stay\"]")).contains("is not among its `verbs`"));
    assert!(runs(&script("d6(\"x\"); [\"go\"]")).contains("no dice may be rolled here"));
    assert!(
        runs(&script("win(\"north\", \"me\"); [\"go\"]")).contains("nothing may be changed here")
    );
    assert!(runs(&script("[]")).contains("offers no answer"));
    assert!(
        runs("fn verbs() { loop { } }\nfn next() { }\nfn options(q) { }\nfn take(q, a) { }")
            .contains("runs away")
    );
    // A phase that asks without end is stopped by the game itself.
    let words = "fn verbs() { [\"go\"] }\nfn next() { remember(\"n\", recall(\"n\") + 1); #{ side: active(), question: `q${recall(\"n\")}` } }\n\
                 fn options(question) { [\"go\"] }\nfn take(question, answer) { }";
    let added = r#"add_phase(phase: "a.rhai", after: "reinforcements")"#;
    let play = classic(&[("a.rhai", words)], added).unwrap();
    let mut game = play.game(Seed(1)).unwrap();
    let mut told = String::new();
    for _ in 0..5_000 {
        let Some(decision) = game.decision() else {
            break;
        };
        let (side, act) = (decision.ask.side, decision.options[0]);
        if let Err(error) = game.apply(side, act) {
            told = error.to_string();
            break;
        }
    }
    assert!(told.contains("words for questions"), "{told}");
}

/// A combat system that rolls like this.
fn fights(resolve: &str) -> Result<(), String> {
    let duel = format!(
        "fn modifiers(fight) {{ [] }}\nfn resolve(fight) {{ {resolve} }}\nfn describe(code) {{ \"x\" }}"
    );
    let swapped = r#"swap_combat(role: "assault", was: "odds", to: "duel.rhai")"#;
    let play = classic(&[("duel.rhai", &duel)], swapped)?;
    for seed in 0..8 {
        let mut game: Game = play.game(Seed(seed)).unwrap();
        for ply in 0..400usize {
            let Some(decision) = game.decision() else {
                break;
            };
            let (side, options) = (decision.ask.side, decision.options.to_vec());
            for &act in &options {
                if let Some((combat, fight)) = game.fight(act)
                    && combat.name() == "duel.rhai"
                {
                    return cupola_kernel::odds(&*combat, game.table(), &fight)
                        .map(|_| ())
                        .map_err(|fault| fault.to_string());
                }
            }
            let act = options[(ply * 7 + seed as usize) % options.len()];
            game.apply(side, act).map_err(|error| error.to_string())?;
        }
    }
    Err("nobody fought".to_owned())
}

#[test]
fn odds_have_an_end() {
    let most = "odds are told of 10000 at most";
    let told = fights("let n = 0; for i in 0..20 { n += d6(\"x\"); } n").unwrap_err();
    assert!(
        told.contains("duel.rhai:2") && told.contains(most),
        "{told}"
    );
    let told = fights("roll(1000, \"x\") + roll(1000, \"y\")").unwrap_err();
    assert!(told.contains(most), "{told}");
    fights("roll(100, \"x\") + roll(100, \"y\")").unwrap();
    fights("d6(\"a\") + d6(\"b\") + d6(\"c\")").unwrap();
    let told = fights("roll(1001, \"x\")").unwrap_err();
    assert!(told.contains("1 to 1000 faces"), "{told}");
}

/// The memory of this process, in kilobytes.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok())
        .unwrap_or(0)
}

#[test]
fn nothing_is_left_behind() {
    // A list that holds a function that holds the list would never be freed.
    let leak = "fn next() { let a = []; a.pad(900, 0); let f = || a; a.push(f); }";
    let told = runs(leak);
    assert!(told.contains("a.rhai") || told == "it ends", "{told}");
    let much = "fn next() { let a = []; a.pad(900, 0); deeper(20) }\n\
                fn deeper(n) { let a = []; a.pad(900, 0); let b = a; let c = a; let d = a; if n > 0 { deeper(n - 1) } }";
    let before = memory();
    for _ in 0..20 {
        let told = runs(much);
        assert!(told.contains("a.rhai") || told == "it ends", "{told}");
    }
    let grown = memory().saturating_sub(before);
    assert!(grown < 64 * 1024, "{grown} kB more than before");
}
