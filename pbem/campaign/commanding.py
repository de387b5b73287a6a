"""Lines that are no orders of the game: what each of them does to a campaign, or tells."""

from __future__ import annotations

from typing import Any

from pbem.campaign import asked, course, life, standing
from pbem.campaign.acts import Act
from pbem.campaign.command import (
    AcceptInvitation,
    Again,
    Away,
    AwayOff,
    CancelAnswer,
    CancelQueue,
    CancelStanding,
    Card,
    Command,
    DeclineInvitation,
    Hand,
    Help,
    Press,
    Queue,
    SetBoard,
    SetLanguage,
    SetReports,
    SetTimezone,
    SetWebhook,
    Standing,
    StandingList,
    StandingPreset,
    StandingPresets,
    Status,
    StatusOfBoard,
    StatusOfPoints,
)
from pbem.campaign.commands import cards_named
from pbem.campaign.live import Live
from pbem.campaign.settings import Settings
from pbem.render.tellings import Sentence, line, say
from pbem.table import brief, sight
from pbem.table.orders import Unreadable


def carry_out(act: Act, seat: str, command: Command, text: str, settings: Settings) -> list[Sentence]:
    """Do what a line of a seat says; `text` is the line as sent. Returns what is to be told, sentences of
    `pbem.render.tellings`.

    Raises `Refused`, `Unreadable`.
    """
    live, campaign = act.live, act.campaign
    match command:
        case Status():
            return [*asked.status_told(live), *asked.queue_waits(live, seat)]
        case StatusOfPoints():
            return []
        case StatusOfBoard():
            told = "An answer by mail tells the board in words; on the pages it stands in words below its picture."
            return [say(told)]
        case Card():
            cards_named(command.card, live.kit)
            return []
        case Hand():
            return [] if any(asked.hands_of(live, seat).values()) else [say("You hold no cards.")]
        case Help():
            return asked.help_told(live, seat, command.about)
        case Queue():
            queued = [line(text=one) for one in campaign.queue.get(seat, [])]
            return [*queued, *asked.queue_waits(live, seat)] or [say("No orders are queued.")]
        case Again():
            return []
        case CancelQueue():
            life.set_queue(act, seat, [], by_its_player=True)
        case CancelAnswer():
            return [say("Taken back: %(text)s", text=one) for one in course.take_back(act, seat, text)]
        case StandingList():
            mine = standing.still_valid(live.kit, campaign.standing.get(seat, []), standing.seen_by(live, seat))
            orders = [line(text=f"{entry['number']}. {entry['text']}") for entry in mine]
            return orders or [say("There are no standing orders.")]
        case StandingPresets():
            return standing.presets_told(live)
        case StandingPreset():
            return life.add_preset(act, seat, command.preset)
        case Standing():
            life.add_standing(act, seat, command, text)
        case CancelStanding():
            life.cancel_standing(act, seat, command.number)
        case Press():
            life.send_press(act, seat, command.to, command.message, settings.play_press_limit)
        case AcceptInvitation():
            life.join(act, seat, brief.language_of(text, live.kit))
        case DeclineInvitation():
            life.decline(act, seat)
        case Away():
            life.go_away(act, seat, command.first_day, command.last_day)
        case AwayOff():
            life.come_back(act, seat)
        case SetTimezone() | SetReports() | SetBoard() | SetLanguage() | SetWebhook():
            life.set_preference(act, seat, command, settings.webhook_private)
        case _:
            raise Unreadable("stands_alone", verb=command.pattern.verb)
    return []


def reasons(live: Live, seat: str) -> list[dict[str, Any]]:
    """Why the points stand as they do, as a seat sees the board."""
    board = live.campaign.board if live.play is None else live.play.board
    if board is None:
        return []
    return live.game.reasons(live.table(sight.view(board, live.campaign.powers_of(seat))))
