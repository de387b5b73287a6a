"""What goes into a mail: rows of the outbox, and what their reader may know of the campaign, gathered for `compose`.

Everything about the game comes from the page of the reader's own seat (`pbem.campaign.page`; the moderator reads as
everybody does), so a mail cannot say what its reader may not see. Board, question, and who is waited for are those of
one moment, the last event there is when the mail is written: events that came after those it tells are told by the next
mail, but nobody is asked beside a board of before.

Several rows that are due at the same time for the same seat make one mail. What two of them would tell is told once: a
report leaves out the events that a ruling, an expiry or the opening tells, and an answer leaves the results of its
lines to the report beside it.
"""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta, tzinfo
from functools import cached_property
from typing import Any

from markupsafe import escape
from sqlalchemy import select

from pbem.campaign.command import Away, Press, Queue, Status, StatusOfBoard
from pbem.campaign.commands import without_addressee
from pbem.campaign.links import address_link, seat_link
from pbem.campaign.messages import KINDS, place_of
from pbem.campaign.moderators import Moderators
from pbem.campaign.notices import APART, DESK_LINK, HOUSE, address_of, is_moderator
from pbem.campaign.outbox import Message, press_of
from pbem.campaign.page import Page, Question
from pbem.campaign.policy import RESPONSE_WINDOWS, described
from pbem.campaign.service import Service
from pbem.campaign.service import Status as CampaignStatus
from pbem.campaign.submissions import Answer, LineResult, say_hints_once
from pbem.campaign.vault import without_tokens
from pbem.mail.compose import PHASE, Answered, Ask, Line, Mail, Part, Told, sentences_of
from pbem.mail.envelope import make_address
from pbem.mail.parse import Letter, read_mail
from pbem.mail.ready import ready_made
from pbem.render.board_svg import board_svg
from pbem.render.happenings import certificate, changed_places, silence, title
from pbem.render.language import Language, find_language, find_zone
from pbem.render.narrative import Paragraph, Teller, narrate
from pbem.render.picture import board_png, mail_width
from pbem.table.board import Board
from pbem.table.conditions import turns
from pbem.table.facts import Fact
from pbem.table.refusals import Refused

NO_STORY = ("rewound", "kit", "reordered")
"""Kinds of events that are told by their title alone: their facts are no story."""
TITLE_ENOUGH = (*NO_STORY, "assigned")
"""Kinds of events that are told also where nothing is to be said of their facts."""

ASSIGNED = "assigned"
"""The kind of event by which powers are given to seats: it tells who plays what by the names of the players."""

MOST_EXAMPLES, EXAMPLES_A_VERB, EXAMPLES_IN_SHORT = 9, 3, 4
MANY_FORMS = 3  # of which a mail does not tell the same twice
MOST_OF_HEAD = 16  # lines of the board in words that tell who is new to it how things stand
MOST_UNDONE = 12  # events that a mail on a rewind names
MOST_LEFT_OUT, LEFT_OUT_LENGTH = 10, 100  # lines, and characters of each, that an answer quotes

_STAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?\+00:00")

log = logging.getLogger(__name__)


class Nothing(Exception):
    """There is nothing to send: the question was answered, the text erased, nobody sits there. Says what."""


@dataclass(frozen=True)
class Gathered:
    """A mail, and the row of the outbox under whose Message-ID it goes out."""

    mail: Mail
    lead: Message
    told: int | None = None
    """The event after which the mail tells its reader's seat of the board; None where it does not."""


@dataclass(frozen=True)
class _Reader:
    """For whom a mail is gathered, what he meets of the campaign, and the events that the mail may tell of."""

    page: Page
    zone: tzinfo
    told: dict[int, dict[str, Any]]
    new_cards: frozenset[str] = frozenset()
    """The cards of his own hands that the same mail tells whole."""
    players: Mapping[str, str] = field(default_factory=dict)
    """The names of who has the seats, where powers were drawn for them."""

    @property
    def seat(self) -> str | None:
        return self.page.seat

    @cached_property
    def teller(self) -> Teller:
        return Teller(self.page.kit, self.page.teller.language.code, zone=self.zone)

    @property
    def language(self) -> Language:
        return self.page.teller.language


def gather(service: Service, rows: Sequence[Message], now: datetime, *, pictures: bool = True) -> Gathered:
    """One mail of the rows of one seat.

    `now` is the moment it is written at; `pictures` whether the board is drawn.
    Raises `Nothing` when none of the rows has anything to say any more.
    """
    first = rows[0]
    if first.kind in KINDS and KINDS[first.kind].house:
        return _gather_for_the_house(service, rows, now)
    if first.kind in APART:
        return _gather_apart(service, first, now)
    campaign, for_moderator = first.campaign, is_moderator(first.seat)
    seat = None if for_moderator else first.seat
    own = service.settings.moderator
    player = _moderator(service, first.seat, own) if for_moderator else service.player(campaign, first.seat)
    if not player or not player["address"]:
        raise Nothing("nobody can be written to there")
    token = service.token_of(campaign, seat) if seat else None
    page = service.page(campaign, seat, find_language(player["language"]).code)
    status, kit, language = page.status, page.kit, page.teller.language
    asks = [question for question in page.questions if not question.asked.answered]
    start, stop = min(row.first_event for row in rows), max(row.last_event for row in rows)
    events = {event["number"]: event for event in page.events(start, stop)}
    zone = find_zone(player["timezone"])
    before = page.board_after(player.get("told", 0))  # the board of the last mail
    players = _names_of(service, status) if any(event["kind"] == ASSIGNED for event in events.values()) else {}
    reader = _Reader(page, zone, events, _new_cards(page, before), players)
    pairs = _parts(service, rows, reader, status, bool(asks))
    parts = [part for _, part in pairs]
    lead = next((row for row, part in pairs if part.kind == "opening"), pairs[0][0])
    kinds = [KINDS[part.kind] for part in parts]
    domain = service.settings.domain
    mail = Mail(
        campaign=campaign, title=status.title, game=kit.title(language.code), name=player["name"],
        address=player["address"], sender=make_address(campaign, "", domain),
        reply_to=make_address(campaign, token, domain) if token else None, message_id=lead.message_id, parts=parts,
        language=language.code, zone=zone, now=now,
        powers=[reader.teller.power(power) for power in page.powers],
        plays=[reader.teller.form(power, "the") for power in page.powers],
        asks=[_ask(one, reader) for one in asks if any(kind.with_question for kind in kinds)],
        is_asked=bool(asks), is_in=bool(page.questions) and not asks,
        waiting_for=_waiting_for(reader, status),
        deadline=status.deadline, event=status.event, head=status.head, dice=status.dice,
        scenario=kit.scenario(status.scenario, language.code), seats=len(status.seats), for_moderator=for_moderator,
        is_over=status.state in ("finished", "archived"),
        link=seat_link(service.settings.site, campaign, token) if token else "",
        list_id=f"{campaign} <{campaign}.pbem.{domain}>",
    )  # fmt: skip
    if any(part.kind in ("opening", "invitation", "takeover") for part in parts):
        mail.rules = described(status.policy, language.text)
    if any(part.kind in ("invitation", "takeover") for part in parts):
        mail.hours = _hours_told(status, reader)
        mail.inviter = language.listed(Moderators(service.store).of_campaign(campaign))
    if lead.kind == "opening":
        mail.players = _players(service, status, reader)
        mail.windows = status.options.get(RESPONSE_WINDOWS, "")
    mail.board = player.get("board", mail.board)
    _leave_to_the_question(mail)
    _leave_to_earlier_mails(mail)
    if seat and any(part.kind == "report" for part in parts) and not mail.is_over:
        _told_beside(mail, reader)
    _thread(service, mail, rows, lead)
    if not any(kind.with_board for kind in kinds) or status.state == "inviting":
        return Gathered(mail, lead)
    _board(mail, reader, before, pictures)
    return Gathered(mail, lead, None if for_moderator else status.event)


def _leave_to_the_question(mail: Mail) -> None:
    """Of what would be right instead of a line, leave out the forms that stand in the question of the same mail."""
    asked = {form for ask in mail.asks for form in ask.usages}
    for line in (line for part in mail.parts if part.answer is not None for line in part.answer.lines):
        others = [hint for hint in line.hints if hint not in asked]
        if len(line.hints) - len(others) >= MANY_FORMS:
            line.hints, line.is_below = others, True


def _leave_to_earlier_mails(mail: Mail) -> None:
    """Tell a question in short that was told whole before, and stays open after an answer to it: in talks, and where
    something was refused; there with some examples. STATUS has it whole."""
    lines = [line for part in mail.parts if part.answer is not None for line in part.answer.lines]
    is_new = any(KINDS[part.kind].asks or part.kind not in ("answer", "report", "press") for part in mail.parts)
    is_refused = any(line.tone == "bad" for line in lines)
    if is_new or not lines or any(line.state == "told" and line.order == Status.line for line in lines):
        return
    if not is_refused and any(line.state != "accepted" or line.text for line in lines):
        return
    above = {hint for line in lines for hint in line.hints}
    for ask in mail.asks:
        left = [example for example in ask.examples if example not in above]
        ask.is_brief, ask.examples = True, left[:EXAMPLES_IN_SHORT] if is_refused else []


def _waiting_for(reader: _Reader, status: CampaignStatus) -> list[str]:
    """The names, with their articles, of the powers that the game waits for; the reader's own only where it waits for
    nobody else."""
    waiting = status.waiting_for if status.state == "running" else []
    others = [power for power in waiting if power not in reader.page.powers]
    return [reader.teller.form(power, "the") for power in others or waiting]


def _told_beside(mail: Mail, reader: _Reader) -> None:
    """What of the reader's program, where no answer lists it, and which standing orders are left."""
    page, is_whole = reader.page, mail.board == "full"
    standing = [f"{entry['number']}. {entry['text']}" for entry in page.standing]
    mail.standing, mail.number_standing = (standing, 0) if is_whole else ([], len(standing))
    if any(part.kind == "answer" for part in mail.parts):
        return
    went_on = any(event.get("own", {}).get("program") for event in reader.told.values())
    queued = page.queued
    mail.queued, mail.number_queued = (queued, 0) if is_whole or went_on else ([], len(queued))


def _moderator(service: Service, seat: str, own: str) -> dict[str, Any]:
    address = address_of(service.store, seat, own)
    return {"name": "Moderator", "address": address, "language": "en", "timezone": "UTC"}


def _gather_for_the_house(service: Service, rows: Sequence[Message], now: datetime) -> Gathered:
    """A mail to a moderator that needs nothing of the campaign: it may be what is broken."""
    first, settings = rows[0], service.settings
    # An account of the house's own address is told things there; its link is the account's alone.
    own = "" if any(row.kind == DESK_LINK for row in rows) else settings.moderator
    moderator = _moderator(service, first.seat, own)
    if not moderator["address"]:
        raise Nothing("nobody can be written to there")
    campaigns = service.store.tables.campaigns
    with service.store.read() as connection:
        title = connection.execute(
            select(campaigns.c.title).where(campaigns.c.campaign == first.campaign)
        ).scalar()
    mail = Mail(
        campaign=first.campaign, title=title or (settings.domain if first.campaign == HOUSE else first.campaign),
        game="pbem", name=moderator["name"], address=moderator["address"],
        sender=make_address(first.campaign, "", settings.domain), reply_to=None, message_id=first.message_id,
        parts=[Part(row.kind, dict(row.data)) for row in rows], now=now, for_moderator=True,
        link=f"{settings.site.rstrip('/')}/desk/",
    )  # fmt: skip
    return Gathered(mail, first)


def _gather_apart(service: Service, row: Message, now: datetime) -> Gathered:
    """A mail to an address that is not, or no longer, that of the seat: it holds no way in to it."""
    to, status = row.data, service.status(row.campaign)
    if not to.get("address"):
        raise Nothing("it is forgotten where this was to go")
    said = {"link": address_link(service.settings.site, to["token"])} if "token" in to else {}
    language = find_language(to["language"])
    mail = Mail(
        campaign=row.campaign, title=status.title, game=service.kit_of(row.campaign).title(language.code),
        name=to["name"], address=to["address"], sender=make_address(row.campaign, "", service.settings.domain),
        reply_to=None, message_id=row.message_id,
        parts=[Part(row.kind, {name: to.get(name) for name in ("reason", "vacated", "wanted")} | said)],
        language=language.code, zone=find_zone(to["timezone"]), now=now,
    )  # fmt: skip
    return Gathered(mail, row)


def _names_of(service: Service, status: CampaignStatus) -> dict[str, str]:
    """The names of the players by their seats."""
    players = {seat: service.player(status.campaign, seat) for seat in status.seats}
    return {seat: player["name"] for seat, player in players.items() if player}


def _players(service: Service, status: CampaignStatus, reader: _Reader) -> list[dict[str, Any]]:
    players = []
    for seat, seating in status.seats.items():
        player = service.player(status.campaign, seat)
        powers = [reader.teller.power(power) for power in seating["powers"]]
        name = player["name"] if player else reader.language.text("nobody") if seating["empty"] else ""
        players.append({"powers": powers, "name": name})
    return players


def _thread(service: Service, mail: Mail, rows: Sequence[Message], lead: Message) -> None:
    """Every mail of a seat hangs on its opening mail (or the invitation); an answer hangs on what it answers."""
    box, inbox = service.store.tables.outbox, service.store.tables.inbox
    with service.store.read() as connection:
        known = connection.execute(
            select(box.c.kind, box.c.message_id, box.c.state)
            .where(box.c.campaign == lead.campaign, box.c.seat == lead.seat)
            .where(box.c.kind.in_(["opening", "invitation"]))
            .order_by(box.c.number)
        ).all()
        answered = [row.inbox for row in rows if row.inbox is not None]
        sent = connection.execute(
            select(inbox.c.message_id).where(inbox.c.campaign == lead.campaign, inbox.c.number.in_(answered))
            .order_by(inbox.c.number.desc()).limit(1)
        ).scalar() if answered else None  # fmt: skip
    roots = [row.message_id for row in known if row.kind == "opening" and lead.kind != "opening"]
    roots += [row.message_id for row in known if row.kind == "invitation" and row.state == "sent"]
    root = next((reference for reference in roots if reference != lead.message_id), None)
    mail.references = [root] if root else []
    mail.in_reply_to = sent or root


def _board(mail: Mail, reader: _Reader, before: Board, pictures: bool) -> None:
    """What the reader sees of the board, and what is other on it than on the one that he was last told of."""
    page = reader.page
    if not page.board.powers:
        return  # the game has not begun
    is_new = any(part.kind in ("takeover", "opening") for part in mail.parts)
    if reader.seat and not mail.is_over:
        things = page.own_since(before)
        # Who has to decide sees what he has; else only what has changed is told again.
        whole = mail.board == "full" or any(not ask.is_brief for ask in mail.asks) or is_new
        mail.own = [thing for thing in things if whole or thing.is_changed or thing.new]
        mail.unchanged = [thing.name for thing in things if thing not in mail.own]
    facts = (fact for event in reader.told.values() if event["kind"] != "started" for fact in event["facts"])
    mail.changed = sorted(changed_places(facts))
    if page.words is None:
        log.debug("the game of campaign %s has no pictures", mail.campaign)
        return
    since = page.words_since(before) or ""
    is_told = "\n\n" not in since and all(part.kind == "answer" for part in mail.parts)  # the mail before has it
    if is_told and any(part.answer is not None and not part.answer.ok for part in mail.parts):
        return
    if mail.board == "full" and not is_told:
        mail.board_text = page.words
    elif is_new:
        mail.board_text = _head_of(page.words)
    elif mail.board != "none" and not _is_told_by_its_ruling(mail):
        mail.board_text = since
    if pictures and mail.board != "none":
        # The picture shows what everybody sees, so that it is painted once for all seats.
        svg = board_svg(
            page.public_board.to_json(), page.kit, highlight=mail.changed, language=reader.language.code,
            title=mail.full_title,
        )  # fmt: skip
        mail.board_png = board_png(svg, mail_width(svg))
    mail.board_alt = reader.language.text(
        "The board after event %(event)s; the line STATUS BOARD has it told in words.", event=mail.event
    )


def _head_of(words: str) -> str:
    """How things stand, of the board in words: its first parts, of which scores and deals are."""
    kept: list[str] = []
    for block in words.split("\n\n"):
        if len("\n\n".join([*kept, block]).splitlines()) > MOST_OF_HEAD:
            break
        kept.append(block)
    return "\n\n".join(kept)


def _is_told_by_its_ruling(mail: Mail) -> bool:
    """Whether all that has changed on the board stands in the ruling that the mail tells: the entries of the board that
    it is in would say again what else they hold."""
    kinds = {part.kind for part in mail.parts}
    return "ruling" in kinds and "report" not in kinds


# --- the parts -------------------------------------------------------------------------------------------------------


def _parts(
    service: Service, rows: Sequence[Message], reader: _Reader, status: CampaignStatus, is_asked: bool
) -> list[tuple[Message, Part]]:
    """What each row has to say, the most urgent first; rows that are overtaken are left out."""
    kinds = {row.kind for row in rows}
    told_elsewhere = {
        number
        for row in rows if row.kind in KINDS and KINDS[row.kind].tells
        for number in range(row.first_event, row.last_event + 1)
    }
    parts: list[tuple[Message, Part]] = []
    for row in sorted(rows, key=lambda message: place_of(message.kind)):
        if row.kind not in KINDS:
            log.error("outbox %s: there is no kind of message %s", row.number, row.kind)
            continue
        if KINDS[row.kind].asks and not is_asked:
            continue
        if row.kind == "invitation" and status.seats[row.seat]["accepted"]:
            continue
        part = Part(row.kind, dict(row.data))
        if row.kind == "answer":
            part.answer = _answer(service, row, reader, with_results="report" not in kinds)
            if part.answer is None:
                continue
        elif row.kind == "report":
            numbers = [n for n in range(row.first_event, row.last_event + 1) if n not in told_elsewhere]
            part.events = _story(reader, numbers)
            if not part.events:
                continue
            part.passed = _passed(reader, numbers)
            part.about = _about(reader, numbers, part.events)
        elif row.kind == "press":
            if not _press(service, row, part, reader):
                continue
        elif KINDS[row.kind].tells:
            part.events = _story(reader, [row.first_event], titles=False)
        elif row.kind == "scores":
            flagged = part.data.get("report")
            if "report" not in kinds:
                part.events = _story(reader, [row.first_event], flagged=flagged, titles=False)
            part.results = _results(reader, row.first_event, flagged)
        _details(service, row, part, reader, status)
        parts.append((row, part))
    if not (parts := _seats_told_in_the_opening(parts, reader)):
        raise Nothing("it is overtaken")
    return parts


def _seats_told_in_the_opening(parts: list[tuple[Message, Part]], reader: _Reader) -> list[tuple[Message, Part]]:
    """The parts, with the drawing of the powers told in what the opening says of the set-up: who plays what stands at
    its top, so that a report of it alone would say it again before the first move."""
    opening = next((part for _, part in parts if part.kind == "opening"), None)
    if opening is None:
        return parts
    for _, part in parts:
        if part.kind == "report":
            drawn = [told for told in part.events if reader.told[told.event]["kind"] == ASSIGNED]
            opening.events = [*drawn, *opening.events]
            part.events = [told for told in part.events if told not in drawn]
    return [(row, part) for row, part in parts if part.kind != "report" or part.events]


def _details(service: Service, row: Message, part: Part, reader: _Reader, status: CampaignStatus) -> None:
    """The small things that templates name."""
    teller = reader.teller
    if row.kind == "missed":
        late = part.data.get("missed", [])
        part.is_mine = any(power in reader.page.powers for power in late) and reader.seat is not None
        told = [power for power in late if not (part.is_mine and power in reader.page.powers)]
        part.powers = [teller.form(power, "the") for power in told]
        part.will_say = _will_say(reader, status) if part.is_mine else []
        event = reader.told.get(row.first_event)
        part.silence = silence(event, teller) if event else []
        part.is_answered = event is not None and event["kind"] == "expired"
    elif row.kind == "reminder":
        part.will_say = _will_say(reader, status)
    elif row.kind == "extension":
        whose = part.data.get("powers") or part.data.get("missed", [])
        part.powers = [teller.form(power, "the") for power in whose]
    elif row.kind == "replacement":
        seat = part.data.get("seat", "")
        player = None if part.data.get("empty") else service.player(row.campaign, seat)
        part.powers = [teller.power(power) for power in status.seats.get(seat, {}).get("powers", [])]
        part.sender = player["name"] if player else ""
    elif row.kind in ("window_opening", "window_closing"):
        whom = reader.page.may_write_to
        part.sender_id = whom.powers[0] if whom.powers else "ALL" if whom.all else ""
        others = [one for seat, held in status.seats.items() if seat != row.seat for one in held["powers"]]
        part.recipients = [teller.form(power, "the") for power in whom.powers or others]
    elif row.kind == "window_closed":
        talked = (powers for seat, powers in part.data.get("talked", {}).items() if seat != row.seat)
        part.recipients = [teller.form(power, "the") for powers in talked for power in powers]
    elif row.kind == "rewind":
        part.lines = _undone(reader, part.data.get("to"), row.first_event)
    elif row.kind == "final":
        part.results = _ranking(part.data.get("results", []), teller)
    elif row.kind == "dropped":
        event = reader.told.get(row.first_event, {})
        part.lines = [event["order"]["text"]] if event.get("order") else []
        part.left = _behind(event.get("own", {}).get("program", {}).get("left", []), part.lines)
        refused = event.get("own", {}).get("refused")
        part.data["reason"] = teller.refusal(Refused.from_json(refused)) if refused else None
    elif row.kind == "stopped":
        program = reader.told.get(row.first_event, {}).get("own", {}).get("program", {})
        part.lines, part.left = [program.get("stopped", "")], program.get("left", [])


def _undone(reader: _Reader, target: int | None, rewind: int) -> list[str]:
    """The titles of the events that a rewind undid, the newest where there are many."""
    events = [
        event for event in reader.page.events((target or 0) + 1, rewind - 1) if event.get("undone") == rewind
    ]  # fmt: skip
    told = [title({**event, "undone": None}, reader.teller, reader.seat) for event in events]
    lines = list(dict.fromkeys(told))
    left = len(lines) - MOST_UNDONE
    if left <= 0:
        return lines
    return [reader.language.text("%(number)s more before these", number=left), *lines[left:]]


def _hours_told(status: CampaignStatus, reader: _Reader) -> list[str]:
    """How long questions stay open in a campaign: most of them, and those of a turn of one's own and of talks where
    these have another time."""
    kit, language = reader.teller.kit, reader.language
    times = dict(status.policy.get("times") or {})
    usually = times.get("default")
    hours: dict[str, int] = {
        kind: times[kind] if kind in times else usually or kit.hours(kind)
        for kind in kit.questions if kind != "default"
    }  # fmt: skip
    if not hours:
        return []
    usual = Counter(hours.values()).most_common(1)[0][0]
    told = {language.text("Time to answer, as a rule"): usual}
    told |= {reader.teller.question_title(kind): hours[kind] for kind in turns(kit) if hours[kind] != usual}
    said = [language.text("%(name)s: %(value)s", name=name, value=_span(one, language)) for name, one in told.items()]
    return [f"{'; '.join(said)}."]


def _span(hours: int, language: Language) -> str:
    return language.span(timedelta(hours=hours))


def _behind(left: list[str], dropped: Sequence[str]) -> list[str]:
    """The lines of a program behind the one that fell: those before it were passed over; all, where it is not there."""
    return next((left[left.index(line) + 1 :] for line in dropped if line in left), left)


def _will_say(reader: _Reader, status: CampaignStatus) -> list[str]:
    """What silence will answer for the reader in the end, by the policy of the campaign."""
    policy = status.policy
    is_held = policy["missed"] == "hold" or (policy["missed"] != "default" and policy["then"] == "pause")
    return [] if is_held else [question.silence for question in reader.page.questions if question.silence]


def _passed(reader: _Reader, numbers: Sequence[int]) -> list[str]:
    """The lines of the reader's program whose conditions did not let them through."""
    programs = [reader.told.get(number, {}).get("own", {}).get("program", {}) for number in numbers]
    return [line for program in programs for line in program.get("skipped", [])]


def _story(
    reader: _Reader, numbers: Sequence[int], *, flagged: str | None = None, titles: bool = True
) -> list[Told]:
    """Events as they are told; those of which the reader learns nothing are left out."""
    told = []
    for number in numbers:
        event = reader.told.get(number)
        if event is None:
            continue
        facts = event["facts"]
        if flagged is not None:
            facts = [fact for fact in facts if fact.get("report") == flagged]
        if event["kind"] in NO_STORY:
            facts = []
        paragraphs = narrate(_without_own_draws(facts, reader), reader.teller.kit, reader.language.code)
        if event["kind"] == ASSIGNED:
            paragraphs = _seats_drawn(event, reader) or paragraphs
        if not paragraphs:
            paragraphs = narrate(facts, reader.teller.kit, reader.language.code)
        if paragraphs or event["kind"] in TITLE_ENOUGH:
            power = event["public"].get("power")
            name = reader.teller.power(power) if power else ""
            names = [name, *(reader.teller.form(power, form) for form in ("the", "of", "to"))] if power else []
            told.append(Told(number, _title(event, reader) if titles else "", paragraphs, name, names))
    return told


def _new_cards(page: Page, before: Board) -> frozenset[str]:
    """The cards that the reader alone sees, and has not been told of; none where a mail does not tell them."""
    if not page.board.powers or not page.seat or page.status.state in ("finished", "archived"):
        return frozenset()
    return frozenset(card.id for thing in page.own_since(before) for card in thing.new)


def _without_own_draws(facts: Sequence[Fact], reader: _Reader) -> list[Fact]:
    """Facts without those that tell the reader alone which cards he was dealt, where the mail tells these whole: what
    he drew unseen by others, and what of his own came into the same hand with it."""
    powers, owner_of = reader.page.powers, reader.page.board.owner_of
    drawn = {fact["card"] for fact in facts if fact["fact"] == "draw" and fact.get("sight") and "card" in fact}
    came = [fact for fact in facts if fact["fact"] == "card" and fact["card"] in reader.new_cards]
    hands = {fact["place"] for fact in came if fact["card"] in drawn}
    dealt = [fact for fact in came if fact["place"] in hands and owner_of(fact["origin"] or "") in (None, *powers)]
    return [fact for fact in facts if fact not in dealt]


def _about(reader: _Reader, numbers: Sequence[int], story: Sequence[Told]) -> str:
    """What a report is about, where something matters more to its reader than what was done last: the powers that he
    was given, or the cards that came to him with a new phase. "" for nothing of that."""
    text, given = reader.language.text, [reader.teller.form(power, "the") for power in reader.page.powers]
    kinds = {reader.told[number]["kind"] for number in numbers if number in reader.told}
    if ASSIGNED in kinds:
        return text("You play %(powers)s.", powers=reader.language.listed(given)).rstrip(".") if given else ""
    phases = [one for told in story for one in told.paragraphs if one.kind == PHASE]
    if not phases or not reader.new_cards:
        return ""
    now = sentences_of(phases[-1])[-1]
    return text("You have new cards; now: %(phase)s", phase=now)


def _seats_drawn(event: Mapping[str, Any], reader: _Reader) -> list[Paragraph]:
    """Who has drawn which powers, a sentence for each player."""
    said = []
    for fact in event["facts"]:
        seat = str(fact.get("what", "")).rpartition(" ")[2]
        if fact["fact"] != "draw" or seat not in reader.players:
            continue
        powers = reader.language.listed([reader.teller.form(one, "the") for one in str(fact["card"]).split("+")])
        told = reader.language.text("By lot, %(name)s plays %(powers)s (throw %(index)s).", name=reader.players[seat],
                                    powers=powers, index=fact["index"])  # fmt: skip
        said.append(Paragraph("draw", told, escape(told)))
    return said


def _results(reader: _Reader, number: int, flagged: str | None) -> list[dict[str, Any]]:
    """The ranking that a game tells at a point of its story (at the end of a war)."""
    facts = reader.told.get(number, {}).get("facts", [])
    told = (fact["results"] for fact in facts if fact.get("report") == flagged and fact.get("results"))
    return _ranking(next(told, []), reader.teller)


def _ranking(results: Sequence[dict[str, Any]], teller: Teller) -> list[dict[str, Any]]:
    return [
        {
            **entry,
            "power": teller.language.listed([teller.power(one) for one in entry.get("powers") or [entry["power"]]]),
            "notes": [teller.plain(note) for note in entry.get("notes", [])],
        }
        for entry in results
    ]


def _title(event: dict[str, Any], reader: _Reader) -> str:
    """A line on who did what, to stand over an event."""
    told = title(event, reader.teller, reader.seat)
    return reader.language.text("Event %(event)s: %(title)s", event=event["number"], title=told)


def _press(service: Service, row: Message, part: Part, reader: _Reader) -> bool:
    """Fill in a message between players; False when its text was erased, or it is not for who has the seat now."""
    message = press_of(service.store, row.campaign, row.press or "")
    if message is None or not message["text"]:
        return False
    if not any(one["event"] == message["event"] for one in service.press(row.campaign, row.seat, row.first_event - 1)):
        return False
    part.press = message["text"]
    part.sender = reader.language.listed([reader.teller.power(power) for power in message["from"]])
    part.sender_id = message["from"][0] if message["from"] else ""
    part.recipients = [reader.teller.power(power) for power in message["to"]]
    part.shown = certificate(message["shown"], reader.teller) if message["shown"] else ""
    return True


def _answer(service: Service, row: Message, reader: _Reader, *, with_results: bool) -> Answered | None:
    answer = service.answer(row.campaign, row.inbox) if row.inbox is not None else None
    if answer is None:
        return None
    raw = service.raw_mail(row.campaign, row.inbox or 0)
    problems = _problems(read_mail(raw, game=reader.teller.kit.game), answer, reader) if raw else []
    lines = [_line(result, reader, with_results) for result in answer.lines]
    say_hints_once(lines)
    return Answered(
        ok=answer.ok, lines=lines,
        note=_note(answer, problems, reader), queued=_still_kept(answer, reader),
    )  # fmt: skip


def _still_kept(answer: Answer, reader: _Reader) -> list[str]:
    """All that is kept of the reader's, as QUEUE shows it, where more is than the lines of the answer say."""
    if any(line.state == "told" and line.order in (Queue.line, Status.line) for line in answer.lines):
        return []  # it was asked for, and stands there
    said = Counter(text for line in answer.lines if line.state == "queued" for text in {line.line, line.order})
    kept = Counter(one.rpartition("\n")[2] for one in reader.page.queued)
    return [] if kept <= said else reader.page.queued


def _problems(letter: Letter, answer: Answer, reader: _Reader) -> list[str]:
    """What is to be said of how a mail was read, in the reader's language."""
    text = reader.language.text
    said = [text(problem) for problem in letter.problems]
    if any(line.state == "unreadable" for line in answer.lines):
        said.append(text("Your mail was read as shown here. Where your orders end, write END on a line of its own."))
    if letter.left_out:
        lines = " / ".join(line[:LEFT_OUT_LENGTH] for line in without_tokens(letter.left_out[:MOST_LEFT_OUT]))
        said.append(text("Left out, since it can be no order: %(lines)s", lines=lines))
    return said


def _note(answer: Answer, problems: list[str], reader: _Reader) -> str | None:
    said = answer.said(reader.language.text, reader.teller.question_title)
    notes = [_local(said, reader)] if said else []
    return " ".join([*notes, *problems]) or None


def _local(text: str, reader: _Reader) -> str:
    """A text of the campaign with its moments told by the reader's clock."""
    return _STAMP.sub(lambda stamp: reader.language.moment(datetime.fromisoformat(stamp[0]), reader.zone), text)


def _line(result: LineResult, reader: _Reader, with_results: bool) -> Line:
    text = reader.language.text
    verdict = {
        "accepted": text("Accepted"), "refused": text("Refused"), "unreadable": text("Not understood"),
        "queued": text("Kept until you are asked again"),
        "told": text("Not carried out") if result.reason else text("Answer"),
    }[result.state]  # fmt: skip
    paragraphs = narrate(result.results, reader.teller.kit, reader.language.code) if with_results else []
    is_board = result.order == StatusOfBoard.line
    told = reader.page.words if is_board else result.told(reader.teller)
    if result.order == Status.line and result.state == "told":
        told = "\n".join(filter(None, [told, *_own_told(reader)]))
    if result.state == "accepted" and (result.order or result.line).upper().startswith(_AWAY):
        told = told or _time_left(reader)
    order = result.order
    if order is not None and order.startswith(_MESSAGE):  # its text stands above
        head = order.partition(":")[0]
        order = None if " ".join(result.line.split()).casefold().startswith(head.casefold()) else head
    return Line(
        result.line, result.state, verdict, order, result.said(reader.teller),
        result.section and reader.teller.section(result.section),
        reader.teller.hints(result.hints), paragraphs, _local(told, reader) if told else None,
        is_board=is_board,
    )  # fmt: skip


_MESSAGE = Press.line.partition("{")[0]


def _own_told(reader: _Reader) -> list[str]:
    """What is the reader's alone: what only he sees, his program and his standing orders, a line each."""
    text, page = reader.language.text, reader.page
    if not page.board.powers:
        return []
    things = [(thing.name, "; ".join(card.short for card in thing.cards) or thing.value) for thing in page.own]
    things += [(text("Still to come in your program"), " / ".join(page.queued))] if page.queued else []
    standing = " / ".join(f"{entry['number']}. {entry['text']}" for entry in page.standing)
    things += [(text("Your standing orders"), standing)] if standing else []
    return [text("%(name)s: %(value)s", name=name, value=value) for name, value in things]


_AWAY = Away.line.partition("{")[0]


def _time_left(reader: _Reader) -> str | None:
    """Until when what is asked of the reader may be answered now; None where nothing is asked."""
    open_ones = [one.asked.deadline for one in reader.page.questions if not one.asked.answered and one.asked.deadline]
    if not open_ones:
        return None
    last = reader.language.moment(datetime.fromisoformat(max(open_ones)), reader.zone)
    return reader.language.text("What is asked of you may be answered until %(moment)s.", moment=last)


def _ask(question: Question, reader: _Reader) -> Ask:
    asked = question.asked
    talks = reader.page.talks and bool(reader.page.may_write_to.powers or reader.page.may_write_to.all)
    press = [Press.usage()] if talks and asked.kind in turns(reader.teller.kit) else []
    return Ask(
        kind=asked.kind, title=question.title, text=question.text, power=reader.teller.power(asked.power),
        section=asked.section and reader.teller.section(asked.section),
        usages=[reader.language.usage(usage) for usage in (*asked.usages, *press)],
        examples=_examples(asked.examples),
        template=reader.language.usage(asked.template) if asked.template in asked.usages else asked.template,
        deadline=datetime.fromisoformat(asked.deadline) if asked.deadline else None, answered=asked.answered,
        ready=ready_made(question.asked, reader.page),
    )  # fmt: skip


def _examples(lines: Sequence[str]) -> list[str]:
    """Some legal lines: of each verb one, then a second, a third, as long as there is room; in their order."""
    turns: dict[str, int] = {}
    ranked = []
    for place, line in enumerate(lines):
        verb = without_addressee(line).partition(" ")[0]
        turns[verb] = turns.get(verb, 0) + 1
        ranked.append((turns[verb], place, line))
    best = [entry for entry in sorted(ranked)[:MOST_EXAMPLES] if entry[0] <= EXAMPLES_A_VERB]
    return [line for _, _, line in sorted(best, key=lambda entry: entry[1])]
