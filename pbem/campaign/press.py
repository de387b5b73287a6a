"""Who may write to whom now, by the campaign's policy and by the rules of its game."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from pbem.campaign.command import Press
from pbem.campaign.commands import Line, names_listed, read_powers
from pbem.campaign.live import Live
from pbem.table.kit import normalise
from pbem.table.orders import Refused, Unreadable


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


def with_powers(live: Live, seat: str, to: str, players: Mapping[str, str]) -> str:
    """A list of those whom a message is for, with the powers of each who is called by the name of a player (`players`:
    seat -> name): of one who holds several those that may be written to, if any may.

    Raises `Unreadable` for a name that a player has, and a power that is not his.
    """
    named = names_listed(to, live.kit)
    powers = [_of_player(live, seat, name, players) for name in named]
    if not any(powers):
        return to
    return ", ".join(one for name, his in zip(named, powers, strict=True) for one in his or [name])


def powers_meant(live: Live, seat: str, to: str, players: Mapping[str, str]) -> list[str]:
    """The powers in play that a list of powers and players (`players`: seat -> name) means. Raises `Unreadable`."""
    playing = [power for held in live.campaign.seats.values() for power in held["powers"]]
    return read_powers(with_powers(live, seat, to, players), playing, live.kit)


def ask_back(live: Live, seat: str, lines: Iterable[Line], players: Mapping[str, str]) -> None:
    """Ask those messages back that begin in other words than the grammar's (``message to kate: …``) and name nobody in
    play: before anything else of their mail is done."""
    for line in lines:
        if isinstance(line.order, Press) and not line.text.lstrip().upper().startswith(f"{Press.pattern.verb} "):
            try:
                powers_meant(live, seat, line.order.to, players)
            except Unreadable as problem:
                line.order, line.problem = None, problem


def _of_player(live: Live, seat: str, name: str, players: Mapping[str, str]) -> list[str]:
    """The powers of the one player of a name, or that of his which is called so too; none where no player is."""
    seats = live.campaign.seats
    called = [one for one, his in players.items() if one in seats and normalise(his) == normalise(name)]
    if len(called) != 1 or not normalise(name) or name.casefold() in live.kit.words("all"):
        return []
    his = list(seats[called[0]]["powers"])
    try:
        known = read_powers(name, [power for held in seats.values() for power in held["powers"]], live.kit)
    except Unreadable:
        known = []
    domain = live.kit.domain_of_powers
    if any(power not in his for power in known) and his and domain is not None:
        meant = list(dict.fromkeys([*known, *his]))
        told = [{"domain": domain, "id": one, "name": live.kit.display(domain, one), "by_id": False} for one in meant]
        raise Unreadable("may_be_several", meant, said=name, meant=told)
    own = live.campaign.powers_of(seat)
    return known or [power for power in his if barred_by_the_game(live, own, [power]) is None] or his


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
