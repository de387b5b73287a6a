"""A campaign in the memory of one process: the aggregate, and the play that runs beside it.

It is changed by acts alone (`pbem.campaign.acts`), and nothing of an act is kept here. After any exception the whole
object is dropped, since a running procedure cannot be set back.
"""

from __future__ import annotations

import copy

from pbem import games
from pbem.campaign.campaign import Campaign
from pbem.table.board import Board
from pbem.table.dice import DiceTree
from pbem.table.kit import Kit
from pbem.table.orders import Refused
from pbem.table.procedure import Play, ReplayDiffers, Table

HELD = "the rules differ from the record of the open step"
"""All that is said aloud of a held campaign: where they differ may quote hidden things, and is for the referee."""


class Live:
    """One campaign, ready to go on."""

    def __init__(self, campaign: Campaign, kit: Kit):
        self.campaign, self.kit = campaign, kit
        self.game = games.find_game(campaign.game)
        self.kinds = list(self.game.orders)
        self.play: Play | None = None
        self.differs: str | None = None
        """Where the rules differ from the record; may quote hidden facts."""
        self.trees: dict[int, DiceTree] = {}
        """Those of the dice that were thrown from, so that they are made once."""
        if campaign.board is not None and campaign.status in ("running", "paused", "held"):
            self.resume()

    def resume(self) -> None:
        """Take the play up where the record has it."""
        try:
            self.play = self.spare_play()
        except ReplayDiffers as error:
            self.play, self.differs = None, str(error)

    def spare_play(self) -> Play:
        """The play again on a board of its own, for what must not touch the campaign. Raises `ReplayDiffers`."""
        return self.play_of(self.campaign)

    def aside(self) -> Live:
        """The campaign with its play, to be tried on as long as the game does not go on."""
        made = copy.copy(self)
        made.campaign = self.campaign.aside()
        made.play = self.play and self.play.aside()
        return made

    def play_of(self, campaign: Campaign) -> Play:
        """The play as this campaign, or what it was at an earlier event, has it. Raises `ReplayDiffers`."""
        assert campaign.board is not None
        table = self.table(campaign.board.copy())
        return Play.resume(self.game, table, campaign.facts, campaign.entries, campaign.sealed)

    def table(self, board: Board) -> Table:
        """A table of this campaign with a board on it."""
        return Table(board, self.kit, self.campaign.options, game=self.game)

    def playing(self) -> Play:
        """The running play. Raises `Refused` where none runs."""
        if self.play is None:
            raise Refused("rules_differ" if self.differs else "game_not_begun")
        return self.play

    def play_order(self) -> list[str]:
        """The powers in the order of play that the game says."""
        powers = [seating["powers"] for seating in self.campaign.seats.values()]
        return self.game.play_order(self.kit, self.campaign.scenario, powers)

    def out_of_order(self) -> bool:
        """Whether the board has its powers in another order than the game says: the campaign was begun by a program
        that took the order of the seats."""
        board, order = self.campaign.board, self.play_order()
        return board is not None and board.powers != order and sorted(board.powers) == sorted(order)

    def may_change_kit(self) -> bool:
        """Whether the game is at a point of rest: the open step has taken no answer and thrown nothing."""
        campaign = self.campaign
        return (
            not campaign.entries
            and not campaign.sealed
            and not any(f["fact"] in ("roll", "draw") for f in campaign.facts)
        )

    def hours(self, kind: str) -> float:
        """How long a question of a kind stays open in this campaign."""
        times = self.campaign.policy.get("times", {})
        chosen = times.get(kind, times.get("default"))
        return self.kit.hours(kind) if chosen is None else chosen
