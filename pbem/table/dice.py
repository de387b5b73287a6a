"""Dice that anyone can prove: a committed tree of keys, and the throws that the table takes its results from.

How a result comes about (every hash is SHA-256, ``|`` puts bytes together, integers are four bytes, big end first):

1. A campaign has a secret. Random event *i* of tree *t* has two keys: ``die_key = HMAC(secret, "pbem die key" | t |
   i)`` and ``blind_key = HMAC(secret, "pbem blind key" | t | i)``.
2. Leaf *i* of the tree is ``hash(0x00 | hash(die_key) | hash(blind_key))``, a node is ``hash(0x01 | left | right)``, as
   in RFC 6962 (section 2.1), so either key can be shown without the other. The root is published before anything is
   thrown.
3. An order that throws is fixed by ``C = HMAC(blind_key of its first throw, text as sent)``: who may not read the order
   learns nothing from C, its sender can check C as soon as he is given the blind key.
4. Throw *i* comes from ``seed = HMAC(die_key, C)``, which is expanded to blocks ``HMAC(seed, 0)``, ``HMAC(seed, 1)``, …
   Each block is cut into words of the fewest bytes that can hold ``sides`` values (what remains of a block is dropped).
   A word at or above the greatest multiple of ``sides`` is rejected; a die is ``word % sides + 1``.

Indices count without gaps over the whole stream, rewinds included; those of a tree start at 0. An event takes all its
throws from one tree: from the next one if and only if the tree in use is `spent` when the event begins. The next tree
is committed to once the tree in use is `due`, and must be before fewer than a quarter of the leaves are left; so nobody
can choose between two trees after an order was sent. `pbem.campaign.verify` checks all this with code of its own.
"""

from __future__ import annotations

import hmac
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Protocol

TREE_SIZE = 4096
SECRET_LENGTH = 32
HASH_LENGTH = 32
MOST_SIDES = 2**32
_BLOCK_LEVEL = 6  # a stored crown holds one hash for each 2**6 leaves


class TreeExhausted(Exception):
    """A throw was asked for whose index lies past the last leaf of the tree."""


class ScriptError(ValueError):
    """A script of dice ran out, or holds a result that the dice asked for cannot show."""


class ReplayMismatch(Exception):
    """The rules asked for another throw than the recorded one; says what was expected and what was asked."""


@dataclass(frozen=True, slots=True)
class Thrown:
    """A result: the index of its random event (None where nothing was committed) and the dice, each 1..sides."""

    index: int | None
    dice: list[int]


class Throws(Protocol):
    """Where the table takes its random results from."""

    def throw(self, number: int, sides: int, what: str) -> Thrown:
        """Throw `number` dice of `sides` sides; `what` says in a word what for."""


# ---------------------------------------------------------------------------------------------------------------------
# The tree
# ---------------------------------------------------------------------------------------------------------------------


def leaf_hash(die_key: bytes, blind_key: bytes) -> bytes:
    """The hash of a leaf (RFC 6962 prefix 0x00) over the hashes of its two keys."""
    return leaf_hash_from(die_key, sha256(blind_key).digest())


def leaf_hash_from(die_key: bytes, blind_hash: bytes) -> bytes:
    """The hash of a leaf for one who has its die key and only the hash of its blind key."""
    return sha256(b"\x00" + sha256(die_key).digest() + blind_hash).digest()


def _levels(nodes: list[bytes], stop: int | None = None) -> list[list[bytes]]:
    """All levels from these nodes up to a single one (at most `stop` steps); a node without a neighbour moves up."""
    levels = [nodes]
    while len(nodes) > 1 and (stop is None or len(levels) <= stop):
        pairs = [sha256(b"\x01" + nodes[at] + nodes[at + 1]).digest() for at in range(0, len(nodes) - 1, 2)]
        if len(nodes) % 2:
            pairs.append(nodes[-1])
        nodes = pairs
        levels.append(nodes)
    return levels


def _keyed(key: bytes) -> Callable[[bytes], bytes]:
    """HMAC with one key of at most a block, for many messages: its two hashes begin alike each time (RFC 2104), and a
    tree takes thousands."""
    block = key.ljust(sha256().block_size, b"\x00")
    inner, outer = (sha256(bytes(byte ^ pad for byte in block)).copy for pad in (0x36, 0x5C))

    def digest(message: bytes) -> bytes:
        within = inner()
        within.update(message)
        around = outer()
        around.update(within.digest())
        return around.digest()

    return digest


class DiceTree:
    """The committed keys of a few thousand random events.

    `secret` is 32 bytes, `tree` the number of the tree (0, 1, …; one secret serves all trees of a campaign), `size` the
    number of leaves. Nothing is computed before it is needed. `crown` (bytes, about 2 KB for 4,096 leaves, not secret)
    can be stored beside the root and given back; then a path costs the hashes of 64 leaves in place of all.
    """

    def __init__(self, secret: bytes, tree: int = 0, size: int = TREE_SIZE, crown: bytes | None = None) -> None:
        if len(secret) != SECRET_LENGTH:
            raise ValueError(f"the secret has {len(secret)} bytes, not {SECRET_LENGTH}")
        if tree < 0 or size < 1:
            raise ValueError(f"there is no tree {tree} of {size} leaves")
        if crown is not None and len(crown) != HASH_LENGTH * -(-size // 2**_BLOCK_LEVEL):
            raise ValueError(f"a crown of {len(crown)} bytes does not belong to a tree of {size} leaves")
        self.tree = tree
        self.size = size
        self._number = tree.to_bytes(4, "big")
        self._keyed = _keyed(secret)
        self._last_block: tuple[int, list[list[bytes]]] | None = None  # of all, 1,000 campaigns would hold 600 MB
        self._crown_levels: list[list[bytes]] | None = None
        if crown is not None:
            self._crown_levels = _levels([crown[at : at + HASH_LENGTH] for at in range(0, len(crown), HASH_LENGTH)])

    def die_key(self, index: int) -> bytes:
        """The key that random event `index` is thrown with; secret until then."""
        return self._key(b"pbem die key", index)

    def blind_key(self, index: int) -> bytes:
        """The key that hides the text of an order whose first throw is random event `index`."""
        return self._key(b"pbem blind key", index)

    def _key(self, label: bytes, index: int) -> bytes:
        if not 0 <= index < self.size:
            raise TreeExhausted(f"tree {self.tree} of the dice has {self.size} leaves; there is no leaf {index}")
        return self._keyed(label + self._number + index.to_bytes(4, "big"))

    @property
    def root(self) -> bytes:
        """The Merkle root that is published before the first throw."""
        return self._crown()[-1][0]

    @property
    def crown(self) -> bytes:
        """The hashes over each 64 leaves, to be stored and given back to the constructor."""
        return b"".join(self._crown()[0])

    def path(self, index: int) -> list[str]:
        """The hashes, hexadecimal and nearest the leaf first, that lead from leaf `index` to the root.

        Raises `TreeExhausted` for an index past the tree, `ValueError` if the crown given was not of this secret.
        """
        if not 0 <= index < self.size:
            raise TreeExhausted(f"tree {self.tree} of the dice has {self.size} leaves; there is no leaf {index}")
        crown = self._crown()
        block, place = divmod(index, 2**_BLOCK_LEVEL)
        levels = self._block(block)
        if levels[-1][0] != crown[0][block]:
            raise ValueError(f"the stored crown of tree {self.tree} does not belong to its secret")
        path = _siblings(levels, place)
        path += _siblings(crown, block)
        return path

    def left(self, index: int) -> int:
        """How many leaves are left when `index` is the next one to be thrown."""
        return max(0, self.size - index)

    def due(self, index: int) -> bool:
        """Whether the next tree should be committed to now: fewer than three eighths of the leaves are left."""
        return 8 * self.left(index) < 3 * self.size

    def spent(self, index: int) -> bool:
        """Whether an event that begins now must throw from the next tree: fewer than an eighth (or none) are left."""
        return self.left(index) < max(1, self.size // 8)

    def commitment(self) -> dict[str, Any]:
        """What the public part of the event says that commits to this tree, under the key ``dice``."""
        return {"tree": self.tree, "root": self.root.hex(), "size": self.size}

    def _block(self, block: int) -> list[list[bytes]]:
        if self._last_block is None or self._last_block[0] != block:
            first = block << _BLOCK_LEVEL
            leaves = range(first, min(first + 2**_BLOCK_LEVEL, self.size))
            nodes = [leaf_hash(self.die_key(index), self.blind_key(index)) for index in leaves]
            self._last_block = block, _levels(nodes, _BLOCK_LEVEL)
        return self._last_block[1]

    def _crown(self) -> list[list[bytes]]:
        if self._crown_levels is None:
            blocks = range(-(-self.size // 2**_BLOCK_LEVEL))
            self._crown_levels = _levels([self._block(block)[-1][0] for block in blocks])
        return self._crown_levels


def _siblings(levels: list[list[bytes]], place: int) -> list[str]:
    path = []
    for nodes in levels[:-1]:
        sibling = place ^ 1
        if sibling < len(nodes):
            path.append(nodes[sibling].hex())
        place >>= 1
    return path


# ---------------------------------------------------------------------------------------------------------------------
# Results
# ---------------------------------------------------------------------------------------------------------------------


def commit_text(blind_key: bytes, text: bytes) -> bytes:
    """C, which fixes the text of an order without showing it."""
    return hmac.digest(blind_key, text, "sha256")


def throw(die_key: bytes, commitment: bytes, number: int, sides: int) -> list[int]:
    """The dice, each 1..`sides`, that a die key and a commitment C give: without bias, by rejection sampling.

    Raises `ValueError` for fewer than one die, or sides outside 1..2**32.
    """
    _check_dice(number, sides)
    seed = hmac.digest(die_key, commitment, "sha256")
    width = max(1, ((sides - 1).bit_length() + 7) // 8)
    limit = 256**width // sides * sides
    dice: list[int] = []
    counter = 0
    while len(dice) < number:
        block = hmac.digest(seed, counter.to_bytes(4, "big"), "sha256")
        counter += 1
        for at in range(0, HASH_LENGTH - width + 1, width):
            word = int.from_bytes(block[at : at + width], "big")
            if word < limit:
                dice.append(word % sides + 1)
    return dice[:number]


def _check_dice(number: int, sides: int) -> None:
    if number < 1:
        raise ValueError(f"{number} dice cannot be thrown")
    if not 1 <= sides <= MOST_SIDES:
        raise ValueError(f"there are no dice of {sides} sides")


# ---------------------------------------------------------------------------------------------------------------------
# Where the table takes its throws from
# ---------------------------------------------------------------------------------------------------------------------


class CommittedThrows:
    """The throws of one event of a campaign, from its committed tree.

    `start` is the index of the event's first throw in the tree, `text` what fixes them: the order as sent (or what
    stands for it, design section 5). Nothing is committed, and no index used, until something is thrown.
    """

    def __init__(self, tree: DiceTree, start: int, text: bytes) -> None:
        if start < 0:
            raise ValueError(f"there is no random event {start}")
        self.tree = tree
        self.start = start
        self.text = text
        self.used: list[int] = []
        self.commitment: bytes | None = None

    def throw(self, number: int, sides: int, what: str) -> Thrown:
        """Throw with the next index. Raises `TreeExhausted` when the tree has no leaf left."""
        _check_dice(number, sides)
        index = self.start + len(self.used)
        die_key = self.tree.die_key(index)
        if self.commitment is None:
            self.commitment = commit_text(self.tree.blind_key(self.start), self.text)
        self.used.append(index)
        return Thrown(index, throw(die_key, self.commitment, number, sides))

    @property
    def left(self) -> int:
        """How many more throws the tree has leaves for."""
        return self.tree.left(self.start + len(self.used))

    @property
    def blind_key(self) -> bytes | None:
        """The key by which the sender can check C against his text; None when nothing was thrown."""
        return None if self.commitment is None else self.tree.blind_key(self.start)

    def proofs(self) -> list[dict[str, Any]]:
        """What the public part says of these throws, under the key ``throws``: one JSON object for each, in order.

        ``{index, tree, die_key, blind_hash, path, commitment}``, hashes and keys hexadecimal; ``blind_hash`` is the
        hash of the blind key, which the leaf cannot be computed without.
        """
        if self.commitment is None:
            return []
        commitment = self.commitment.hex()
        return [
            {
                "index": index,
                "tree": self.tree.tree,
                "die_key": self.tree.die_key(index).hex(),
                "blind_hash": sha256(self.tree.blind_key(index)).hexdigest(),
                "path": self.tree.path(index),
                "commitment": commitment,
            }
            for index in self.used
        ]


class RandomThrows:
    """Dice of their own for dry runs, previews and random play: fast, repeatable from `seed`, never a campaign's."""

    def __init__(self, seed: int) -> None:
        self._random: Callable[[], float] = random.Random(seed).random

    def throw(self, number: int, sides: int, what: str) -> Thrown:
        """Throw; the index is None."""
        _check_dice(number, sides)
        draw = self._random
        return Thrown(None, [int(draw() * sides) + 1 for _ in range(number)])


class ScriptedThrows:
    """Dice written down beforehand, for cases: taken in order, and each must be possible."""

    def __init__(self, results: Iterable[int]) -> None:
        self.left: list[int] = list(results)

    def throw(self, number: int, sides: int, what: str) -> Thrown:
        """Take the next `number` results; the index is None.

        Raises `ScriptError`, and takes none, when fewer are left or one is not in 1..`sides`.
        """
        _check_dice(number, sides)
        dice = self.left[:number]
        if len(dice) < number:
            raise ScriptError(f"{what}: {number} of d{sides} are thrown, but the script of dice has only {dice} left")
        for die in dice:
            if type(die) is not int or not 1 <= die <= sides:
                raise ScriptError(f"{what}: the script of dice says {die!r}, but a d{sides} is thrown")
        del self.left[:number]
        return Thrown(None, dice)


class RecordedThrows:
    """The throws of a step that is replayed: each must be asked for again exactly as it was.

    `records` are objects with ``what, dice, sides, index`` (facts of type ``roll`` will do).
    """

    def __init__(self, records: Iterable[dict[str, Any]]) -> None:
        self.left: list[dict[str, Any]] = list(records)

    def throw(self, number: int, sides: int, what: str) -> Thrown:
        """Give the recorded result. Raises `ReplayMismatch` when another throw, or none, was recorded here."""
        asked = f"{what!r}, {number} of d{sides}"
        if not self.left:
            raise ReplayMismatch(f"expected no more throws, got {asked}")
        record = self.left[0]
        if (record["what"], len(record["dice"]), record["sides"]) != (what, number, sides):
            expected = f"{record['what']!r}, {len(record['dice'])} of d{record['sides']}"
            raise ReplayMismatch(f"expected {expected}, got {asked}")
        del self.left[0]
        return Thrown(record["index"], list(record["dice"]))
