"""19: the Winter phase, in the strict order of its steps."""

from __future__ import annotations

from pbem.games.here_i_stand import cards
from pbem.games.here_i_stand.places import REMOVED
from pbem.games.here_i_stand.war import naval
from pbem.games.reformation import hands, homeward, winter_quarters
from pbem.games.reformation.atlas import atlas
from pbem.games.reformation.cards import slug
from pbem.games.reformation.forces import LEADER, add_units
from pbem.games.reformation.ground import controller, in_unrest
from pbem.table.asking import Moment
from pbem.table.procedure import Procedure, Table

RENEGADE = "renegade"
OVERDUE_OWNERS = {"barbary_pirates": "ottoman", "schmalkaldic_league": "protestant"}
"""Whose event an overdue one is, where it is not the Papacy's; nobody plays it."""


def happens(table: Table) -> bool:
    """Every turn has a Winter phase."""
    return True


def renegade(table: Table) -> Procedure:
    """19.2: the renegade leader leaves the game; the units with him stay."""
    piece = table.board.pieces[LEADER + RENEGADE]
    if piece["at"] not in ("off", REMOVED):
        # He may come again: card 70 stays in the deck.
        table.put(LEADER + RENEGADE, "off", why="winter", section="19.2")
    return
    yield


def alliances(table: Table) -> Procedure:
    """19.4: alliances of major powers end; minor powers stay allied."""
    table.set("allied", [], why="winter", section="19.4")
    return
    yield


def replacements(table: Table) -> Procedure:
    """19.5: a regular for each capital under own control, even while a foreign war takes new units (21.7)."""
    for power in table.board.powers:
        for capital in atlas(table).capitals[power]:
            calm = not in_unrest(table, capital) or table.options["replacement_in_unrest"]
            if controller(table, capital) == power and calm:
                add_units(table, power, "regular", capital, 1, why="winter", section="19.5")
    return
    yield


def debaters(table: Table) -> Procedure:
    """19.7: all debaters are uncommitted again."""
    for debater in table.kit.tables["debaters"]:
        if table.board.pieces[f"debater:{debater}"]["committed"]:
            table.mark(f"debater:{debater}", section="19.7", committed=False)
    return
    yield


def overdue(table: Table) -> list[str]:
    """19.8: the mandatory events whose time has come and that have not happened, in the order of the kit."""
    out = table.board.piles.get(hands.REMOVED, ())
    return [
        card
        for card, row in table.kit.tables["cards"].items()
        if row["forced_in_winter"] is not None
        and row["forced_in_winter"] <= table.board.state["turn"]
        and card not in out
        and cards.BOOK.find(table.kit, card) is not None
    ]


def overdue_events(table: Table) -> Procedure:
    """19.8: overdue events happen now, whoever has the card; it leaves the game, and nobody gets CP."""
    for card in overdue(table):
        origin = next(name for name, held in table.board.piles.items() if card in held)
        table.card(card, origin, hands.IN_PLAY, why="overdue", section="19.8")
        table.tell("overdue_event", card=card, section="19.8")
        name = slug(hands.row(table, card)["name"])
        power = OVERDUE_OWNERS.get(name, "papacy")
        yield from cards.BOOK.resolve(table, power, card, Moment("winter", power))
        if card in table.board.piles.get(hands.IN_PLAY, ()):
            table.card(card, hands.IN_PLAY, hands.REMOVED, section="19.8")


SEGMENTS = (
    ("loans", homeward.end_loans),
    ("renegade", renegade),
    ("ships", homeward.ships_return),
    ("land", winter_quarters.land_units_return),
    ("alliances", alliances),
    ("replacements", replacements),
    ("piracy_markers", naval.remove_piracy_markers),
    ("debaters", debaters),
    ("overdue", overdue_events),
)
ORDERS = winter_quarters.ORDERS
