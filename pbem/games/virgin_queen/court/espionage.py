"""19: intelligence, operatives, assassination, English Catholic Rebellion, Jesuits.

Pieces: ``informant:<power>:<n>`` ``off`` before turn 3, at ``reserve:<power>`` or ``spying:<target>`` (on the target's
power card; mark ``neutralized`` true). ``jesuit:<n>`` at a space, ``card`` or ``supply``. State: ``cipher_keys``
{power: on whose card its marker lies}, ``walsingham`` ``offensive`` or ``defensive`` (absent: unused),
``jesuit_allowance`` how many Jesuits Spain's card is filled up to (absent: the constant). The mark ``turn:plotted``
lists the powers whose marker of assassination is used: one for an assassination, or Spain's rebellion (19.3, 19.4).

At the moment ``espionage`` the dice are thrown and nothing is read yet; its data: ``plot`` (a `Plot`, whose hits cards
may change).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from pbem.games.reformation import hands
from pbem.games.reformation.action import Action
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.forces import (
    LEADER,
    count_land,
    leader_kind,
    leader_power,
    own_owners,
)
from pbem.games.reformation.ground import (
    controller,
    in_unrest,
    inside,
    is_home,
    religion,
    siege_of,
    space_of,
)
from pbem.games.reformation.marks import note, noted, set_mark
from pbem.games.reformation.relations import at_war, major_of, own
from pbem.games.virgin_queen.court import queens
from pbem.games.virgin_queen.court.queens import ELIZABETH
from pbem.games.virgin_queen.court.results import result
from pbem.games.virgin_queen.diplomacy import wars
from pbem.games.virgin_queen.new_world import treasures
from pbem.games.virgin_queen.powers import majors
from pbem.games.virgin_queen.powers.majors import ENGLAND, PROTESTANT, SPAIN
from pbem.games.virgin_queen.religion import conversion as faith
from pbem.games.virgin_queen.religion import rebellion
from pbem.games.virgin_queen.sequence import leaders
from pbem.games.virgin_queen.victory import score
from pbem.games.virgin_queen.victory.conditions import GameEnds
from pbem.table.asking import Moment, choose, response
from pbem.table.board import SUPPLY
from pbem.table.grammar import AnyName
from pbem.table.orders import Name, Number, Order, Refused
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import Question

SECTION = "19"
INFORMANT, JESUIT, CARD = "informant:", "jesuit:", "card"
PLOTTED = "plotted"
INTELLIGENCE, ASSASSINATION, REBELLION = "gather_intelligence", "assassination", "english_catholic_rebellion"
ATTACKER, DEFENDER = "attacker", "defender"


# --- the markers ---


def reserve(power: str) -> str:
    """Where the informants of a power are that spy on nobody."""
    return f"reserve:{power}"


def spying(target: str) -> str:
    """The box of a power card for the informants that spy on that power."""
    return f"spying:{target}"


def hand_out(table: Table) -> Procedure:
    """19, 8.1: at the start of turn 3 each power gets its informants; its two other markers are marks here."""
    for power in table.board.seated():
        for number in range(1, table.kit.constants["informants"] + 1):
            table.put(f"{INFORMANT}{power}:{number}", reserve(power), why="enters", section=SECTION)
    return
    yield


def informants(table: Table, power: str, place: str) -> list[str]:
    """A power's informants at a place, neutralized or not."""
    pieces = table.board.pieces_at(place)
    return [piece for piece in pieces if piece.startswith(f"{INFORMANT}{power}:")]


def spies(table: Table, power: str, target: str) -> bool:
    """19.2: whether an informant of a power, not neutralized, is on a target's card."""
    return any(not table.board.pieces[one].get("neutralized") for one in informants(table, power, spying(target)))


def hears_of_the_fleet(table: Table, power: str, target: str) -> bool:
    """23.2: whether an informant of a power betrays a target's treasure fleet; a neutralized one by option
    `fleet_betrayed` alone (GB-72)."""
    if table.options.get("fleet_betrayed") == "by_any":
        return bool(informants(table, power, spying(target)))
    return spies(table, power, target)


def neutralize(table: Table, power: str, target: str, section: str = SECTION) -> None:
    """19.1: a power's informant on a target's card is turned over, if there is one at work, until winter."""
    for piece in informants(table, power, spying(target)):
        if not table.board.pieces[piece].get("neutralized"):
            table.tell("informant_neutralized", power=power, target=target, section=section)
            table.mark(piece, why="neutralized", section=section, neutralized=True)


def winter(table: Table) -> Procedure:
    """20.8: neutralized informants come home and serve again; markers of assassination, Walsingham's and those of
    CIPHER KEY come back."""
    for piece in sorted(table.board.pieces):
        if piece.startswith(INFORMANT) and table.board.pieces[piece].get("neutralized"):
            table.put(piece, reserve(piece.split(":")[1]), why="winter", section="20.8")
    set_mark(table, "turn", PLOTTED, None, why="winter", section="20.8")
    for name in ("walsingham", "cipher_keys"):
        table.set(name, None, why="winter", section="20.8")
    return
    yield


def use_cipher_key(table: Table, power: str, target: str, section: str = SECTION) -> None:
    """CIPHER KEY: a power's marker lies on another power's card until winter."""
    keys = {**table.board.state.get("cipher_keys", {}), power: target}
    table.tell("cipher_key", power=power, target=target, section=section)
    table.set("cipher_keys", dict(sorted(keys.items())), why="cipher_key", section=section)


def use_walsingham(table: Table, box: str, section: str = "20.8") -> None:
    """WALSINGHAM: the marker goes to the box ``offensive`` or ``defensive`` until winter."""
    table.tell("walsingham", power=ENGLAND, box=box, section=section)
    table.set("walsingham", box, why="walsingham", section=section)


# --- Jesuits ---


def jesuits_at(table: Table, place: str) -> list[str]:
    """The Jesuits at a place."""
    return [piece for piece in table.board.pieces_at(place) if piece.startswith(JESUIT)]


def jesuits_in_england(table: Table) -> dict[str, str]:
    """Space -> the Jesuit there, in the order of the kit; a Jesuit is in England only (19.2)."""
    jesuits = {space: jesuits_at(table, space) for space in _england(table)}
    return {space: pieces[0] for space, pieces in jesuits.items() if pieces}


def _england(table: Table) -> list[str]:
    return [space for space, row in atlas(table).spaces.items() if row["region"] == ENGLAND]


def refill_jesuits(table: Table) -> Procedure:
    """8.2: Spain's card is filled up to one Jesuit (two after ENGLISH COLLEGE, DOUAI), never more than five in all."""
    constants = table.kit.constants
    allowance = table.board.state.get("jesuit_allowance", constants["jesuits_on_card"])
    for _ in range(allowance - len(jesuits_at(table, CARD))):
        new_jesuit(table, CARD, section="8.2")
    return
    yield


def new_jesuit(table: Table, place: str, section: str) -> bool:
    """8.2: a Jesuit out of those not in play comes to a place; False when all five are in play."""
    for number in range(1, table.kit.constants["jesuits"] + 1):
        piece = f"{JESUIT}{number}"
        if table.board.pieces[piece]["at"] == SUPPLY:
            table.put(piece, place, why="jesuit", section=section)
            return True
    return False


def remove_jesuit(table: Table, space: str, section: str = "19.1") -> None:
    """19.1: the Jesuit of a space is neutralized: off the map, to come back by a later refill (8.2)."""
    for piece in jesuits_at(table, space):
        table.tell("jesuit_removed", power=SPAIN, space=space, section=section)
        table.put(piece, SUPPLY, why="neutralized", section=section)


def why_no_jesuit(table: Table, space: str) -> Refused | None:
    """19.2: why a Jesuit cannot be placed in a space, or None: in England only, one a space."""
    if space not in _england(table):
        return Refused("jesuits_in_england_only", "19.2", space=space)
    if jesuits_at(table, space):
        return Refused("jesuit_there_already", "19.2", space=space)
    return None


# --- the dice ---


@dataclass
class Plot:
    """An act of espionage under way; cards may change the hits of its sides.

    `column` is that of the kit's table of dice; `victim` whom an assassination is aimed at (a leader, or Elizabeth).
    """

    column: str
    attacker: str
    defender: str
    cp: int = 0
    victim: str | None = None
    hits: dict[str, int] = field(default_factory=lambda: {ATTACKER: 0, DEFENDER: 0})

    def power(self, side: str) -> str:
        """The power of a side."""
        return self.attacker if side == ATTACKER else self.defender

    def against_elizabeth(self) -> bool:
        """Whether the plot is one of the two that Mary and the bull of excommunication help."""
        return self.column == REBELLION or self.victim == ELIZABETH

    def margin(self) -> int:
        """The attacker's hits less the defender's."""
        return self.hits[ATTACKER] - self.hits[DEFENDER]


def _informant(table: Table, plot: Plot, side: str) -> int:
    """Informants give nothing against a power whose cipher key lies on their own power's card (CIPHER KEY)."""
    own_power, other = plot.power(side), plot.power(DEFENDER if side == ATTACKER else ATTACKER)
    if table.board.state.get("cipher_keys", {}).get(other) == own_power:
        return 0
    return int(spies(table, own_power, other))


def _walsingham(table: Table, plot: Plot, side: str) -> int:
    box = table.board.state.get("walsingham")
    if plot.power(side) != ENGLAND or (side == DEFENDER and not plot.against_elizabeth()):
        return 0
    return int(box == ("offensive" if side == ATTACKER else "defensive"))


def _capital(table: Table, plot: Plot, side: str) -> int:
    if plot.victim == ELIZABETH:
        return 1
    assert plot.victim is not None
    at = space_of(table.board.pieces[LEADER + plot.victim]["at"])
    owner = leader_power(table, plot.victim)
    return int(at in majors.capitals(table, owner) or at in majors.capitals(table, plot.defender))


def _spanish_regulars(table: Table, wanted: Callable[[str], bool]) -> int:
    """1 where Spain has a regular in a space that is wanted, besieged or not, else 0."""
    owners = (SPAIN, *majors.factions(table, SPAIN))
    return int(
        any(
            wanted(space) and any(table.board.count(place, owner, "regular") for owner in owners)
            for space in atlas(table).spaces
            for place in (space, inside(space))
        )
    )


def _in_ireland_or_scotland(table: Table, space: str) -> bool:
    row = atlas(table).spaces[space]
    return row["region"] == "scotland" or is_home(table, space, "ireland") or is_home(table, space, "scotland")


def _london(table: Table) -> int:
    (capital,) = majors.capitals(table, ENGLAND)
    places = (capital, inside(capital))
    there = sum(count_land(table, place, own_owners(table, place, ENGLAND)) for place in places)
    return int(there >= table.kit.constants["ecr_london_units"])


COUNTS: Mapping[str, Callable[[Table, Plot, str], int]] = {
    "base": lambda table, plot, side: 1,
    "informant": _informant,
    "cryptography": lambda t, plot, side: int(t.board.state.get("science", {}).get("cryptography") == plot.power(side)),
    "walsingham": _walsingham,
    "cipher_key": lambda t, plot, side: int(
        t.board.state.get("cipher_keys", {}).get(plot.attacker) == plot.defender
    ),
    "excommunicated": lambda t, plot, side: int(
        bool(t.board.state.get("excommunicated")) and plot.against_elizabeth() and queens.elizabeth_lives(t)
    ),
    "mary": lambda t, plot, side: int(
        plot.against_elizabeth() and queens.mary_helps(t, rebellion=plot.column == REBELLION)
    ),
    "capital": _capital,
    "celtic": lambda t, plot, side: _spanish_regulars(t, lambda space: _in_ireland_or_scotland(t, space)),
    "england": lambda t, plot, side: _spanish_regulars(t, lambda space: space in _england(t)),
    "jesuits": lambda t, plot, side: -(-len(jesuits_in_england(t)) // t.kit.constants["ecr_jesuits_a_die"]),
    "protestant_spaces": lambda t, plot, side: (
        score.regional(t, ENGLAND, PROTESTANT) // t.kit.constants["ecr_protestant_spaces_a_die"]
    ),
    "london_garrison": lambda t, plot, side: _london(t),
}
"""How often a condition of the kit's table ``espionage_dice`` is met, by its id; ``cp`` counts the CP spent."""


def dice_of(table: Table, plot: Plot, side: str) -> dict[str, int]:
    """The dice of a side by where they come from (the rows of the kit's table ``espionage_dice``).

    Cryptography: informants on the card of who has it give one die less.
    """
    dice = {}
    for row in table.kit.tables["espionage_dice"].values():
        if row["column"] != plot.column or row["side"] != side:
            continue
        name = row["id"]
        number = plot.cp if name == "cp" else row["number"] * COUNTS[name](table, plot, side)
        if name == "informant" and number:
            other = plot.power(DEFENDER if side == ATTACKER else ATTACKER)
            number -= int(table.board.state.get("science", {}).get("cryptography") == other)
        if number:
            dice[name] = number
    return dice


def throw(table: Table, plot: Plot, section: str) -> Procedure:
    """19: the dice of the sides that roll, hits on 5 and 6; then cards may change them."""
    hit_on = table.kit.constants["hit_on"]
    for side in (ATTACKER, DEFENDER):
        sources = dice_of(table, plot, side)
        number = sum(sources.values())
        if number > 0:
            power = plot.power(side)
            told = {"side": side, "hit_on": hit_on, "sources": sources, "section": section}
            dice = table.roll(plot.column, power, number, target=plot.power(DEFENDER), **told)
            plot.hits[side] = sum(1 for die in dice if die >= hit_on)
    yield from response(
        table, Moment("espionage", plot.attacker, {"plot": plot}), kind="after_dice", section=section, what=plot.column
    )


def why_no_espionage(table: Table) -> Refused | None:
    """19: nothing of it before turn 3."""
    first = table.kit.constants["espionage_from_turn"]
    if table.board.state["turn"] < first:
        return Refused("no_espionage_yet", SECTION, turn=first)
    return None


def why_no_plot(table: Table, power: str) -> Refused | None:
    """19.3, 19.4: why a power may make no assassination (Spain: no rebellion) now: one of them a turn."""
    if noted(table, "turn", PLOTTED, power):
        return Refused("plotted_this_turn", "19.3")
    return why_no_espionage(table)


class _Espionage(Action):
    """Base of the actions of this chapter: from turn 3."""

    def check_action(self, table: Table, power: str) -> None:
        reason = why_no_espionage(table)
        if reason:
            raise reason
        self.check_act(table, power)

    def check_act(self, table: Table, power: str) -> None:
        """Raise `Refused` where the action has conditions of its own."""


# --- 19.1: intelligence ---


def targets_of(table: Table, power: str) -> list[str]:
    """The other major powers that somebody plays, in impulse order."""
    return [other for other in table.board.powers if other != power]


def gather_intelligence(table: Table, power: str, target: str) -> Procedure:
    """19.1: dice of the attacker alone; the table says what comes of them."""
    plot = Plot(INTELLIGENCE, power, target)
    yield from throw(table, plot, "19.1")
    hits = max(0, plot.hits[ATTACKER])
    outcome = result(table, INTELLIGENCE, hits)
    table.tell("intelligence", power=power, target=target, hits=hits, result=list(outcome), section="19.1")
    if "neutralized" in outcome:
        neutralize(table, power, target, "19.1")
    if "see" in outcome:
        see_hand(table, power, target, "19.1")
    if "neutralize" in outcome:
        yield from _neutralize_one(table, power, target)
    if "discard" in outcome:
        yield from _force_discard(table, power, target)


def see_hand(table: Table, power: str, target: str, section: str) -> None:
    """A power sees the hand of another one, home cards and treasures too; nobody else does."""
    hands.show_hand(table, target, power, why="intelligence", section=section)
    held = treasures.of(table, target)
    if held:
        pile = treasures.hand(target)
        table.do({"fact": "show", "cards": held, "pile": pile, "to": [power], "why": "treasures", "section": section})


def _neutralize_one(table: Table, power: str, target: str) -> Procedure:
    """One informant on the own card is neutralized, or England, against Spain, removes a Jesuit; the attacker chooses
    (3.17 K-24)."""
    chosen = "informant"
    jesuits = power == ENGLAND and target == SPAIN and bool(jesuits_in_england(table))
    if jesuits:
        among = [*(["informant"] if spying_on(table, power) else []), "jesuit"]
        chosen = yield from choose(
            table, power, "option", lambda t: among, kind="espionage", section="19.1", action="neutralize"
        )
    if chosen == "jesuit":
        yield from choose_jesuit_lost(table, power, "19.1")
        return
    whose = yield from choose(
        table, power, "power", lambda t: spying_on(t, power), kind="espionage", section="19.1", action="neutralize"
    )
    if whose is not None:
        neutralize(table, whose, power, "19.1")


def spying_on(table: Table, power: str) -> list[str]:
    """Who has an informant at work on a power's card, in impulse order."""
    return [other for other in targets_of(table, power) if spies(table, other, power)]


def choose_jesuit_lost(table: Table, power: str, section: str) -> Procedure:
    """A power says which Jesuit is removed, if there is one."""
    space = yield from choose(
        table,
        power,
        "space",
        lambda t: list(jesuits_in_england(t)),
        kind="espionage",
        section=section,
        action="remove_jesuit",
    )
    if space is not None:
        remove_jesuit(table, space, section)


def _force_discard(table: Table, power: str, target: str) -> Procedure:
    """A card that was seen, neither home nor mandatory, is discarded, by the attacker's choice; asked whatever there
    is, so that the question tells nobody what the hand holds."""
    card = yield from choose(
        table,
        power,
        "card",
        lambda t: [c for c in hands.cards_of(t, target) if hands.kind_of(t, c) not in ("home", "mandatory")],
        kind="espionage",
        hidden=True,
        section="19.1",
        action="discard",
        target=target,
    )
    if card is not None:
        hands.discard(table, target, card, why="intelligence", section="19.1")


class GatherIntelligence(_Espionage):
    """Gather intelligence about a power, for 2 CP."""

    action = "gather_intelligence"
    line = "GATHER INTELLIGENCE ON {target}"
    target = Name("power")

    def check_act(self, table: Table, power: str) -> None:
        check_target(table, power, self.target)

    def procedure(self, table: Table, power: str) -> Procedure:
        """19.1."""
        yield from gather_intelligence(table, power, self.target)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for target in targets_of(table, question.power):
            yield cls(target=target)


def check_target(table: Table, power: str, target: str) -> None:
    """Raise `Refused` unless a power may be spied on: another one that somebody plays."""
    if target == power:
        raise Refused("that_is_yourself", SECTION)
    if target not in table.board.powers:
        raise Refused("nobody_to_spy_on", SECTION, power=target)


# --- 19.2: operatives ---


class PlaceInformant(_Espionage):
    """Place an informant on a power's card, from your reserve or from another power's card, for 2 CP."""

    action = "place_informant"
    line = "PLACE INFORMANT ON {target} [FROM {origin}]"
    target = Name("power")
    origin = Name("power", optional=True)

    def _source(self, power: str) -> str:
        return spying(self.origin) if self.origin else reserve(power)

    def check_act(self, table: Table, power: str) -> None:
        check_target(table, power, self.target)
        if informants(table, power, spying(self.target)):
            raise Refused("informant_there_already", "19.2", power=self.target)
        free = [one for one in self._there(table, power) if not table.board.pieces[one].get("neutralized")]
        if not free:
            others = [t for t in targets_of(table, power) if spies(table, power, t)]
            hints = [f"PLACE INFORMANT ON {self.target} FROM {other}" for other in others if not self.origin]
            raise Refused("no_informant_free", "19.2", hints, origin=self.origin)

    def _there(self, table: Table, power: str) -> list[str]:
        return informants(table, power, self._source(power))

    def procedure(self, table: Table, power: str) -> Procedure:
        """19.2."""
        table.tell("informant_placed", power=power, target=self.target, origin=self.origin, section="19.2")
        table.put(self._there(table, power)[0], spying(self.target), why="informant", section="19.2")
        return
        yield

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        others = targets_of(table, question.power)
        for target in others:
            yield cls(target=target)
            for origin in others:
                if origin != target and spies(table, question.power, origin):
                    yield cls(target=target, origin=origin)


class PlaceJesuit(_Espionage):
    """Place a Jesuit in England, for 2 CP."""

    action = "place_jesuit"
    line = "PLACE JESUIT IN {space}"
    space = Name("space")

    def check_act(self, table: Table, power: str) -> None:
        reason = why_no_jesuit(table, self.space)
        if reason:
            raise reason
        if not jesuits_at(table, CARD):
            raise Refused("no_jesuit_ready", "19.2")

    def procedure(self, table: Table, power: str) -> Procedure:
        """19.2."""
        table.tell("jesuit_placed", power=power, space=self.space, section="19.2")
        table.put(jesuits_at(table, CARD)[0], self.space, why="jesuit", section="19.2")
        return
        yield

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        if jesuits_at(table, CARD):
            for space in _england(table):
                yield cls(space=space)


# --- 19.3: assassination ---


def victims(table: Table, power: str) -> list[str]:
    """19.3: who may be assassinated by a power: army leaders of others on the map, no default ones, no Don John as a
    naval leader; and Elizabeth. Leaders in the order of the kit, Elizabeth last."""
    chart = atlas(table)
    royals_there = []
    for leader, row in chart.leaders.items():
        on_map = space_of(table.board.pieces[LEADER + leader]["at"]) in chart.spaces
        named = not row["default_leader"] and leader_kind(table, leader) == "army"
        if on_map and named and not own(table.board, power, leader_power(table, leader)):
            royals_there.append(leader)
    return [*royals_there, *([ELIZABETH] if power != ENGLAND and queens.elizabeth_lives(table) else [])]


def target_of(table: Table, victim: str) -> str:
    """The major power that rolls for a victim."""
    if victim == ELIZABETH:
        return ENGLAND
    owner = leader_power(table, victim)
    return major_of(table.board, owner) or owner


def assassinate(table: Table, power: str, victim: str, cp: int) -> Procedure:
    """19.3: both sides roll; the table says whether the victim is killed, for 1 VP. A power's marker is used up."""
    note(table, "turn", PLOTTED, power)
    plot = Plot(ASSASSINATION, power, target_of(table, victim), cp, victim)
    table.tell("assassination", power=power, target=plot.defender, victim=victim, cp=cp, section="19.3")
    yield from throw(table, plot, "19.3")
    outcome = result(table, ASSASSINATION, plot.margin())
    constants = table.kit.constants
    killed = "killed" in outcome
    if victim == ELIZABETH and plot.margin() < constants["elizabeth_killed_from"]:
        killed = False
    table.tell(
        "assassination_result", power=power, target=plot.defender, victim=victim, margin=plot.margin(), killed=killed,
        section="19.3",
    )  # fmt: skip
    if "neutralized" in outcome:
        neutralize(table, power, plot.defender, "19.3")
    if not killed:
        if victim == ELIZABETH:
            yield from queens.offer_execution(table)
        return
    score.award(table, power, "assassination", constants["assassination_vp"], section="19.3")
    if victim == ELIZABETH:
        queens.elizabeth_dies(table, "assassination", "19.3")
        if power == SPAIN and not at_war(table.board, SPAIN, ENGLAND):
            # The list of events that start a war of England and Spain at once (9.4).
            yield from wars.begin_war(table, SPAIN, ENGLAND, why="assassination", section="9.4")
        return
    royal = atlas(table).leaders[victim]["royal"]
    leaders.leaves_the_game(table, victim, "assassination", "19.3")
    if royal:
        queens.royal_dies(table, royal, "assassination", "21.4")


class Assassinate(_Espionage):
    """Try to assassinate an army leader of another power, or Elizabeth, for 2 to 4 CP, once a turn."""

    action = "assassination"
    line = "ASSASSINATE {victim} FOR {number} CP"
    victim = AnyName("leader", "royal")
    number = Number(1, 9)

    def cost(self, table: Table, power: str) -> int | None:
        """19.3: what is spent, for as many dice."""
        return None if super().cost(table, power) is None else self.number

    def check_act(self, table: Table, power: str) -> None:
        check_cp(table, "assassination", self.number)
        reason = why_no_plot(table, power)
        if reason:
            raise reason
        if self.victim not in victims(table, power):
            raise Refused("no_victim", "19.3", [f"ASSASSINATE {one}" for one in victims(table, power)[:8]])

    def procedure(self, table: Table, power: str) -> Procedure:
        """19.3."""
        yield from assassinate(table, power, self.victim, self.number)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        if why_no_plot(table, question.power) is None:
            constants = table.kit.constants
            for victim in victims(table, question.power):
                for cp in range(constants["assassination_cp_least"], constants["assassination_cp_most"] + 1):
                    yield cls(victim=victim, number=cp)


def check_cp(table: Table, name: str, cp: int) -> None:
    """11.1: raise `Refused` unless the CP are within the range of an action of variable cost."""
    constants = table.kit.constants
    least, most = constants[f"{name}_cp_least"], constants[f"{name}_cp_most"]
    if not least <= cp <= most:
        raise Refused("cp_out_of_range", "11.1", least=least, most=most)


# --- 19.4: the rebellion of the English Catholics ---


def english_catholic_rebellion(table: Table, cp: int) -> Procedure:
    """19.4: both sides roll; the table says what comes of it. Raises `GameEnds` where Spain wins the game (25.1)."""
    note(table, "turn", PLOTTED, SPAIN)
    plot = Plot(REBELLION, SPAIN, ENGLAND, cp)
    table.tell("catholic_rebellion", power=SPAIN, target=ENGLAND, cp=cp, section="19.4")
    yield from throw(table, plot, "19.4")
    margin = plot.margin()
    outcome = result(table, REBELLION, margin)
    table.tell("catholic_rebellion_result", power=SPAIN, margin=margin, result=list(outcome), section="19.4")
    if "victory" in outcome:
        raise GameEnds(SPAIN, "rebellion")
    if "neutralized" in outcome:
        neutralize(table, SPAIN, ENGLAND, "19.4")
    if "jesuit" in outcome and ENGLAND in table.board.powers:
        yield from choose_jesuit_lost(table, ENGLAND, "19.4")
    if "mary" in outcome:
        yield from queens.offer_execution(table)
    if "attempts" in outcome:
        yield from faith.catholic_attempts(table, SPAIN, ENGLAND, outcome["attempts"])
    if "rebellion" in outcome:
        yield from rise(table)


def rebels(table: Table) -> list[str]:
    """19.4 step 2: where the English Catholics may rise: in England, English, Catholic, neither besieged nor in
    unrest."""
    return [
        space
        for space in _england(table)
        if controller(table, space) == ENGLAND
        and religion(table, space) == faith.CATHOLIC
        and not siege_of(table, space)
        and not in_unrest(table, space)
    ]


def rise(
    table: Table, dice: int | None = None, spaces: int | None = None, regulars: int | None = None, **context: Any
) -> Procedure:
    """19.4 steps 2 to 7: Spain names the target, and the English Catholics rise there (`rebellion.rise`).

    An event may change the dice, the most spaces and the regulars.
    """
    constants = table.kit.constants
    target = yield from choose(
        table, SPAIN, "space", rebels, kind="espionage", section="19.4", action="rebellion_target", **context
    )
    if target is None:
        table.tell("no_rebellion", power=SPAIN, section="19.4")
        return
    rising = rebellion.Rising(
        SPAIN,
        faith.CATHOLIC,
        ENGLAND,
        dice=constants["ecr_dice"] if dice is None else dice,
        spaces=constants["ecr_spaces"] if spaces is None else spaces,
        owner=SPAIN,
        regulars=constants["ecr_regulars"] if regulars is None else regulars,
        section="19.4",
        beyond=table.options["english_rising"] == "beyond",
    )
    yield from rebellion.rise(table, target, rising)


class EnglishCatholicRebellion(_Espionage):
    """Call the English Catholics to rebel, for 3 to 5 CP, once a turn and in no turn with an assassination."""

    action = "english_catholic_rebellion"
    line = "ENGLISH CATHOLIC REBELLION FOR {number} CP"
    number = Number(1, 9)

    def cost(self, table: Table, power: str) -> int | None:
        """19.4: what is spent, for as many dice."""
        return None if super().cost(table, power) is None else self.number

    def check_act(self, table: Table, power: str) -> None:
        check_cp(table, "ecr", self.number)
        reason = why_no_plot(table, power)
        if reason:
            raise reason

    def procedure(self, table: Table, power: str) -> Procedure:
        """19.4."""
        yield from english_catholic_rebellion(table, self.number)

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        constants = table.kit.constants
        for cp in range(constants["ecr_cp_least"], constants["ecr_cp_most"] + 1):
            yield cls(number=cp)


__all__ = [
    "ACTIONS", "ORDERS", "Plot", "assassinate", "dice_of", "english_catholic_rebellion", "gather_intelligence",
    "hand_out", "jesuits_in_england", "neutralize", "new_jesuit", "refill_jesuits", "remove_jesuit", "rise",
    "see_hand", "use_cipher_key", "use_walsingham", "victims", "why_no_jesuit", "why_no_plot", "winter",
]  # fmt: skip
ACTIONS: tuple[type[Order], ...] = (
    GatherIntelligence,
    PlaceInformant,
    PlaceJesuit,
    Assassinate,
    EnglishCatholicRebellion,
)
ORDERS: tuple[type[Order], ...] = ()
