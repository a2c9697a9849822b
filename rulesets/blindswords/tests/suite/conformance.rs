//! What every ruleset must be able to do.

mod main_scenario {
    fn play() -> cupola_kernel::Play {
        crate::common::play("main")
    }
    cupola_conformance::suite!(play);
}

mod tutorial {
    fn play() -> cupola_kernel::Play {
        crate::common::play("tutorial")
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
