//! The block game as the kernel knows it.

use crate::field::{freeze_control, frontline, put, show_guns};
use crate::hour;
use crate::rules::{NOWHERE, Rules, Start};
use crate::state::{
    Block, Chosen, Hexes, Melees, NO_BATTLE, Ride, Roads, Score, Supplies, Wounds, army, boxes,
    flag,
};
use crate::{asking, common_terms, fog, load, measure, position, view};
use cupola_data::Problems;
use cupola_kernel::{
    Arg, Ask, Bounds, Change, Chart, CommandRange, DerivedFile, Deriving, Dice, Env, Fact, HexId,
    Input, Lead, LineOfSight, Loaded, Needs, Place, PositionFile, Posting, Prize, Ruleset, Schema,
    Seat, Setup, Spell, Standing, Table, UnitId, Until, View, Walked,
};

/// The ruleset.
pub struct Blocks;

/// What its phases and combat systems read: its own tables and state.
pub(crate) fn needs() -> Needs {
    Needs::nothing()
        .rules::<Rules>()
        .state(|schema| Blocks.register(schema))
}

impl Ruleset for Blocks {
    fn name(&self) -> &'static str {
        "blocks"
    }

    fn version(&self) -> &'static str {
        env!("CARGO_PKG_VERSION")
    }

    fn sides(&self) -> Option<[&'static str; 2]> {
        Some(["cs", "us"])
    }

    fn register(&self, schema: &mut Schema) {
        schema
            .unit::<Block>()
            .resource::<Hexes>()
            .resource::<Score>();
        schema
            .resource::<Chosen>()
            .resource::<Wounds>()
            .resource::<Melees>();
        schema
            .resource::<Supplies>()
            .resource::<Roads>()
            .resource::<Ride>();
    }

    fn load(&self, input: &Input) -> Result<Loaded, Problems> {
        load::load(input)
    }

    fn setup(&self, t: &mut Setup) {
        let rules: &Rules = t.rules();
        let hexes = rules.edges.len();
        let lines: Vec<(Start, u8)> = rules
            .starts
            .iter()
            .zip(&rules.cards)
            .map(|(start, card)| (*start, card.max))
            .collect();
        for (start, max) in &lines {
            let (steps, due, way) = match start {
                Start::At(_, steps) => (*steps, 0, 0),
                Start::Due(turn, way) => (*max, *turn, *way),
                Start::Cavalry => (*max, 0, NO_BATTLE),
                _ => (*max, 0, 0),
            };
            let block = Block {
                steps,
                flags: 0,
                due,
                way,
                left: NOWHERE,
            };
            t.spawn(boxes::OUT, block);
        }
        t.insert(Hexes::empty(hexes));
        t.insert(Score::default());
        t.insert(Chosen::default());
        t.insert(Wounds::default());
        t.insert(Melees::default());
        t.insert(Supplies::default());
        t.insert(Roads::default());
        t.insert(Ride::default());
        for (i, (start, _)) in lines.iter().enumerate() {
            begin(t, UnitId(i as u16), *start);
        }
        freeze_control(t);
        // Guns that begin next to the enemy begin face up (§5.31), once everybody has his place (§9.2, §9.6).
        if !hour::deploys(t) {
            show_guns(t);
        }
    }

    fn position(&self, t: &mut Setup, file: &PositionFile) -> Result<(), Problems> {
        position::apply(t, file)
    }

    fn position_keys(&self) -> Vec<String> {
        cupola_data::shape::<position::State>()
    }

    fn finish(&self, t: &mut Table) {
        hour::judge(t, true);
    }

    fn view(&self, t: &Table, seat: Seat, out: &mut View) {
        view::fill(t, seat, out);
    }

    fn shuffle_hidden(&self, t: &mut Table, seat: Seat, dice: &mut dyn Dice) -> bool {
        fog::shuffle(t, seat, dice)
    }

    fn knows(&self, t: &Table, seat: Seat, unit: UnitId) -> bool {
        view::knows(t, seat, unit)
    }

    fn standings(&self, t: &Table, out: &mut Vec<Standing>) {
        out.extend(common_terms::standings(t));
    }

    fn margin(&self, t: &Table) -> i32 {
        common_terms::margin(t)
    }

    fn prizes(&self, t: &Table, out: &mut Vec<Prize>) {
        common_terms::prizes(t, out);
    }

    fn leads(&self, t: &Table) -> Vec<Lead> {
        common_terms::leads(t)
    }

    fn command_range(&self, t: &Table, leader: UnitId) -> Option<CommandRange> {
        measure::command_range(t, leader)
    }

    fn line_of_sight(&self, t: &Table, from: HexId, to: HexId) -> Option<LineOfSight> {
        measure::line_of_sight(t, from, to)
    }

    fn charts(&self, env: &Env) -> Vec<Chart> {
        let rules = env.rules.downcast_ref::<Rules>();
        rules.map_or(vec![], |rules| crate::charts::charts(env, rules))
    }

    fn ask(&self, t: &Table, what: &str, about: &[Arg]) -> Option<Fact> {
        cupola_kit::about_unit(t, what, about, asking::of_unit)
    }

    fn questions(&self) -> &'static [&'static str] {
        asking::QUESTIONS
    }

    fn walked(&self, table: &Table, ask: Ask) -> Option<Walked> {
        crate::movement::walked::walked(table, ask)
    }

    fn spells(&self) -> Vec<Spell> {
        let marked = |flags: u16| {
            move |t: &Table| {
                let unit = army(t).with(flags).next()?;
                Some(format!("{}: {:?}", t.info(unit).id, t.get::<Block>(unit)))
            }
        };
        let upright = |t: &Table| {
            let guns = |&unit: &UnitId| {
                let card = t.rules::<Rules>().card(unit);
                card.is_guns() && t.hex(unit).is_some_and(|hex| frontline(t, card.side, hex))
            };
            let unit = army(t).with(flag::UP).find(|unit| !guns(unit))?;
            Some(format!("{} is face up", t.info(unit).id))
        };
        let fights = |t: &Table| {
            let (melees, wounds) = (t.res::<Melees>(), t.res::<Wounds>());
            let over = melees.attacks.is_empty() && melees.hex.is_none() && wounds.left == 0;
            (!over).then(|| format!("{melees:?}, {wounds:?}"))
        };
        vec![
            Spell::new(
                "half hits (§5.24)",
                Until::PlayerTurnEnds,
                marked(flag::HALF),
            ),
            Spell::new(
                "what blocks have done (§6.1)",
                Until::PlayerTurnBegins,
                marked(flag::TURN),
            ),
            Spell::new("who was shown (§8.1)", Until::PlayerTurnEnds, upright),
            Spell::new("attacks and hits (§7.2)", Until::PlayerTurnEnds, fights),
        ]
    }

    fn derive(&self, from: &Deriving) -> Result<Vec<DerivedFile>, Problems> {
        crate::derive::derive(from)
    }

    fn posting(&self, order: &Posting) -> Vec<Change> {
        crate::posting::changes(order)
    }

    fn bounds(&self) -> Bounds {
        Bounds {
            decisions: 60_000,
            options: 400,
        }
    }
}

/// Puts a block where it begins.
fn begin(t: &mut Table, unit: UnitId, start: Start) {
    match start {
        Start::At(hex, _) => put(t, unit, Place::Hex(hex)),
        Start::Due(..) => put(t, unit, Place::Box(boxes::TRACK)),
        Start::Shattered => {
            put(t, unit, Place::Box(boxes::SHATTERED));
            let side = t.rules::<Rules>().card(unit).side;
            t.get_mut::<Block>(unit).steps = 0;
            t.res_mut::<Score>().lost[side] += 1;
        }
        Start::Cavalry => put(t, unit, Place::Box(boxes::CAVALRY)),
        Start::Out => {}
    }
}
