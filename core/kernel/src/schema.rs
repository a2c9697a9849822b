//! What a game's state consists of, and how it is copied, saved and hashed.
//!
//! A ruleset registers every component and resource that belongs to the state once, with
//! [`Schema::unit`] and [`Schema::resource`]. From that list the kernel forks a game (one slice copy
//! per component column), writes a snapshot (each part in order, unit by unit) and hashes it (the hash
//! of the snapshot's bytes, so that what is saved and what is hashed can never differ).
//!
//! Three habits keep a fork below a microsecond or two:
//! * a unit is spawned once and never despawned: a dead unit changes its status value;
//! * a component is never added or removed in play: use a value or an `Option`;
//! * what a hot loop needs per hex stands in a resource with dense arrays.

use crate::ids::UnitId;
use crate::slots::Slots;
use crate::table::Table;
use bevy_ecs::{component::Mutable, prelude::*, query::QueryState};
use serde::{Serialize, de::DeserializeOwned};
use std::any::{Any, TypeId, type_name};

/// A component that is part of a unit's state.
pub trait UnitState:
    Component<Mutability = Mutable> + Clone + Serialize + DeserializeOwned
{
}
impl<T: Component<Mutability = Mutable> + Clone + Serialize + DeserializeOwned> UnitState for T {}

/// A resource that is part of the game's state.
pub trait GameState:
    Resource + Component<Mutability = Mutable> + Clone + Serialize + DeserializeOwned
{
}
impl<R: Resource + Component<Mutability = Mutable> + Clone + Serialize + DeserializeOwned> GameState
    for R
{
}

/// The two worlds do not hold the same units in the same rows.
#[derive(Debug)]
pub(crate) struct LayoutDiffers;

/// Why a snapshot could not be written or read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SnapshotError {
    /// The registered type at which it stopped.
    pub part: &'static str,
    /// What the decoder said.
    pub message: String,
}

impl std::fmt::Display for SnapshotError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "the state has no snapshot: {}: {}",
            self.part, self.message
        )
    }
}
impl std::error::Error for SnapshotError {}

/// How one registered type is copied, written and read.
pub(crate) trait Part: Any + Send + Sync {
    /// Copies whole slices; `from` is the same part of the source game.
    fn copy(
        &mut self,
        to: &mut World,
        from: &dyn Part,
        source: &World,
    ) -> Result<(), LayoutDiffers>;
    /// Makes a unit with its data of this type, if it has any: what is given with the first breath need not be moved together later.
    fn spawn(
        &self,
        _to: &mut World,
        _: UnitId,
        _source: &World,
        _theirs: Entity,
    ) -> Option<Entity> {
        None
    }
    /// Copies the data of one unit, if it has any of this type.
    fn insert(&self, _to: &mut World, _own: Entity, _source: &World, _theirs: Entity) {}
    /// Copies what does not belong to a unit from the same part of the source game.
    fn insert_single(&mut self, _source: &dyn Part) {}
    /// Lets cached queries see archetypes made since the last call.
    fn refresh(&mut self, world: &World);
    /// Appends this part of the state, units in the order of their numbers.
    fn write(
        &self,
        world: &World,
        roster: &[Entity],
        out: &mut Vec<u8>,
    ) -> Result<(), SnapshotError>;
    /// Reads what [`Part::write`] wrote into units that exist already.
    fn read<'a>(
        &mut self,
        world: &mut World,
        roster: &[Entity],
        bytes: &'a [u8],
    ) -> Result<&'a [u8], SnapshotError>;
}

/// Writing to memory fails only for values that postcard cannot express: sequences of unknown length, variants
/// that are not to be written. State of that kind is never left out.
pub(crate) fn append<T: Serialize>(value: &T, out: &mut Vec<u8>) -> Result<(), SnapshotError> {
    postcard::serialize_with_flavor(value, Behind(out)).map_err(|error| SnapshotError {
        part: type_name::<T>(),
        message: format!("cannot be written: {error}"),
    })
}

/// Writes behind what is there already.
struct Behind<'a>(&'a mut Vec<u8>);

impl postcard::ser_flavors::Flavor for Behind<'_> {
    type Output = ();

    fn try_push(&mut self, byte: u8) -> postcard::Result<()> {
        self.0.push(byte);
        Ok(())
    }

    fn try_extend(&mut self, bytes: &[u8]) -> postcard::Result<()> {
        self.0.extend_from_slice(bytes);
        Ok(())
    }

    fn finalize(self) -> postcard::Result<()> {
        Ok(())
    }
}

fn take<T: DeserializeOwned>(bytes: &[u8]) -> Result<(T, &[u8]), SnapshotError> {
    postcard::take_from_bytes(bytes).map_err(|e| SnapshotError {
        part: type_name::<T>(),
        message: e.to_string(),
    })
}

/// Compares without an early exit, so that the compiler vectorises it.
fn same_units(a: &[UnitId], b: &[UnitId]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |d, (x, y)| d | (x.0 ^ y.0)) == 0
}

pub(crate) struct Column<T: UnitState> {
    read: QueryState<(&'static UnitId, &'static T)>,
    write: QueryState<(&'static UnitId, &'static mut T)>,
    /// How many values lie side by side, if they are those of units 0, 1, 2 … in that order. Looked up when set-up is done:
    /// no unit comes or goes in play, and none gets another component.
    dense: usize,
}

impl<T: UnitState> Column<T> {
    /// The values of units 0 to `count - 1`, if they lie side by side in that order: they do where
    /// set-up gave every unit the same components.
    #[inline]
    pub(crate) fn slice<'w>(&self, world: &'w World, count: usize) -> Option<&'w [T]> {
        if self.dense != count {
            return None;
        }
        self.first(world).map(|(_, values)| values)
    }

    /// Changes all values.
    pub(crate) fn change_all(&mut self, world: &mut World, mut change: impl FnMut(&mut T)) {
        if let Ok(chunks) = self.write.contiguous_iter_mut(world) {
            for (_, mut values) in chunks {
                let values = values.bypass_change_detection().iter_mut();
                values.for_each(&mut change);
            }
            return;
        }
        // Kept apart, not side by side.
        for (_, mut value) in self.write.iter_mut(world) {
            change(&mut value);
        }
    }

    /// The first values that lie side by side, and whose they are.
    fn first<'w>(&self, world: &'w World) -> Option<(&'w [UnitId], &'w [T])> {
        let mut chunks = self.read.query_manual(world).contiguous_iter_inner().ok()?;
        chunks.find(|(ids, _)| !ids.is_empty())
    }
}

impl<T: UnitState> Part for Column<T> {
    fn copy(
        &mut self,
        to: &mut World,
        from: &dyn Part,
        source: &World,
    ) -> Result<(), LayoutDiffers> {
        let from = (from as &dyn Any)
            .downcast_ref::<Self>()
            .ok_or(LayoutDiffers)?;
        let read = from.read.query_manual(source);
        let chunks = || {
            read.contiguous_iter()
                .into_iter()
                .flatten()
                .filter(|(ids, _)| !ids.is_empty())
        };
        let mut left = chunks().count();
        for (own_ids, mut own) in self.write.contiguous_iter_mut(to).into_iter().flatten() {
            if own_ids.is_empty() {
                continue;
            }
            let (_, values) = chunks()
                .find(|(ids, _)| same_units(ids, own_ids))
                .ok_or(LayoutDiffers)?;
            own.bypass_change_detection().clone_from_slice(values);
            left -= 1;
        }
        if left == 0 {
            Ok(())
        } else {
            Err(LayoutDiffers)
        }
    }

    fn spawn(
        &self,
        to: &mut World,
        unit: UnitId,
        source: &World,
        theirs: Entity,
    ) -> Option<Entity> {
        let value = source.get::<T>(theirs)?.clone();
        Some(to.spawn((unit, value)).id())
    }

    fn insert(&self, to: &mut World, own: Entity, source: &World, theirs: Entity) {
        if let Some(value) = source.get::<T>(theirs) {
            to.entity_mut(own).insert(value.clone());
        }
    }

    fn refresh(&mut self, world: &World) {
        self.read.update_archetypes(world);
        let ids = self.first(world).map_or(&[][..], |(ids, _)| ids);
        let in_order = (0..).zip(ids).all(|(n, id)| n == id.0);
        self.dense = if in_order { ids.len() } else { 0 };
    }

    fn write(
        &self,
        world: &World,
        roster: &[Entity],
        out: &mut Vec<u8>,
    ) -> Result<(), SnapshotError> {
        let mut values = roster.iter().filter_map(|&unit| world.get::<T>(unit));
        values.try_for_each(|value| append(value, out))
    }

    fn read<'a>(
        &mut self,
        world: &mut World,
        roster: &[Entity],
        mut bytes: &'a [u8],
    ) -> Result<&'a [u8], SnapshotError> {
        for &unit in roster {
            if let Some(mut own) = world.get_mut::<T>(unit) {
                let (value, rest) = take::<T>(bytes)?;
                *own = value;
                bytes = rest;
            }
        }
        Ok(bytes)
    }
}

/// A resource. It lies in its part: the world would keep it as the component of an entity of its own, and to find that takes
/// longer than most of what rules ask of it.
pub(crate) struct Single<R>(pub(crate) Option<R>);

impl<R: GameState> Part for Single<R> {
    fn copy(&mut self, _: &mut World, from: &dyn Part, _: &World) -> Result<(), LayoutDiffers> {
        let from = (from as &dyn Any)
            .downcast_ref::<Self>()
            .ok_or(LayoutDiffers)?;
        self.0.clone_from(&from.0);
        Ok(())
    }

    fn insert_single(&mut self, source: &dyn Part) {
        if let Some(from) = (source as &dyn Any).downcast_ref::<Self>() {
            self.0.clone_from(&from.0);
        }
    }

    fn refresh(&mut self, _: &World) {}

    fn write(&self, _: &World, _: &[Entity], out: &mut Vec<u8>) -> Result<(), SnapshotError> {
        self.0.as_ref().map_or(Ok(()), |value| append(value, out))
    }

    fn read<'a>(
        &mut self,
        _: &mut World,
        _: &[Entity],
        bytes: &'a [u8],
    ) -> Result<&'a [u8], SnapshotError> {
        let Some(own) = &mut self.0 else {
            return Ok(bytes);
        };
        let (value, rest) = take::<R>(bytes)?;
        *own = value;
        Ok(rest)
    }
}

/// Makes the part of one type for a world.
type MakePart = fn(&mut World) -> Box<dyn Part>;

/// The types that make up the state of a game; filled by the kernel, the ruleset and its plugins.
///
/// ```
/// use bevy_ecs::prelude::Component;
/// use cupola_kernel::Schema;
/// use serde::{Deserialize, Serialize};
///
/// /// From now on it is forked, saved and hashed with the units that have it.
/// #[derive(Component, Clone, Serialize, Deserialize)]
/// struct Fatigue(u8);
///
/// let mut schema = Schema::default();
/// schema.unit::<Fatigue>();
/// // Two plugins may share a type.
/// schema.unit::<Fatigue>();
/// assert_eq!(schema.names().count(), 1);
/// ```
#[derive(Default)]
pub struct Schema {
    parts: Vec<MakePart>,
    list: Vec<StatePart>,
    slots: Slots,
}

/// A registered type, and how to find out whether it is on the table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StatePart {
    pub name: &'static str,
    pub id: TypeId,
    pub present: fn(&Table) -> bool,
}

impl StatePart {
    /// A component that every unit has.
    pub(crate) fn unit<T: UnitState>() -> StatePart {
        StatePart {
            name: type_name::<T>(),
            id: TypeId::of::<T>(),
            present: |table| table.units().all(|unit| table.has::<T>(unit)),
        }
    }

    pub(crate) fn resource<R: GameState>() -> StatePart {
        StatePart {
            name: type_name::<R>(),
            id: TypeId::of::<R>(),
            present: Table::has_res::<R>,
        }
    }
}

impl Schema {
    /// Registers a component of units.
    pub fn unit<T: UnitState>(&mut self) -> &mut Self {
        self.add(StatePart::unit::<T>(), |world| {
            Box::new(Column::<T> {
                read: world.query(),
                write: world.query(),
                dense: 0,
            })
        })
    }

    /// Registers a resource.
    pub fn resource<R: GameState>(&mut self) -> &mut Self {
        self.add(StatePart::resource::<R>(), |_| Box::new(Single::<R>(None)))
    }

    /// Registering twice is harmless: two plugins may share a type.
    fn add(&mut self, part: StatePart, make: MakePart) -> &mut Self {
        if !self.list.iter().any(|known| known.name == part.name) {
            self.list.push(part);
            self.parts.push(make);
            let types: Vec<TypeId> = self.list.iter().map(|part| part.id).collect();
            self.slots = Slots::new(&types);
        }
        self
    }

    /// The registered types, in order of registration.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.list.iter().map(|part| part.name)
    }

    pub(crate) fn list(&self) -> &[StatePart] {
        &self.list
    }

    /// Which of the parts a type is; another's perhaps, or none, if it was not registered.
    #[inline]
    pub(crate) fn slot<T: 'static>(&self) -> usize {
        self.slots.of::<T>()
    }

    pub(crate) fn parts(&self, world: &mut World) -> Vec<Box<dyn Part>> {
        self.parts.iter().map(|make| make(world)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Component, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    struct Steps(u8);

    #[derive(Resource, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    struct Score(i16);

    fn schema() -> Schema {
        let mut schema = Schema::default();
        schema.unit::<Steps>().resource::<Score>();
        schema
    }

    /// A world with units of these steps, and its parts as they see it.
    fn world(steps: &[u8], score: i16) -> (World, Vec<Entity>, Vec<Box<dyn Part>>) {
        let mut world = World::new();
        let mut parts = schema().parts(&mut world);
        let units = (0..).zip(steps);
        let roster = units
            .map(|(n, &steps)| world.spawn((UnitId(n), Steps(steps))).id())
            .collect();
        let part = (&mut *parts[1] as &mut dyn Any).downcast_mut();
        part.map(|Single(own)| *own = Some(Score(score))).unwrap();
        parts.iter_mut().for_each(|part| part.refresh(&world));
        (world, roster, parts)
    }

    #[test]
    fn registering_twice_is_harmless_and_the_order_stays() {
        let mut schema = schema();
        schema.resource::<Score>().unit::<Steps>();
        let names: Vec<&str> = schema.names().collect();
        assert_eq!(names, [type_name::<Steps>(), type_name::<Score>()]);
    }

    #[test]
    fn a_copy_has_the_values_of_the_other_and_its_own_units() {
        let (mut own, roster, mut parts) = world(&[1, 2, 3], 4);
        let (other, _, from) = world(&[7, 8, 9], -4);
        for (part, from) in parts.iter_mut().zip(&from) {
            assert!(part.copy(&mut own, &**from, &other).is_ok());
        }
        let steps: Vec<u8> = roster
            .iter()
            .map(|&unit| own.get::<Steps>(unit).unwrap().0)
            .collect();
        let part = (&*parts[1] as &dyn Any).downcast_ref();
        let Single(score) = part.unwrap();
        assert_eq!((steps, score), (vec![7, 8, 9], &Some(Score(-4))));
    }

    #[test]
    fn a_copy_of_another_layout_is_refused() {
        let (mut own, _, mut parts) = world(&[1, 2, 3], 4);
        let (other, _, from) = world(&[7, 8], 0);
        assert!(parts[0].copy(&mut own, &*from[0], &other).is_err());
    }

    #[test]
    fn a_column_is_one_slice_in_the_order_of_the_units() {
        let (world, roster, parts) = world(&[4, 5, 6], 0);
        let column = (&*parts[0] as &dyn Any).downcast_ref::<Column<Steps>>();
        let slice = column.unwrap().slice(&world, roster.len());
        assert_eq!(slice, Some(&[Steps(4), Steps(5), Steps(6)][..]));
    }
}
