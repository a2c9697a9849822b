#!/usr/bin/env python3
"""Plays a whole game through `cupola engine`, with nothing but the standard library.

    python3 tests/engine/bot.py path/to/cupola [scenario] [seed]

Both sides are played by a bot that looks one fight ahead: where an option leads to a fight it takes the
one whose outcomes promise most, otherwise it chooses at random. It also shows every command of the
protocol once: fork, undo, save, load, view, why, and how errors look.
"""

import json
import random
import subprocess
import sys


class Refused(Exception):
    """The engine said no; `error` has message, and perhaps rule and hint."""

    def __init__(self, error):
        super().__init__(error["message"])
        self.error = error


class Engine:
    """A conversation: one JSON object a line, each answer carries the id of its request."""

    def __init__(self, program):
        self.process = subprocess.Popen(
            [program, "engine"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )
        self.count = 0

    def ask(self, cmd, **fields):
        self.count += 1
        request = {"id": self.count, "cmd": cmd, **fields}
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        assert answer["id"] == self.count, answer
        if not answer["ok"]:
            raise Refused(answer["error"])
        return answer

    def quit(self):
        self.ask("quit")
        self.process.stdin.close()
        return self.process.wait(timeout=10)


def choose(engine, game, decision, dice):
    """An option's id: the best of a few fights if there are any, otherwise any option."""
    options = [option["id"] for option in decision["options"]]
    fights = engine.ask("odds", game=game)["odds"]
    if fights:
        # `sum` is what the modifiers come to; the attacker wants it high.
        return max(fights, key=lambda fight: fight["sum"])["option"]
    return dice.choice(options)


def play(engine, game, dice):
    """Plays until there is a verdict; returns it and the number of decisions."""
    decisions = 0
    while True:
        answer = engine.ask("decision", game=game)
        decision = answer["decision"]
        if decision is None:
            return answer["verdict"], decisions
        assert decision["options"], "whoever is asked has something to choose"
        option = choose(engine, game, decision, dice)
        done = engine.ask("apply", game=game, side=decision["side"], option=option)
        assert "hash" in done and "events" in done
        decisions += 1


def tour(engine, game):
    """Every other command once."""
    decision = engine.ask("decision", game=game)["decision"]
    side, first = decision["side"], decision["options"][0]["id"]

    view = engine.ask("view", game=game, seat=side)["view"]
    assert view["units"] and view["turn"]["label"]
    other = next(s for s in ("cs", "us") if s != side)
    assert engine.ask("decision", game=game, seat=other)["decision"]["options"] == []
    assert first in engine.ask("moves", game=game)["text"]
    assert engine.ask("why", game=game, option=first)["offered"] is True

    # A fork thinks ahead and leaves the game alone.
    before = engine.ask("fork", game=game, same_dice=True)
    engine.ask("apply", game=before["game"], option=first)
    fork = engine.ask("fork", game=game, seat=side, seed="1863")
    assert fork["asked"] == side
    engine.ask("drop", game=fork["game"])
    engine.ask("drop", game=before["game"])

    # What was saved is loaded to the same hash.
    done = engine.ask("apply", game=game, option=first)
    text = engine.ask("save", game=game)["journal"]
    again = engine.ask("load", journal=text)
    assert again["hash"] == done["hash"], "a loaded game stands where it was saved"
    engine.ask("drop", game=again["game"])
    try:
        engine.ask("undo", game=game, side=side)
    except Refused:
        pass  # A die was rolled: what was seen cannot be unseen.

    # A refusal has a sentence, and often a suggestion.
    for cmd, fields in [
        ("apply", {"game": game, "option": "no-such-thing"}),
        ("decision", {"game": "g999"}),
        ("aply", {"game": game}),
        ("load", {"journal": text[: len(text) // 2]}),
    ]:
        try:
            engine.ask(cmd, **fields)
        except Refused as refused:
            assert refused.error["message"]
        else:
            raise AssertionError(f"{cmd} {fields} should be refused")


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else "cupola"
    scenario = sys.argv[2] if len(sys.argv) > 2 else "corps20/july1"
    seed = sys.argv[3] if len(sys.argv) > 3 else "1863"
    engine = Engine(program)
    played = [ruleset["name"] for ruleset in engine.ask("list")["rulesets"] if ruleset["played"]]
    assert scenario.split("/")[0] in played, played
    game = engine.ask("new", scenario=scenario, seed=seed)["game"]
    tour(engine, game)
    verdict, decisions = play(engine, game, random.Random(seed))
    code = engine.quit()
    print(f"{scenario}: {decisions} decisions, winner {verdict['winner'] or 'nobody'}, {verdict['how']}")
    return code


if __name__ == "__main__":
    sys.exit(main())
