"""The languages of mails and pages: the sentences of templates, dates and spans of time.

Templates are written once, in English, with gettext marks (``{% trans %}``, ``_("…")``). A translation is one file
``templates/locale/<code>.po``, which programs such as Poedit edit, so a translator meets sentences only, never logic.
It is read as it is; nothing has to be compiled. Sentences about a game are phrases of its kit
(`pbem.render.narrative`).
"""

from __future__ import annotations

import io
import logging
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from functools import cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from babel import Locale, UnknownLocaleError
from babel.dates import format_datetime, format_skeleton
from babel.lists import format_list
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import NullTranslations, Translations

from pbem import resources

SOURCE = "en"
"""The language in which templates are written."""

MOMENTS = {"fr": "EEEE d MMMM y 'à' H:mm", "ru": "d MMMM y 'г.', EEEE, H:mm"}
"""How a moment is written, where not as in English; in Russian no day of the week can follow the "до" of a sentence."""

COLONS = {"fr": "\u00a0:"}
SEMICOLONS = {"fr": "\u00a0;"}

FIRST_DAYS = {"fr": "d'er' "}
"""How the first of a month is written in a moment, where it is no plain number."""

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Language:
    """A language with its translations; get it by `find_language`."""

    code: str
    locale: Locale
    translations: NullTranslations

    def text(self, message: str, **values: object) -> str:
        """A sentence in this language, with ``%(name)s`` replaced by `values`."""
        translated = self.translations.gettext(message)
        return translated % values if values else translated

    def has(self, message: str) -> bool:
        """Whether there is a translation of a sentence, be it the same words."""
        return self.code == SOURCE or message in _messages(self.code)

    @property
    def colon(self) -> str:
        """What stands behind a name of which something is told; in French a space before it, which breaks no line."""
        return COLONS.get(self.code, ":")

    @property
    def semicolon(self) -> str:
        """What stands between items that hold commas themselves, without the space that follows."""
        return SEMICOLONS.get(self.code, ";")

    def parted(self, items: Iterable[object]) -> str:
        """Items that hold commas themselves, with semicolons between."""
        return f"{self.semicolon} ".join(map(str, items))

    def field(self, name: str) -> str:
        """What a field of an order is called, as the label of a form."""
        return self.text(field_label(name))

    def usage(self, line: str) -> str:
        """The grammar of an order with the names of its fields in this language: ``ATTACK <cible> IN <région>``."""
        return _PLACEHOLDER.sub(lambda found: f"<{lower_first(self.field(found[1]))}>", line)

    def plural(self, one: str, many: str, number: int, **values: object) -> str:
        """A sentence for a number of things; ``%(num)d`` in it is the number."""
        return self.translations.ngettext(one, many, number) % {"num": number, **values}

    def plural_form(self, number: int) -> int:
        """Which of its forms a noun takes for a number, counted from 0 in the order of gettext's ``Plural-Forms``."""
        return int(self.translations.plural(abs(number)))  # type: ignore[attr-defined]  # both kinds of babel have it

    def moment(self, when: datetime, zone: tzinfo = UTC) -> str:
        """A moment as the player's calendar and clock show it, with the name of the time zone."""
        local = when.astimezone(zone)
        pattern = MOMENTS.get(self.code, "EEEE d MMMM y, HH:mm")
        if local.day == 1:
            pattern = pattern.replace("d ", FIRST_DAYS.get(self.code, "d "))
        return f"{format_datetime(local, pattern, locale=self.locale)} ({zone_name(zone)})"

    def short_moment(self, when: datetime, zone: tzinfo = UTC) -> str:
        """A moment in a few signs, for the subject of a mail: day, month, hour and minute."""
        local = when.astimezone(zone)
        day, hour = (format_skeleton(skeleton, local, locale=self.locale) for skeleton in ("MMMd", "Hm"))
        if local.day == 1 and self.code in FIRST_DAYS:
            day = re.sub(r"^1\b", "1er", day)
        return f"{day}, {hour}"

    def span(self, length: timedelta) -> str:
        """How long something takes, in its two largest units: "2 days and 5 hours"; less than a minute is "no time"."""
        minutes = max(0, int(length.total_seconds())) // 60
        days, hours, minutes = minutes // 1440, minutes % 1440 // 60, minutes % 60
        parts = []
        if days > 0:
            parts.append(self.plural("%(num)d day", "%(num)d days", days))
        if hours > 0:
            parts.append(self.plural("%(num)d hour", "%(num)d hours", hours))
        if minutes > 0 and days <= 0:
            parts.append(self.plural("%(num)d minute", "%(num)d minutes", minutes))
        return self.listed(parts[:2]) if parts else self.text("no time")

    def seat(self, id: str) -> str:
        """A seat as people read it: "Seat 3" for ``seat3``."""
        return self.text("Seat %(number)s", number=id.removeprefix("seat"))

    def listed(self, items: list[str]) -> str:
        """Items as a list in a sentence: "a, b and c"."""
        return str(format_list([str(item) for item in items], style="standard", locale=self.locale)) if items else ""

    def either(self, items: list[str]) -> str:
        """Items of which one is meant: "a, b or c"."""
        return str(format_list([str(item) for item in items], style="or", locale=self.locale)) if items else ""


_LABELS = {
    "a": "Into alliance A",
    "b": "Into alliance B",
    "allies": "Ask allies for support",
    "back": "What comes back",
    "controlling": "Take control of",
    "first": "Lose first",
    "foraging": "Forage in",
    "force": "Troops",
    "giver": "Who gives",
    "group": "Units and leaders",
    "kinds": "Lost first to last",
    "legs": "Moves",
    "lost": "Losses",
    "names": "Paid first to last",
    "other": "The other power",
    "overrun": "Overrun who is weak enough",
    "package": "Package number",
    "packages": "Package numbers",
    "pardoned": "Who is pardoned",
    "parts": "Units, place by place",
    "party": "One power",
    "place": "Where",
    "restoring": "Put down revolts in",
    "split": "As full or reduced units",
    "take": "Take on arrival",
    "taker": "Who gets it",
    "then": "Then to",
    "to": "To whom",
    "way": "The way, space by space",
    "with_text": "Use the text of the card",
}
"""What those fields of an order are called in English whose names alone say too little."""

_PLACEHOLDER = re.compile(r"<([a-z][a-z ]*)>")


def field_label(name: str) -> str:
    """What a field of an order is called in English, by its name."""
    return _LABELS.get(name.replace(" ", "_")) or name.replace("_", " ").capitalize()


def lower_first(text: str) -> str:
    """A text that begins with a small letter."""
    return text[:1].lower() + text[1:]


@cache
def find_language(code: str | None) -> Language:
    """The language of a code such as "fr" or "fr_CA"; English where there is no translation into it."""
    wanted = (code or SOURCE).replace("-", "_").partition("_")[0].lower()
    if wanted not in languages():
        wanted = SOURCE
    # English dates of a mail that goes all over the world: day before month, 24 hours
    locale = Locale.parse("en_GB" if wanted == SOURCE else wanted)
    return Language(wanted, locale, _translations(wanted))


@cache
def languages() -> list[str]:
    """The codes of the languages there are."""
    codes = {SOURCE}
    for file in resources.path("templates/locale").glob("*.po"):
        try:
            Locale.parse(file.stem)
        except (UnknownLocaleError, ValueError):
            log.warning("templates/locale/%s is not named after a language and is passed over", file.name)
            continue
        codes.add(file.stem)
    return sorted(codes)


@cache
def language_names() -> dict[str, str]:
    """The languages there are, each code with the name that its speakers give it: "Français"."""
    names = {}
    for code in languages():
        name = Locale.parse(code).get_display_name() or code
        names[code] = name[:1].upper() + name[1:]
    return names


def _catalog(code: str) -> Catalog:
    with resources.path(f"templates/locale/{code}.po").open("rb") as file:
        return read_po(file, locale=code)


@cache
def _messages(code: str) -> frozenset[str]:
    """The sentences that the catalogue of a language translates."""
    return frozenset(message.id for message in _catalog(code) if message.string and isinstance(message.id, str))


def _translations(code: str) -> NullTranslations:
    if code == SOURCE:
        return NullTranslations()
    compiled = io.BytesIO()
    write_mo(compiled, _catalog(code))
    compiled.seek(0)
    return Translations(compiled)


def find_zone(name: str | None) -> tzinfo:
    """The time zone of a name such as "Europe/Paris"; UTC for a name that is none."""
    if not name or name == "UTC":
        return UTC
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        log.warning("there is no such time zone as a player has chosen; UTC is used")
        return UTC


def zone_name(zone: tzinfo) -> str:
    """The name of a time zone as people write it."""
    return str(zone).replace("_", " ")
