"""The schemas of what the API takes and gives, beside those of the moderators' actions (`pbem.web.actions`)."""

from __future__ import annotations

from typing import Any

from flask import g
from marshmallow import Schema, fields, validate

from pbem.campaign import lookup
from pbem.render.narrative import Teller
from pbem.web.actions import MOST_NUMBER, Strict, one_line, prose
from pbem.web.context import service

MOST_LINES = 1_000
MOST_EVENTS = 200


class AskSchema(Schema):
    """A question that is open."""

    power = fields.String()
    seat = fields.String()
    kind = fields.String()
    key = fields.String()


class StatusSchema(Schema):
    """How a campaign stands, as everybody may know it."""

    campaign = fields.String()
    title = fields.String()
    game = fields.String()
    scenario = fields.String()
    options = fields.Dict()
    policy = fields.Dict()
    state = fields.String(metadata={"enum": list(lookup.STATES)})
    reason = fields.String(allow_none=True)
    seats = fields.Dict(metadata={"description": "seat → `{powers, accepted, empty}`; empty: null, vacant or silent"})
    waiting_for = fields.List(fields.String(), metadata={"description": "Powers; in a sealed round all who are asked."})
    asks = fields.List(fields.Nested(AskSchema))
    asked_at = fields.AwareDateTime(allow_none=True)
    deadline = fields.AwareDateTime(allow_none=True, metadata={"description": "The last one, for a seat its own."})
    deadlines = fields.Dict(
        keys=fields.String(), values=fields.AwareDateTime(allow_none=True),
        metadata={"description": "seat → until when it may answer what is asked of it"},
    )  # fmt: skip
    event = fields.Integer(metadata={"description": "Number of the last event."})
    head = fields.String(metadata={"description": "Its hash: the head of the chain."})
    dice = fields.List(fields.Dict(), metadata={"description": "The commitments to the dice."})


class CampaignPageSchema(Schema):
    """Some campaigns of many."""

    campaigns = fields.List(fields.Nested(StatusSchema))
    page = fields.Integer()
    pages = fields.Integer()
    total = fields.Integer()


class BoardSchema(Schema):
    """A board as its reader may see it: what is hidden is null, a hidden card is `?`."""

    game = fields.String()
    powers = fields.List(fields.String())
    state = fields.Dict()
    tracks = fields.Dict()
    counters = fields.Dict()
    units = fields.Dict()
    pieces = fields.Dict()
    piles = fields.Dict()
    sight = fields.Dict()
    played_by = fields.Dict(metadata={"description": "power without a seat, in play for a time → whose seat plays it"})


class EventSchema(Schema):
    """An event of the ledger as its reader may have it."""

    number = fields.Integer()
    kind = fields.String()
    at = fields.String()
    hash = fields.String()
    facts = fields.List(fields.Dict())
    public = fields.Dict()
    own = fields.Dict()
    order = fields.Dict(allow_none=True)
    throws = fields.List(fields.Dict())
    undone = fields.Integer(allow_none=True, metadata={"description": "The rewind that has undone it."})


class AuditSchema(Schema):
    """All about one random event: order as received, what was thrown and why, proof, board before and after."""

    event = fields.Integer()
    kind = fields.String()
    at = fields.String()
    tree = fields.Integer()
    index = fields.Integer()
    cause = fields.Dict(allow_none=True)
    fact = fields.Dict()
    before = fields.List(fields.Dict())
    after = fields.List(fields.Dict())
    proof = fields.Dict()
    root = fields.Dict()
    hash = fields.String()
    board_before = fields.Nested(BoardSchema)
    board_after = fields.Nested(BoardSchema)


class _Told(fields.String):
    """What a line asked for, or what is told of it besides: help and cards too, of which an answer keeps only which
    they are."""

    def _serialize(self, value: Any, attr: str | None, obj: Any, **more: Any) -> str | None:
        told: str | None = obj.told(Teller(service().kit_of(g.campaign)))
        return told


class LineResultSchema(Schema):
    """What came of one line."""

    line = fields.String()
    state = fields.String(metadata={"enum": ["accepted", "refused", "unreadable", "queued", "told"]})
    order = fields.String(allow_none=True, metadata={"description": "The line as it was understood."})
    reason = fields.String(allow_none=True, metadata={"description": "Why not, in English."})
    code = fields.String(allow_none=True, metadata={"description": "Of a refusal by the rules: which, as a code."})
    values = fields.Dict(metadata={"description": "What the refusal is about: ids, numbers, lists of these."})
    section = fields.String(allow_none=True, metadata={"description": "Of the rulebook."})
    hints = fields.List(fields.String(), metadata={"description": "What would be right."})
    results = fields.List(fields.Dict(), metadata={"description": "Facts, as the sender may see them."})
    text = _Told(allow_none=True, metadata={"description": "What is told besides, in English: help, lists."})
    events = fields.List(fields.Integer())
    reasons = fields.List(fields.Dict(), metadata={"description": "Why the points stand as they do (STATUS VP)."})


class AskedSchema(Schema):
    """What is asked of a seat."""

    kind = fields.String()
    power = fields.String()
    key = fields.String()
    title = fields.String()
    text = fields.String()
    context = fields.Dict()
    section = fields.String(allow_none=True)
    usages = fields.List(fields.String())
    examples = fields.List(fields.String(), metadata={"description": "Some legal lines."})
    template = fields.String()
    deadline = fields.String(allow_none=True)
    answered = fields.Boolean(metadata={"description": "A sealed answer lies there, and may still be replaced."})
    orders = fields.List(
        fields.Dict(),
        metadata={
            "description": "The kinds of order that may answer: `order` (the id in JSON), `verb`, `help`, `usage`, "
            "`schema` (JSON Schema of its fields), `form` (the legal choices, as the page offers them) and `examples` "
            "(legal ones, as line and as JSON)."
        },
    )  # fmt: skip


class AnswerSchema(Schema):
    """What came of a submission."""

    campaign = fields.String()
    number = fields.Integer(metadata={"description": "In the campaign's inbox."})
    seat = fields.String()
    ok = fields.Boolean(metadata={"description": "Every line was accepted or queued."})
    note = fields.String(allow_none=True)
    lines = fields.List(fields.Nested(LineResultSchema))
    queued = fields.List(fields.String())
    waiting_for = fields.List(fields.String())
    event = fields.Integer()
    head = fields.String()
    received_at = fields.String()


class CheckedLineSchema(LineResultSchema):
    """What would come of one line."""

    later = fields.Boolean(
        dump_default=False,
        metadata={"description": "It can be read; what becomes of it hangs on the lines above it."},
    )


class CheckedAnswerSchema(AnswerSchema):
    """What would be answered; the number and the event are 0, for there are none."""

    lines = fields.List(fields.Nested(CheckedLineSchema))


class AtEventSchema(Schema):
    """At which event."""

    event = fields.Integer(validate=validate.Range(0, MOST_NUMBER), metadata={"description": "Left out: now."})


class RangeSchema(Schema):
    """Which events, both included."""

    start = fields.Integer(load_default=1, validate=validate.Range(1, MOST_NUMBER))
    stop = fields.Integer(
        validate=validate.Range(1),
        metadata={"description": f"At most {MOST_EVENTS} events are given at once."}
    )


class PagingSchema(Schema):
    """Which page."""

    page = fields.Integer(load_default=1, validate=validate.Range(1, 1_000_000))
    size = fields.Integer(load_default=20, validate=validate.Range(1, 100))


class ListSchema(PagingSchema):
    """Which campaigns."""

    state = fields.String(load_default="open", validate=validate.OneOf(["open", "all", *lookup.STATES]))


# --- for a seat ------------------------------------------------------------------------------------------------------


class SeatSchema(Schema):
    """A seat as its player sees it."""

    seat = fields.String()
    powers = fields.List(fields.String())
    accepted = fields.Boolean()
    asked = fields.Boolean(metadata={"description": "Whether something is asked of it."})
    queued = fields.List(fields.String())
    campaign = fields.Nested(StatusSchema)


class OrdersSchema(Strict):
    """What a seat says: either lines, as a mail would hold them, or orders as JSON."""

    lines = fields.List(
        fields.String(validate=validate.Length(max=40_000)), validate=validate.Length(1, MOST_LINES),
        metadata={"description": "Orders and commands, one each.", "example": ["BUILD navy AT baltic", "PASS"]},
    )  # fmt: skip
    orders = fields.List(
        fields.Dict(), validate=validate.Length(1, 50),
        metadata={"description": "Orders: `order` and its fields, see the schemas of the question; `for` names the "
                  "power where the seat holds several. In answers and in the ledger an order is known by its line.",
                  "example": [{"order": "build", "unit": "navy", "region": "baltic"}]},
    )  # fmt: skip


class CheckSchema(Strict):
    """One line, or one order."""

    line = fields.String(validate=validate.Length(1, 40_000))
    order = fields.Dict()


class KeySchema(Schema):
    """How to send the same thing twice without harm."""

    key = fields.String(
        data_key="Idempotency-Key", validate=validate.Length(1, 200),
        metadata={"description": "What is sent again under the same key is not done again; it gets the same answer."},
    )  # fmt: skip


class StandingSchema(Strict):
    """An answer given in advance."""

    kind = one_line(100, required=True)
    conditions = one_line(500, load_default=None, allow_none=True)
    order = one_line(1_000, required=True)


class StandingOrderSchema(Schema):
    """A standing order."""

    number = fields.Integer()
    kind = fields.String()
    conditions = fields.Raw()
    line = fields.String()
    text = fields.String()


class PressSchema(Strict):
    """A message to other powers."""

    to = fields.List(one_line(100), required=True, validate=validate.Length(1, 20), metadata={"example": ["france"]})
    text = prose(20_000, required=True)


class PressMessageSchema(Schema):
    """A message that was sent or received; `from` and `to` are powers. `shown` is what it shows, the service vouching
    for it: whose it is, whether that is all, and names by kind."""

    sender = fields.String()
    from_ = fields.List(fields.String(), data_key="from", attribute="from")
    to = fields.List(fields.String())
    text = fields.String(allow_none=True)
    shown = fields.Raw(allow_none=True)
    sent_at = fields.String()
    event = fields.Integer()


class SettingsSchema(Strict):
    """How a player wants his mail."""

    language = fields.String(validate=validate.OneOf(["en", "fr", "ru"]))
    timezone = one_line(60)
    reports = fields.String(validate=validate.OneOf(["every", "daily", "questions"]))
    hour = fields.Integer(strict=True, validate=validate.Range(0, 23))
    board = fields.String(
        validate=validate.OneOf(["full", "changes", "none"]),
        metadata={"description": "How much of the board stands in mails, in words."},
    )
    webhook = fields.Url(schemes={"https", "http"}, allow_none=True, validate=validate.Length(max=500))


class InvitationSchema(Strict):
    """The answer to an invitation."""

    accept = fields.Boolean(required=True)


# --- for moderators --------------------------------------------------------------------------------------------------


class DeskListSchema(ListSchema):
    """Which campaigns, in which order."""

    search = fields.String(load_default="", validate=validate.Length(max=100))
    only = fields.String(validate=validate.OneOf(["late", "trouble"]))  # type: ignore[assignment]  # not Schema's own
    sort = fields.String(load_default="deadline", validate=validate.OneOf(lookup.SORTS))


class DeskRowSchema(Schema):
    """A campaign in a moderator's list."""

    campaign = fields.String()
    title = fields.String()
    game = fields.String()
    scenario = fields.String()
    state = fields.String()
    waiting_for = fields.List(fields.String())
    waited_since = fields.AwareDateTime(allow_none=True)
    question = fields.String(allow_none=True)
    deadline = fields.AwareDateTime(allow_none=True)
    event = fields.Integer()
    changed_at = fields.AwareDateTime()
    failed = fields.Integer(metadata={"description": "Messages given up."})
    set_aside = fields.Integer(metadata={"description": "Submissions on which the program failed."})
    moderators = fields.List(fields.String())


class DeskPageSchema(Schema):
    """Some campaigns of many."""

    campaigns = fields.List(fields.Nested(DeskRowSchema))
    page = fields.Integer()
    pages = fields.Integer()
    total = fields.Integer()


class DeskCampaignSchema(Schema):
    """A campaign as its moderator sees it: the public part, and who sits where."""

    status = fields.Nested(StatusSchema)
    players = fields.Dict(metadata={"description": "seat → `{name, address, language, timezone, reports}`"})
    moderators = fields.List(fields.String())
    failed = fields.Integer()
    set_aside = fields.Integer()


class RunnersSchema(Schema):
    """Who runs a campaign."""

    moderators = fields.List(fields.String())


class CreatedSchema(Schema):
    """A new campaign."""

    campaign = fields.String()


class DoneSchema(Schema):
    """How a campaign stands after an action."""

    campaign = fields.String()
    state = fields.String()
    event = fields.Integer()
    head = fields.String()
    powers = fields.Dict(metadata={"description": "After `assign`."})
    deadline = fields.String(metadata={"description": "After `extend`."})
    at_once = fields.Boolean(metadata={"description": "After `correct-kit`: in force now, or when the step is done."})


class ChangeSchema(Schema):
    """One thing that would differ."""

    what = fields.String()
    before = fields.String()
    after = fields.String()


class InboxPageSchema(Schema):
    """Some submissions of many, without what they say."""

    submissions = fields.List(fields.Dict())
    page = fields.Integer()
    pages = fields.Integer()
    total = fields.Integer()


class OutboxPageSchema(Schema):
    """Some messages of many, without what they say."""

    messages = fields.List(fields.Dict())
    page = fields.Integer()
    pages = fields.Integer()
    total = fields.Integer()


class InboxListSchema(PagingSchema):
    """Which submissions."""

    state = fields.String(load_default="", validate=validate.OneOf(["", "new", "done", "set_aside"]))


class OutboxListSchema(PagingSchema):
    """Which messages."""

    state = fields.String(load_default="", validate=validate.OneOf(["", *lookup.OUTBOX_STATES]))


class KitSchema(Schema):
    """The kit of a campaign."""

    hash = fields.String()
    version = fields.String()
    rebuilt = fields.List(fields.Dict(), metadata={"description": "Values that are not the published ones."})
    differences = fields.List(fields.Dict(), metadata={"description": "What the configured files would change."})


class RetriedSchema(Schema):
    """Whether a message will be tried again."""

    retried = fields.Boolean()


