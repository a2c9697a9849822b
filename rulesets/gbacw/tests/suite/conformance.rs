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
