"""The ledger: the form of a campaign's stream that its players can check (`pbem.campaign.verify` does it for them).

**Event.** A header ``{number, kind, previous, parts}`` that everyone reads (numbers count from 1, `previous` is the
hash of the event before, 64 noughts for the first, `parts` the names of the parts in order), and the parts. An event's
hash is SHA-256 over the canonical bytes of ``{"header": …, "commitments": […]}``, the commitments in the order of the
names.

**Parts.** Each event has all of them, empty (``{}``) or not, so that the set of parts tells nothing:

- ``public``, for everyone; keys that `verify` knows: ``facts`` (of them ``roll`` and ``draw`` name the index of their
  throw), ``throws`` (proofs, from `pbem.table.dice.CommittedThrows.proofs`), ``dice`` (commitment to a tree; with
  ``"lost": true`` when the secret of the tree in use is lost), ``secret`` (opened at the end), ``press`` (commitments),
  ``opened`` (parts of earlier events, see `opening`), ``order`` (``{text, blind_key}`` when what fixed the throws may
  be read by all, such as a deadline);
- one for each seat, named by the seat's id;
- ``referee``, for nobody until the end;
- ``order``, for the one seat that it names: ``{seat, text, blind_key}``, the text as sent and, if it threw, the key by
  which C can be checked. Exactly one in every event: ``{}`` when nobody sent anything; ``seat`` null when what was
  taken up is several seats' sealed answers, which none of them may read whole. The sender's own part then holds
  ``"sent": true``, and the referee's ``"sender": seat``, so a bundle for that seat that withholds the order is found
  out. Seats that did not send get the same header and a commitment of the same size.

**Commitment.** A part is canonical JSON, stored and hashed as those bytes and never made again from objects; its
commitment is HMAC-SHA256 of them with a random 32-byte salt as key, stored with the part.

**Bundle.** Canonical JSON lines: a meta line, a line for each event, a digest line.
"""

from __future__ import annotations

import hmac
import json
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, BinaryIO

BUNDLE_FORMAT = 1
FIRST_PREVIOUS = "0" * 64
PUBLIC = "public"
REFEREE = "referee"
ORDER = "order"
COMMON_PARTS = (PUBLIC, REFEREE, ORDER)
"""The parts that are no seat's."""
SALT_LENGTH = 32
GREATEST_INTEGER = 2**53 - 1  # what every JSON reader takes exactly

Record = dict[str, Any]

_SEAT_ID = re.compile(r"[a-z0-9][a-z0-9_-]*")


# ---------------------------------------------------------------------------------------------------------------------
# Canonical JSON and commitments
# ---------------------------------------------------------------------------------------------------------------------


def canonical(value: Any) -> bytes:
    """A JSON value as canonical bytes: sorted keys, integers only, no blanks, UTF-8.

    Raises `TypeError` for floats, keys that are not strings and whatever is not JSON; `ValueError` for integers beyond
    2**53 - 1 and text that is not Unicode (lone surrogates).
    """
    if value == {}:
        return b"{}"  # most parts of most events
    _check_json(value)
    return _encode(value).encode()


def from_canonical(text: str) -> Any:
    """The JSON value of a canonical text; Python's general reader would look for blanks around it, and for bytes.

    Raises `ValueError` for what is not one JSON value.
    """
    value, end = _decode(text)
    if end != len(text):
        raise ValueError(f"there is more than one JSON value: {text[end:][:40]!r}")
    return value


_decode = json.JSONDecoder().raw_decode
_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode


def _check_json(value: Any) -> None:
    kind = type(value)
    if kind is str or kind is bool or value is None:
        return
    if kind is int:
        if not -GREATEST_INTEGER <= value <= GREATEST_INTEGER:
            raise ValueError(f"{value} is too great an integer for the ledger")
    elif kind is dict:
        for key, item in value.items():
            if type(key) is not str:
                raise TypeError(f"the key {key!r} is not a string")
            _check_json(item)
    elif kind is list or kind is tuple:
        for item in value:
            _check_json(item)
    else:
        raise TypeError(f"{value!r} ({kind.__name__}) has no place in the ledger")


def commitment_of(salt: bytes, content: bytes) -> str:
    """The commitment, hexadecimal, to canonical bytes under a salt of 32 bytes."""
    if len(salt) != SALT_LENGTH:
        raise ValueError(f"a salt has {SALT_LENGTH} bytes, not {len(salt)}")
    return hmac.digest(salt, content, "sha256").hex()


def commit_press(text: str, salts: Callable[[int], bytes] = os.urandom) -> dict[str, str]:
    """``{commitment, salt}`` of a text that lies beside the stream and may be erased; the commitment alone enters
    it."""
    salt = salts(SALT_LENGTH)
    return {"commitment": commitment_of(salt, text.encode()), "salt": salt.hex()}


# ---------------------------------------------------------------------------------------------------------------------
# Events
# ---------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SealedEvent:
    """An event as it stands in the chain.

    `header` as above; `commitments` in the order of ``header["parts"]``; `parts`: name -> ``{"content", "salt"}``, the
    canonical text as hashed and the salt in hexadecimal; `hash` hexadecimal.
    """

    header: Record
    commitments: list[str]
    parts: dict[str, dict[str, str]]
    hash: str

    def to_json(self) -> Record:
        """The whole event, secrets included, as one JSON object to store."""
        return {"header": self.header, "commitments": self.commitments, "parts": self.parts, "hash": self.hash}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> SealedEvent:
        """The event that `to_json` stored."""
        return cls(data["header"], data["commitments"], data["parts"], data["hash"])

    def content(self, part: str) -> Any:
        """What a part says, as a JSON value. Raises `KeyError` when there is no such part."""
        return from_canonical(self.parts[part]["content"])


def event_parts(
    seats: Sequence[str],
    public: Mapping[str, Any] | None = None,
    own: Mapping[str, Mapping[str, Any]] | None = None,
    referee: Mapping[str, Any] | None = None,
    order: Mapping[str, Any] | None = None,
) -> dict[str, Record]:
    """All parts of an event in their order, the empty ones too, ready for `seal`.

    `seats` are the ids of all seats, `own` what those have to read that have anything, `order` None or
    ``{seat, text, blind_key}`` (see `order_part`). Raises `ValueError` for a seat that is unknown or cannot be an id.
    """
    own = own or {}
    for seat in seats:
        if not _SEAT_ID.fullmatch(seat) or seat in COMMON_PARTS:
            raise ValueError(f"{seat!r} cannot be the id of a seat")
    sender = order.get("seat") if order else None
    for seat in [*own, *([sender] if sender is not None else [])]:
        if seat not in seats:
            raise ValueError(f"there is no seat {seat!r}")
    parts: dict[str, Record] = {PUBLIC: dict(public or {})}
    for seat in seats:
        parts[seat] = dict(own.get(seat, {}))
    parts[REFEREE] = dict(referee or {})
    parts[ORDER] = dict(order or {})
    if sender is not None:
        parts[sender]["sent"] = True
        parts[REFEREE]["sender"] = sender
    return parts


def order_part(seat: str | None, text: str, blind_key: bytes | None) -> Record:
    """The content of the part ``order``.

    `seat`: who sent it; `text`: exactly as it was committed to (its UTF-8 bytes); `blind_key`: None if it threw
    nothing.
    """
    return {"seat": seat, "text": text, "blind_key": None if blind_key is None else blind_key.hex()}


def seal(
    number: int,
    kind: str,
    previous: str,
    parts: Mapping[str, Any],
    salts: Callable[[int], bytes] = os.urandom,
) -> SealedEvent:
    """Make the event that follows the one with hash `previous`.

    `parts` has every part in order (`event_parts`). Raises `ValueError` when one of ``public, referee, order`` is
    missing or the number and `previous` cannot go together, and what `canonical` raises.
    """
    missing = [name for name in COMMON_PARTS if name not in parts]
    if missing:
        raise ValueError(f"an event has no part {', '.join(missing)}")
    if number < 1 or (number == 1) != (previous == FIRST_PREVIOUS):
        raise ValueError(f"event {number} cannot follow an event with hash {previous}")
    names = list(parts)
    covered: dict[str, dict[str, str]] = {}
    commitments = []
    for name in names:
        content = canonical(parts[name])
        salt = salts(SALT_LENGTH)
        commitments.append(commitment_of(salt, content))
        covered[name] = {"content": content.decode(), "salt": salt.hex()}
    header = {"number": number, "kind": kind, "previous": previous, "parts": names}
    return SealedEvent(header, commitments, covered, event_hash(header, commitments))


def event_hash(header: Mapping[str, Any], commitments: Sequence[str]) -> str:
    """The hash, hexadecimal, that chains an event: SHA-256 of its header and commitments in canonical form."""
    return sha256(canonical({"header": dict(header), "commitments": list(commitments)})).hexdigest()


def readable(link: SealedEvent, readers: Iterable[str]) -> list[str]:
    """The names of the parts that `readers` may read, in order.

    A reader is the name of a part: a seat's id reads the seat's part and the orders that the seat sent; ``referee``
    reads the referee's part, ``order`` every order; ``public`` is read by everyone, named or not.
    """
    readers = set(readers)
    names = []
    for name in link.header["parts"]:
        if name == PUBLIC or name in readers or (name == ORDER and link.content(ORDER).get("seat") in readers):
            names.append(name)
    return names


def open_for(link: SealedEvent, readers: Iterable[str]) -> Record:
    """The line of a bundle: header, hash, all commitments, and content with salt of what `readers` may read only."""
    return {
        "header": link.header,
        "commitments": link.commitments,
        "hash": link.hash,
        "parts": {name: link.parts[name] for name in readable(link, readers)},
    }


def opening(link: SealedEvent, part: str) -> Record:
    """An entry of the list ``opened`` in a later event: it shows a part of this one to who reads that later part."""
    return {"number": link.header["number"], "part": part, **link.parts[part]}


# ---------------------------------------------------------------------------------------------------------------------
# Bundles
# ---------------------------------------------------------------------------------------------------------------------


def bundle_meta(campaign: str, game: str, readers: Iterable[str], dice: Iterable[Mapping[str, Any]]) -> Record:
    """The first line of a bundle.

    `readers` as for `open_for`: whom the bundle is for (`verify` then insists that nothing of theirs is left out);
    `dice` the commitments to all trees so far, ``{tree, root, size}``.
    """
    return {
        "bundle": BUNDLE_FORMAT,
        "campaign": campaign,
        "game": game,
        "readers": sorted({PUBLIC, *readers}),
        "dice": [{"tree": tree["tree"], "root": tree["root"], "size": tree["size"]} for tree in dice],
    }


def write_bundle(file: BinaryIO, meta: Record, records: Iterable[Record]) -> str:
    """Write a bundle to a binary file: `meta` (from `bundle_meta`), `records` (from `open_for`), and the digest line.

    Returns the digest. Raises what `canonical` raises; the file is then incomplete and has no digest line.
    """
    digest = sha256()
    first = canonical(meta) + b"\n"
    digest.update(first)
    file.write(first)
    events = 0
    for record in records:
        line = canonical(record) + b"\n"
        digest.update(line)
        file.write(line)
        events += 1
    last = digest.hexdigest()
    file.write(canonical({"digest": last, "events": events, "meta": sha256(first).hexdigest()}) + b"\n")
    return last
