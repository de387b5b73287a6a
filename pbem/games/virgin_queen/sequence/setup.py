"""The set-up of a scenario from the kit. Asks nobody and throws nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pbem.games.reformation import hands, sequence
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.forces import LEADER, supply_total
from pbem.games.reformation.relations import make_war, set_minor_ally
from pbem.games.virgin_queen.court import patronage
from pbem.games.virgin_queen.new_world import treasures
from pbem.games.virgin_queen.places import AVAILABLE, DISPLAY, ELIGIBLE, OFF, POOL, REMOVED, arrived
from pbem.games.virgin_queen.powers import activated, majors, minors
from pbem.games.virgin_queen.victory import score
from pbem.games.virgin_queen.victory.conditions import PREFERENCE
from pbem.table.board import SUPPLY
from pbem.table.procedure import Table

PUT_AWAY = "put_away"


def set_up(table: Table, scenario: str) -> None:
    """Lay the pieces and cards of a scenario out."""
    facts = table.kit.scenarios[scenario]
    setup, first = facts["setup"], facts["first_turn"]
    table.set("scenario", scenario)
    table.set("turn", first)
    table.set("impulse", 0)
    _spaces(table, setup)
    _relations(table, setup)
    _units(table, setup)
    _world(table, setup)
    _people(table, setup, first)
    _influence(table)
    table.set("ruler", {row["power"]: row["ruler"] for row in _rows(table, "setup_rulers", setup)})
    table.set("for_hire", 0)
    table.set("vp_markers", {})
    for row in _rows(table, "setup_states", setup):
        table.set(row["name"], row["value"])
    for row in _rows(table, "setup_tracks", setup):
        _track(table, row)
    _cards(table, setup, first)
    treasures.set_up(table)
    _preferences(table)
    for power in table.board.powers:
        table.count("vp", power, 0)
    sequence.begin(table, "draw")
    activated.set_up(table)
    score.settle(table)


def _rows(table: Table, name: str, setup: str) -> Iterator[Mapping[str, Any]]:
    return (row for row in table.kit.tables[name].values() if str(row["scenario"]) == setup)


def _spaces(table: Table, setup: str) -> None:
    """2.2: each space is its home power's, the lower one's of two, but where the set-up has another marker."""
    held = {row["space"]: row["power"] for row in _rows(table, "setup_control", setup)}
    turned = {row["space"]: row["side"] for row in _rows(table, "setup_religion", setup)}
    for space, row in table.kit.tables["spaces"].items():
        table.set(f"control:{space}", held.get(space, row["home"]))
        religion = row["religion"]
        if turned and score.region_of(table, space):
            religion = turned.get(space, "catholic")
        table.set(f"religion:{space}", religion)


def _relations(table: Table, setup: str) -> None:
    table.set("at_war", [])
    table.set("allied", [])
    table.set("minor_ally", {})
    for faction, power in atlas(table).faction_of.items():
        set_minor_ally(table, faction, power)
    for row in _rows(table, "setup_relations", setup):
        if row["relation"] == "war":
            make_war(table, row["a"], row["b"])
        else:
            set_minor_ally(table, row["b"], row["a"])


def _units(table: Table, setup: str) -> None:
    for owner in atlas(table).owners:
        for kind, number in supply_total(table.kit, owner).items():
            table.move(owner, kind, number, None, SUPPLY)
    for row in _rows(table, "setup_units", setup):
        table.place(row["power"], row["unit"], row["place"], row["count"])


def _world(table: Table, setup: str) -> None:
    for village, row in table.kit.tables["villages"].items():
        if row["start_owner"] and row["start_owner"] != "none":
            table.set(f"village:{village}", row["start_owner"])
    for power, number in table.kit.constants["colonies"].items():
        for one in range(1, number + 1):
            table.put(f"colony:{power}:{one}", SUPPLY)
    for row in _rows(table, "setup_markers", setup):
        if row["kind"] == "fortress":
            table.set(f"fortress:{row['place']}", True)
        elif row["kind"] == "patrol":
            table.place(row["power"], "patrol", row["place"], row["number"])
        elif row["kind"] == "control":
            table.set(f"village:{row['place']}", row["power"])
        elif row["kind"] == "capital":
            table.set(f"capital:{row['power']}", [row["place"]])


def is_in_from_the_start(turn: int | None, first: int) -> bool:
    """8.1: whether who enters in a turn is there at the set-up: those of earlier turns, and of turn 1 in turn 1."""
    return turn is not None and (turn < first or turn == first == 1)


def _people(table: Table, setup: str, first: int) -> None:
    """5, 21, 22: leaders, captains, Royals, artists and scientists; captains, artists and scientists of a power without
    a seat are out of the game (3.1)."""
    at = {row["piece"]: row for row in _rows(table, "setup_pieces", setup)}
    kit, absent = table.kit.tables, majors.unseated(table)
    for leader in kit["leaders"]:
        row = at.get(LEADER + leader)
        place = row["at"] if row else OFF
        table.put(LEADER + leader, arrived(place.partition(":")[2]) if place.startswith("off_map:") else place)
    for captain, row in kit["sea_captains"].items():
        there = is_in_from_the_start(row["entry_turn"], first)
        own = row["powers"][0] if len(row["powers"]) == 1 else None
        place = (f"{POOL}:{own}" if own else POOL) if there else OFF
        table.put(f"captain:{captain}", REMOVED if own in absent else place)
    for royal, row in kit["royals"].items():
        named = at.get(f"royal:{royal}")
        if majors.EMPIRE in absent and royal in table.kit.constants["royals_without_empire"]:
            table.put(f"royal:{royal}", REMOVED)
        elif named:
            marks: dict[str, Any] = {"box": int(named["value"])} if named["at"] == ELIGIBLE else {}
            table.put(f"royal:{royal}", named["at"], **marks)
        elif is_in_from_the_start(row["entry_turn"], first):
            table.put(f"royal:{royal}", ELIGIBLE, box=row["eligibility"])
        else:
            table.put(f"royal:{royal}", OFF)
    _awards(table)
    for number in range(1, table.kit.constants["jesuits"] + 1):
        table.put(f"jesuit:{number}", SUPPLY)
    for power in table.board.powers:
        for number in range(1, table.kit.constants["informants"] + 1):
            table.put(f"informant:{power}:{number}", OFF)
    for kind in ("artist", "scientist"):
        for one, row in kit[f"{kind}s"].items():
            gone = f"{kind}:{one}" in at or row["power"] in absent
            there = is_in_from_the_start(row["entry_turn"], first)
            table.put(f"{kind}:{one}", REMOVED if gone else AVAILABLE if there else OFF)


def _awards(table: Table) -> None:
    """22: the VP markers of patronage; some leave the game with each power without a seat."""
    absent = majors.unseated(table)
    for award in table.kit.tables["patronage_awards"].values():
        less = dict(entry.split(":") for entry in award["removed_in_small_games"])
        count = award["count"] - sum(int(less.get(power, 0)) for power in absent)
        for number in range(1, count + 1):
            table.put(f"award:{award['side']}:{award['type']}:{award['vp']}:{number}", DISPLAY)


def _influence(table: Table) -> None:
    charted = [*atlas(table).minors, *majors.unseated(table)]
    table.set("influence", {minor: minors.default_influence(table, minor) for minor in charted})


def _track(table: Table, row: Mapping[str, Any]) -> None:
    if row["track"] == "mercenaries_for_hire":
        table.set("for_hire", row["value"] if row["power"] in table.board.powers else 0)
    elif row["track"].startswith("bonus_vp:") and row["power"] in table.board.powers:
        name = row["track"].partition(":")[2]
        if name == "patronage":  # one of the markers on the display, which is gone from there
            patronage.claim(table, row["power"], patronage.ARTIST, "any", row["value"])
        else:
            score.award(table, row["power"], name, row["value"])


def _cards(table: Table, setup: str, first: int) -> None:
    _sight(table, hands.DECK, "referee")
    _sight(table, hands.BOX, "referee")
    for power in table.board.powers:
        _sight(table, hands.hand(power), "owner")
        _sight(table, f"{PUT_AWAY}:{power}", "owner")
    special = {str(row["card"]): row["pile"] for row in _rows(table, "setup_cards", setup)}
    out = _out_of_the_game(table)
    for card, row in table.kit.tables["cards"].items():
        there = row["entry"] == "start" or (row["entry"] == "turn" and row["turn"] < first)
        if card in special:
            pile = special[card]
        elif card in out:
            pile = hands.REMOVED
        elif row["kind"] == "home" and there:
            pile = hands.home(row["owner"])
        else:
            pile = hands.DECK if there else hands.BOX
        table.card(card, None, pile)


def _out_of_the_game(table: Table) -> set[str]:
    """The cards that games of so many powers leave out: those for small games, home cards without a seat, and so on."""
    constants, held = table.kit.constants, table.board.powers
    seats = len(held)
    full = seats == len(majors.all_powers(table))
    out = [*constants["cards_small_games"]] if full else []
    if seats == len(majors.all_powers(table)) - 1:
        out += constants["cards_out_with_five"]
    elif not full:
        out += constants["cards_out_below_five"]
    cards = table.kit.tables["cards"]
    out += [card for card, row in cards.items() if row["kind"] == "home" and row["owner"] not in held]
    return {str(card) for card in out}


def _preferences(table: Table) -> None:
    """10, 23.5: the cards of which the Empire takes one, with six players only."""
    if majors.unseated(table):
        return
    _sight(table, PREFERENCE, "owner")
    _sight(table, f"preferences:{majors.EMPIRE}", "owner")
    _sight(table, f"preferences_left:{majors.EMPIRE}", "owner")
    for preference in table.kit.constants["preferences"]:
        table.card(f"preference:{preference}", None, f"preferences:{majors.EMPIRE}", to=[majors.EMPIRE])


def _sight(table: Table, name: str, rule: str) -> None:
    table.do({"fact": "sight", "name": name, "before": None, "after": rule})
