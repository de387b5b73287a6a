"""A second reading of Merkle paths (RFC 9162), independent of the verifier's, for the tests of both."""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from hashlib import sha256

from pbem.table.dice import HASH_LENGTH


def check_path(root: bytes, index: int, leaf: bytes, path: Sequence[str], size: int) -> bool:
    """Whether a leaf hash stands at `index` in the tree of `size` leaves with this root (RFC 9162, section 2.1.3.2).

    `path` is a list of hexadecimal hashes, nearest the leaf first. Anything malformed is False, not an exception.
    """
    if not 0 <= index < size:
        return False
    place, last, node = index, size - 1, leaf
    for text in path:
        try:
            sibling = bytes.fromhex(text)
        except (ValueError, TypeError):
            return False
        if len(sibling) != HASH_LENGTH or last == 0:
            return False
        if place & 1 or place == last:
            node = sha256(b"\x01" + sibling + node).digest()
            while not place & 1 and place:
                place >>= 1
                last >>= 1
        else:
            node = sha256(b"\x01" + node + sibling).digest()
        place >>= 1
        last >>= 1
    return last == 0 and hmac.compare_digest(node, root)
