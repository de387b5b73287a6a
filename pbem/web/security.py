"""Who may see a page, and what keeps others out.

A secret link holds the token of a seat. The token goes at once, encrypted, into the signed session cookie, and the
browser is sent on to an address without it. At each request the token is shown to the service again, so that a
seat that was given to another player is closed to the first at once. What is not there and what is somebody else's get
the same answer.
"""

from __future__ import annotations

import functools
import hmac
import logging
import queue
import threading
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar
from urllib.parse import quote

from flask import Flask, Response, abort, current_app, redirect, request, session
from flask.sessions import SecureCookieSessionInterface
from flask_limiter import Limiter
from flask_wtf.csrf import CSRFProtect
from werkzeug.exceptions import TooManyRequests
from werkzeug.wrappers import Response as Answer

from pbem import rates
from pbem.campaign.service import NoCampaign
from pbem.campaign.settings import Settings
from pbem.campaign.vault import SecretLost, Vault
from pbem.web.context import service, settings
from pbem.web.proxies import client

log = logging.getLogger(__name__)
_T = TypeVar("_T")

SESSION_SECONDS = 200 * 24 * 3600  # a campaign lasts for months, and its players come back to it
LARGEST_REQUEST = 256 * 1024
MOST_SEATS_OF_A_BROWSER = 12  # a cookie holds 4 kB

csrf = CSRFProtect()
limiter = Limiter(
    key_func=client,
    default_limits=["300 per minute"],
    storage_uri=rates.SCHEME,
    strategy="moving-window",
    headers_enabled=True,
)

LOGIN_LIMIT = "10 per hour; 3 per minute"
ENTER_LIMIT = "30 per minute"
SEND_LIMIT = "60 per minute"
BUNDLE_LIMIT = "10 per minute"
AUDIT_LIMIT = "30 per minute"
COSTLY_AT_ONCE = 2
"""Audits and bundles, each of which reads a whole stream, that one process makes at the same time."""
BACKGROUND_WAITING = 1_000

POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "connect-src": "'self'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
    "base-uri": "'none'",
}
HEADERS = {
    "Content-Security-Policy": "; ".join(f"{name} {sources}" for name, sources in POLICY.items()),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",  # a secret link must not reach another site
    "Permissions-Policy": "geolocation=(), camera=(), microphone=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
HSTS = "max-age=31556926; includeSubDomains"


class _Sessions(SecureCookieSessionInterface):
    """Sessions in a signed cookie, which is for TLS alone as soon as a request came by it."""

    def get_cookie_secure(self, app: Flask) -> bool:
        return super().get_cookie_secure(app) or request.is_secure


def secure(app: Flask, settings: Settings) -> None:
    """Set up cookies, request forgery protection, headers and limits of an application."""
    https = settings.site.startswith("https:")
    vault = Vault(settings.key_file)
    app.extensions["pbem_vault"] = vault
    app.extensions["pbem_background"] = Background()
    app.config.update(
        SECRET_KEY=hmac.digest(settings.key_file.read_bytes().strip(), b"pbem web sessions", "sha256"),
        SESSION_COOKIE_NAME="__Host-pbem" if https else "pbem",
        SESSION_COOKIE_PATH="/",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",  # a link in a mail comes from another site
        SESSION_COOKIE_SECURE=https,
        PERMANENT_SESSION_LIFETIME=SESSION_SECONDS,
        MAX_CONTENT_LENGTH=LARGEST_REQUEST,
        MAX_FORM_MEMORY_SIZE=LARGEST_REQUEST,
        WTF_CSRF_TIME_LIMIT=None,  # a page may lie open over night; the token lives as long as the session
        WTF_CSRF_SSL_STRICT=False,  # it asks for the Referer, which our own pages do not send
    )
    app.session_interface = _Sessions()
    if https and settings.web_trusted_proxies:
        # Without a proxy that says so nobody ever comes by TLS, and there is nowhere to send him.
        app.before_request(_insist_on_tls)
    csrf.init_app(app)
    limiter.init_app(app)
    app.before_request(_refuse_other_sites)
    app.before_request(_refuse_nul)
    app.after_request(_protect)


def _refuse_other_sites() -> None:
    # Browsers say where a request comes from, and no page can change it; the token of the form stands behind this.
    if request.method not in ("GET", "HEAD", "OPTIONS") and request.headers.get("Sec-Fetch-Site") == "cross-site":
        abort(403)


def _refuse_nul() -> None:
    # No store takes it, and nothing that there is has it in its name.
    if "\0" in request.path:
        abort(404)
    if any("\0" in text for pair in request.args.items(multi=True) for text in pair):
        abort(400)


def _insist_on_tls() -> Answer | None:
    """Send on to the site as it is configured: what a request says of its host is anybody's word."""
    if request.is_secure:
        return None
    path = request.full_path if request.query_string else request.path
    return redirect(settings().site.rstrip("/") + quote(path, safe="/?&=%+,;:@~!$'()*"), 307)


def _protect(response: Response) -> Response:
    if request.endpoint != "static":
        response.headers.setdefault("Cache-Control", "private, no-store")
    response.headers.update(HEADERS)
    if settings().site.startswith("https:"):
        response.headers["Strict-Transport-Security"] = HSTS
    return response


_costly = threading.BoundedSemaphore(COSTLY_AT_ONCE)


def costly(view: Callable[..., _T]) -> Callable[..., _T]:
    """A page that costs much: beyond a few at once it is to be asked for again, so that the others go on."""

    @functools.wraps(view)
    def guarded(*arguments: Any, **more: Any) -> _T:
        if not _costly.acquire(timeout=5):
            raise TooManyRequests(retry_after=10)
        try:
            return view(*arguments, **more)
        finally:
            _costly.release()

    return guarded


class Background:
    """One thread for what a page is not to wait for, lest the time that it takes tell what came of it."""

    def __init__(self) -> None:
        self._waiting: queue.Queue[Callable[[], Any]] = queue.Queue(BACKGROUND_WAITING)
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def add(self, act: Callable[[], Any]) -> None:
        """Do it soon; beyond what can wait it is left undone, and logged."""
        try:
            self._waiting.put_nowait(act)
        except queue.Full:
            log.warning("too much is waiting to be done in the background; a request was left undone")
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="background", daemon=True)
                self._thread.start()

    def wait(self) -> None:
        """Return when all that was added is done."""
        self._waiting.join()

    def _run(self) -> None:
        while True:
            act = self._waiting.get()
            try:
                act()
            except Exception:  # one request's fault is no other's
                log.exception("what was asked for in the background failed")
            finally:
                self._waiting.task_done()


def in_background(act: Callable[..., Any], *arguments: Any) -> None:
    """Do something after the request that asks for it, in a thread of its own."""
    current_app.extensions["pbem_background"].add(functools.partial(act, *arguments))


# --- seats ------------------------------------------------------------------------------------------------------------


def nothing_here() -> NoReturn:
    """The one answer to what is not there, is not for this reader, or has a wrong token."""
    abort(404)


def seat_of_link(campaign: str, token: str) -> str:
    """The seat that a link is for; ends with `nothing_here` for none."""
    seat = _seat_of(campaign, token)
    if seat is None:
        nothing_here()
    return seat


def sign_in(campaign: str, token: str) -> str:
    """Let this browser act for the seat whose token this is; returns the seat, or ends with `nothing_here`."""
    seat = seat_of_link(campaign, token)
    kept = {k: v for k, v in session.get("seats", {}).items() if k != campaign}
    while len(kept) >= MOST_SEATS_OF_A_BROWSER:
        kept.pop(next(iter(kept)))
    content = f"{token.strip()} {service().sign_outs(campaign, seat)}"
    sealed = current_app.extensions["pbem_vault"].seal(content.encode()).decode()
    session["seats"] = {**kept, campaign: sealed}
    session.permanent = True
    return seat


def sign_out(campaign: str) -> None:
    """Forget the seat of a campaign in this browser; a copy of its cookie opens nothing any more."""
    seat = signed_in_seat(campaign)
    if seat is not None:
        service().sign_out(campaign, seat)
    session["seats"] = {k: v for k, v in session.get("seats", {}).items() if k != campaign}


def signed_in_seat(campaign: str) -> str | None:
    """The seat that this browser may act for in a campaign, or None."""
    sealed = session.get("seats", {}).get(campaign)
    if not isinstance(sealed, str):
        return None
    try:
        content = current_app.extensions["pbem_vault"].open(sealed.encode()).decode()
    except SecretLost:
        return None  # sealed with an older key of the service
    token, _, number = content.partition(" ")
    seat = _seat_of(campaign, token)
    if seat is None or (number or "0") != str(service().sign_outs(campaign, seat)):
        return None
    return seat


def my_campaigns() -> list[tuple[str, str]]:
    """The (campaign, seat) that this browser may act for."""
    sat_at = [(campaign, signed_in_seat(campaign)) for campaign in session.get("seats", {})]
    return [(campaign, seat) for campaign, seat in sat_at if seat is not None]


def _seat_of(campaign: str, token: str) -> str | None:
    try:
        return service().seat_of(campaign, token)
    except NoCampaign:
        return None
