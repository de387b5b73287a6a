"""What reverse proxies before the service say of a request: who asks, and whether he came by TLS.

Everybody can send ``X-Forwarded-For``. It is read only where the connection comes from an address that the operator has
named; from anybody else these headers are taken out before a page sees them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any

from flask import request
from werkzeug.middleware.proxy_fix import ProxyFix

Network = IPv4Network | IPv6Network
_FORWARDED = ("HTTP_FORWARDED", "HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_PROTO", "HTTP_X_FORWARDED_HOST",
              "HTTP_X_FORWARDED_PORT", "HTTP_X_FORWARDED_PREFIX", "HTTP_X_FORWARDED_BY")  # fmt: skip
_SCHEMES = ("http", "https")


def networks(text: str) -> list[Network]:
    """The networks of a setting such as ``127.0.0.1, 10.0.0.0/8``. Raises `ValueError` for what is none."""
    return [ip_network(word.strip(), strict=False) for word in text.split(",") if word.strip()]


class Proxies:
    """WSGI: `number` proxies stand before an application, the last of them in one of these networks.

    With several, each is to add the address that it was asked from to ``X-Forwarded-For``; ``X-Forwarded-Proto`` each
    may add to or hand on as it is.
    """

    def __init__(self, app: Callable[..., Any], number: int, of: Iterable[Network]):
        self.app = app
        self.number = number
        self.networks = list(of)
        self._fixed = ProxyFix(app, x_for=number, x_proto=0, x_host=0)

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Any:
        if self.number < 1 or not self._is_proxy(environ.get("REMOTE_ADDR", "")):
            for name in _FORWARDED:
                environ.pop(name, None)
            return self.app(environ, start_response)
        said = [word.strip().lower() for word in environ.get("HTTP_X_FORWARDED_PROTO", "").split(",") if word.strip()]
        if said and said[-min(self.number, len(said))] in _SCHEMES:
            environ["wsgi.url_scheme"] = said[-min(self.number, len(said))]
        return self._fixed(environ, start_response)

    def _is_proxy(self, address: str) -> bool:
        try:
            peer = ip_address(address)
        except ValueError:
            return False
        peer = getattr(peer, "ipv4_mapped", None) or peer
        return any(peer in network for network in self.networks)


def client() -> str:
    """Whom the limits count: the address of a request, of IPv6 the network of one household (/64)."""
    text = request.remote_addr or ""
    try:
        address = ip_address(text)
    except ValueError:
        return text[:100]
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(ip_network((int(address) >> 64 << 64, 64)))
    return str(address)


__all__ = ["Proxies", "client", "networks"]
