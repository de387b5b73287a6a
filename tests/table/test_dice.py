"""The committed dice: keys, tree, results without bias, and the four sources of throws."""

import hmac
import random
import sys
from collections import Counter
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.table import dice
from pbem.table.dice import (
    CommittedThrows,
    DiceTree,
    RandomThrows,
    RecordedThrows,
    ReplayMismatch,
    ScriptedThrows,
    ScriptError,
    Thrown,
    TreeExhausted,
    commit_text,
    leaf_hash,
    throw,
)
from tests.table.merkle import check_path

SECRET = bytes(range(32))


# RFC 6962, section 2.1, written down as it stands there: slow, and sharing nothing with the module.


def slow_root(data: list[bytes]) -> bytes:
    if len(data) == 1:
        return sha256(b"\x00" + data[0]).digest()
    split = 1
    while split * 2 < len(data):
        split *= 2
    return sha256(b"\x01" + slow_root(data[:split]) + slow_root(data[split:])).digest()


def slow_path(index: int, data: list[bytes]) -> list[bytes]:
    if len(data) == 1:
        return []
    split = 1
    while split * 2 < len(data):
        split *= 2
    if index < split:
        return [*slow_path(index, data[:split]), slow_root(data[split:])]
    return [*slow_path(index - split, data[split:]), slow_root(data[:split])]


def slow_key(label: str, tree: int, index: int) -> bytes:
    return hmac.new(SECRET, label.encode() + tree.to_bytes(4, "big") + index.to_bytes(4, "big"), "sha256").digest()


def leaf_data(tree: int, size: int) -> list[bytes]:
    keys = [(slow_key("pbem die key", tree, index), slow_key("pbem blind key", tree, index)) for index in range(size)]
    return [sha256(die_key).digest() + sha256(blind_key).digest() for die_key, blind_key in keys]


def test_the_slow_reference_gives_the_published_vectors():
    """The tests of the certificate transparency log (RFC 6962's authors) use these eight leaves and this root."""
    leaves = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"]
    root = slow_root([bytes.fromhex(leaf) for leaf in leaves])
    assert root.hex() == "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"


@pytest.mark.parametrize("size", [1, 2, 3, 5, 7, 8, 63, 64, 65, 100, 128, 129, 200])
def test_root_and_every_path_equal_the_slow_reference(size):
    data = leaf_data(3, size)
    tree = DiceTree(SECRET, 3, size)
    assert tree.root == slow_root(data)
    for index in range(size):
        path = tree.path(index)
        assert path == [node.hex() for node in slow_path(index, data)]
        leaf = leaf_hash(tree.die_key(index), tree.blind_key(index))
        assert leaf == sha256(b"\x00" + data[index]).digest()
        assert check_path(tree.root, index, leaf, path, size)


@given(size=st.integers(2, 200), seed=st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_a_path_proves_its_own_leaf_at_its_own_place_only(size, seed):
    rng = random.Random(seed)
    tree = DiceTree(SECRET, 0, size)
    index, other = rng.sample(range(size), 2)
    leaf = leaf_hash(tree.die_key(index), tree.blind_key(index))
    path = tree.path(index)
    assert check_path(tree.root, index, leaf, path, size)
    assert not check_path(tree.root, other, leaf, path, size)
    assert not check_path(tree.root, index, leaf_hash(tree.die_key(other), tree.blind_key(other)), path, size)
    assert not check_path(tree.root, index, leaf, path[:-1], size)
    assert not check_path(tree.root, index, leaf, [*path, path[0]], size)
    assert not check_path(tree.root, index, leaf, [*path[:-1], "no hash"], size)
    assert not check_path(tree.root, index, leaf, [*path[:-1], path[-1][:-2]], size)
    assert not check_path(tree.root, size, leaf, path, size)
    assert not check_path(tree.root, -1, leaf, path, size)


def test_trees_and_keys_of_one_secret_are_all_different():
    trees = [DiceTree(SECRET, number, 50) for number in range(3)]
    keys = [key for tree in trees for index in range(50) for key in (tree.die_key(index), tree.blind_key(index))]
    assert len(set(keys)) == 300
    assert len({tree.root for tree in trees}) == 3


@pytest.mark.parametrize("size", [1, 64, 100, 4096])
def test_a_stored_crown_gives_the_same_tree_with_few_hashes(size, monkeypatch):
    full = DiceTree(SECRET, 1, size)
    crown, root, path = full.crown, full.root, full.path(size - 1)
    hashed = Counter()
    monkeypatch.setattr(dice, "leaf_hash", lambda *keys: hashed.update(["leaf"]) or leaf_hash(*keys))
    loaded = DiceTree(SECRET, 1, size, crown=crown)
    assert loaded.root == root
    assert hashed["leaf"] == 0
    assert loaded.path(size - 1) == path
    assert 0 < hashed["leaf"] <= 64
    loaded.path(size - 1)
    assert hashed["leaf"] <= 64
    assert loaded.crown == crown


def test_a_crown_of_another_secret_is_found_out():
    crown = DiceTree(bytes(32), 0, 100).crown
    with pytest.raises(ValueError, match="does not belong to its secret"):
        DiceTree(SECRET, 0, 100, crown=crown).path(5)
    with pytest.raises(ValueError, match="crown of 64 bytes"):
        DiceTree(SECRET, 0, 4096, crown=crown)


def test_wrong_trees_are_refused():
    with pytest.raises(ValueError, match="31 bytes"):
        DiceTree(SECRET[1:])
    with pytest.raises(ValueError, match="no tree"):
        DiceTree(SECRET, 0, 0)
    tree = DiceTree(SECRET, 0, 10)
    for ask in (tree.die_key, tree.blind_key, tree.path):
        for index in (-1, 10):
            with pytest.raises(TreeExhausted, match="10 leaves"):
                ask(index)


def test_left_due_and_spent():
    tree = DiceTree(SECRET)
    assert (tree.left(0), tree.left(4096), tree.left(5000)) == (4096, 0, 0)
    assert [tree.due(index) for index in (0, 2560, 2561)] == [False, False, True]
    assert [tree.spent(index) for index in (2561, 3584, 3585, 4096)] == [False, False, True, True]
    small = DiceTree(SECRET, 0, 2)
    assert [small.spent(index) for index in (0, 1, 2)] == [False, False, True]


def test_commitment_is_what_the_first_event_says():
    tree = DiceTree(SECRET, 2, 16)
    assert tree.commitment() == {"tree": 2, "root": tree.root.hex(), "size": 16}


# Results


def test_the_bytes_of_a_throw_are_those_that_are_documented():
    key, commitment = b"k" * 32, b"c" * 32
    seed = hmac.new(key, commitment, "sha256").digest()
    stream = b"".join(hmac.new(seed, n.to_bytes(4, "big"), "sha256").digest() for n in range(4))
    assert throw(key, commitment, 90, 6) == [byte % 6 + 1 for byte in stream if byte < 252][:90]
    words = [int.from_bytes(stream[32 * n + at : 32 * n + at + 3], "big") for n in range(4) for at in range(0, 30, 3)]
    expected = [word % 100_000 + 1 for word in words if word < 16_700_000][:30]
    assert throw(key, commitment, 30, 100_000) == expected


@given(sides=st.integers(1, 300))
def test_the_bound_of_rejection_leaves_no_bias(sides):
    """Of all words below the bound, each result comes from equally many: counted, not sampled."""
    width = 1 if sides <= 256 else 2
    limit = 256**width // sides * sides
    counts = Counter(word % sides for word in range(limit))
    assert len(counts) == sides
    assert set(counts.values()) == {limit // sides}
    assert 256**width - limit < sides


@pytest.mark.parametrize("sides", [1, 2, 6, 255, 256, 257, 65536, 65537, 2**32])
def test_the_module_rejects_exactly_the_words_at_or_above_the_bound(sides, monkeypatch):
    """With the hash replaced by chosen words, those at the bound are passed over and those below are all taken."""
    width = max(1, ((sides - 1).bit_length() + 7) // 8)
    limit = 256**width // sides * sides
    words = [0, limit - 1, *([limit, 256**width - 1] if limit < 256**width else []), sides - 1]
    block = b"".join(word.to_bytes(width, "big") for word in words[: 32 // width]).ljust(32, b"\x00")

    class ChosenWords:
        @staticmethod
        def digest(key, message, name):
            return block

    monkeypatch.setattr(dice, "hmac", ChosenWords)
    assert throw(b"", b"", 3, sides) == [1, sides, sides]


@pytest.mark.parametrize(("sides", "bound"), [(2, 10.83), (6, 20.52), (10, 27.88), (20, 43.82)])
def test_chi_square_of_many_throws(sides, bound):
    """120,000 dice of a fixed secret; `bound` is chi-square at 0.1 % for sides - 1 degrees of freedom."""
    tree = DiceTree(SECRET)
    counts = Counter()
    for index in range(4000):
        counts.update(throw(tree.die_key(index), commit_text(tree.blind_key(index), b"BID 3 A austria"), 30, sides))
    expected = 120_000 / sides
    assert sum(counts.values()) == 120_000
    assert sum((counts[side] - expected) ** 2 / expected for side in range(1, sides + 1)) < bound


@pytest.mark.parametrize(("number", "sides"), [(0, 6), (-1, 6), (1, 0), (1, -6), (1, 2**32 + 1)])
def test_impossible_dice_are_refused_by_every_source(number, sides):
    sources = [CommittedThrows(DiceTree(SECRET, 0, 4), 0, b""), RandomThrows(1), ScriptedThrows([1])]
    for source in sources:
        with pytest.raises(ValueError, match="dice"):
            source.throw(number, sides, "a test")
    assert sources[0].used == []
    assert sources[2].left == [1]
    with pytest.raises(ValueError, match="dice"):
        throw(SECRET, SECRET, number, sides)


# Sources of throws


def test_committed_throws_count_on_from_their_start_under_one_commitment():
    tree = DiceTree(SECRET, 0, 100)
    throws = CommittedThrows(tree, 40, b"ATTACK britain IN india")
    assert (throws.commitment, throws.blind_key, throws.used, throws.proofs(), throws.left) == (None, None, [], [], 60)
    first, second = throws.throw(2, 6, "sea fight"), throws.throw(1, 13, "casualty")
    commitment = hmac.new(tree.blind_key(40), b"ATTACK britain IN india", "sha256").digest()
    assert throws.commitment == commitment
    assert throws.blind_key == tree.blind_key(40)
    assert first == Thrown(40, throw(tree.die_key(40), commitment, 2, 6))
    assert second == Thrown(41, throw(tree.die_key(41), commitment, 1, 13))
    assert (throws.used, throws.left) == ([40, 41], 58)
    for proof in throws.proofs():
        index = proof["index"]
        leaf = dice.leaf_hash_from(bytes.fromhex(proof["die_key"]), bytes.fromhex(proof["blind_hash"]))
        assert check_path(tree.root, index, leaf, proof["path"], 100)
        assert (proof["tree"], proof["commitment"]) == (0, commitment.hex())
        assert set(proof) == {"index", "tree", "die_key", "blind_hash", "path", "commitment"}
        assert tree.blind_key(index).hex() not in str(proof)
    assert [proof["index"] for proof in throws.proofs()] == [40, 41]


def test_the_same_text_meets_the_same_leaf_after_a_crash_and_another_text_does_not():
    def results(text):
        throws = CommittedThrows(DiceTree(SECRET), 7, text)
        return [throws.throw(20, 6, "fight").dice for _ in range(3)]

    assert results(b"FIGHT") == results(b"FIGHT")
    assert results(b"FIGHT") != results(b"FIGHT ")


def test_running_past_the_tree():
    throws = CommittedThrows(DiceTree(SECRET, 0, 10), 8, b"")
    throws.throw(1, 6, "one")
    throws.throw(1, 6, "two")
    assert throws.left == 0
    with pytest.raises(TreeExhausted, match="10 leaves; there is no leaf 10"):
        throws.throw(1, 6, "three")
    assert throws.used == [8, 9]
    late = CommittedThrows(DiceTree(SECRET, 0, 10), 10, b"")
    with pytest.raises(TreeExhausted):
        late.throw(1, 6, "one")
    assert (late.commitment, late.used) == (None, [])
    with pytest.raises(ValueError, match="no random event -1"):
        CommittedThrows(DiceTree(SECRET, 0, 10), -1, b"")


@given(seed=st.integers(), number=st.integers(1, 30), sides=st.integers(1, 1000))
def test_random_throws_repeat_from_their_seed(seed, number, sides):
    first, second = RandomThrows(seed).throw(number, sides, ""), RandomThrows(seed).throw(number, sides, "")
    assert first == second
    assert first.index is None
    assert len(first.dice) == number
    assert all(1 <= die <= sides for die in first.dice)


def test_random_throws_leave_the_random_module_alone_and_show_every_side():
    state = random.getstate()
    assert set(RandomThrows(5).throw(500, 6, "").dice) == {1, 2, 3, 4, 5, 6}
    assert random.getstate() == state


def test_scripted_throws():
    throws = ScriptedThrows([5, 6, 1, 13])
    assert throws.throw(2, 6, "field battle") == Thrown(None, [5, 6])
    assert throws.left == [1, 13]
    with pytest.raises(ScriptError, match="field battle: the script of dice says 13, but a d6 is thrown"):
        throws.throw(2, 6, "field battle")
    assert throws.left == [1, 13]
    with pytest.raises(ScriptError, match=r"siege: 3 of d20 are thrown, but .* has only \[1, 13\] left"):
        throws.throw(3, 20, "siege")
    assert throws.throw(2, 13, "draw").dice == [1, 13]
    assert throws.left == []
    for wrong in (0, -1, "3", True, 2.0):
        with pytest.raises(ScriptError):
            ScriptedThrows([wrong]).throw(1, 6, "x")


def test_recorded_throws_are_given_again_and_must_be_asked_for_alike():
    records = [
        {"fact": "roll", "what": "sea fight", "dice": [3, 4], "sides": 6, "index": 12},
        {"what": "casualty", "dice": [2], "sides": 9, "index": 13},
    ]
    throws = RecordedThrows(records)
    for number, sides, what in [(1, 6, "sea fight"), (2, 8, "sea fight"), (2, 6, "land fight")]:
        with pytest.raises(ReplayMismatch, match=f"expected 'sea fight', 2 of d6, got '{what}', {number} of d{sides}"):
            throws.throw(number, sides, what)
    assert throws.throw(2, 6, "sea fight") == Thrown(12, [3, 4])
    assert throws.left == records[1:]
    assert throws.throw(1, 9, "casualty") == Thrown(13, [2])
    with pytest.raises(ReplayMismatch, match="expected no more throws, got 'casualty', 1 of d9"):
        throws.throw(1, 9, "casualty")


def test_replaying_what_was_recorded_equals_the_first_run():
    committed = CommittedThrows(DiceTree(SECRET), 0, b"order")
    asked = [(3, 6, "a"), (1, 40, "b"), (2, 6, "c")]
    first = [committed.throw(*ask) for ask in asked]
    records = [
        {"what": what, "sides": sides, "dice": thrown.dice, "index": thrown.index}
        for (_, sides, what), thrown in zip(asked, first, strict=True)
    ]
    again = RecordedThrows(records)
    assert [again.throw(*ask) for ask in asked] == first


def test_only_the_standard_library_is_imported():
    source = Path(dice.__file__).read_text(encoding="utf-8")
    modules = {line.split()[1].split(".")[0] for line in source.splitlines() if line.startswith(("import ", "from "))}
    assert modules <= sys.stdlib_module_names
