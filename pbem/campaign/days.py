"""Days as people write them: 2026-08-01, 1.8.2026, 1 August, 1er août, 1 августа."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from functools import cache

from babel.dates import get_month_names

from pbem.table.kit import normalise

LANGUAGES = ("en", "fr", "ru")
LONGEST = 40

_WITH_POINTS = re.compile(r"(\d{1,2})\.\s?(\d{1,2})\.?(?:\s?(\d{4}))?")
_DAY_FIRST = re.compile(r"(\d{1,2})(?:er|st|nd|rd|th|-?го|-?е)?\.? (?:of |de )?([^\W\d_]+)\.?,?(?: (\d{4}))?")
_MONTH_FIRST = re.compile(r"([^\W\d_]+)\.? (\d{1,2})(?:st|nd|rd|th)?,?(?: (\d{4}))?")
_ANY_ORDER = re.compile(r"(\d{1,2})[/-](\d{1,2})[/-](\d{4})")


def read_day(text: str, today: date) -> date | None:
    """The day that a text names, the next one where it names no year; None where it names none, or may name two."""
    said = " ".join(text.split()).strip(" ,.")[:LONGEST]
    try:
        return date.fromisoformat(said)
    except ValueError:
        pass
    try:
        if parts := _WITH_POINTS.fullmatch(said):
            return _of(int(parts[1]), int(parts[2]), parts[3], today)
        if (parts := _DAY_FIRST.fullmatch(said)) and (month := _month(parts[2])):
            return _of(int(parts[1]), month, parts[3], today)
        if (parts := _MONTH_FIRST.fullmatch(said)) and (month := _month(parts[1])):
            return _of(int(parts[2]), month, parts[3], today)
    except ValueError:
        return None
    return None


def readings(text: str) -> list[date]:
    """The days that a text may name in which the month may stand before the day, or behind it (1/8/2026)."""
    days: list[date] = []
    if parts := _ANY_ORDER.fullmatch(text.strip()):
        for day, month in ((parts[1], parts[2]), (parts[2], parts[1])):
            try:
                days.append(date(int(parts[3]), int(month), int(day)))
            except ValueError:
                continue
    return list(dict.fromkeys(days))


def _of(day: int, month: int, year: str | None, today: date) -> date:
    if year is not None:
        return date(int(year), month, day)
    this_year = date(today.year, month, day)
    return this_year if this_year >= today else date(today.year + 1, month, day)


def _month(name: str) -> int | None:
    return _months().get(_plainly(name))


@cache
def _months() -> Mapping[str, int]:
    """The names of months, whole and cut short, as they stand in a date and alone."""
    return {
        _plainly(name): number
        for language in LANGUAGES
        for width in ("wide", "abbreviated")
        for context in ("format", "stand-alone")
        for number, name in get_month_names(width, context, language).items()  # type: ignore[arg-type]
    }


def _plainly(word: str) -> str:
    return normalise(word.strip(".")) or word.strip(".").casefold()
