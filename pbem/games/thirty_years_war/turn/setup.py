"""4.0, 18.0: the set-ups of the four scenarios, and what the players place in them (digest 2.1)."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pbem.games.thirty_years_war import control, pieces, score
from pbem.games.thirty_years_war.cards import placing
from pbem.games.thirty_years_war.control import ALL, CONTROL, MAJORITY, REGION
from pbem.games.thirty_years_war.map import CLOSED, OFF_MAP, SIDES, atlas, roll
from pbem.games.thirty_years_war.turn import deck, sequence
from pbem.table.board import SUPPLY
from pbem.table.orders import Many, Name, Order, Question, Refused
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import AllOf

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
MOST_LOOT = 60
WHOLE_LISTS = 4
"""Lists of loot markers that are shown to who is asked for one."""
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


class PlaceLoot(Order):
    """Say where your loot markers go, one after another; a space named twice is looted by two levels."""

    line = "PLACE LOOT {spaces}"
    spaces = Many(Name("space"), most=MOST_LOOT)

    def check(self, table: Table, question: Question) -> None:
        if len(self.spaces) > question.context["markers"]:
            raise Refused("too_many_loot_markers", "18.24", named=len(self.spaces), most=question.context["markers"])
        placed: list[str] = []
        for space in self.spaces:
            refusal = loot_refusal(table, space, placed)
            if refusal:
                raise refusal
            placed.append(space)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        """Some whole lists, as many spaces as are asked, then each space alone."""
        spaces = [space for space in atlas(table).spaces if loot_refusal(table, space) is None]
        for start in range(0, len(spaces), max(1, len(spaces) // WHOLE_LISTS)):
            placed: list[str] = []
            for space in spaces[start:] + spaces[:start]:
                if len(placed) < question.context["markers"] and loot_refusal(table, space, placed) is None:
                    placed.append(space)
            yield cls(spaces=placed)
        for space in spaces:
            yield cls(spaces=[space])

    @classmethod
    def sample(cls, table: Table, question: Question, chance: random.Random) -> Order | None:
        placed: list[str] = []
        spaces = list(atlas(table).spaces)
        while len(placed) < question.context["markers"]:
            legal = [space for space in spaces if loot_refusal(table, space, placed) is None]
            if not legal:
                break
            placed.append(chance.choice(legal))
        return cls(spaces=placed) if placed else None


def loot_refusal(table: Table, space: str, placed: Sequence[str] = ()) -> Refused | None:
    """18.24, G-17: why the next loot marker may not go to a space, after those in `placed`; None when it may.

    Markers go to regions that are not neutral, of either side, and to so many neutral cities as the scenario allows; by
    option ``neutral_loot`` to regions alone, to at most so many spaces of each.
    """
    chart = atlas(table)
    region = chart.region(space)
    looted = [one for one in chart.spaces if control.loot(table, one) or one in placed]
    most = table.kit.scenarios[table.board.state["scenario"]]["neutral_loot"]
    by_region = table.options["neutral_loot"] == "three_spaces_a_region"
    if space in chart.boxes or control.is_closed(table, region):
        return Refused("no_loot_there", "18.24", space=space)
    if control.loot(table, space) + list(placed).count(space) >= table.kit.constants["highest_loot"]:
        return Refused("looted_already", "15.221", space=space)
    if region is not None:
        if control.is_neutral(table, region):
            return Refused("neutral_region", "18.24", space=space, region=region)
        of_region = [one for one in looted if chart.region(one) == region]
        if by_region and most and space not in of_region and len(of_region) >= most:
            return Refused("region_looted_enough", "18.24", space=space, region=region, most=most)
        return None
    neutral = [one for one in looted if chart.region(one) is None]
    if by_region or control.holder(table, space) is not None:
        return Refused("markers_go_to_regions", "18.24", space=space)
    if space not in neutral and len(neutral) >= most:
        return Refused("neutral_places_looted_enough", "18.24", space=space, most=most)
    return None


def place_french(table: Table) -> Procedure:
    """18.32, O-91: the French forces stand where the Protestant wants them in the French spaces."""
    there = [piece for space in _off_map(table) for piece in pieces.pieces_at(table, space)]
    if not there or table.board.state["turn"] != table.kit.scenarios[table.board.state["scenario"]]["first_turn"]:
        return
    side = pieces.side_of(table, there[0])
    for piece in there:
        table.put(piece, pieces.OFF if pieces.is_leader(piece) else SUPPLY)
    card = table.kit.constants["cards"]["france_enters"]
    yield from placing.arrive(table, side, card, _off_map, section="18.32")


def _off_map(table: Table) -> list[str]:
    return [space for space in atlas(table).spaces if atlas(table).is_off_map(space)]


def place_loot(table: Table) -> Procedure:
    """18.24, 18.34, O-01: a die says how many markers there are; both sides place them alternately, Protestant first.

    Each says in one list where his go, sealed; they are laid in turn. What can no longer go where its list says (the
    other side has looted it as far as it goes) is passed over. Who comes to his turn and has nothing left in his list
    is asked again; the other's list stays sealed meanwhile, so that nobody sees more of it than has been laid (3.10).
    """
    scenario = table.board.state["scenario"]
    rows = [row for row in table.kit.tables["scenario_loot"].values() if row["scenario"] == scenario]
    if not rows:
        return
    face = roll(table, "loot markers", SIDES[0], section="18.24")
    total = next(row["markers"] for row in rows if row["minimum"] <= face <= row["maximum"])
    table.tell("loot_total", markers=total, section="18.24")
    left = {side: (total + (side == SIDES[0])) // 2 for side in SIDES}
    lists: dict[str, list[str]] = {side: [] for side in SIDES}
    turn = 0
    while any(left.values()) and _anywhere(table):
        side = SIDES[turn % len(SIDES)]
        if not left[side]:
            turn += 1
            continue
        for one in SIDES:
            lists[one] = _still_legal(table, lists[one])
        if not lists[side]:
            answers = yield AllOf(
                [
                    Question(one, "loot_markers", [PlaceLoot], context={"markers": left[one]}, section="18.24")
                    for one in SIDES
                    if left[one] and not lists[one]
                ]
            )
            lists.update({one: list(order.spaces) for one, order in answers.items()})
            continue
        space = lists[side].pop(0)
        control.set_loot(table, space, control.loot(table, space) + 1, why="placed", section="18.24")
        left[side] -= 1
        turn += 1


def _still_legal(table: Table, spaces: Sequence[str]) -> list[str]:
    """Those of a list, in its order, to which a marker may go as things stand."""
    return [space for space in spaces if loot_refusal(table, space) is None]


def _anywhere(table: Table) -> bool:
    return any(loot_refusal(table, space) is None for space in atlas(table).spaces)


ORDERS: tuple[type[Order], ...] = (PlaceLoot,)
