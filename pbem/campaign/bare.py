"""Lines of a submission that hold a bare word beside its orders: a yes, a no or a stop below them, which may answer
nothing and take them back; and the name of its sender's own power above them, which says nothing more."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from pbem.campaign.command import Command
from pbem.campaign.commands import Line, addressee
from pbem.campaign.live import Live
from pbem.table import brief, talk
from pbem.table.asking import Stop
from pbem.table.grammar import shortened
from pbem.table.inflected import means
from pbem.table.kit import Kit
from pbem.table.orders import Order, Unreadable
from pbem.table.refusals import AS_ORDER


def without_headings(lines: Sequence[Line], live: Live, seat: str, kit: Kit) -> list[Line]:
    """Lines without those that only name the one power of a seat, in the words of a kit (``Ottoman:``)."""
    powers, domain = live.campaign.powers_of(seat), kit.domain_of_powers
    if len(powers) != 1 or domain is None:
        return list(lines)
    return [
        line for line in lines
        if line.problem is None or talk.heading(line.text, kit).get(domain) != powers[0]
    ]  # fmt: skip


def ask_back(lines: Sequence[Line], kinds: Sequence[type[Order]], kit: Kit) -> None:
    """Let a yes, a no or a stop below other orders be unreadable, so that nothing is carried out: it may take these
    back, or agree with them, or be meant for a question to come. As the grammar writes it, it is an order."""
    orders = [line for line in lines if not isinstance(line.order, Command)]
    has_ended = False
    for above, line in pairwise(orders):
        has_ended = has_ended or (above.order is not None and addressee(above.order)[1].gives_turn_away)
        if (hints := _answers(line, kinds, kit)) and not (has_ended and isinstance(line.order, Stop)):
            line.order, line.loose, line.ends, said = None, False, False, shortened(line.text)
            line.problem = Unreadable("word_below_orders", [AS_ORDER + hint for hint in hints], said=said)


def _answers(line: Line, kinds: Sequence[type[Order]], kit: Kit) -> list[str]:
    """The orders that a bare word may be meant for; none where a line is no such word, or one as it should be."""
    bare = [kind for kind in kinds if all(field.optional for field in kind.fields.values())]
    text = line.text.rstrip("!. ")
    if any(text == kind().text() for kind in bare):
        return []
    if isinstance(line.order, Stop) or means(text, "stop", kit) or means(text, "like stop", kit):
        return [kind().text() for kind in bare if kind.gives_turn_away]
    said = brief.says(line.text, kit)
    return [] if said is None else [kind().text() for kind in bare if kind.says is said]
