"""What a seat or the moderator does to a campaign besides playing: seats, press, standing orders, preferences."""

from __future__ import annotations

import zoneinfo
from collections.abc import Mapping, Sequence
from datetime import date, datetime, time, timedelta
from typing import Any
from urllib.parse import urlsplit

from pbem.campaign import course, expiry, ledger, programs, standing
from pbem.campaign.acts import Act, NotNow
from pbem.campaign.addresses import may_be_public
from pbem.campaign.clock import stamp
from pbem.campaign.command import Command, SetBoard, SetLanguage, SetReports, SetTimezone, SetWebhook, Standing
from pbem.campaign.commands import read_line, read_powers
from pbem.campaign.days import read_day, readings
from pbem.campaign.live import Live
from pbem.campaign.press import check_relayed, speakers
from pbem.campaign.zones import zones_called
from pbem.render.tellings import Sentence, line, say
from pbem.table.conditions import preset_lines
from pbem.table.orders import Refused, Showing, Unreadable
from pbem.table.said import Said

MOST_QUEUED = 100


def with_seat(live: Live, seat: str, **more: Any) -> dict[str, Any]:
    return {s: {**seating, **more} if s == seat else seating for s, seating in live.campaign.seats.items()}


def other_seat(act: Act, seat: str, address: str) -> str | None:
    """The seat besides this one that the person of an address has, or is invited to: nobody holds two of a campaign.
    An invitation that he declined does not count. None for no other."""
    seats = act.campaign.seats
    held = act.archive.people.seats_of(act.campaign.id, address)
    return next((other for other in held if other != seat and not seats[other].get("declined")), None)


def check_one_seat(act: Act, seat: str, address: str) -> None:
    """Raises `NotNow` where a seat is to be given to somebody who has another."""
    other = other_seat(act, seat, address)
    if other is not None:
        raise NotNow(Said("this person has %(seat)s already: nobody holds two seats of a campaign", seat=other))


def join(act: Act, seat: str, language: str | None = None) -> None:
    """Take a seat one was invited to. Raises `Refused` when it is taken, or who was invited has another meanwhile.

    `language`: the code of the one in which he read the invitation or said yes, None where that is not known. It is
    his for all mails if he has chosen none.
    """
    live = act.live
    if live.campaign.seats[seat]["accepted"]:
        raise Refused("seat_yours_already")
    player = act.archive.people.player(live.campaign.id, seat)
    if player is not None and other_seat(act, seat, player["address"]) is not None:
        raise Refused("other_seat_yours")
    act.write("joined", public={"seat": seat}, change={"seats": with_seat(live, seat, accepted=True)})
    has_chosen = player is None or player["language_chosen"] or "language" in act.preferred.get(seat, {})
    if language is not None and player is not None and not has_chosen and language != player["language"]:
        set_preference(act, seat, SetLanguage(language=language))


def invite(act: Act, seat: str) -> int:
    """Offer a seat to somebody; what was planned for it is gone. Returns the seat's new generation."""
    live, generation = act.live, act.campaign.seats[seat]["generation"] + 1
    seats = with_seat(live, seat, generation=generation, declined=False, empty=None, away=None)
    act.write("invited", public={"seat": seat}, change={"seats": seats, "seat": seat, **without_plans(live, seat)})
    return generation


def decline(act: Act, seat: str) -> None:
    """Leave a seat that one was invited to, or given in a running campaign and has not yet played. Raises `Refused`."""
    live = act.live
    if live.campaign.status != "inviting" and not live.campaign.seats[seat].get("newcomer"):
        raise Refused("begun_already")
    begun, generation = live.campaign.status != "inviting", live.campaign.seats[seat]["generation"]
    empty = course.VACANT if begun else None
    seats = with_seat(
        live, seat, accepted=False, newcomer=False, declined=True, generation=generation + begun, empty=empty, away=None
    )
    act.write("declined", public={"seat": seat}, change={"seats": seats})
    act.beside.append(act.archive.people.wants_no_address(live.campaign.id, seat))
    if begun:
        act.beside += act.archive.people.left(live.campaign.id, seat, act.now, "declined")


def assign(act: Act, chosen: Mapping[str, str] | None) -> None:
    """Give the seats their powers, chosen or drawn by provable draw. Raises `ValueError` for a wrong choice."""
    live = act.live
    campaign = live.campaign
    seats = list(campaign.seats)
    fixed = live.game.seats(live.kit, campaign.scenario, len(seats), campaign.options)
    holdings = fixed or [[power] for power in live.game.powers(live.kit, campaign.scenario)]
    facts: list[dict[str, Any]] = []
    given: dict[str, list[str]] = {}
    throws = None
    if chosen is not None:
        if sorted(chosen) != sorted(seats):
            raise ValueError(_without_power(seats, chosen))
        for seat in seats:
            given[seat] = _wanted(holdings, given, seat, chosen[seat])
    else:
        text = "the powers are drawn for " + ", ".join(seats)
        throws = act.throws(text)
        left = list(holdings)
        for seat in seats:
            thrown = throws.throw(1, len(left), f"powers of {seat}")
            k = thrown.dice[0] - 1
            facts.append(
                {
                    "fact": "draw",
                    "what": f"powers of {seat}",
                    "k": k,
                    "m": len(left),
                    "index": thrown.index,
                    "card": "+".join(left[k]),
                }
            )
            given[seat] = left.pop(k)
    seatings = {seat: {**state, "powers": list(given[seat])} for seat, state in campaign.seats.items()}
    public: dict[str, Any] = {"powers": {seat: seatings[seat]["powers"] for seat in seats}}
    if throws is not None:
        public |= {"facts": facts, "order": text}
    act.write("assigned", public=public, throws=throws, change={"seats": seatings})


def _without_power(seats: Sequence[str], chosen: Mapping[str, str]) -> Said:
    """What is wrong with a choice that does not name each seat once."""
    strange = [seat for seat in chosen if seat not in seats]
    if strange:
        return Said("there is no seat %(strange)s; there are %(seats)s", strange=strange, seats=list(seats))
    without = [seat for seat in seats if seat not in chosen]
    return Said("every seat needs its power; still without one: %(seats)s", seats=without)


def _wanted(holdings: Sequence[list[str]], given: Mapping[str, list[str]], seat: str, power: str) -> list[str]:
    """The powers that go together with one that was chosen for a seat. Raises `ValueError`, which says what is free."""
    wanted = next((holding for holding in holdings if power in holding), None)
    if wanted is not None and wanted not in given.values():
        return wanted
    if wanted is None:
        powers = [power for holding in holdings for power in holding]
        raise ValueError(Said(
            "%(power)s cannot be given to %(seat)s: it is none of %(powers)s", power=power, seat=seat, powers=powers,
        ))  # fmt: skip
    other = next(s for s, holding in given.items() if holding == wanted)
    raise ValueError(Said(
        "%(power)s cannot be given to %(seat)s: %(other_seat)s gets %(powers)s", power=power, seat=seat,
        other_seat=other, powers=list(wanted),
    ))  # fmt: skip


def replace(act: Act, seat: str, reason: str) -> int:
    """Give a seat to somebody else; the old token is void. Returns the seat's new generation."""
    live = act.live
    generation = live.campaign.seats[seat]["generation"] + 1
    begun = live.campaign.status != "inviting"
    seats = with_seat(
        live, seat, generation=generation, extensions=0, missed=None, accepted=begun, newcomer=begun, empty=None,
        away=None,
    )  # fmt: skip
    act.write(
        "replaced",
        public={"seat": seat, "reason": reason},
        change={"seats": seats, **without_plans(live, seat), "seat": seat, "takes_over": begun},
    )
    return generation


def vacate(act: Act, seat: str, reason: str, *, silent: bool, why: str = "vacated") -> None:
    """Leave a seat without a player: vacant until somebody is found, or silent, so that the game waits for it no more.

    The old token is void. `why` the sitting ends: who is ``erased`` gets no farewell. Raises `NotNow` where it is so
    already.
    """
    live, seating = act.live, act.campaign.seats[seat]
    empty = course.SILENT if silent else course.VACANT
    if seating.get("empty") == empty:
        raise NotNow(
            Said("%(seat)s is silent already", seat=seat) if silent
            else Said("%(seat)s is without a player already", seat=seat)
        )  # fmt: skip
    people, generation = act.archive.people, seating["generation"]
    if why != "erased":
        act.beside += people.farewell(live.campaign.id, seat, generation, act.now, reason, vacated=True)
    act.beside += people.left(live.campaign.id, seat, act.now, why)
    seats = with_seat(
        live, seat, generation=generation + 1, extensions=0, missed=None, accepted=False, newcomer=False, empty=empty,
        away=None,
    )  # fmt: skip
    act.write(
        "vacated",
        public={"seat": seat, "reason": reason, "empty": empty},
        change={"seats": seats, **without_plans(live, seat), "seat": seat},
    )
    if silent:
        expiry.silence(act, seat)


def without_plans(live: Live, seat: str) -> dict[str, Any]:
    """What the campaign remembers once a seat's queued and standing orders, which were another player's, are gone."""
    standing = {s: o for s, o in live.campaign.standing.items() if s != seat}
    return {**programs.without(live, seat), "standing": standing}


def set_queue(
    act: Act, seat: str, lines: Sequence[str], progress: programs.Progress | None = None, *, by_its_player: bool = False
) -> None:
    """Keep orders for when the seat is asked again; none clears what is kept. `by_its_player`: what he does to it
    counts, so that a day holds only so much of it. Raises `Refused` for too many orders, or too many times a day."""
    live = act.live
    if not lines and not live.campaign.queue.get(seat):
        return
    if len(lines) > MOST_QUEUED:
        raise Refused("too_many_queued", most=MOST_QUEUED)
    change = programs.with_queue(live, seat, lines, progress or programs.progress_of(live, seat))
    if by_its_player:
        change |= standing.counted_today(act, f"queue of {seat}", "too_many_queued_a_day")
    act.write("settings", own={seat: {"queue": list(lines)}}, change=change)


def add_standing(act: Act, seat: str, command: Standing, text: str, preset: str | None = None) -> None:
    """Remember a standing order; those whose time is over are forgotten. `preset`: the ready-made one that it is of, as
    it was named. Raises `Unreadable` for bad conditions, `Refused` when there are too many."""
    live = act.live
    campaign = live.campaign
    mine = standing.still_valid(live.kit, campaign.standing.get(seat, []), standing.seen_by(live, seat))
    if len(mine) >= standing.MOST:
        raise Refused("too_many_standing", most=standing.MOST)
    standing.check_kind(live, command.question)
    entry = {
        "number": campaign.standing_next,
        "kind": command.question,
        "line": command.answer,
        "text": text,
        "conditions": standing.read_for(live, seat, command.conditions),
        **({"preset": preset} if preset else {}),
    }
    act.write(
        "settings",
        own={seat: {"standing": entry}},
        order=(seat, text),
        change={
            **standing.counted(act, seat),
            "standing": {**campaign.standing, seat: [*mine, entry]},
            "standing_next": campaign.standing_next + 1,
        },
    )


def add_preset(act: Act, seat: str, preset: str) -> list[Sentence]:
    """Take the standing orders of a ready-made one over, but for those that the seat has; returns what was added.

    Raises `Refused` for one that there is not, or when there are too many.
    """
    live = act.live
    seen = standing.seen_by(live, seat)
    try:
        lines, is_for_good = standing.ready_made(live.kit, preset, seen), preset_lines(live.kit, preset)
    except Unreadable as error:
        raise error.refusal() from error
    mine = standing.still_valid(live.kit, live.campaign.standing.get(seat, []), seen)
    new = [text for text in lines if text not in [entry["text"] for entry in mine]]
    if len(mine) + len(new) > standing.MOST:
        raise Refused("too_many_standing", most=standing.MOST)
    for text in new:
        command = read_line(live.kinds, text, live.kit)
        assert isinstance(command, Standing)
        add_standing(act, seat, command, text, None if text in is_for_good else preset)
    return [line(text=text) for text in new] or [say("You have these already.")]


def cancel_standing(act: Act, seat: str, number: int) -> None:
    """Forget a standing order. Raises `Refused` when the seat has none of this number."""
    live = act.live
    mine = live.campaign.standing.get(seat, [])
    left = [entry for entry in mine if entry["number"] != number]
    if len(left) == len(mine):
        raise Refused("no_standing_order", number=number, yours=[entry["number"] for entry in mine])
    change = {**standing.counted(act, seat), "standing": {**live.campaign.standing, seat: left}}
    act.write("settings", own={seat: {"cancelled": number}}, change=change)


def send_press(act: Act, seat: str, to: str, text: str, limit: int) -> None:
    """Relay a message; only commitments enter the chain. Raises `Refused`, `Unreadable`."""
    if len(text) > limit:
        raise Refused("press_too_long", length=len(text), most=limit)
    _relay(act, seat, addressed_to(act.live, seat, to, text), text)


def addressed_to(live: Live, seat: str, to: str, text: str) -> dict[str, Any]:
    """Whom a message would go to: ``{seats, powers, from}``. Raises `Refused`, `Unreadable`."""
    campaign = live.campaign
    check_relayed(live)
    if not text.strip():
        raise Refused("press_empty")
    powers = [power for seating in campaign.seats.values() for power in seating["powers"]]
    if not powers:
        raise Refused("press_before_powers")
    own = campaign.powers_of(seat)
    wanted = [power for power in read_powers(to, powers, live.kit) if power not in own]
    recipients = list(dict.fromkeys(campaign.seat_of_power(power) for power in wanted))
    if not recipients:
        raise Refused("press_to_oneself")
    speaking, barred = speakers(live, own, wanted)
    if barred:
        raise barred
    return {"seats": recipients, "powers": wanted, "from": speaking}


def show(
    act: Act, seat: str, power: str, order: Showing, sent: str, change: Mapping[str, Any] | None = None
) -> int:
    """Show something of a power's to others, as a message that the service vouches for; value: the event's number.

    What is shown stands in the parts of the seats that see it. `change` goes with it. Raises `Refused`.
    """
    live = act.live
    play = live.playing()
    play.check(power, order)
    check_relayed(act.live)
    own = live.campaign.powers_of(seat)
    viewers = [one for one in order.viewers() if one not in own]
    if not viewers:
        raise Refused("press_to_oneself")
    seats = list(dict.fromkeys(live.campaign.seat_of_power(one) for one in viewers))
    shown = {"of": power, "whole": order.whole, "names": order.shown(play.table, power)}
    whom = {"seats": seats, "powers": viewers, "from": [power], "shown": shown}
    return _relay(act, seat, whom, order.text(), sent=sent, change=change)


def _relay(
    act: Act,
    seat: str,
    whom: Mapping[str, Any],
    text: str,
    *,
    sent: str | None = None,
    change: Mapping[str, Any] | None = None,
) -> int:
    """Write a message: its commitment into the chain, its text beside it. `whom`: ``{seats, powers, from}``, and
    ``shown`` where it shows something. Value: the event's number."""
    committed = ledger.commit_press(text)
    commitment = committed["commitment"]
    seen = {"press": commitment, "from": whom["from"], "to": whom["powers"]}
    if "shown" in whom:
        seen["shown"] = whom["shown"]
    number = act.write(
        "press",
        public={"press": [commitment]},
        own=dict.fromkeys([seat, *whom["seats"]], seen),
        order=None if sent is None else (seat, sent),
        change={**(change or {}), "commitment": commitment, "sender": seat, "recipients": whom["seats"]},
    )
    act.beside.append(act.archive.people.wrote(act.campaign.id, number, seat, whom, text, committed, act.at))
    return number


def _webhook_problem(url: str, private: bool) -> str | None:
    """What is wrong with the address of a webhook, as far as can be told without asking for its host: the code of a
    refusal; None if nothing.

    `private`: the operator lets webhooks be of his own network. The mail room looks again, at what the name leads to.
    """
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        return "web_address_unreadable"
    if (parts.scheme != "https" and not (private and parts.scheme == "http")) or not url.isprintable() or " " in url:
        return "web_address_not_https"
    if not host or parts.username is not None:
        return "web_address_without_host"
    return None if private or may_be_public(host) else "web_address_not_public"


MOST_DAYS_AWAY = 60


def go_away(act: Act, seat: str, first: str, last: str) -> None:
    """Be away from the beginning of one day until the end of another, in the player's time zone, in all campaigns.

    Other campaigns hear of it at the next tick of the clock. Raises `Refused` for days that cannot be.
    """
    zone = _zone_of(act, seat)
    today = act.now.astimezone(zone).date()
    start = _day(first, zone, today)
    end = _day(last, zone, max(today, start.date())) + timedelta(days=1)
    if end <= start:
        raise Refused("away_backwards", first=first, last=last)
    if end <= act.now:
        raise Refused("away_past", last=last)
    if (end - start).days > MOST_DAYS_AWAY:
        raise Refused("away_too_long", most=MOST_DAYS_AWAY)
    _is_away(act, seat, [stamp(start), stamp(end)])


def come_back(act: Act, seat: str) -> None:
    """Be away no more. Raises `Refused` where he is not."""
    player = act.archive.people.player(act.campaign.id, seat)
    if player is None or not player["away_until"] or player["away_until"] <= stamp(act.now):
        raise Refused("not_away", hint="AWAY FROM 2026-08-01 TO 2026-08-14")
    _is_away(act, seat, [min(player["away_from"], stamp(act.now)), stamp(act.now)])


def _is_away(act: Act, seat: str, away: Sequence[str]) -> None:
    act.beside.append(act.archive.people.away(act.campaign.id, seat, away))
    expiry.heed_absence(act, seat, away)


def _zone_of(act: Act, seat: str) -> zoneinfo.ZoneInfo:
    player = act.archive.people.player(act.campaign.id, seat) or {"timezone": "UTC"}
    return zoneinfo.ZoneInfo({**player, **act.preferred.get(seat, {})}["timezone"])


def _day(text: str, zone: zoneinfo.ZoneInfo, today: date) -> datetime:
    """The beginning of a day. Raises `Refused`."""
    day = read_day(text, today)
    if day is None or not 2000 <= day.year <= 9000:
        meant = [f"{one}" for one in readings(text)]
        hints = [f"AWAY FROM {one} TO …" for one in meant] or ["AWAY FROM 2026-08-01 TO 2026-08-14"]
        raise Refused("no_day", hints=hints, day=text)
    return datetime.combine(day, time(), zone)


def set_preference(act: Act, seat: str, command: Command, private_hooks: bool = False) -> None:
    """Remember how a player wants his mail, beside the stream. Raises `Refused` for a value that cannot be.

    `private_hooks`: whether a webhook may be of the operator's own network.
    """
    values: dict[str, Any] = {}
    match command:
        case SetTimezone():
            zones = zones_called(command.zone)
            if not zones:
                hints = [f"SET TIMEZONE {zone}" for zone in ("Europe/Paris", "America/New_York", "UTC")]
                raise Refused("no_time_zone", hints=hints, zone=command.zone)
            if len(zones) > 1:
                hints = [f"SET TIMEZONE {zone}" for zone in zones]
                raise Refused("several_time_zones", hints=hints, zone=command.zone)
            values["timezone"] = zones[0]
        case SetReports():
            values["reports"] = command.mode
            if command.hour is not None:
                values["hour"] = command.hour
        case SetBoard():
            values["board"] = command.mode
        case SetLanguage():
            values["language"] = command.language
        case SetWebhook():
            url = command.url.strip()
            if url.casefold() == "off":
                values["webhook"] = None
            elif problem := _webhook_problem(url, private_hooks):
                raise Refused(problem, hints=["SET WEBHOOK https://chat.example.org/…", "SET WEBHOOK OFF"])
            else:
                values["webhook"] = url
    act.preferred[seat] = {**act.preferred.get(seat, {}), **values}
    act.write("settings", change={"preferences": seat})
    act.beside += act.archive.people.prefers(act.campaign.id, seat, values)
