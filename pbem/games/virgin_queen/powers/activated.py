"""3.2: with 2 to 5 players the major powers without a seat: inactive, or activated and played by a power with a seat.

Rebuilt but for 3.2, 10 and 24.6: the rulebook says that they change between the two by their status, that who wins it
controls them until it is evaluated again, and that they keep no home cards. The table plays an activated power from the
seat of its controller (``board.played_by``); to the rules it is a major power like others, with a hand and an impulse
of its own, but for what this module and `majors.seated` leave out. An inactive one is like an inactive minor power.

State: the mark ``turn:keys_held`` {power: [key, ...]}, the keys of each power without a seat as the turn began.
"""

from __future__ import annotations

from pbem.games.reformation import hands, homeward, impulse, marks, minor_powers, new_wars
from pbem.games.reformation.ground import besieged
from pbem.games.reformation.relations import allies_of, end_alliance, end_war, make_alliance, set_minor_ally
from pbem.games.reformation.siege import check_sieges, remove_besieger
from pbem.games.virgin_queen.new_world import treasures
from pbem.games.virgin_queen.powers import majors
from pbem.games.virgin_queen.powers.majors import EMPIRE
from pbem.games.virgin_queen.victory import score
from pbem.table.facts import seating
from pbem.table.orders import Refused
from pbem.table.procedure import Procedure, Table

SECTION = "3.2"
KEYS_HELD = "keys_held"


def controller_of(table: Table, major: str) -> str | None:
    """The power whose seat plays an activated power, or None: it is inactive, or has a seat."""
    return table.board.played_by.get(major)


# --- it comes into play, and leaves it ---


def set_up(table: Table) -> None:
    """3.2: who is activated as the game begins; none of those that have a seat."""
    for major, power in table.kit.constants["activated_at_start"].items():
        if major in majors.unseated(table):
            play_from(table, major, power)


def take_up(table: Table) -> None:
    """Powers that an earlier program activated as if they were minor ones come into play; the deal gives them cards."""
    for major, power in table.board.state["minor_ally"].items():
        if major in majors.unseated(table):
            set_minor_ally(table, major, None, section=SECTION)
            play_from(table, major, power)


def activate(table: Table, major: str, power: str) -> Procedure:
    """3.2: a power controls it from now on, and is allied to it; a war of the two is over.

    Who controlled it before has no part in it any more. In the Actions phase it draws its first cards at once.
    """
    former = controller_of(table, major)
    if former is not None:
        table.tell("control_lost", power=former, target=major, section=SECTION)
        lay_hand_down(table, major)
        yield from _part(table, major, former)
    play_from(table, major, power)
    if table.board.state["phase"] == "action":
        hands.draw_cards(table, major, table.kit.constants["activated_first_cards"], "activated", section=SECTION)
    yield from check_sieges(table)


def play_from(table: Table, major: str, power: str) -> None:
    """The seat of a power plays another one; the two are allied for as long as it does."""
    _close_hand(table, major)
    _seat(table, {**table.board.played_by, major: power})
    table.tell("plays_for", power=power, target=major, section=SECTION)
    _ally(table, major, power)


def _close_hand(table: Table, major: str) -> None:
    """Its cards and treasures are for the eyes of whoever plays it."""
    for name in (hands.hand(major), treasures.hand(major)):
        if name not in table.board.sight:
            table.do({"fact": "sight", "name": name, "before": None, "after": "owner"})


def _ally(table: Table, major: str, power: str) -> None:
    """The two are allied, and a war of theirs is over."""
    end_war(table, major, power, why="activated", section=SECTION)
    make_alliance(table, major, power, why="activated", section=SECTION)


def put_right(table: Table) -> None:
    """3.2, after a ruling has changed who plays a power without a seat: hand, alliance and spies are as its status has
    it. Whoever is asked something when it comes into play or leaves it in play is not asked here; its cards come with
    the next deal."""
    for major in majors.unseated(table):
        power = controller_of(table, major)
        allies = allies_of(table.board, major)
        if power is None:
            for ally in allies:
                end_alliance(table, major, ally, why="deactivated", section=SECTION)
            _forget(table, major)
        else:
            _close_hand(table, major)
            if power not in allies:
                _ally(table, major, power)


def part_from_controller(table: Table, major: str) -> None:
    """Before a ruling gives an activated power to somebody else, or to nobody: it is its controller's ally no more."""
    former = controller_of(table, major)
    if former is not None:
        end_alliance(table, major, former, why="deactivated", section=SECTION)


def _seat(table: Table, played_by: dict[str, str]) -> None:
    """Who is in play from now on, in impulse order, and from whose seat those are played that have none."""
    seated = table.board.seated()
    order = [power for power in majors.all_powers(table) if power in seated or power in played_by]
    after = {"powers": order, "played_by": dict(sorted(played_by.items()))}
    table.do({"fact": "players", "before": seating(table.board), "after": after, "section": SECTION})


def deactivate(table: Table, major: str) -> Procedure:
    """3.2: it is inactive: no hand, no impulse, no alliances, nobody for hire. Wars stay. Its ships at sea go to the
    nearest port of its own; who besieges goes home, as of a minor power (24.4); its other units stay."""
    former = table.board.played_by[major]
    if table.board.state.get("active") == major and table.board.state["phase"] == "action":
        impulse.leave_impulse(table)
    table.tell("control_lost", power=former, target=major, section=SECTION)
    lay_hand_down(table, major)
    for space in besieged(table):
        if major in table.board.state[f"siege:{space}"]["by"]:
            yield from minor_powers.go_home(table, major, space, former, SECTION)
            remove_besieger(table, major, space)
    for ally in allies_of(table.board, major):
        yield from _part(table, major, ally)
    _forget(table, major)
    leave(table, major)
    if major == EMPIRE:
        table.set("for_hire", 0, why="deactivated", section=SECTION)
    homeward.to_nearest_ports(table, major, section=SECTION)
    yield from check_sieges(table)


def leave(table: Table, major: str) -> None:
    """An activated power is played from no seat any more."""
    _seat(table, {one: by for one, by in table.board.played_by.items() if one != major})


def _part(table: Table, major: str, ally: str) -> Procedure:
    """An alliance is over, with the loans under it."""
    end_alliance(table, major, ally, why="deactivated", section=SECTION)
    yield from new_wars.recall_ships(table, major, ally)
    yield from new_wars.recall_ships(table, ally, major)


def _forget(table: Table, major: str) -> None:
    """What the impulses and the spies remember of a power is over when it is inactive."""
    for name in (impulse.SKIPPED, "skips_impulse"):
        left = [one for one in marks.mark(table, "turn", name, []) if one != major]
        marks.set_mark(table, "turn", name, left or None)
    for piece in table.board.pieces_at(f"spying:{major}"):
        table.put(piece, f"reserve:{piece.split(':')[1]}", why="deactivated", section=SECTION)


def lay_hand_down(table: Table, major: str) -> None:
    """3.2: who loses control leaves nothing to the next one: cards and treasures are discarded, what it laid on top of
    the deck is mixed into it."""
    for pile, place in (
        (hands.hand(major), hands.DISCARD),
        (f"{hands.ASIDE}:{major}", hands.DISCARD),
        (treasures.hand(major), treasures.SPENT),
        (f"{treasures.ASIDE}:{major}", treasures.SPENT),
    ):
        for card in list(table.board.piles.get(pile, ())):
            home = place == hands.DISCARD and hands.kind_of(table, card) == "home"
            where = hands.home(hands.row(table, card)["owner"]) if home else place
            table.card(card, pile, where, why="control_lost", section=SECTION)
    for name in (f"{hands.ASIDE}:{major}", f"{treasures.ASIDE}:{major}"):
        table.set(name, None)
    top = f"{hands.DECK_TOP}:{major}"
    if table.board.piles.get(top):
        for card in list(table.board.piles[top]):
            table.card(card, top, hands.DECK, to=[], why="reshuffle", section=SECTION)
        table.do({"fact": "shuffle", "pile": hands.DECK, "why": "reshuffle", "section": SECTION})


# --- what it does not do, and what it brings ---


def why_not_action(table: Table, power: str, action: str) -> Refused | None:
    """3.2: an activated power does not patronize, spy, buy influence or send expeditions (types of action)."""
    row = table.kit.tables["actions"].get(action)
    if power in table.board.played_by and row and row["type"] in table.kit.constants["activated_never"]:
        return Refused("not_by_activated", SECTION, power=power)
    return None


def note_keys(table: Table) -> None:
    """3.2: which keys each power without a seat holds as the turn begins."""
    held = {major: score.keys_of(table, major) for major in majors.unseated(table)}
    marks.set_mark(table, "turn", KEYS_HELD, held or None)


def bonus(table: Table) -> None:
    """3.2: who controls an activated power has 1 VP in a turn in which that holds a key that it did not hold as the
    turn began; at most one for each."""
    before = marks.mark(table, "turn", KEYS_HELD, {})
    for major, power in table.board.played_by.items():
        if any(key not in before.get(major, ()) for key in score.keys_of(table, major)):
            score.award(table, power, "activated_major", table.kit.constants["activated_vp"], section=SECTION)


__all__ = [
    "activate", "bonus", "controller_of", "deactivate", "lay_hand_down", "leave", "note_keys", "play_from", "set_up",
    "take_up", "why_not_action",
]  # fmt: skip
