"""Which addresses are of the public internet: what players name must not lead into the operator's own network."""

from __future__ import annotations

import ipaddress
import socket
from unicodedata import normalize

_NOT_PUBLIC = [
    ipaddress.ip_network(net)
    for net in (
        "192.0.0.0/24",  # of protocols (RFC 6890)
        "192.88.99.0/24",  # relays of 6to4 (RFC 7526)
        "2001::/23",  # Teredo, ORCHID and other protocols (RFC 2928)
        "2002::/16",  # 6to4 (RFC 3056): holds an address of IPv4
        "2001:db8::/32",
        "3fff::/20",  # examples (RFC 9637)
    )
]
_UNICAST = ipaddress.ip_network("2000::/3")
"""All of IPv6 that is given out. What lies outside leads elsewhere: mapped and compatible addresses of IPv4, NAT64
(64:ff9b::/96 and 64:ff9b:1::/48), unique local, link-local and site-local ones."""
_ISATAP = (0x00005EFE, 0x02005EFE)  # RFC 5214: the upper half of an interface's number, before an address of IPv4


_OWN_NETWORKS = frozenset({
    "arpa", "internal", "local", "localhost", "onion",  # of no public host: RFC 6761, 6762, 7686, 8375, and ICANN
    "corp", "home", "lan", "localdomain",  # given to nobody, since routers and hosts call themselves so
})  # fmt: skip
"""The last labels of names that never are those of a public host."""


def is_public(address: str) -> bool:
    """Whether an address of IPv4 or IPv6, as text, is of the public internet and of one host. False for what is none.

    Addresses of IPv6 that stand for one of IPv4 are not, whichever it is: no public host needs to be named so.
    """
    if "%" in address:
        return False  # an address with a zone is of the own link
    try:
        number = ipaddress.ip_address(address)
    except ValueError:
        return False
    if not number.is_global or number.is_multicast or any(number in net for net in _NOT_PUBLIC):
        return False
    if isinstance(number, ipaddress.IPv4Address):
        return True
    return number in _UNICAST and int(number) >> 32 & 0xFFFFFFFF not in _ISATAP


def may_be_public(host: str) -> bool:
    """Whether the host of a web address may be a public one, as far as can be told without asking what its name means.

    An address in any of the forms that a resolver takes (``127.1``, ``0x7f000001``) is judged as the address it is.
    """
    host = normalize("NFKC", host).rstrip(".")  # as names of hosts are read
    if ":" in host:
        return is_public(host)
    try:
        return is_public(socket.inet_ntoa(socket.inet_aton(host)))
    except (OSError, UnicodeError):
        pass  # a name
    return "." in host and host.rpartition(".")[2].casefold() not in _OWN_NETWORKS


__all__ = ["is_public", "may_be_public"]
