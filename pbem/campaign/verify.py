#!/usr/bin/env python3
"""Check a bundle of a pbem campaign: ``python verify.py BUNDLE [--head HASH[@NUMBER]]... [--mail FILE_OR_MAILDIR]...``

This one file needs nothing but Python 3.11: copy it out, read it, run it alone (``python -I verify.py …``).

WHAT A GOOD RESULT PROVES

- The bundle is one unbroken chain of events: none was changed, left out, put in or moved after it entered the chain,
  and the parts you may read are the ones that were sealed then. Of the parts you may not read, you know that they were
  sealed at that time and can be opened later only as they are.
- Every die and every draw follows from a key that was committed to before anything was thrown, and from C, which fixes
  the order (or deadline) that caused it. Keys were used in turn, each once, also across rewinds. So the service could
  not choose a result once the order was sent, no player could foresee one, and nobody could change one afterwards.
- Where you sent the order yourself: C was made from your words as you sent them, so it was not chosen to suit.
- Once the secret is opened: all keys came from one secret from the start, those that were never thrown included.

WHAT IS STILL TRUST

- Without a head from outside (``--head``, or your saved report mails with ``--mail``) a tail that was cut off, or a
  history that was written anew as a whole, cannot be seen. Each report mail quotes an event's number and hash; keep
  them.
- Whoever knows the secret *and* sends orders can try many wordings until he likes the result. An operator should take
  no seat. A player can add a ``SALT …`` line of his own to any order.
- Whose turn it was, how many dice the rules grant and what a result means are the rulebook's matter; so is whether an
  order was received, and when. C of another player's order is taken on his word until its text is opened.
- When an operator declares a secret lost, the change to a new one rests on his word. This is reported.

HOW IT IS CALLED

Exit status 0: all is well; 1: something is wrong, and the place is named; 2: wrong usage, or a file that cannot be
read. From a program: ``verify(lines, heads)`` gives a `Report` or raises `VerificationError`.
"""

from __future__ import annotations

import argparse
import hmac
import json
import mailbox
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from email.message import Message
from email.parser import BytesHeaderParser
from hashlib import sha256
from pathlib import Path
from typing import Any, NoReturn, TypeGuard

BUNDLE_FORMAT = 1
GREATEST_INTEGER = 2**53 - 1
MOST_LEAVES = 2**20
MOST_SIDES = 2**32
FIRST_PREVIOUS = "0" * 64


class VerificationError(Exception):
    """Something in the bundle is not as it must be; `line`, `event` and `part` say where (None: not known)."""

    def __init__(
        self, problem: str, line: int | None = None, event: int | None = None, part: str | None = None
    ) -> None:
        self.problem, self.line, self.event, self.part = problem, line, event, part
        named = (("line", line), ("event", event), ("part", part))
        place = ", ".join(f"{name} {value}" for name, value in named if value is not None)
        super().__init__(f"{place}: {problem}" if place else problem)


@dataclass(frozen=True, slots=True)
class Head:
    """The hash of an event as known from outside the bundle; `number` None: of some event.

    A head from a mail also names its campaign (those of others are passed over) and the file it was in.
    """

    hash: str
    number: int | None = None
    campaign: str | None = None
    source: str = "given"


@dataclass(frozen=True, slots=True)
class CheckedThrow:
    """One random result that was recomputed: the event that caused it, its leaf, what came out (draws: from 0)."""

    event: int
    kind: str
    tree: int
    index: int
    what: str
    number: int
    sides: int
    result: list[int]
    draw: bool

    def __str__(self) -> str:
        result = f"draw {self.result[0]} of {self.sides}, from 0" if self.draw else f"{self.number}d{self.sides}"
        dice = "" if self.draw else " = " + " ".join(map(str, self.result))
        return f"event {self.event} ({self.kind}), tree {self.tree}, leaf {self.index}: {self.what}: {result}{dice}"


@dataclass
class Report:
    """What was checked."""

    campaign: str
    game: str
    readers: list[str]
    events: int = 0
    head: str = FIRST_PREVIOUS
    parts: int = 0
    opened: int = 0
    orders: int = 0
    trees: int = 0
    secret_opened: bool = False
    throws: list[CheckedThrow] = field(default_factory=list)
    heads: list[Head] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)


# ---------------------------------------------------------------------------------------------------------------------
# Primitives
# ---------------------------------------------------------------------------------------------------------------------

_is_hash = re.compile(r"[0-9a-f]{64}").fullmatch


def _integer(text: str) -> int:
    if len(text) > 17 or not -GREATEST_INTEGER <= int(text) <= GREATEST_INTEGER:
        raise ValueError("an integer beyond 2**53 - 1")
    return int(text)


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"a number that is not an integer: {text[:40]}")


_decode = json.JSONDecoder(parse_int=_integer, parse_float=_no_number, parse_constant=_no_number).decode
_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode


def _hash(value: Any) -> TypeGuard[str]:
    return type(value) is str and _is_hash(value) is not None


def _count(value: Any) -> TypeGuard[int]:
    return type(value) is int and value >= 0


def parse_canonical(data: bytes) -> Any:
    """The JSON value of canonical bytes (sorted keys, integers, no blanks, UTF-8); `ValueError` for any other form."""
    try:
        value = _decode(data.decode("utf-8"))
        again = _encode(value).encode("utf-8")
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if again != data:
        raise ValueError("not in canonical form (sorted keys, integers, no blanks)")
    return value


def throw(die_key: bytes, commitment: bytes, number: int, sides: int) -> list[int]:
    """The dice of a die key and C: words of HMAC(HMAC(die_key, C), counter), but for those that would bias."""
    seed = hmac.digest(die_key, commitment, "sha256")
    width = 1
    while 256**width < sides:
        width += 1
    limit = 256**width - 256**width % sides
    dice: list[int] = []
    counter = 0
    while len(dice) < number:
        block = hmac.digest(seed, counter.to_bytes(4, "big"), "sha256")
        words = [int.from_bytes(block[at : at + width], "big") for at in range(0, 32 // width * width, width)]
        dice += [word % sides + 1 for word in words if word < limit]
        counter += 1
    return dice[:number]


def root_from_path(index: int, size: int, leaf: bytes, path: list[str]) -> bytes | None:
    """The Merkle root (RFC 9162, section 2.1.3.2) that a path leads to; None for a path of the wrong length."""
    place, last, node = index, size - 1, leaf
    for sibling in path:
        if last == 0:
            return None
        if place % 2 or place == last:
            node = sha256(b"\x01" + bytes.fromhex(sibling) + node).digest()
            while place % 2 == 0 and place:
                place, last = place // 2, last // 2
        else:
            node = sha256(b"\x01" + node + bytes.fromhex(sibling)).digest()
        place, last = place // 2, last // 2
    return node if last == 0 else None


def root_from_secret(secret: bytes, tree: int, size: int) -> bytes:
    """The Merkle root of a whole tree of keys, every leaf made anew from the secret."""

    def key_hash(label: bytes, index: int) -> bytes:
        message = label + tree.to_bytes(4, "big") + index.to_bytes(4, "big")
        return sha256(hmac.digest(secret, message, "sha256")).digest()

    nodes = [
        sha256(b"\x00" + key_hash(b"pbem die key", index) + key_hash(b"pbem blind key", index)).digest()
        for index in range(size)
    ]
    while len(nodes) > 1:
        pairs = [sha256(b"\x01" + nodes[at] + nodes[at + 1]).digest() for at in range(0, len(nodes) - 1, 2)]
        nodes = pairs + nodes[len(nodes) // 2 * 2 :]
    return nodes[0]


# ---------------------------------------------------------------------------------------------------------------------
# The bundle
# ---------------------------------------------------------------------------------------------------------------------


def verify(lines: Iterable[bytes], heads: Iterable[Head | str] = ()) -> Report:
    """Check a whole bundle.

    `lines` are its lines as bytes, line ends included (a file opened in binary mode will do). `heads` are `Head`
    objects or strings ``HASH`` or ``HASH@NUMBER``. Raises `VerificationError` at the first thing that is wrong,
    `ValueError` for a string that is no head.
    """
    lines = list(lines)
    known = [parse_head(head) if isinstance(head, str) else head for head in heads]
    if len(lines) < 2:
        raise VerificationError("a bundle has at least a meta line and a digest line", len(lines))
    last_number = len(lines)
    meta = _meta(_line(lines[0], 1))
    last = _last_line(lines)
    if type(last) is not dict or set(last) != {"digest", "events", "meta"}:
        raise VerificationError("the last line is not a digest line: the end of the file is missing", last_number)
    digest = sha256(b"".join(lines[:-1])).hexdigest()
    if last["meta"] != sha256(lines[0]).hexdigest():
        if last["digest"] == digest:
            raise VerificationError("the digest line was changed: its hash of the meta line is wrong", last_number)
        raise VerificationError("the meta line is not the one that the digest line was made for", 1)

    chain = _Chain(Report(meta["campaign"], meta["game"], meta["readers"]))
    for number, line in enumerate(lines[1:-1], start=2):
        chain.line = number
        chain.add(_line(line, number))
    report = chain.report
    if not chain.names:
        raise VerificationError("the bundle holds no events", last_number)
    if last["events"] != report.events:
        problem = f"the digest line counts {last['events']} events, but {report.events} are here"
        raise VerificationError(problem, last_number)
    if last["digest"] != digest:
        problem = "the digest is wrong, though every event verifies: it was changed, or readable parts were left out"
        raise VerificationError(problem, last_number)
    if meta["dice"] != [{"tree": tree.number, "root": tree.root, "size": tree.size} for tree in chain.trees]:
        raise VerificationError("the dice roots of the meta line are not those that the events commit to", 1)
    if not set(meta["readers"]) <= set(chain.names[-1]):
        raise VerificationError("the meta line names readers that have no part", 1)
    _check_heads(known, chain.hashes, report)
    return report


def _last_line(lines: Sequence[bytes]) -> Any:
    """The last line, read; where it cannot be, the first line that cannot be is at fault: a line feed put into a line
    cuts it in two, and the half before is the one that was changed."""
    try:
        return _line(lines[-1], len(lines))
    except VerificationError:
        for number, line in enumerate(lines, start=1):
            _line(line, number)
        raise


def _line(line: bytes, number: int) -> Any:
    if not line.endswith(b"\n"):
        raise VerificationError("the line does not end with a line feed: the end of the file is missing", number)
    try:
        return parse_canonical(line[:-1])
    except ValueError as error:
        raise VerificationError(f"not canonical JSON: {error}", number) from None


def _meta(meta: Any) -> dict[str, Any]:
    if type(meta) is not dict or set(meta) != {"bundle", "campaign", "dice", "game", "readers"}:
        raise VerificationError("this is not the meta line of a bundle", 1)
    if meta["bundle"] != BUNDLE_FORMAT:
        raise VerificationError(f"this verifier reads bundles of format {BUNDLE_FORMAT}, not {meta['bundle']}", 1)
    readers = meta["readers"]
    if type(meta["campaign"]) is not str or type(meta["game"]) is not str or not _names(readers):
        raise VerificationError("campaign, game or readers are not as they must be in a meta line", 1)
    return meta


def _names(value: Any) -> bool:
    return type(value) is list and all(type(name) is str for name in value) and len(set(value)) == len(value)


def _check_heads(heads: Sequence[Head], hashes: list[str], report: Report) -> None:
    """Compare heads from outside; `hashes` are those of the events, in order."""
    relevant = [head for head in heads if head.campaign is None or head.campaign == report.campaign]
    if heads and not relevant:
        others = ", ".join(sorted({head.campaign for head in heads if head.campaign}))
        raise VerificationError(
            f"none of the mails is a report of campaign {report.campaign} (they are of {others}), so they prove nothing"
        )
    numbers = {value: number for number, value in enumerate(hashes, start=1)}
    covered = 0
    for head in relevant:
        number = head.number
        if number is None:
            number = numbers.get(head.hash)
            if number is None:
                problem = "is of none of these events: the tail was cut, or the history rewritten"
                raise VerificationError(f"the head {head.hash} ({head.source}) {problem}")
        if number > len(hashes):
            raise VerificationError(
                f"the tail was cut: the bundle ends with event {len(hashes)}, but there is a head of event {number} "
                f"({head.source})",
                event=number,
            )
        if number < 1 or hashes[number - 1] != head.hash:
            raise VerificationError(
                f"the history was rewritten: the hash here is {hashes[number - 1] if number > 0 else 'none'}, "
                f"but the head ({head.source}) is {head.hash}",
                event=number,
            )
        covered = max(covered, number)
        report.heads.append(replace(head, number=number))
    if not relevant:
        report.remarks.append(
            "No head was given. A tail that was cut off, or a history that was rewritten as a whole, CANNOT be seen "
            "without one: give --head HASH@NUMBER from a report, or --mail with your saved reports."
        )
    elif covered < len(hashes):
        report.remarks.append(f"The heads given reach to event {covered}; no head from outside holds later events.")


@dataclass
class _Tree:
    number: int
    root: str
    size: int
    since_loss: bool = True


class _Chain:
    """The state of the check from event to event."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.line = 1
        self.hashes: list[str] = []
        self.names: list[list[str]] = []
        self.commitments: list[list[str]] = []
        self.trees: list[_Tree] = []
        self.tree = 0  # the one in use
        self.next_index = 0
        self.casts: dict[int, tuple[str, str]] = {}  # event -> C and the hash of its blind key

    def fail(self, problem: str, part: str | None = None) -> NoReturn:
        raise VerificationError(problem, self.line, len(self.hashes) + 1, part)

    def add(self, record: Any) -> None:
        """Check the next event."""
        number = len(self.hashes) + 1
        if type(record) is not dict or set(record) != {"commitments", "hash", "header", "parts"}:
            self.fail("this line is not an event")
        header, commitments = record["header"], record["commitments"]
        self.header(header)
        names = header["parts"]
        if type(commitments) is not list or len(commitments) != len(names) or not all(map(_hash, commitments)):
            self.fail("there is not one commitment for each part")
        computed = sha256(_encode({"commitments": commitments, "header": header}).encode()).hexdigest()
        if record["hash"] != computed:
            self.fail(f"the hash of header and commitments is {computed}, not the one given")
        contents = self.parts(record["parts"], names, commitments)
        public = contents["public"]
        if number == 1:
            for key in ("campaign", "game"):
                if public.get(key, getattr(self.report, key)) != getattr(self.report, key):
                    self.fail(f"the {key} is {public[key]!r}, not as the meta line says", "public")
        self.throws(header["kind"], public)
        if "dice" in public:
            self.commit_tree(public["dice"])
        elif number == 1:
            self.fail("the first event commits to no dice", "public")
        if "secret" in public:
            self.open_secret(public["secret"])
        self.sender(names, contents)
        self.names.append(names)
        self.commitments.append(commitments)
        for part, content in contents.items():
            self.content(number, part, content, part)
        if number in self.casts and "order" in contents and "order" not in public and not contents["order"]:
            self.fail("something was thrown, but no part says which text fixed it", "order")
        self.hashes.append(computed)
        self.report.events, self.report.head = number, computed

    def header(self, header: Any) -> None:
        """The header follows the event before."""
        number = len(self.hashes) + 1
        if type(header) is not dict or set(header) != {"kind", "number", "parts", "previous"}:
            self.fail("the header is not as it must be")
        if type(header["number"]) is not int or header["number"] != number:
            self.fail(f"event {number} should stand here, not event {header['number']}: events are missing or moved")
        if header["previous"] != (self.hashes[-1] if self.hashes else FIRST_PREVIOUS):
            self.fail("this event does not follow the one before it here: the chain is broken between the two")
        names = header["parts"]
        if type(header["kind"]) is not str or not _names(names) or not {"public", "referee", "order"} <= set(names):
            self.fail("the header is not as it must be")
        gone = set(self.names[-1]) - set(names) if self.names else set()
        if gone:
            self.fail(f"the event has no part {', '.join(sorted(gone))}, which earlier ones have")

    def parts(self, parts: Any, names: list[str], commitments: list[str]) -> dict[str, dict[str, Any]]:
        """The contents of the parts that are open here, each checked against its commitment."""
        if type(parts) is not dict or not set(parts) <= set(names):
            self.fail("there are parts that the header does not name")
        contents = {}
        for name, commitment in zip(names, commitments, strict=True):
            if name in parts:
                contents[name] = self.opened_content(parts[name], commitment, name)
                self.report.parts += 1
            elif name == "public" or name in self.report.readers:
                self.fail("this part is missing, though the bundle is for those who may read it", name)
        return contents

    def opened_content(self, part: Any, commitment: str, name: str) -> dict[str, Any]:
        """What a part says, from its text and salt."""
        if type(part) is not dict or set(part) != {"content", "salt"}:
            self.fail("a part is its content and its salt", name)
        text, salt = part["content"], part["salt"]
        if type(text) is not str or not _hash(salt):
            self.fail("a part is its content and its salt", name)
        try:
            data = text.encode()
            if hmac.digest(bytes.fromhex(salt), data, "sha256").hex() != commitment:
                self.fail("the content is not what was committed to", name)
            content = parse_canonical(data)
        except ValueError as error:
            self.fail(f"the content is not canonical JSON: {error}", name)
        if type(content) is not dict:
            self.fail("the content is not a JSON object", name)
        return content

    def sender(self, names: list[str], contents: dict[str, dict[str, Any]]) -> None:
        """The order is open to its sender, and the parts that name the sender agree."""
        order = contents.get("order")
        if order is None:
            for name, content in contents.items():
                if name not in ("public", "referee") and content.get("sent"):
                    self.fail(f"{name} sent an order here, but the part that holds it is withheld", "order")
            return
        seat = order.get("seat")
        if order and (type(order.get("text")) is not str or (seat is not None and seat not in names)):
            self.fail("an order is a text and the seat that sent it", "order")
        for name, content in contents.items():
            if name in ("public", "order"):
                continue
            said = content.get("sender") == seat if name == "referee" else content.get("sent", False) is (seat == name)
            if not said:
                self.fail("this part does not agree with the order on who sent it", name)

    # Dice

    def throws(self, kind: str, public: dict[str, Any]) -> None:
        """Recompute every throw of the event and compare it with the facts."""
        number = len(self.hashes) + 1
        throws, facts = public.get("throws", []), public.get("facts", [])
        if type(throws) is not list or type(facts) is not list or not all(type(fact) is dict for fact in facts):
            self.fail("throws and facts are not lists of objects", "public")
        results = [fact for fact in facts if self.is_result(fact)]
        indices = [fact.get("index") for fact in results]
        if not throws:
            if indices:
                self.fail(f"the facts tell of random event {indices[0]}, but nothing proves it", "public")
            return
        if self.report.secret_opened:
            self.fail("something was thrown after the secret was opened", "public")
        tree = self.tree_for_event()
        for at, proof in enumerate(throws):
            self.proof(proof, tree, self.next_index + at, throws[0])
        proved = [proof["index"] for proof in throws]
        if indices != proved or not all(map(_count, indices)):
            self.fail(f"the facts tell of the random events {indices}, but {proved} were thrown", "public")
        self.casts[number] = throws[0]["commitment"], throws[0]["blind_hash"]
        for proof, fact in zip(throws, results, strict=True):
            self.report.throws.append(self.result(number, kind, proof, fact))
        self.next_index += len(throws)

    def is_result(self, fact: dict[str, Any]) -> bool:
        """Whether a fact needs a throw: rolls, and draws but from a single possibility."""
        kind = fact.get("fact")
        if kind == "draw" and fact.get("index") is None and fact.get("m") == 1 and fact.get("k") == 0:
            return False
        return kind in ("roll", "draw")

    def tree_for_event(self) -> _Tree:
        """The tree that an event beginning now must throw from: the next one if under an eighth of this one is left."""
        if not self.trees:
            self.fail("something was thrown before any dice were committed to", "public")
        size = self.trees[self.tree].size
        if size - self.next_index < max(1, size // 8) and self.tree + 1 < len(self.trees):
            self.tree += 1
            self.next_index = 0
        return self.trees[self.tree]

    def proof(self, proof: Any, tree: _Tree, index: int, first: Any) -> None:
        """The die key was committed to, and it is the turn of its leaf."""
        keys = {"blind_hash", "commitment", "die_key", "index", "path", "tree"}
        if type(proof) is not dict or set(proof) != keys:
            self.fail("the proof of a throw is not as it must be", "public")
        if not all(_hash(proof[key]) for key in ("blind_hash", "commitment", "die_key")):
            self.fail("the proof of a throw has a key or hash that is none", "public")
        if type(proof["path"]) is not list or not all(map(_hash, proof["path"])):
            self.fail("the path of a throw is not a list of hashes", "public")
        if not _count(proof["tree"]) or not _count(proof["index"]):
            self.fail("the proof of a throw has no number of its tree or leaf", "public")
        if (proof["tree"], proof["index"]) != (tree.number, index):
            given = f"leaf {proof['index']} of tree {proof['tree']}"
            self.fail(f"the next throw is leaf {index} of tree {tree.number}, not {given}", "public")
        if index >= tree.size:
            self.fail(f"tree {tree.number} of the dice has no leaf {index}", "public")
        if proof["commitment"] != first["commitment"]:
            self.fail("the throws of one event do not stand on one C", "public")
        keys_hash = sha256(bytes.fromhex(proof["die_key"])).digest() + bytes.fromhex(proof["blind_hash"])
        leaf = sha256(b"\x00" + keys_hash).digest()
        root = root_from_path(index, tree.size, leaf, proof["path"])
        if root is None or root.hex() != tree.root:
            self.fail(f"the key of leaf {index} does not lead to the root of tree {tree.number}", "public")

    def result(self, number: int, kind: str, proof: dict[str, Any], fact: dict[str, Any]) -> CheckedThrow:
        """The fact says what the die key and C give."""
        index, draw = proof["index"], fact["fact"] == "draw"
        said = [fact.get("k")] if draw else fact.get("dice")
        sides = fact.get("m") if draw else fact.get("sides")
        if type(said) is not list or not said or not all(map(_count, said)) or not _count(sides):
            self.fail(f"the fact of throw {index} has no dice and sides", "public")
        if not 1 <= sides <= MOST_SIDES:
            self.fail(f"throw {index} has {sides} sides", "public")
        dice = throw(bytes.fromhex(proof["die_key"]), bytes.fromhex(proof["commitment"]), len(said), sides)
        thrown = [die - 1 for die in dice] if draw else dice
        if thrown != said:
            self.fail(f"throw {index} gives {thrown}, but the facts say {said}", "public")
        what = str(fact.get("what", fact["fact"]))
        return CheckedThrow(number, kind, proof["tree"], index, what, len(said), sides, said, draw)

    def commit_tree(self, dice: Any) -> None:
        """A tree is committed to: the first by the first event, others in time, so nobody can choose between two."""
        number = len(self.hashes) + 1
        if type(dice) is not dict or not {"root", "size", "tree"} <= set(dice) <= {"lost", "root", "size", "tree"}:
            self.fail("the commitment to dice is not as it must be", "public")
        if not _hash(dice["root"]) or not _count(dice["size"]) or not 1 <= dice["size"] <= MOST_LEAVES:
            self.fail("the commitment to dice has no root or a wrong size", "public")
        if not _count(dice["tree"]) or dice["tree"] != len(self.trees):
            self.fail(f"the next tree of the dice is number {len(self.trees)}, not {dice['tree']}", "public")
        if self.report.secret_opened:
            self.fail("dice were committed to after the secret was opened", "public")
        if dice.get("lost", True) is not True:
            self.fail("a commitment to dice says lost: true, or nothing of it", "public")
        if "lost" in dice and self.trees:
            self.report.remarks.append(
                f"Event {number} says that the secret of the dice was lost, and goes on with tree {dice['tree']}. That "
                "it was not done to avoid a result rests on the operator's word; the trees before cannot be opened."
            )
            for tree in self.trees:
                tree.since_loss = False
            self.tree, self.next_index = dice["tree"], 0
        elif self.trees:
            size = self.trees[self.tree].size
            if self.tree != dice["tree"] - 1:
                self.fail(f"tree {dice['tree']} was committed to before the last came into use", "public")
            if size - self.next_index < size // 4:
                self.fail(f"tree {dice['tree']} was committed to too late: under a quarter is left", "public")
        self.trees.append(_Tree(dice["tree"], dice["root"], dice["size"]))
        self.report.trees = len(self.trees)

    def open_secret(self, secret: Any) -> None:
        """All trees come from the secret (but for those whose secret was declared lost)."""
        if not _hash(secret):
            self.fail("the secret is not 32 bytes in hexadecimal", "public")
        for tree in self.trees:
            if not tree.since_loss:
                continue
            if root_from_secret(bytes.fromhex(secret), tree.number, tree.size).hex() != tree.root:
                self.fail(f"the secret that was opened does not give tree {tree.number} of the dice", "public")
        self.report.secret_opened = True

    # Readable contents

    def content(self, number: int, part: str, content: dict[str, Any], shown_in: str) -> None:
        """What a readable part of event `number` claims: the text that fixed its throws, earlier parts it opens."""
        text = content if part == "order" else content.get("order") if part == "public" else None
        if text:
            self.cause(number, text, shown_in)
        opened = content.get("opened", [])
        if type(opened) is not list:
            self.fail("what is opened is not a list", shown_in)
        for entry in opened:
            if type(entry) is not dict or set(entry) != {"content", "number", "part", "salt"}:
                self.fail("an opened part is its event's number, its name, its content and its salt", shown_in)
            earlier, name = entry["number"], entry["part"]
            if not _count(earlier) or not 1 <= earlier < number or name not in self.names[earlier - 1]:
                self.fail(f"there is no part {name} of an event {earlier} before this one to open", shown_in)
            commitment = self.commitments[earlier - 1][self.names[earlier - 1].index(name)]
            try:
                inner = self.opened_content({"content": entry["content"], "salt": entry["salt"]}, commitment, name)
            except VerificationError as error:
                self.fail(f"opens the part {name} of event {earlier}: {error.problem}", shown_in)
            self.report.opened += 1
            self.content(earlier, name, inner, shown_in)

    def cause(self, number: int, said: Any, part: str) -> None:
        """A text and its blind key give the C that the event's throws stand on."""
        if type(said) is not dict or type(said.get("text")) is not str:
            self.fail("an order has no text", part)
        key, cast = said.get("blind_key"), self.casts.get(number)
        if cast is None:
            if key is not None:
                self.fail(f"a blind key is shown for event {number}, which threw nothing", part)
            return
        if not _hash(key):
            self.fail(f"event {number} threw dice, but the blind key for the text of its order is not given", part)
        commitment, blind_hash = cast
        if sha256(bytes.fromhex(key)).hexdigest() != blind_hash:
            self.fail(f"the blind key is not that of the first throw of event {number}", part)
        if hmac.digest(bytes.fromhex(key), said["text"].encode(), "sha256").hex() != commitment:
            self.fail(f"the text of the order is not what the throws of event {number} stand on", part)
        self.report.orders += 1


# ---------------------------------------------------------------------------------------------------------------------
# Heads from outside
# ---------------------------------------------------------------------------------------------------------------------


def parse_head(text: str) -> Head:
    """A head from ``HASH`` or ``HASH@NUMBER``. Raises `ValueError` when it is neither."""
    value, at, number = text.strip().partition("@")
    if not _hash(value.lower()) or (at and not (number.isascii() and number.isdigit() and len(number) < 16)):
        raise ValueError(f"{text!r} is not a head: 64 hexadecimal digits, and perhaps @ and an event's number")
    return Head(value.lower(), int(number) if at else None)


def heads_from_mails(path: Path) -> Iterator[Head]:
    """The heads in saved report mails: `path` is a mail, an mbox file, a Maildir, or a folder of any of these.

    A report carries the headers ``X-PBEM-Campaign``, ``X-PBEM-Event`` and ``X-PBEM-Head``; mails without are passed
    over. Raises `VerificationError` for a report whose headers are damaged, `OSError` for what cannot be read.
    """
    files = sorted(file for file in path.rglob("*") if file.is_file()) if path.is_dir() else [path]
    for file in files:
        for message in _messages(file):
            campaign, event, value = (message.get(f"X-PBEM-{name}") for name in ("Campaign", "Event", "Head"))
            if value is None:
                continue
            try:
                head = parse_head(f"{str(value).strip()}@{str(event).strip()}")
            except ValueError as error:
                raise VerificationError(f"the mail {file} is damaged: {error}") from None
            if campaign is None:
                raise VerificationError(f"the mail {file} is damaged: it has a head, but no campaign")
            yield Head(head.hash, head.number, str(campaign).strip(), str(file))


def _messages(file: Path) -> Iterator[Message]:
    with file.open("rb") as opened:
        if opened.read(5) != b"From ":
            opened.seek(0)
            yield BytesHeaderParser().parse(opened)
            return
    box = mailbox.mbox(file, create=False)
    try:
        yield from box
    finally:
        box.close()


# ---------------------------------------------------------------------------------------------------------------------
# The command
# ---------------------------------------------------------------------------------------------------------------------


def describe(report: Report) -> str:
    """The report as text for people."""
    kinds = Counter(throw.kind for throw in report.throws)
    causes = ", ".join(f"{kind} {count}" for kind, count in sorted(kinds.items()))
    draws = sum(throw.draw for throw in report.throws)
    lines = [
        f"campaign  {report.campaign} ({report.game}), bundle for: {', '.join(report.readers)}",
        f"events    {report.events}, chain unbroken; {report.parts} readable parts, {report.opened} opened later",
        f"throws    {len(report.throws)} recomputed ({len(report.throws) - draws} rolls, {draws} draws)"
        + (f"; caused by: {causes}" if causes else ""),
        f"orders    {report.orders} texts checked against the C of their throws",
        f"dice      {report.trees} tree(s) committed to; secret "
        + ("opened, and every key is from it" if report.secret_opened else "not opened yet"),
        f"head      {report.head}@{report.events}",
    ]
    lines += [f"agrees    with the head of event {head.number} ({head.source})" for head in report.heads[:20]]
    if len(report.heads) > 20:
        lines.append(f"agrees    with {len(report.heads) - 20} more heads")
    if any(head.campaign is not None for head in report.heads):
        lines.append(
            "NOTE      Of each mail its event number and head were compared, NOT its words: dice, board and cards are "
            "as this bundle has them (--throws lists the dice), whatever a mail says of them."
        )
    lines += [f"NOTE      {remark}" for remark in report.remarks]
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="verify", description="Check a bundle of a pbem campaign: chain, readable parts, and every throw of dice."
    )
    parser.add_argument("bundle", type=Path, metavar="BUNDLE")
    parser.add_argument("--head", action="append", default=[], metavar="HASH[@NUMBER]", help="a head from a report")
    parser.add_argument(
        "--mail", action="append", default=[], type=Path, metavar="FILE_OR_MAILDIR", help="saved report mails"
    )
    parser.add_argument("--throws", action="store_true", help="list every throw and what caused it")
    options = parser.parse_args(arguments)
    try:
        heads = [parse_head(text) for text in options.head]
    except ValueError as error:
        parser.error(str(error))
    try:
        from_mails = [head for path in options.mail for head in heads_from_mails(path)]
        if options.mail and not from_mails:
            raise VerificationError("none of the mails given is a report of a campaign, so they prove nothing")
        with options.bundle.open("rb") as file:
            lines = file.readlines()
        report = verify(lines, heads + from_mails)
    except OSError as error:
        print(f"verify: {error}", file=sys.stderr)
        return 2
    except VerificationError as error:
        print(f"FAILED    {error}")
        return 1
    if options.throws:
        for checked in report.throws:
            print(checked)
    print(describe(report))
    print("OK")
    return 0


if __name__ == "__main__":
    sys.exit(main())
