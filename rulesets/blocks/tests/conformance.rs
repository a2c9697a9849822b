//! The checks that any ruleset passes, on every scenario.

mod common;

mod day2 {
    use super::common::play;
    use cupola_kernel::Play;

    fn sickles() -> Play {
        play("day2")
    }
    cupola_conformance::suite!(sickles);
}

mod day3 {
    use super::common::play;
    use cupola_kernel::Play;

    fn pickett() -> Play {
        play("day3")
    }
    cupola_conformance::suite!(pickett);
}

/// A battle of other armies on other ground, with derived counters.
mod training {
    use super::common::play;
    use cupola_kernel::Play;

    fn meeting() -> Play {
        play("training")
    }
    cupola_conformance::suite!(meeting);
}
