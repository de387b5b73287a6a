"""Who may write to whom now, by the campaign's policy and by the rules of its game."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from pbem.campaign.live import Live
from pbem.table.orders import Refused


def check_relayed(live: Live) -> None:
    """Raise `Refused` where the campaign relays no messages now, whoever writes."""
    if not _is_relayed(live):
        raise Refused("no_press_now" if live.campaign.policy.get("press") == "windows" else "no_press")


def _is_relayed(live: Live) -> bool:
    rule = live.campaign.policy.get("press", "always")
    return rule != "never" and (rule != "windows" or live.campaign.window)


def barred_by_the_game(live: Live, own: Sequence[str], wanted: Sequence[str]) -> Refused | None:
    """Why the game's rules bar a message now (``press_allowed`` of its room); None where they do not speak of press."""
    return speakers(live, own, wanted)[1]


def speakers(live: Live, own: Sequence[str], wanted: Sequence[str]) -> tuple[list[str], Refused | None]:
    """The powers of a seat for which it may write to others now, and why it may not where it may for none.

    Its own other powers hear nothing new: a message bars itself by none of them, and is to all without naming them.
    """
    if live.play is None or live.play.over:
        return list(own), None
    rule, table = live.game.press_allowed, live.play.table
    reasons: dict[str, Refused] = {}
    for power in own:
        others = [one for one in own if one != power]
        ways = [rule(table, power, receivers) for receivers in ([*wanted], [*wanted, *others])]
        if None not in ways and ways[0] is not None:
            reasons[power] = ways[0]
    may = [power for power in own if power not in reasons]
    return may, None if may or not own else reasons[own[0]]


@dataclass(frozen=True)
class Whom:
    """Whom a seat may write to now: single powers, and all of them at once."""

    powers: Sequence[str] = ()
    all: bool = False

    def __bool__(self) -> bool:
        return bool(self.powers) or self.all


def line_to(whom: Whom, named: Collection[str] = (), message: str | None = None) -> str:
    """The line of a message to those named who may be written to; to whom its sender fills in where these are none. One
    without words goes to all where nobody may be written to alone; what somebody has written was not meant for all."""
    others = ["ALL"] if message is None and not whom.powers else ["<powers>"]
    to = [power for power in whom.powers if power in named] or others
    return f"PRESS TO {', '.join(to)}: {'<message>' if message is None else message}"


def may_write_to(live: Live, seat: str) -> Whom:
    """Whom a seat may write to now."""
    campaign = live.campaign
    own = campaign.powers_of(seat)
    others = [power for other, held in campaign.seats.items() if other != seat for power in held["powers"]]
    if not own or not others or not _is_relayed(live):
        return Whom()
    powers = [power for power in others if barred_by_the_game(live, own, [power]) is None]
    return Whom(powers, barred_by_the_game(live, own, others) is None)
