//! All that a seat is ever sent of a game: what `Game::view` gives for it, and what changed since.

use cupola_kernel::view::{At, OptionView, Touch, UnitView};
use cupola_kernel::{Env, Event, Game, Modifier, Seat, StateHash, hash_bytes};
use cupola_look::Faces;
use serde_json::{Map, Value, json};

/// The entry whose parts are told one by one.
const UNITS: &str = "units";

/// What a seat knows of a game at one step; the page calls it `frame`.
#[derive(Debug)]
pub(crate) struct SeatView(Map<String, Value>);

/// What a seat was sent, by hashes: enough to tell what has changed since, in a thousandth of the room.
#[derive(Debug)]
pub(crate) struct Sent {
    entries: Hashes,
    units: Hashes,
}

/// Of names and of what stands under them, in the order of the former.
#[derive(Debug)]
struct Hashes(Box<[(StateHash, StateHash)]>);

impl Hashes {
    fn of<'m>(map: impl Iterator<Item = (&'m String, &'m Value)>) -> Hashes {
        let hash = |(name, value): (&String, &Value)| (name_of(name), hash_of(value));
        let mut all: Vec<(StateHash, StateHash)> = map.map(hash).collect();
        all.sort_unstable();
        Hashes(all.into())
    }

    fn get(&self, name: &str) -> Option<StateHash> {
        self.under(name_of(name))
    }

    fn under(&self, name: StateHash) -> Option<StateHash> {
        let found = self.0.binary_search_by_key(&name, |(name, _)| *name).ok();
        found.map(|at| self.0[at].1)
    }

    /// Whether nothing that stands here is missing there.
    fn are_all_in(&self, others: &Hashes) -> bool {
        self.0.iter().all(|(name, _)| others.under(*name).is_some())
    }
}

fn name_of(name: &str) -> StateHash {
    hash_bytes(name.as_bytes())
}

fn hash_of(value: &Value) -> StateHash {
    hash_bytes(value.to_string().as_bytes())
}

fn entries(game: &Game, seat: Seat, faces: &Faces) -> Map<String, Value> {
    let view = game.view(seat);
    let mut units = Map::new();
    let mut hidden = vec![];
    for unit in &view.units {
        match &unit.id {
            Some(id) => {
                units.insert(id.clone(), unit_value(unit, faces));
            }
            None => hidden.push(unit_value(unit, faces)),
        }
    }
    let decision = view.decision.map(|decision| {
        let options: Vec<Value> = decision.options.iter().map(option_value).collect();
        json!({
            "side": decision.side,
            "question": decision.question,
            "prompt": decision.prompt,
            "rule": decision.rule,
            "options": options,
            "mine": game.is_asked(seat),
        })
    });
    let mut map = Map::new();
    let mut set = |name: &str, value: Value| map.insert(name.to_owned(), value);
    set("turn", json!(view.turn));
    set("phase", view.phase.into());
    set("active", json!(view.active));
    set(UNITS, units.into());
    set("hidden", hidden.into());
    set("tracks", json!(view.tracks));
    set("marks", json!(view.marks));
    set("holdings", json!(view.holdings));
    set("decision", json!(decision));
    set("verdict", json!(view.verdict));
    map
}

fn unit_value(unit: &UnitView, faces: &Faces) -> Value {
    let state: Map<String, Value> = unit
        .state
        .iter()
        .map(|(name, value)| ((*name).to_owned(), value.as_str().into()))
        .collect();
    let mut value = json!({
        "name": unit.name,
        "side": unit.side,
        "kind": unit.kind,
        "ratings": unit.ratings,
        "state": state,
        "face": faces.counter(unit),
    });
    match &unit.at {
        At::Hex(hex) => value["hex"] = hex.as_str().into(),
        At::Box(name) => value["box"] = name.as_str().into(),
    }
    value
}

fn option_value(option: &OptionView) -> Value {
    let touches: Vec<String> = option
        .touches
        .iter()
        .map(|touch| match touch {
            Touch::Unit(id) => format!("u{id}"),
            Touch::Hex(label) => format!("h{label}"),
            Touch::Token(name) => format!("t{name}"),
            Touch::Side(id) => format!("s{id}"),
            Touch::Number(number) => format!("n{number}"),
        })
        .collect();
    let mut value = json!({"id": option.id, "text": option.text, "touch": touches});
    if let Some(cost) = &option.cost {
        value["cost"] = cost.spent.as_str().into();
        value["left"] = cost.left.as_str().into();
    }
    if option.path.len() > 1 {
        value["path"] = json!(option.path);
    }
    if option.odds {
        value["odds"] = true.into();
    }
    value
}

impl SeatView {
    /// What a seat knows now.
    pub fn of(game: &Game, seat: Seat, faces: &Faces) -> SeatView {
        SeatView(entries(game, seat, faces))
    }

    /// Says which unit the decision is about, if it does not name one itself.
    pub fn about(&mut self, unit: &str) {
        if let Some(Value::Object(decision)) = self.0.get_mut("decision") {
            decision.insert("subject".into(), unit.into());
        }
    }

    /// Says up to which step whoever is asked may take back his choices.
    pub fn undo_to(&mut self, step: usize) {
        if let Some(Value::Object(decision)) = self.0.get_mut("decision") {
            decision.insert("undo_to".into(), step.into());
        }
    }

    /// As JSON.
    pub fn into_value(self) -> Value {
        Value::Object(self.0)
    }

    /// To tell later what has changed since.
    pub fn sent(&self) -> Sent {
        let whole = self.0.iter().filter(|(name, _)| *name != UNITS);
        Sent {
            entries: Hashes::of(whole),
            units: Hashes::of(self.units().into_iter().flatten()),
        }
    }

    fn units(&self) -> Option<&Map<String, Value>> {
        self.0.get(UNITS).and_then(Value::as_object)
    }

    /// What changed since the same seat was sent another view, which this one takes the place of: whole entries, but units one
    /// by one. All units that there are must be named, to say which of them are known no longer.
    pub fn since<'u>(&self, sent: &mut Sent, all: impl Iterator<Item = &'u str>) -> Value {
        let now = self.sent();
        let changed = self
            .0
            .iter()
            .filter(|(name, _)| *name != UNITS && now.entries.get(name) != sent.entries.get(name));
        let mut changes: Map<String, Value> = changed
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        let units = self.units_since(&now, sent, all);
        if !units.is_empty() {
            changes.insert(UNITS.into(), units.into());
        }
        *sent = now;
        changes.into()
    }

    /// Units that changed; null for those that are known no longer.
    fn units_since<'u>(
        &self,
        now: &Sent,
        sent: &Sent,
        all: impl Iterator<Item = &'u str>,
    ) -> Map<String, Value> {
        let (now, sent) = (&now.units, &sent.units);
        let seen = self.units().into_iter().flatten();
        let changed = seen.filter(|(id, _)| now.get(id) != sent.get(id));
        let mut changes: Map<String, Value> = changed
            .map(|(id, unit)| (id.clone(), unit.clone()))
            .collect();
        if !sent.are_all_in(now) {
            // A hash does not say whose it is.
            let gone = all.filter(|id| sent.get(id).is_some() && now.get(id).is_none());
            changes.extend(gone.map(|id| (id.to_owned(), Value::Null)));
        }
        changes
    }
}

/// An event for the log.
pub(crate) fn event_value(env: &Env, event: &Event) -> Value {
    let units: Vec<&str> = event
        .units
        .iter()
        .filter_map(|unit| env.units.get(usize::from(unit.0)))
        .map(|unit| unit.id.as_str())
        .collect();
    let hexes: Vec<&str> = event
        .hexes
        .iter()
        .map(|hex| env.board.label(*hex))
        .collect();
    let mut value = json!({
        "kind": event.kind,
        "rule": event.rule.to_string(),
        "text": event.text,
        "units": units,
        "hexes": hexes,
    });
    if let Some(turn) = env.track.turns.get(usize::from(event.turn)) {
        value["turn"] = turn.label.as_str().into();
    }
    if !event.dice.is_empty() {
        value["dice"] = json!(event.dice);
    }
    if let Some(modifiers) = &event.modifiers {
        value["modifiers"] = modifiers.0.iter().map(modifier_value).collect();
        value["sum"] = modifiers.sum().into();
    }
    value
}

/// One thing that counts in a fight.
pub(crate) fn modifier_value(modifier: &Modifier) -> Value {
    json!({
        "label": modifier.label,
        "value": modifier.value,
        "rule": modifier.rule.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(value: Value) -> SeatView {
        match value {
            Value::Object(map) => SeatView(map),
            _ => panic!("an object"),
        }
    }

    #[test]
    fn only_what_changed_is_sent() {
        let before = view(json!({"phase": "a", "turn": 1, "units": {"x": 1, "y": 2, "z": 3}}));
        let after = view(json!({"phase": "b", "turn": 1, "units": {"x": 1, "y": 4}}));
        let mut sent = before.sent();
        let all = || ["w", "x", "y", "z"].into_iter();
        assert_eq!(
            after.since(&mut sent, all()),
            json!({"phase": "b", "units": {"y": 4, "z": null}})
        );
        assert_eq!(after.since(&mut sent, all()), json!({}));
        assert_eq!(
            before.since(&mut sent, all()),
            json!({"phase": "a", "units": {"y": 2, "z": 3}})
        );
    }
}
