"""The set-up of a scenario from the kit. Asks nobody and throws nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pbem.games.here_i_stand.places import ELECTORATE, OFF, POOL
from pbem.games.here_i_stand.victory import score
from pbem.games.reformation import hands, marks, sequence
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.forces import LEADER, supply_total
from pbem.games.reformation.relations import make_alliance, make_war, set_minor_ally
from pbem.table.board import SUPPLY
from pbem.table.procedure import Table


def set_up(table: Table, scenario: str) -> None:
    """Lay the pieces and cards of a scenario out."""
    facts = table.kit.scenarios[scenario]
    setup = facts["setup"]
    table.set("scenario", scenario)
    table.set("turn", facts["first_turn"])
    table.set("impulse", 0)
    _spaces(table, setup)
    _relations(table, setup)
    _units(table, setup)
    _pieces(table, setup)
    _new_world(table, setup)
    for row in _rows(table, "setup_tracks", setup):
        table.count(row["track"], row["power"], row["value"])
    for power in table.board.powers:
        for track in score.BONUS_TRACKS:
            table.count(track, power, 0)
    table.set("ruler", {row["power"]: row["ruler"] for row in _rows(table, "setup_rulers", setup)})
    table.set("heirs", [])
    _cards(table, setup, facts["first_turn"])
    if facts["first_turn"] > 1:
        # What the events left out of this set-up have brought about already.
        table.set("barbary_pirates", True)
        table.set("home:algiers", "ottoman")
        table.set("league", True)
        table.set("hungary_defeated", True)
    sequence.begin(table, "theses" if facts["first_turn"] == 1 else "draw")
    score.settle(table)


def _rows(table: Table, name: str, setup: str) -> Iterator[Mapping[str, Any]]:
    return (row for row in table.kit.tables[name].values() if str(row["scenario"]) == setup)


def _spaces(table: Table, setup: str) -> None:
    for row in _rows(table, "setup_spaces", setup):
        if row["control"]:
            table.set(f"control:{row['space']}", row["control"])
        if table.options["papal_florence_1532"] and "papal_florence_1532" in (row["notes"] or ""):
            table.set(f"control:{row['space']}", "papacy")
        if row["religion"]:
            table.set(f"religion:{row['space']}", row["religion"])
    if table.options["stirling_fortress"]:
        table.set("fortress:stirling", True)


def _relations(table: Table, setup: str) -> None:
    table.set("at_war", [])
    table.set("allied", [])
    table.set("minor_ally", {})
    for row in _rows(table, "setup_relations", setup):
        if row["relation"] == "war":
            make_war(table, row["a"], row["b"])
        elif row["relation"] == "minor_ally":
            set_minor_ally(table, row["b"], row["a"])
        else:
            make_alliance(table, row["a"], row["b"])


def _units(table: Table, setup: str) -> None:
    for owner in atlas(table).owners:
        for kind, number in supply_total(table.kit, owner).items():
            table.move(owner, kind, number, None, SUPPLY)
    for row in _rows(table, "setup_units", setup):
        papal = table.options["papal_florence_1532"]
        if row["variant"] == ("independent_florence" if papal else "papal_florence"):
            continue
        table.place(row["power"], row["unit"], row["place"], row["count"])
    for row in _rows(table, "setup_electorates", setup):
        table.place("protestant", "regular", ELECTORATE + row["space"], row["regulars"])


def _pieces(table: Table, setup: str) -> None:
    at = {(row["kind"], row["piece"]): row["at"] for row in _rows(table, "setup_pieces", setup)}
    for leader in table.kit.tables["leaders"]:
        table.put(LEADER + leader, at.get(("leader", leader), OFF))
    for debater, row in table.kit.tables["debaters"].items():
        place = at.get(("debater", debater), OFF)
        if place == "zone":
            place = row["language"] or "any"
        table.put(f"debater:{debater}", place, committed=False)
    for reformer in table.kit.tables["reformers"]:
        place = at.get(("reformer", reformer), OFF)
        # 8.2: who is on the map, or was, has entered: he comes back without turning his space.
        marks: dict[str, Any] = {} if place == OFF else {"entered": True}
        table.put(f"reformer:{reformer}", place, **marks)


def _new_world(table: Table, setup: str) -> None:
    kit = table.kit
    for explorer, row in kit.tables["explorers"].items():
        table.put(f"explorer:{explorer}", POOL if row["in_pool"] else OFF)
    for conquistador, row in kit.tables["conquistadors"].items():
        for number in range(row["counters"]):
            id = conquistador if row["counters"] == 1 else f"{conquistador}:{number + 1}"
            table.put(f"conquistador:{id}", POOL)
    for discovery in kit.tables["discoveries"]:
        table.put(f"discovery:{discovery}", "display")
    for row in _rows(table, "setup_new_world", setup):
        kind, power, id, where = row["kind"], row["power"], row["id"], row["at"]
        if kind.endswith("_underway"):
            voyage = kind.removesuffix("_underway")
            table.put(f"voyage:{voyage}:{power}", f"crossing:{power}", bonus=0)
            marks.note(table, "turn", {"exploration": "explore", "conquest": "conquer"}[voyage], power)
        elif kind == "discovery":
            conquest = kit.tables["discoveries"][id]["kind"] == "conquest"
            table.put(f"discovery:{id}", power, riches=conquest)
        elif kind == "colony":
            table.put(f"colony:{power}:{id}", power)
            table.count("colonies", power, 1)
        else:
            table.put(f"{kind}:{id}", where)


def _cards(table: Table, setup: str, first_turn: int) -> None:
    _sight(table, hands.DECK, "referee")
    _sight(table, hands.BOX, "referee")
    for power in table.board.powers:
        _sight(table, hands.hand(power), "owner")
    special = {str(row["card"]): row["pile"] for row in _rows(table, "setup_cards", setup)}
    for card, row in table.kit.tables["cards"].items():
        if card in special:
            pile = special[card]
        elif row["kind"] == "home":
            pile = hands.home(row["owner"])
        elif row["entry"] == "start" or (row["entry"] == "turn" and (row["turn"] or 0) < first_turn):
            pile = hands.DECK
        else:
            pile = hands.BOX
        table.card(card, None, pile)

def _sight(table: Table, name: str, rule: str) -> None:
    table.do({"fact": "sight", "name": name, "before": None, "after": rule})
