"""What every page needs to know of the request that it answers: the service, the language, the time."""

from __future__ import annotations

from datetime import datetime, tzinfo

from flask import current_app, g, request, session

from pbem.campaign.service import Service
from pbem.campaign.settings import Settings
from pbem.render.language import Language, find_language, find_zone, languages
from pbem.render.tellings import STATES


def service() -> Service:
    """The campaigns."""
    return current_app.extensions["pbem_service"]


def settings() -> Settings:
    """The operator's choices."""
    return current_app.extensions["pbem_settings"]


def now() -> datetime:
    """The present moment by the service's own clock, which tests and demonstrations move by hand."""
    return service().clock.now()


def language() -> Language:
    """The reader's language: the signed-in player's own, else what this browser chose here, else what it asks for."""
    if "language" not in g:
        chosen = session.get("language") or request.accept_languages.best_match(languages())
        g.language = find_language(chosen)
    return g.language


def asked_for(code: str) -> str:
    """The language that this browser asks for; `code` where it asks for none that is here."""
    return request.accept_languages.best_match(languages()) or code


def zone() -> tzinfo:
    """The reader's time zone: the signed-in player's own, else UTC."""
    return g.get("zone") or find_zone("UTC")


def read_as(code: str, zone_name: str) -> None:
    """Let the rest of this request speak a player's language and count in his time zone."""
    g.language = find_language(session.get("language") or code)
    g.zone = find_zone(zone_name)


def state_words() -> dict[str, str]:
    """The states of a campaign, in the reader's language."""
    return {state: language().text(words) for state, words in STATES.items()}
