"""4.0, 18.0: the set-ups of the four scenarios, and what the players place in them (digest 2.1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pbem.games.thirty_years_war import deck, pieces, score, sequence
from pbem.games.thirty_years_war.control import ALL, CONTROL, MAJORITY, REGION
from pbem.games.thirty_years_war.map import CLOSED, OFF_MAP, SIDES, atlas
from pbem.table.board import SUPPLY
from pbem.table.procedure import Procedure, Table

_STATES = {
    "pope": "pope",
    "val_telline": "passes",
    "palatinate_elector": "palatine_elector",
    "wallenstein_status": "wallenstein",
    "elector_majority_award": MAJORITY,
    "elector_all_award": ALL,
    "hungarian_rebellion": "rebellion",
    "saxony_side": "saxony",
    "dutch_award_plus2": "dutch_award:2",
}
"""name in the kit -> name on the board; what a card that is out of the game has done stands as its event."""

_NOTHING = ("none", "no")
_COUNTERS = {"dutch_war": "dutch_war", "wallenstein_influence": "influence"}
ENTRY_NATIONS = ("danish", "swedish", "french")


def set_up(table: Table, scenario: str) -> None:
    """Lay the pieces, markers and cards of a scenario out; asks nobody and throws nothing."""
    facts = table.kit.scenarios[scenario]
    table.set("scenario", scenario)
    table.set("turn", facts["first_turn"])
    table.set("last_turn", facts["last_turn"])
    table.set("activation", 0)
    _markers(table, scenario)
    _pieces(table, scenario)
    _cards(table, scenario)
    for side in SIDES:
        table.count("activations", side, 0)
    sequence.enter(table, sequence.SET_UP)


def _rows(table: Table, name: str, scenario: str) -> Iterator[Mapping[str, Any]]:
    return (row for row in table.kit.tables[name].values() if row["scenario"] == scenario)


def _markers(table: Table, scenario: str) -> None:
    for row in _rows(table, "setup_states", scenario):
        value = True if row["value"] in ("yes", "taken") else row["value"]
        if row["state"] in _STATES and value not in _NOTHING:
            table.set(_STATES[row["state"]], value)
    started: dict[str, str] = {}
    for row in _rows(table, "setup_control", scenario):
        name = (REGION if row["kind"] == "region" else CONTROL) + row["place"]
        held = row["holder"]
        if held and not (row["kind"] != "region" and held == "neutral") and held != "special":
            table.set(name, held)
            if held in SIDES:
                started[row["place"]] = held
    table.set("at_start", started)
    for row in _rows(table, "setup_aid", scenario):
        if row["active"]:
            table.set(f"source:{row['aid']}", "on")
    for row in _rows(table, "setup_tracks", scenario):
        if row["track"] == score.VP:
            score.vp(table, row["value"], score.START, "4.0")
        elif row["track"] in _COUNTERS:
            table.counter(_COUNTERS[row["track"]], row["value"])
    for name in _COUNTERS.values():
        table.counter(name, 0)
    effect = [row["box"] for row in table.kit.tables["dutch_war"].values() if row["up_aid"]]
    if table.board.counter("dutch_war") in effect:
        table.set("dutch_war_effect", table.board.counter("dutch_war"))


def _pieces(table: Table, scenario: str) -> None:
    leaders = table.kit.tables["leaders"]
    placed: set[str] = set()
    for piece in pieces.all_pieces(table.kit):
        if pieces.is_leader(piece):
            table.put(piece, pieces.OFF)
        else:
            table.put(piece, SUPPLY)
    for row in _rows(table, "setup_pieces", scenario):
        if row["kind"] == "leader":
            counter = pieces.LEADER + leaders[row["piece"]]["counter"]
            back = row["piece"] != leaders[row["piece"]]["counter"]
            table.put(counter, row["space"], **({"face": row["piece"]} if back else {}))
            placed.add(leaders[row["piece"]]["nation"])
        elif row["kind"] == "unit":
            for _ in range(row["count"]):
                reduced = row["strength"] == pieces.REDUCED
                pieces.place(table, row["piece"], row["space"], reduced=reduced, why="set_up")
            placed.add(table.kit.tables["units"][row["piece"]]["nation"])
        elif row["kind"] == "base":
            table.set("swedish_base", row["space"])
    for nation in ENTRY_NATIONS:
        if nation in placed:
            table.set(f"entered:{nation}", 0)
    french = table.kit.tables["nations"]["french"]["side"]
    for region, row in atlas(table).regions.items():
        if row["kind"] == OFF_MAP:
            table.set(REGION + region, french if "french" in placed else CLOSED)
    names = table.kit.constants["leaders"]
    status = table.board.state.get("wallenstein")
    if status in ("dismissed", "assassinated"):
        table.put(
            pieces.LEADER + names["wallenstein"], pieces.DISMISSED if status == "dismissed" else pieces.REMOVED
        )


def _cards(table: Table, scenario: str) -> None:
    for side in SIDES:
        _sight(table, deck.deck(side), "referee")
        _sight(table, deck.hand(side), "owner")
        _sight(table, deck.discarded(side), "owner")
    out = {row["card"] for row in _rows(table, "setup_cards", scenario)}
    groups = {row["group"]: row["enters"] for row in _rows(table, "setup_decks", scenario)}
    for card, row in table.kit.tables["cards"].items():
        if card in out:
            table.card(card, None, deck.removed(row["side"]))
            table.set(f"event:{card}", 0)
        elif groups[row["group"]] == "start":
            table.card(card, None, deck.deck(row["side"]))
        else:
            table.card(card, None, deck.box(row["group"], row["side"]))


def _sight(table: Table, name: str, rule: str) -> None:
    table.do({"fact": "sight", "name": name, "before": None, "after": rule})


# --- what is placed before play ---


def begin(table: Table) -> Procedure:
    """S1 to S3: the French (O-91), loot markers (O-01); draw piles need no shuffle: cards are drawn by chance."""
    yield from ()

