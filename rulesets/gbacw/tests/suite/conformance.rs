//! What every ruleset must be able to do.

mod to_stop {
    fn play() -> cupola_kernel::Play {
        crate::common::play("to-stop")
    }
    cupola_conformance::suite!(play);
}

mod night_fight {
    fn play() -> cupola_kernel::Play {
        crate::common::play("night-fight")
    }
    cupola_conformance::suite!(play);
}

mod want_of_coordination {
    fn play() -> cupola_kernel::Play {
        crate::common::play("want-of-coordination")
    }
    cupola_conformance::suite!(play);
}

mod gregg_defends {
    fn play() -> cupola_kernel::Play {
        crate::common::play("gregg-defends")
    }
    cupola_conformance::suite!(play);
}

/// A battle of other armies on other ground, with derived counters.
mod training {
    fn play() -> cupola_kernel::Play {
        crate::common::play("training")
    }
    cupola_conformance::suite!(play);
}

/// The large ones: one game a check, looked at closely now and then; one of them always, all of them in a full run.
mod large {
    use cupola_conformance::{Check, Settings, hold};

    fn settings() -> Settings {
        Settings {
            games: 1,
            plies: 1,
            stride: 4001,
            tries: 4,
            onward: 4,
            fights: 6,
            rolls: 2_000,
            compositions: 2,
            walks: 101,
            bytes: 1,
            ..Settings::quick()
        }
    }

    #[test]
    fn longstreets_assault_conforms() {
        for check in [Check::Options, Check::Copies, Check::Fights, Check::Seams] {
            let play = || crate::common::play("longstreets-assault");
            hold(check, &play, &settings());
        }
    }

    /// Columns, reinforcements, roads off the map and bridges are in these.
    #[test]
    fn the_search_finds_what_walking_finds() {
        let scenarios = [
            ("face-to-the-enemy", 17),
            ("picketts-charge", 17),
            ("not-done-enough", 17),
            ("when-harry-met-john", 101),
            ("day-of-decision", 101),
        ];
        for (scenario, walks) in scenarios {
            let settings = Settings {
                walks,
                ..settings()
            };
            hold(Check::Marches, &|| crate::common::play(scenario), &settings);
        }
    }

    #[test]
    fn the_largest_conform() {
        let full = std::env::var_os("CUPOLA_FULL").is_some_and(|value| value == "1");
        let largest = [
            "when-harry-met-john",
            "day-of-decision",
            "terrible-swift-sword",
            "terrible-swift-sword-four",
        ];
        for scenario in largest.into_iter().filter(|_| full) {
            for check in Check::ALL {
                hold(check, &|| crate::common::play(scenario), &settings());
            }
        }
    }
}
