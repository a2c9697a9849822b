//! The types that cross between a program and a library, told in text.
//!
//! Equal fingerprints do not prove equal types: a feature that another crate of the workspace switches
//! on in a common dependency changes the identity of every type built on it. Equal identities do not
//! prove equal layout either. So both are told, and compared before anything else crosses.

use bevy_ecs::prelude::{Entity, World};
use cupola_army::{Army, Turns};
use cupola_data::{Problem, Problems, Source};
use cupola_ground::Board;
use cupola_kernel::{
    About, Act, Arg, Ask, Bounds, Combat, Contribution, Dice, Env, Event, Fault, Fight, HexId,
    Input, Loaded, Modifiers, Options, Outcome, Phase, PositionFile, Preview, Refusal, Ruleset,
    Schema, Seat, Side, Stacks, Step, Table, UnitId, View,
};
use std::any::{Any, TypeId, type_name};
use std::fmt::Write as _;
use std::sync::Arc;

/// One line per type: its name, identity, size and alignment.
pub(crate) fn types() -> String {
    let mut out = String::new();
    macro_rules! tell {
        ($($type:ty),+ $(,)?) => { $( line::<$type>(&mut out); )+ };
    }
    tell!(
        Contribution,
        Arc<dyn Phase>,
        Arc<dyn Combat>,
        Arc<dyn Ruleset>,
        Arc<dyn Any + Send + Sync>,
        Box<dyn Dice>,
        Table,
        Env,
        Schema,
        Stacks,
        Options,
        Step,
        Ask,
        Act,
        Arg,
        About,
        Fault,
        Refusal,
        Fight,
        Outcome,
        Modifiers,
        Preview,
        Event,
        View,
        Loaded,
        Input<'static>,
        PositionFile,
        Bounds,
        Seat,
        Side,
        UnitId,
        HexId,
        Board,
        Army,
        Turns,
        Source,
        Problem,
        Problems,
        World,
        Entity,
        String,
    );
    out
}

fn line<T: 'static>(out: &mut String) {
    // The only way to the whole identity is its debug form; writing to a String cannot fail.
    let _ = writeln!(
        out,
        "{}\t{:?}, {} bytes aligned to {}",
        type_name::<T>(),
        TypeId::of::<T>(),
        size_of::<T>(),
        align_of::<T>()
    );
}

/// The types that are not the same, as differences between a library's text and this program's.
pub(crate) fn differences(library: &str) -> Vec<crate::Difference> {
    let own = types();
    let mut theirs = library.lines();
    let mut found = vec![];
    for line in own.lines() {
        let other = theirs.next().unwrap_or("nothing\tnothing");
        if line != other {
            let (name, program) = line.split_once('\t').unwrap_or((line, ""));
            let (_, library) = other.split_once('\t').unwrap_or((other, other));
            found.push(crate::Difference {
                field: format!("type {name}"),
                library: library.to_owned(),
                program: program.to_owned(),
            });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_own_types_are_the_same() {
        assert_eq!(differences(&types()), []);
    }

    #[test]
    fn a_type_of_another_size_is_named() {
        let size = format!("{} bytes", size_of::<Table>());
        let told = types().replace(&size, "1 bytes");
        let differences = differences(&told);
        let table = differences.iter().find(|d| d.field.ends_with("::Table"));
        assert!(
            table.is_some_and(|d| d.library.contains("1 bytes")),
            "{differences:?}"
        );
    }

    #[test]
    fn a_library_that_tells_nothing_differs_in_everything() {
        assert_eq!(differences("").len(), types().lines().count());
    }
}
