"""Time zones by what people call them: a city or a country, in English, French or Russian."""

from __future__ import annotations

import zoneinfo
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from functools import cache

from babel import Locale
from babel.core import get_global
from babel.dates import get_timezone_location

from pbem.table.kit import normalise

LANGUAGES = ("en", "fr", "ru")


def zones_called(said: str) -> list[str]:
    """The names of the time zones (Europe/Paris) that a city, a country or a zone's own name means; of those that go
    the same all year one, the best known."""
    known = {zone.casefold(): zone for zone in zoneinfo.available_timezones()}
    name = said.strip().strip(".").replace(" ", "_").casefold()
    if name in known:
        return [known[name]]
    alike: dict[tuple[object, ...], str] = {}
    for zone in sorted(_called().get(_plainly(said), ()), key=lambda zone: zone not in _well_known()):
        alike.setdefault(_course(zone), zone)
    return sorted(alike.values())


@cache
def _well_known() -> frozenset[str]:
    """The zones of the greatest city of each region, as the CLDR has them."""
    return frozenset(get_global("windows_zone_mapping").values())


def _course(zone: str) -> tuple[object, ...]:
    """How far a zone is from universal time, month by month of a year."""
    info, year = zoneinfo.ZoneInfo(zone), datetime.now(UTC).year
    return tuple(datetime(year, month, 15, tzinfo=info).utcoffset() for month in range(1, 13))


@cache
def _called() -> Mapping[str, list[str]]:
    """What zones are called, as plain words -> the zones."""
    called: dict[str, list[str]] = {}
    available = zoneinfo.available_timezones()
    for zone in sorted(available):
        if "/" in zone and not zone.startswith("Etc/"):
            for name in dict.fromkeys(_names(zone)):
                called.setdefault(name, []).append(zone)
    return called


def _names(zone: str) -> Iterator[str]:
    yield _plainly(zone.rpartition("/")[2])
    territory = get_global("zone_territories").get(zone)
    if territory is None:
        return
    yield territory.casefold()
    yield from (code.casefold() for code, now in get_global("territory_aliases").items() if now == [territory])
    for language in LANGUAGES:
        yield _plainly(get_timezone_location(zone, locale=language, return_city=True))
        if name := Locale(language).territories.get(territory):
            yield _plainly(name)


def _plainly(name: str) -> str:
    plain = " ".join(name.replace("_", " ").replace("-", " ").split())
    return normalise(plain) or plain.casefold()
