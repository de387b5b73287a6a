"""What a moderator can do to a campaign: one definition for the forms of the desk and the routes of the API.

An action has a schema, which checks what was sent, and a function, which calls the service. Who may do it is decided
before (`pbem.web.desk`, `pbem.web.api`); what came of it is told by both in their own way.
"""

from __future__ import annotations

import zoneinfo
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from flask import g
from marshmallow import RAISE, Schema, ValidationError, fields, validate

from pbem import games
from pbem.campaign import rulings
from pbem.campaign.moderators import Moderator, Moderators
from pbem.campaign.policy import MOST_HOURS, PolicySchema
from pbem.campaign.service import NoCampaign, NotNow, Service
from pbem.campaign.store import is_store_fault
from pbem.games import UnknownGame
from pbem.render import tellings
from pbem.render.language import languages
from pbem.render.narrative import Teller, general_teller
from pbem.table.kit import Kit, KitError, load_kit
from pbem.table.orders import Refused
from pbem.table.said import Said, said_by
from pbem.web.context import language

LONGEST_REASON = 2_000
LONGEST_NAME = 100
LONGEST_ADDRESS = 254
MOST_SEATS = 20
MOST_NUMBER = 2**31 - 1
"""The largest number of an event, a mail or a throw that is looked for: what every store can hold."""


@dataclass(frozen=True)
class Problem:
    """Why something was not done, in the terms of RFC 9457: `kind` names the type, `hints` say what would be right.

    `errors`: the name of a field -> what is wrong with it; `refused` the refusal by the rules that it tells.
    """

    status: int
    kind: str
    title: str
    detail: str
    hints: tuple[str, ...] = ()
    errors: Mapping[str, str] = field(default_factory=dict)
    refused: Refused | None = None


def flat(messages: Any) -> dict[str, str]:
    """What a schema found wrong, nested as it likes: name of the field, with dots -> what would be right."""
    by_place: dict[str, str] = {}

    def take(place: str, inner: Any) -> None:
        if isinstance(inner, dict):
            for name, more in inner.items():
                take(f"{place}.{name}" if place else str(name), more)
        else:
            by_place[place] = " ".join(map(in_words, inner)) if isinstance(inner, list) else in_words(inner)

    take("", messages)
    return by_place


def in_words(said: object) -> str:
    """What the service says, in the reader's language and with the names of things."""
    return tellings.in_words(said if isinstance(said, str) else str(said), _teller())


def _teller() -> Teller:
    return g.get("teller") or general_teller(language().code)


def problem_of(error: Exception) -> Problem | None:
    """The problem that an exception of the service stands for; None for one that is a fault of the program."""
    _ = language().text
    if isinstance(error, ValidationError):
        errors = flat(error.normalized_messages())
        detail = "; ".join(f"{name}: {text}" for name, text in errors.items())
        return Problem(422, "invalid", _("Some fields are not right"), detail, errors=errors)
    if isinstance(error, NoCampaign):
        return Problem(404, "nothing-here", _("There is nothing here for you"), _("There is no such campaign for you."))
    if isinstance(error, NotNow):
        return Problem(409, "not-now", _("Not as things stand"), in_words(said_by(error)))
    if isinstance(error, Refused):
        teller = _teller()
        hints = tuple(teller.hints(error.hints))
        return Problem(409, "refused", _("The rules do not allow this"), teller.refusal(error), hints, refused=error)
    if isinstance(error, UnknownGame):
        return Problem(422, "bad-value", _("A value cannot be"), str(error), tuple(games.game_ids()))
    if isinstance(error, KitError):
        problems = [str(problem) for problem in error.problems]
        return Problem(422, "bad-kit", _("The kit has faults"), "; ".join(problems[:20]), tuple(problems))
    if isinstance(error, rulings.RulingBreaks):
        return Problem(422, "ruling-breaks", _("A value cannot be"), in_words(said_by(error)))
    if isinstance(error, ValueError) and not isinstance(error, UnicodeError):
        return Problem(422, "bad-value", _("A value cannot be"), in_words(said_by(error)))
    if is_store_fault(error):
        detail = _(
            "The service cannot reach its store for the moment. Nothing was taken in; send it again in a minute."
        )
        return Problem(503, "store-away", _("The store is away"), detail)
    return None


# --- schemas ----------------------------------------------------------------------------------------------------------


def _one_line(text: str) -> None:
    """A name or an address goes into headers of mails: it holds no line breaks or other control characters."""
    if not text.isprintable():
        raise ValidationError(Said("This holds line breaks or other control characters; it is one line of text."))
    if not text.strip():
        raise ValidationError(Said("This is blank."))


def _storable(text: str) -> None:
    if "\0" in text or any("\ud800" <= c <= "\udfff" for c in text):
        raise ValidationError(Said("This holds characters that no store takes."))


def _length(least: int, most: int) -> validate.Length:
    return validate.Length(least, most, error=Said("Write something, at most %(most)s characters.", most=most))


def one_line(most: int, **more: Any) -> fields.String:
    """A field of one line of text."""
    return fields.String(validate=[_length(1, most), _one_line], **more)


def prose(most: int, **more: Any) -> fields.String:
    """A field of text that may have several lines."""
    return fields.String(validate=[_length(0 if not more.get("required") else 1, most), _storable], **more)


@cache
def time_zones() -> list[str]:
    """The names of all time zones."""
    return sorted(zoneinfo.available_timezones())


def _time_zone(text: str) -> None:
    if text not in zoneinfo.available_timezones():
        raise ValidationError(Said("There is no such time zone; names are like Europe/Paris or UTC."))


_NEEDED = Said("This is needed.")
_NO_TEXT = Said("This is no text.")
_NO_NUMBER = Said("Write a whole number.")


class Strict(Schema):
    """A schema that takes no unknown fields, and says what is wrong in words that can be translated."""

    class Meta:
        unknown = RAISE

    error_messages = {"unknown": Said("There is no such field.")}

    def on_bind_field(self, field_name: str, field_obj: fields.Field) -> None:
        """Give a field the words for what is missing, and for a value of another type."""
        super().on_bind_field(field_name, field_obj)
        field_obj.error_messages |= {"required": _NEEDED, "null": _NEEDED}
        if isinstance(field_obj, fields.Integer):
            field_obj.error_messages["invalid"] = _NO_NUMBER
        elif type(field_obj) is fields.String:
            field_obj.error_messages["invalid"] = _NO_TEXT


def _reason(required: bool = True) -> fields.String:
    more = {"required": True} if required else {"load_default": ""}
    return prose(LONGEST_REASON, metadata={"description": "Told to everyone, and in the ledger for good."}, **more)


class NothingSchema(Strict):
    """Nothing is needed."""


class ReasonSchema(Strict):
    """Why."""

    reason = _reason()


class MayReasonSchema(Strict):
    """Why, if it is to be told."""

    reason = _reason(required=False)


class PersonSchema(Strict):
    """Who is to sit at a seat."""

    seat = one_line(40, required=True)
    name = one_line(LONGEST_NAME, required=True)
    address = fields.Email(
        required=True, validate=[_length(1, LONGEST_ADDRESS), _one_line],
        error_messages={"invalid": Said("This is no mail address; one is like name@example.org.")},
    )  # fmt: skip
    language = fields.String(load_default="en", validate=validate.OneOf(
        languages(), error=Said("This is no language of the service; it has %(choices)s.", choices=languages()),
    ))  # fmt: skip
    timezone = fields.String(load_default="UTC", validate=_time_zone)


def mail_address(text: str) -> str | None:
    """The address that somebody has written, as an invitation would take it; None for what is none."""
    try:
        return str(PersonSchema().fields["address"].deserialize(text.strip()))
    except ValidationError:
        return None


class InviteSchema(PersonSchema):
    """Who is invited to a seat."""

    instead = fields.Boolean(
        load_default=False, metadata={"description": "In the place of somebody who has not answered yet."}
    )


class ReplaceSchema(PersonSchema):
    """Who is to sit at a seat in the place of another."""

    reason = _reason(required=False)


class AssignSchema(Strict):
    """Which power each seat gets; left out: a provable draw."""

    chosen = fields.Dict(
        keys=fields.String(), values=fields.String(), load_default=None, allow_none=True,
        metadata={"description": "seat → power; one power of a holding stands for all of it. Left out: drawn."},
    )  # fmt: skip


class ExtendSchema(ReasonSchema):
    """How far the deadline moves: below nought it comes earlier."""

    hours = fields.Integer(required=True, strict=True, validate=[
        validate.Range(-MOST_HOURS, MOST_HOURS, error=Said(
            "Write a whole number of hours, at most %(most)s; with a minus the deadline comes earlier.",
            most=MOST_HOURS,
        )),
        validate.NoneOf([0], error=Said("No hours move nothing.")),
    ])  # fmt: skip
    seat = one_line(
        40, load_default=None, allow_none=True,
        metadata={"description": "The seat whose deadline alone moves; left out: all who are asked."},
    )  # fmt: skip


class VacateSchema(ReasonSchema):
    """Which seat is to be without a player."""

    seat = one_line(40, required=True)
    silent = fields.Boolean(
        load_default=False,
        metadata={"description": "Silence answers at once; else its questions keep their time."},
    )


class RulingSchema(ReasonSchema):
    """Facts that become true."""

    facts = fields.List(
        fields.Dict(keys=fields.String(), values=fields.Raw(allow_none=True)), required=True,
        validate=validate.Length(1, rulings.MOST_FACTS, error=Said(
            "A ruling changes something, and at most %(most)s things.", most=rulings.MOST_FACTS,
        )),
        metadata={
            "description": "In the ledger's form; `before` and `change` may be left out and are read off the board.",
            "example": [{"fact": "count", "track": "gold", "power": "france", "after": 7}],
        },
    )  # fmt: skip
    ends_step = fields.Boolean(
        load_default=False,
        metadata={"description": "Give the open step up: the board after the facts is a point of rest."},
    )
    insists = prose(
        LONGEST_REASON, load_default=None, allow_none=True,
        metadata={"description": "Why it is to be so though it breaks what must always hold; told to everyone."},
    )


_EVENT = validate.Range(1, MOST_NUMBER, error=Said("Write a number of 1 or more."))


class RewindSchema(ReasonSchema):
    """Where the game goes back to."""

    event = fields.Integer(
        required=True, strict=True, allow_none=True, validate=_EVENT,
        metadata={"description": "The event after which the game is to stand again; null: the start of the open step."},
    )  # fmt: skip


class DiscloseSchema(ReasonSchema):
    """What hidden thing is to be read; neither event nor submission: the whole board."""

    event = fields.Integer(
        strict=True, allow_none=True, load_default=None, validate=_EVENT
    )
    submission = fields.Integer(
        strict=True, allow_none=True, load_default=None, validate=_EVENT
    )


_CAMPAIGN_ID = Said("Write 1 to 30 small letters, digits and hyphens, a letter or a digit first and last.")


class CreateSchema(Strict):
    """A new campaign."""

    game = one_line(40, required=True)
    seats = fields.Integer(required=True, strict=True, validate=validate.Range(
        1, MOST_SEATS, error=Said("Write a whole number from 1 to %(most)s.", most=MOST_SEATS)
    ))  # fmt: skip
    title = one_line(LONGEST_NAME)
    campaign = fields.String(
        validate=validate.Regexp(r"[a-z0-9](?:[a-z0-9-]{0,28}[a-z0-9])?\Z",
                                 error=_CAMPAIGN_ID),
        metadata={"description": "Its id, a part of mail addresses; left out: one is made."},
    )  # fmt: skip
    scenario = one_line(60)
    options = fields.Dict(keys=fields.String(), values=fields.Raw(), metadata={"description": "Of the game's kit."})
    policy = fields.Nested(PolicySchema)


# --- actions ----------------------------------------------------------------------------------------------------------

Do = Callable[[Service, str, dict[str, Any]], Mapping[str, Any] | None]


@dataclass(frozen=True)
class Action:
    """Something to be done to a campaign. `text` says in a sentence what it does."""

    name: str
    title: str
    text: str
    schema: type[Schema]
    do: Do


def _invite(service: Service, campaign: str, v: dict[str, Any]) -> None:
    # The token is for the player alone: it goes out by mail, and is shown to nobody here.
    service.invite(campaign, v["seat"], v["name"], v["address"], language=v["language"], timezone=v["timezone"],
                   instead=v["instead"])  # fmt: skip


def _replace(service: Service, campaign: str, v: dict[str, Any]) -> None:
    service.replace(campaign, v["seat"], v["name"], v["address"], v["reason"], language=v["language"],
                    timezone=v["timezone"])  # fmt: skip


def _vacate(service: Service, campaign: str, v: dict[str, Any]) -> None:
    service.vacate(campaign, v["seat"], v["reason"], silent=v["silent"])


def _assign(service: Service, campaign: str, v: dict[str, Any]) -> dict[str, Any]:
    return {"powers": service.assign(campaign, v["chosen"])}


def _extend(service: Service, campaign: str, v: dict[str, Any]) -> dict[str, Any]:
    return {"deadline": service.extend(campaign, v["hours"], v["reason"], v["seat"]).isoformat()}


def _rule(service: Service, campaign: str, v: dict[str, Any]) -> None:
    # The try puts a look at hidden things on record also where the ruling is then refused.
    service.try_ruling(campaign, **v)
    service.rule(campaign, **v)


def make_tried(service: Service, campaign: str, values: dict[str, Any]) -> dict[str, Any]:
    """Make a ruling that was tried as it is: the look that the try may be is on record already."""
    return act(service, replace(ACTIONS["rule"], do=_act("rule")), campaign, values)


def _resume(service: Service, campaign: str, v: dict[str, Any]) -> None:
    try:
        service.resume(campaign, v["reason"])
    except NotNow as error:
        if service.status(campaign).state != "held":
            raise
        # What differs may be hidden, a card for instance.
        raise NotNow(
            Said("the rules still differ from the record; go back, or end the step by a ruling")
        ) from error


def _rewind(service: Service, campaign: str, v: dict[str, Any]) -> None:
    service.rewind(campaign, v["event"], v["reason"])


def _correct_kit(service: Service, campaign: str, v: dict[str, Any]) -> dict[str, Any]:
    game = service.status(campaign).game
    return {"at_once": service.correct_kit(campaign, configured_kit(game), v["reason"])}


def _act(method: str) -> Do:
    return lambda service, campaign, values: getattr(service, method)(campaign, **values)


ACTIONS: dict[str, Action] = {
    action.name: action
    for action in (
        Action("invite", "Invite a player", "Offer a seat to a person, by mail.", InviteSchema, _invite),
        Action("assign", "Give out the powers", "As chosen, or by a draw that can be proved.", AssignSchema, _assign),
        Action("start", "Begin", "Set the board up and ask the first question.", NothingSchema, _act("start")),
        Action("pause", "Pause", "Stop the clock; deadlines keep their remaining time.", ReasonSchema, _act("pause")),
        Action("resume", "Resume", "Let the clock run on.", MayReasonSchema, _resume),
        Action("extend", "Move the deadline", "By hours, for all or for one seat, earlier with a minus; all are told.",
               ExtendSchema, _extend),
        Action("replace", "Replace a player", "Give a seat to another person; the old link is void at once.",
               ReplaceSchema, _replace),
        Action("vacate", "Leave a seat without a player", "Vacant until somebody is found, or silent.", VacateSchema,
               _vacate),
        Action("rule", "Rule", "Make facts true, after a try on a copy.", RulingSchema, _rule),
        Action("rewind", "Go back", "Go back to the board after an event; nothing is erased.", RewindSchema,
               _rewind),
        Action("correct-kit", "Correct the kit", "Go on with the configured files from the next point of rest.",
               ReasonSchema, _correct_kit),
        Action("finish", "End the campaign", "Before its time; everything hidden is opened.", ReasonSchema,
               _act("finish")),
        Action("archive", "Put away", "Take a finished campaign off the lists.", NothingSchema, _act("archive")),
    )
}  # fmt: skip


def act(service: Service, action: Action, campaign: str, values: dict[str, Any]) -> dict[str, Any]:
    """Do an action; returns how the campaign stands then, and what the action gives besides.

    `values` have been loaded by the action's schema. Raises what the service raises.
    """
    more = action.do(service, campaign, values)
    service.project()
    status = service.status(campaign)
    outcome = {"campaign": campaign, "state": status.state, "event": status.event, "head": status.head}
    return {**outcome, **more} if isinstance(more, Mapping) else outcome


def create(service: Service, moderators: Moderators, moderator: Moderator, values: dict[str, Any]) -> str:
    """Make a campaign that the moderator then runs; returns its id. `values` were loaded by `CreateSchema`."""
    values = dict(values)
    game, seats = values.pop("game"), values.pop("seats")
    kit = configured_kit(game)
    times = values.get("policy", {}).get("times", {})
    unknown = sorted(times.keys() - kit.times.keys() - {"default"})
    if unknown:
        raise ValueError(Said(
            "there is no kind of question %(kind)s; there are %(kinds)s", kind=unknown[0], kinds=list(kit.times)
        ))  # fmt: skip
    campaign = service.create(game, seats, kit=kit, **values)
    moderators.take(campaign, moderator.name)
    service.project()
    return campaign


def invite(service: Service, campaign: str, seat: str, name: str, address: str, language: str) -> None:
    """Invite somebody to a seat, as `InviteSchema` takes it. Raises `ValidationError`."""
    values = {"seat": seat, "name": name, "address": address, "language": language}
    act(service, ACTIONS["invite"], campaign, InviteSchema().load(values))


def hand_over(moderators: Moderators, campaign: str, name: str) -> None:
    """Let another moderator run a campaign too. Raises `ValueError` for a name without an account."""
    if moderators.find(name) is None:
        raise ValueError(Said("There is no moderator “%(name)s”: accounts are made on the server.", name=name))
    moderators.take(campaign, name)


def configured_kit(game: str) -> Kit:
    """The kit of the configured files, as they are now. Raises `UnknownGame`, `KitError`."""
    games.find_game(game)
    return load_kit(game)
