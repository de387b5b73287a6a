"""The cards that turn spaces without an attempt: 67 Anabaptists, 78 Frederick the Wise."""

from __future__ import annotations

from pbem.games.here_i_stand.cards import BOOK, event, playable
from pbem.games.here_i_stand.cards.common import number, occupied
from pbem.games.here_i_stand.religion.conversion import CATHOLIC, PAPACY, PROTESTANT, convert, zone_of
from pbem.games.reformation import hands
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.ground import kind_of, religion, steps_from
from pbem.table.asking import Moment, choose, confirm
from pbem.table.orders import Refused
from pbem.table.procedure import Procedure, Table

# --- 67: Anabaptists ---


def anabaptist_spaces(table: Table) -> list[str]:
    """67: Protestant spaces without units that are no electorates."""
    return [
        space
        for space in atlas(table).spaces
        if religion(table, space) == PROTESTANT
        and kind_of(table, space) != "electorate"
        and not occupied(table, space)
    ]


@event("anabaptists")
def anabaptists(table: Table, power: str, moment: Moment) -> Procedure:
    """67: the Papacy turns two Protestant spaces, unoccupied and no electorates, whether eligible or not."""
    for _ in range(number(table, 67, "spaces")):
        space = yield from choose(table, PAPACY, "space", anabaptist_spaces, section="18.4", number=67)
        if space is None:
            return
        convert(table, space, CATHOLIC, why="anabaptists", section="18.4")


@playable("anabaptists")
def _anabaptists(table: Table, power: str, moment: Moment) -> Refused | None:
    return None if anabaptist_spaces(table) else Refused("no_anabaptist_space")


# --- 78: Frederick the Wise ---


def nearest_catholic(table: Table) -> list[str]:
    """78: the Catholic spaces of the German zone nearest to Wittenberg, which may be itself one."""
    constants = table.kit.constants
    steps = steps_from(table, constants["frederick_space"])
    spaces = [
        space
        for space in atlas(table).spaces
        if religion(table, space) == CATHOLIC
        and zone_of(table, space) == constants["frederick_language"]
        and space in steps
    ]
    least = min((steps[space] for space in spaces), default=0)
    return [space for space in spaces if steps[space] == least]


@event("frederick_the_wise")
def frederick_the_wise(table: Table, power: str, moment: Moment) -> Procedure:
    """78: the two nearest Catholic German spaces turn; the Protestant may take The Wartburg from the discards (6.2)."""
    for _ in range(number(table, 78, "spaces")):
        space = yield from choose(table, PROTESTANT, "space", nearest_catholic, section="18.3", number=78)
        if space is None:
            break
        convert(table, space, PROTESTANT, why="frederick_the_wise", section="18.3")
    wartburg = BOOK.card_id(table, "the_wartburg")
    if wartburg not in hands.fetchable(table, PROTESTANT):
        return
    wanted = yield from confirm(
        table, PROTESTANT, "event_choice", default=True, section="6.2", choose="the_wartburg", number=78
    )
    if wanted:
        table.card(wartburg, hands.DISCARD, hands.hand(PROTESTANT), why="fetched", section="6.2")
