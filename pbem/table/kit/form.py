"""The form of ``kit.toml`` and of the cells of its tables, as marshmallow schemas."""

import re
from typing import Any

from marshmallow import INCLUDE, RAISE, Schema, ValidationError, fields, validate

PACES = {"leisurely": 1.5, "normal": 1.0, "quick": 0.5}
"""How long questions stay open, by the pace of a campaign: times the hours of the kit."""


class _Text(fields.Field):
    """A cell of text."""

    def __init__(self, *, empty: bool = False, **kwargs):
        self.empty = empty
        super().__init__(required=True, **kwargs)

    def _deserialize(self, value, attr, data, **kwargs):
        if value != value.strip():
            raise ValidationError(f"{value!r} has blanks around it")
        if not value:
            if not self.empty:
                raise ValidationError("it is empty and must not be")
            return self.nothing()
        return self.read(value)

    def nothing(self) -> Any:
        return ""

    def read(self, value: str) -> Any:
        return value


class _Int(_Text):
    def nothing(self):
        return None

    def read(self, value):
        if not re.fullmatch(r"-?\d{1,9}", value, re.ASCII):
            raise ValidationError(f"{value!r} is not a whole number")
        return int(value)


class _Number(_Int):
    """A number with decimals: for geometry only, the rules know no such thing."""

    def read(self, value):
        if not re.fullmatch(r"-?\d{1,9}(\.\d{1,9})?", value, re.ASCII):
            raise ValidationError(f"{value!r} is not a number")
        return float(value) if "." in value else int(value)


class _Bool(_Text):
    def nothing(self):
        return None

    def read(self, value):
        if value not in ("yes", "no"):
            raise ValidationError(f"{value!r} is not yes or no")
        return value == "yes"


class _List(_Text):
    def __init__(self, **kwargs):
        super().__init__(**{**kwargs, "empty": True})

    def nothing(self):
        return []

    def read(self, value):
        items = value.split(";")
        if any(not item or item != item.strip() for item in items):
            raise ValidationError(f"{value!r} has an empty item or blanks; items are joined by ';' alone")
        if len(set(items)) < len(items):
            raise ValidationError(f"{value!r} names an item twice")
        return items


TYPES = {"text": _Text, "int": _Int, "number": _Number, "bool": _Bool, "list": _List}


def column_field(kind: str) -> fields.Field:
    """The field of a column's type, ``text`` or ``int?``."""
    return TYPES[kind.removesuffix("?")](empty=kind.endswith("?"))


class _OneOrMore(fields.Field):
    """A text, or a list of texts; always gives a list."""

    def _deserialize(self, value, attr, data, **kwargs):
        items = [value] if isinstance(value, str) else value
        if not isinstance(items, list) or not items or not all(isinstance(item, str) and item for item in items):
            raise ValidationError("must be a name or a list of names")
        return items


class _Constant(fields.Field):
    """Whole numbers, texts and truth values, and lists or tables of them."""

    def _deserialize(self, value, attr, data, **kwargs):
        self._check(value)
        return value

    def _check(self, value):
        if isinstance(value, dict | list):
            for item in value.values() if isinstance(value, dict) else value:
                self._check(item)
        elif not isinstance(value, int | str):
            raise ValidationError(f"{value!r} is not a whole number, text or truth value")


class _Strict(Schema):
    class Meta:
        unknown = RAISE


class _Seats(_Strict):
    minimum = fields.Integer(required=True, strict=True, validate=validate.Range(1))
    maximum = fields.Integer(required=True, strict=True, validate=validate.Range(1))
    usual = fields.Integer(strict=True, validate=validate.Range(1))
    table = fields.String(required=True)


class _Table(_Strict):
    file = fields.String(required=True, validate=validate.Regexp(r"^[a-z0-9_]+\.csv$", error="is not like units.csv"))
    key = _OneOrMore(required=True)
    columns = fields.Dict(
        required=True,
        keys=fields.String(),
        values=fields.String(
            validate=validate.Regexp(
                rf"^({'|'.join(TYPES)})\??$", error=f"is not one of {', '.join(TYPES)}, with or without a final ?"
            )
        ),
    )
    references = fields.Dict(keys=fields.String(), values=_OneOrMore(), load_default=dict)
    choices = fields.Dict(keys=fields.String(), values=_OneOrMore(), load_default=dict)
    sources = fields.Dict(keys=fields.String(), values=_OneOrMore(), load_default=dict)


class _Domain(_Strict):
    table = fields.String(required=True)
    columns = fields.Dict(keys=fields.String(), values=fields.String(), load_default=dict)
    shared = fields.Boolean(load_default=False)


class _Option(_Strict):
    type = fields.String(required=True, validate=validate.OneOf(["choice", "bool", "int"]))
    default = _Constant(required=True)
    choices = fields.List(fields.String(), load_default=list)
    minimum = fields.Integer(strict=True, load_default=None)
    maximum = fields.Integer(strict=True, load_default=None)
    section = fields.String(required=True, validate=validate.Length(1))
    group = fields.String(validate=validate.Length(1))


class _OptionGroup(_Strict):
    folded = fields.Boolean(load_default=False)


class _ChoiceSet(_Strict):
    options = fields.Dict(keys=fields.String(), values=_Constant(), load_default=dict)
    pace = fields.String(validate=validate.OneOf(PACES))


class _Ruling(_Strict):
    text = fields.String(required=True, validate=validate.Length(1))
    section = fields.String(required=True, validate=validate.Length(1))


class _Scenario(Schema):
    class Meta:
        unknown = INCLUDE

    name = fields.String(required=True)
    text = fields.String(required=True)


class _Question(_Strict):
    hours = fields.Integer(strict=True, validate=validate.Range(1), required=True)
    own_turn = fields.Boolean()
    ahead = fields.Boolean()
    opens = fields.List(fields.String(), validate=validate.Length(1))
    comes = fields.String()
    begins = fields.String()


class KitFile(_Strict):
    """The whole of ``kit.toml``."""

    id = fields.String(required=True)
    name = fields.String(required=True)
    titles = fields.Dict(keys=fields.String(), values=fields.String(), required=True)
    version = fields.String(required=True)
    status = fields.String(load_default="complete", validate=validate.OneOf(["complete", "in preparation"]))
    files = fields.List(
        fields.String(validate=validate.Regexp(r"^[a-z0-9_]+\.json$", error="is not like map_layout.json")),
        load_default=list,
    )
    seats = fields.Nested(_Seats, required=True)
    tables = fields.Dict(keys=fields.String(), values=fields.Nested(_Table), required=True)
    domains = fields.Dict(keys=fields.String(), values=fields.Nested(_Domain), load_default=dict)
    options = fields.Dict(keys=fields.String(), values=fields.Nested(_Option), load_default=dict)
    option_groups = fields.Dict(keys=fields.String(), values=fields.Nested(_OptionGroup), load_default=dict)
    choice_sets = fields.Dict(keys=fields.String(), values=fields.Nested(_ChoiceSet), load_default=dict)
    rulings = fields.Dict(keys=fields.String(), values=fields.Nested(_Ruling), load_default=dict)
    scenarios = fields.Dict(
        keys=fields.String(), values=fields.Nested(_Scenario), required=True, validate=validate.Length(1)
    )
    questions = fields.Dict(keys=fields.String(), values=fields.Nested(_Question), required=True)
    constants = fields.Dict(keys=fields.String(), values=_Constant(), load_default=dict)
    dice = fields.Dict(
        keys=fields.String(),
        values=fields.List(
            fields.String(validate=validate.Regexp(r".*[^\d\s]", error="is a number: a die of numbers needs no faces")),
            validate=validate.Length(2),
        ),
        load_default=dict,
    )
    words = fields.Dict(keys=fields.String(), values=_OneOrMore(), load_default=dict)
    spellings = fields.Dict(keys=fields.String(), values=fields.String(), load_default=dict)
