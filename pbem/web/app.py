"""The web application: one Flask app of several blueprints, made for a service and its settings."""

from __future__ import annotations

import logging
import re
from datetime import datetime
from typing import Any

from flask import Flask, g, render_template
from flask_wtf.csrf import CSRFError
from markupsafe import Markup
from werkzeug.exceptions import HTTPException
from werkzeug.routing import IntegerConverter, ValidationError

from pbem import resources
from pbem.campaign.forms import Input
from pbem.campaign.service import NoCampaign, Service
from pbem.campaign.settings import Settings
from pbem.campaign.store import is_store_fault
from pbem.render import marks
from pbem.render.board_text import unfolded
from pbem.render.language import language_names
from pbem.web import api, context, desk, login, public, seats, security, story
from pbem.web.actions import MOST_NUMBER
from pbem.web.proxies import Proxies, networks
from pbem.web.unchanged import Unchanged, add_tag, unchanged

log = logging.getLogger(__name__)


def create_app(service: Service, settings: Settings) -> Flask:
    """The pages for players, moderators and the public. Raises `ValueError` for proxies that are no addresses."""
    app = Flask("pbem.web", template_folder=str(resources.path("templates")))
    app.jinja_options = {
        "autoescape": True,
        "trim_blocks": True,
        "lstrip_blocks": True,
        "extensions": ["jinja2.ext.i18n"],
    }
    app.url_map.converters["int"] = SmallNumber
    app.extensions["pbem_service"] = service
    app.extensions["pbem_settings"] = settings
    trusted = networks(settings.web_proxies)
    app.wsgi_app = Proxies(app.wsgi_app, settings.web_trusted_proxies, trusted)  # type: ignore[method-assign]
    security.secure(app, settings)
    _speak(app)
    for blueprint in (public.blueprint, login.blueprint, seats.blueprint, story.blueprint, desk.blueprint):
        app.register_blueprint(blueprint)
    api.register(app)
    app.after_request(add_tag)
    app.register_error_handler(Unchanged, unchanged)
    app.register_error_handler(HTTPException, _error_page)
    app.register_error_handler(NoCampaign, lambda error: _page(404))
    app.register_error_handler(Exception, _fault_page)
    return app


class SmallNumber(IntegerConverter):
    """A number in an address; one that no store can hold leads nowhere."""

    def to_python(self, value: str) -> int:
        if len(value) > len(str(MOST_NUMBER)) or int(value) > MOST_NUMBER:
            raise ValidationError
        return super().to_python(value)


def _speak(app: Flask) -> None:
    """Give templates their words: gettext in the reader's language, dates and spans of time in his zone."""
    environment = app.jinja_env
    environment.install_gettext_callables(  # type: ignore[attr-defined]
        lambda text: _unbroken(context.language().translations.gettext(text)),
        lambda one, many, number: _unbroken(context.language().translations.ngettext(one, many, number)),
        newstyle=True,
    )
    environment.filters["moment"] = lambda when: context.language().moment(_moment(when), context.zone())
    environment.filters["left"] = lambda when: context.language().span(_moment(when) - context.now())
    environment.filters["power_name"] = lambda power: g.teller.power(power)
    environment.filters["section"] = lambda text: g.teller.section(text)
    environment.filters["translated"] = lambda text: _unbroken(context.language().text(text)) if text else ""
    environment.filters["plain_style"] = _plain_style
    environment.filters["unbroken"] = _unbroken
    environment.filters["unfolded"] = unfolded
    environment.filters["parted"] = lambda items: context.language().parted(items)
    environment.filters["listed"] = lambda items: context.language().listed(list(items))

    @app.context_processor
    def words() -> dict[str, Any]:
        return {
            "language": context.language(),
            "languages": language_names(),
            "now": context.now(),
            "builds_of": _builds_of,
            "my_campaigns": list if g.get("store_is_away") else security.my_campaigns,
        }


def _builds_of(field: Input) -> list[dict[str, Any]]:
    """The kinds of phrase of a field, for the page's script: each with its grammar and its fields."""
    text = context.language().text
    return [
        {"line": build.line, "label": build.label, "fields": [
            {"name": one.name, "label": text(one.label), "number": one.widget == "number", "optional": one.optional,
             "least": one.least, "most": one.most, "chosen": one.chosen,
             "options": [[option.value, option.label, option.group, option.owner] for option in one.options]}
            for one in build.inputs
        ]}
        for build in field.builds
    ]  # fmt: skip


def _moment(when: datetime | str) -> datetime:
    return datetime.fromisoformat(when) if isinstance(when, str) else when


def _unbroken(text: str) -> str:
    """A text in whose French no line ends before a colon, or behind the quotation mark that opens."""
    if context.language().code != "fr":
        return text
    kept = marks.unbroken(text)
    return Markup(kept) if isinstance(text, Markup) else kept


_STYLE = re.compile(r' style="[^"]*"')


def _plain_style(html: Markup) -> Markup:
    """HTML of the narrative without the styles that mails need and our policy does not let in."""
    return Markup(_unbroken(_STYLE.sub("", html)))


def _error_page(error: HTTPException) -> Any:
    if isinstance(error, CSRFError):
        return _page(400, "form")
    if error.code is None or error.code < 400:
        return error
    return _page(error.code)


def _fault_page(error: Exception) -> Any:
    # The traceback is for the operator's log, never for the page.
    log.error("a page failed", exc_info=error)
    if not is_store_fault(error):
        return _page(500)
    g.store_is_away = True  # so that this page asks it nothing
    page, code = _page(503)
    return page, code, {"Retry-After": "60"}


def _page(code: int, reason: str = "") -> Any:
    return render_template("web/error.html.j2", code=code, reason=reason), code


__all__ = ["create_app"]
