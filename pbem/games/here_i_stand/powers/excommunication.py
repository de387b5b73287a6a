"""21.5: excommunication of reformers and rulers, by the card Papal Bull.

State: ``excommunicated`` lists who has been, reformers and rulers, for the whole game; ``excommunication:<power>`` is
true while the -1 Card marker of an excommunicated ruler lies on a power's card (it is one of its ``minus_cards``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pbem.games.here_i_stand.cards.common import unrest_on
from pbem.games.here_i_stand.places import OFF, REMOVED
from pbem.games.here_i_stand.religion import debates
from pbem.games.here_i_stand.religion.conversion import CATHOLIC, ENGLAND, PAPACY, PROTESTANT, reformer_leaves
from pbem.games.reformation import hands
from pbem.games.reformation.ground import home_spaces, religion
from pbem.games.reformation.relations import allied, at_war
from pbem.table.asking import Ask, confirm
from pbem.table.kit import Kit
from pbem.table.orders import Name, Order, Refused, Unreadable, find_name, shortened
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import Question

OTTOMAN = "ottoman"
HENRY = "henry_viii"


def excommunicated(table: Table) -> list[str]:
    """Everybody who has been excommunicated in this game."""
    return list(table.board.state.get("excommunicated", ()))


def _note(table: Table, id: str) -> None:
    table.set("excommunicated", [*excommunicated(table), id], section="21.5")


# --- reformers ---


def why_not_reformer(table: Table, reformer: str) -> Refused | None:
    """21.5: why a reformer cannot be excommunicated; None when he can. Grounds are never needed."""
    if reformer not in table.kit.constants["excommunicable_reformers"]:
        return Refused("never_excommunicated", reformer=reformer)
    if reformer in excommunicated(table):
        return Refused("excommunicated_before", reformer=reformer)
    if table.board.pieces[f"reformer:{reformer}"]["at"] in (OFF, REMOVED):
        return Refused("reformer_not_on_map", reformer=reformer)
    return None


def excommunicate_reformer(table: Table, reformer: str) -> Procedure:
    """21.5: he and his debater are away for the turn, the debater committed; then a debate in his zone, if wished."""
    _note(table, reformer)
    table.tell("excommunication", power=PAPACY, reformer=reformer, section="21.5")
    reformer_leaves(table, reformer, for_good=False, why="excommunication", section="21.5")
    zone = table.kit.tables["reformers"][reformer]["language"]
    if debates.why_not(table, PAPACY, zone):
        return
    wanted = yield from confirm(table, PAPACY, "debate", section="21.5", zone=zone)
    if wanted:
        yield from debates.debate(table, PAPACY, zone)


# --- rulers ---


def grounds(table: Table, power: str) -> list[str]:
    """21.5: what speaks for the excommunication of a power's ruler: ``war``, ``ottoman_ally``, ``protestant_homes``."""
    reasons = []
    if at_war(table.board, PAPACY, power):
        reasons.append("war")
    if allied(table.board, OTTOMAN, power):
        reasons.append("ottoman_ally")
    under_henry = power == ENGLAND and table.board.state["ruler"][ENGLAND] == HENRY
    if under_henry and any(religion(table, space) == PROTESTANT for space in home_spaces(table, ENGLAND)):
        reasons.append("protestant_homes")
    return reasons


def why_not_ruler(table: Table, power: str) -> Refused | None:
    """21.5: why a power's ruler cannot be excommunicated now; None when he can."""
    ruler = table.board.state["ruler"][power]
    if ruler not in table.kit.constants["excommunicable_rulers"]:
        return Refused("ruler_never_excommunicated", ruler=ruler)
    if ruler in excommunicated(table):
        return Refused("ruler_excommunicated_before", ruler=ruler)
    rulers: Any = table.kit.tables["rulers"]
    if any(one in rulers and rulers[one]["power"] == power for one in excommunicated(table)):
        return Refused("one_ruler_excommunicated", power=power)
    if not grounds(table, power):
        return Refused("no_grounds", ruler=ruler, homes=ruler == HENRY)
    return None


def excommunicate_ruler(table: Table, power: str) -> Procedure:
    """21.5: a -1 Card marker, and unrest on two unoccupied Catholic home spaces that the Papacy chooses."""
    ruler = table.board.state["ruler"][power]
    _note(table, ruler)
    table.tell("excommunication", power=PAPACY, target=power, ruler=ruler, section="21.5")
    table.set(f"excommunication:{power}", True, section="21.5")
    _change_markers(table, power, table.kit.constants["marks_of_excommunication"])
    catholic = [space for space in home_spaces(table, power) if religion(table, space) == CATHOLIC]
    yield from unrest_on(table, PAPACY, table.kit.constants["excommunication_unrest"], catholic, section="21.5", card=5)


def lift(table: Table, power: str, why: str, section: str) -> None:
    """9.1, 9.3 step 8, 9.5: pardon, peace or end of war with the Papacy, or a gift to the Church ends the marker.

    Nothing happens where there is none. `why`: ``pardon``, ``peace`` or ``church_gift``.
    """
    if not table.board.state.get(f"excommunication:{power}"):
        return
    table.set(f"excommunication:{power}", None, why=why, section=section)
    _change_markers(table, power, -table.kit.constants["marks_of_excommunication"])
    table.tell("excommunication_lifted", power=power, how=why, section=section)


def _change_markers(table: Table, power: str, change: int) -> None:
    hands.change_minus_cards(table, power, change, section="21.5")


# --- Papal Bull (card 5) ---


class ReformerName(Name):
    """A reformer; who names a ruler or a power is told how a ruler is excommunicated."""

    def read(self, words: Sequence[str], names: Kit) -> str:
        try:
            return super().read(words, names)
        except Unreadable:
            text = " ".join(words)
            rulers = names.tables["rulers"]
            for domain in ("ruler", "power"):
                try:
                    reformer = find_name(names, domain, text)
                except Unreadable:
                    continue
                power = rulers[reformer]["power"] if domain == "ruler" else reformer
                line = f"EXCOMMUNICATE RULER OF {power}"
                raise Unreadable("ruler_by_power", [line], said=shortened(text), kind=domain, power=power) from None
            raise


class ExcommunicateReformer(Order):
    """Excommunicate a reformer on the map."""

    line = "EXCOMMUNICATE {reformer}"
    reformer = ReformerName("reformer")

    def check(self, table: Table, question: Question) -> None:
        reason = why_not_reformer(table, self.reformer)
        if reason:
            raise reason.under("21.5")

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for reformer in table.kit.constants["excommunicable_reformers"]:
            yield cls(reformer=reformer)


class ExcommunicateRuler(Order):
    """Excommunicate the ruler of a power, where there are grounds."""

    line = "EXCOMMUNICATE RULER OF {power}"
    power = Name("power")

    def check(self, table: Table, question: Question) -> None:
        reason = why_not_ruler(table, self.power)
        if reason:
            raise reason.under("21.5")

    @classmethod
    def candidates(cls, table: Table, question: Question) -> Iterator[Order]:
        for power in table.board.powers:
            yield cls(power=power)


def why_nobody(table: Table) -> Refused | None:
    """21.5: why Papal Bull cannot be played as an event now; None when somebody can be excommunicated."""
    reformers = table.kit.constants["excommunicable_reformers"]
    if any(why_not_reformer(table, one) is None for one in reformers):
        return None
    if any(why_not_ruler(table, power) is None for power in table.board.powers):
        return None
    return Refused("nobody_to_excommunicate")


def papal_bull(table: Table) -> Procedure:
    """21.5, card 5: the Papacy names a reformer, or a ruler."""
    order = yield Ask(
        PAPACY,
        "event_choice",
        [ExcommunicateReformer, ExcommunicateRuler],
        _silent,
        context={"number": 5},
        section="21.5",
    )
    if isinstance(order, ExcommunicateReformer):
        yield from excommunicate_reformer(table, order.reformer)
    else:
        yield from excommunicate_ruler(table, order.power)


def _silent(table: Table, question: Question) -> Order:
    return next(question.legal(table))


ORDERS: tuple[type[Order], ...] = (ExcommunicateReformer, ExcommunicateRuler)
ACTIONS = ()
