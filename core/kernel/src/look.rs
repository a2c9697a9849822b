//! Fog is cut in one place: [`Game::view`] is all that a host ever gets for a seat.

use crate::act::{Act, Arg};
use crate::game::Game;
use crate::ids::Seat;
use crate::names::arg_name;
use crate::view::{CostView, DecisionView, OptionView, Touch, TurnView, VerdictView, View};

impl Game {
    /// What a seat may know.
    #[must_use]
    pub fn view(&self, seat: Seat) -> View {
        let (table, env) = (self.table(), self.table().env());
        let turn = table.turn_info();
        let mut view = View {
            ruleset: env.ruleset.clone(),
            seat,
            turn: TurnView {
                index: table.turn(),
                label: turn.label.clone(),
                start: turn.start.to_string(),
                end: turn.end.to_string(),
                light: turn.light.to_string(),
            },
            phase: self.phase_name().to_owned(),
            active: table.player_turn().map(|side| env.sides[side].id.clone()),
            units: vec![],
            tracks: vec![],
            marks: vec![],
            holdings: vec![],
            decision: self.decision_view(seat),
            verdict: table.verdict().map(|verdict| VerdictView {
                winner: verdict.winner.map(|side| env.sides[side].id.clone()),
                how: verdict.how.to_string(),
                rule: verdict.rule.to_string(),
            }),
        };
        self.ruleset().view(table, seat, &mut view);
        view
    }

    fn decision_view(&self, seat: Seat) -> Option<DecisionView> {
        let decision = self.decision()?;
        let chooses = seat == Seat::Umpire || self.is_asked(seat);
        let options = if chooses { decision.options } else { &[] };
        Some(DecisionView {
            side: self.table().env().sides[decision.ask.side].id.clone(),
            question: decision.ask.question.to_owned(),
            // What is asked can tell what was found: only those who choose read it.
            prompt: if chooses {
                self.prompt().unwrap_or_default()
            } else {
                String::new()
            },
            rule: decision.ask.cite().to_string(),
            options: options.iter().map(|&act| self.option_view(act)).collect(),
        })
    }

    /// One option as a page shows it.
    #[must_use]
    pub fn option_view(&self, act: Act) -> OptionView {
        let touches = self
            .touches(act)
            .into_iter()
            .filter_map(|arg| self.touch(arg))
            .collect();
        let outlook = self.outlook(act);
        let label = |&hex| self.table().board().label(hex).to_owned();
        OptionView {
            id: self.name(act),
            text: self.text(act),
            touches,
            cost: outlook.cost.map(|cost| CostView {
                spent: cost.spent.to_string(),
                left: cost.left.to_string(),
            }),
            path: outlook.path.iter().map(label).collect(),
            odds: self.has_preview(act),
        }
    }

    fn touch(&self, arg: Arg) -> Option<Touch> {
        let name = arg_name(self.table().env(), arg)?;
        Some(match arg {
            Arg::None => return None,
            Arg::Unit(_) => Touch::Unit(name),
            Arg::Hex(_) => Touch::Hex(name),
            Arg::Side(_) => Touch::Side(name),
            Arg::Token(_) => Touch::Token(name),
            Arg::Number(number) => Touch::Number(number),
        })
    }
}
