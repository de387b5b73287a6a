"""The verifier against bundles that are right, damaged, or made anew by one who has everything but your mails."""

import ast
import io
import json
import mailbox
import random
import shutil
import subprocess
import sys
from email.message import EmailMessage
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.campaign import ledger, verify
from pbem.campaign.ledger import (
    FIRST_PREVIOUS,
    bundle_meta,
    event_parts,
    open_for,
    opening,
    order_part,
    seal,
    write_bundle,
)
from pbem.campaign.verify import Head, VerificationError, heads_from_mails, main, parse_head
from pbem.table import dice
from pbem.table.dice import CommittedThrows, DiceTree
from tests.table.merkle import check_path

SECRET = bytes(range(32))
SEATS = ["britain", "france"]
EVERYTHING = {"public", *SEATS, "referee", "order"}


class Stream:
    """A campaign as the service would write it, with a place to cheat: `tamper` changes an event's parts unsealed."""

    def __init__(self, size=64, seed=1, secret=SECRET):
        self.random = random.Random(seed)
        self.secret, self.size = secret, size
        self.seats = list(SEATS)
        self.trees, self.tree, self.next = [DiceTree(secret, 0, size)], 0, 0
        self.roots = []
        self.events = []
        self.add("opening", public={"campaign": "c1", "game": "soe", "dice": self.trees[0].commitment()})

    def add(self, kind, seat=None, text=None, asks=(), public=None, tamper=None, **parts):
        """Append an event; `asks` are ``(number, sides)`` for rolls and ``m`` for draws."""
        if self.trees[self.tree].spent(self.next) and self.tree + 1 < len(self.trees):
            self.tree, self.next = self.tree + 1, 0
        throws = CommittedThrows(self.trees[self.tree], self.next, (text or "").encode())
        facts = [{"fact": "happened", "what": kind}]
        for ask in asks:
            number, sides = ask if isinstance(ask, tuple) else (1, ask)
            thrown = throws.throw(number, sides, "test")
            if isinstance(ask, tuple):
                fact = {"fact": "roll", "what": "fight", "dice": thrown.dice, "sides": sides, "index": thrown.index}
            else:
                fact = {"fact": "draw", "what": "tile", "k": thrown.dice[0] - 1, "m": sides, "index": thrown.index}
            facts.append(fact)
        self.next += len(throws.used)
        public = {"facts": facts, **(public or {})}
        if throws.used:
            public["throws"] = throws.proofs()
        order = order_part(seat, text, throws.blind_key) if text is not None else None
        made = event_parts(self.seats, public, order=order, **parts)
        if tamper:
            tamper(made)
        if "dice" in made["public"]:
            self.roots.append(made["public"]["dice"])
        previous = self.events[-1].hash if self.events else FIRST_PREVIOUS
        self.events.append(seal(len(self.events) + 1, kind, previous, made, self.random.randbytes))
        return self.events[-1]

    def open_tree(self, secret=None, tamper=None, **more):
        tree = DiceTree(secret or self.secret, len(self.trees), self.size)
        self.trees.append(tree)
        if more.get("lost"):
            self.tree, self.next = tree.tree, 0
        return self.add("dice", public={"dice": {**tree.commitment(), **more}}, tamper=tamper)

    def bundle(self, readers=("public",), change=None):
        """The lines of a bundle; `change` may alter the list of records before the digest is made."""
        records = [open_for(event, set(readers)) for event in self.events]
        records = json.loads(json.dumps(records))
        if change:
            change(records)
        return written(bundle_meta("c1", "soe", readers, self.roots), records)


def written(meta, records):
    file = io.BytesIO()
    write_bundle(file, meta, records)
    return file.getvalue().splitlines(keepends=True)


def played():
    """A stream with every kind of thing in it: sealed answers, draws, press, two trees, a rewind, an end."""
    stream = Stream()
    stream.add("order", "france", "BID 3 A austria\nSALT müsli", public={"press": [ledger.commit_press("psst")]})
    stream.add("close", None, "BID 3\nBID 4", asks=[9, 9])
    order = stream.add("order", "britain", "MOVE navy", asks=[(2, 6), (1, 10)], referee={"remained": [4, 7]})
    stream.add("rewind", public={"to": 3}, own={"france": {"card": 12}, "britain": {}})
    deadline = {"order": {"text": "question 4", "blind_key": stream.trees[0].blind_key(stream.next).hex()}}
    stream.add("deadline", None, "question 4", asks=[(3, 6)], public=deadline)
    stream.add("opened", public={"opened": [opening(order, "order"), opening(order, "referee")]})
    for number in range(7):
        stream.add("order", SEATS[number % 2], f"ATTACK {number}", asks=[(4, 6), 30, (1, 300), (2, 20), 1])
    stream.open_tree()
    for number in range(7):
        stream.add("order", SEATS[number % 2], f"REROLL {number}", asks=[(4, 6), 1, 7, (1, 6)])
    stream.add("end", public={"secret": SECRET.hex()})
    return stream


PLAYED = played()
BUNDLES = {name: PLAYED.bundle(readers) for name, readers in {"public": ["public"], "france": ["france"]}.items()}


def fails(lines, match=None, heads=(), **place):
    with pytest.raises(VerificationError, match=match) as caught:
        verify.verify(lines, heads)
    found = {name: getattr(caught.value, name) for name in place}
    assert found == place
    assert all(f"{name} {value}" in str(caught.value) for name, value in place.items())
    return caught.value


# What is right


def test_the_stream_of_these_tests_uses_both_trees():
    assert (PLAYED.tree, PLAYED.next) == (1, 8)


@pytest.mark.parametrize(
    ("readers", "own_orders"),
    [(["public"], 0), (["france"], 6), (["britain"], 9), (["referee"], 0), (sorted(EVERYTHING), 17)],
)
def test_a_right_bundle_passes_for_every_reader(readers, own_orders):
    report = verify.verify(PLAYED.bundle(readers))
    assert (report.campaign, report.game) == ("c1", "soe")
    assert (report.events, report.head) == (len(PLAYED.events), PLAYED.events[-1].hash)
    assert (report.trees, report.secret_opened, report.opened) == (2, True, 2)
    assert len(report.throws) == 68
    first = [(thrown.event, thrown.index) for thrown in report.throws[:6]]
    assert first == [(3, 0), (3, 1), (4, 2), (4, 3), (6, 4), (8, 5)]
    # Two texts are open to all: that of the deadline, and the order that was opened.
    assert report.orders == 2 + own_orders
    assert "CANNOT be seen" in report.remarks[-1]


def test_a_file_opened_in_binary_mode_will_do(tmp_path):
    (tmp_path / "bundle").write_bytes(b"".join(BUNDLES["france"]))
    with (tmp_path / "bundle").open("rb") as file:
        assert verify.verify(file).events == len(PLAYED.events)


def test_seats_may_be_added_but_not_lost():
    stream = Stream()
    stream.seats.append("prussia")
    stream.add("seat")
    assert verify.verify(stream.bundle(["prussia"])).events == 2
    stream.seats.remove("france")
    stream.add("seat")
    fails(stream.bundle(), "no part france", line=4, event=3)


# Any damage


@settings(max_examples=400, deadline=None)
@given(data=st.data(), name=st.sampled_from(sorted(BUNDLES)))
def test_any_changed_byte_is_found_and_its_line_named(data, name):
    lines = list(BUNDLES[name])
    at = data.draw(st.integers(0, len(lines) - 1))
    place = data.draw(st.integers(0, len(lines[at]) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda byte: byte != lines[at][place]))
    lines[at] = lines[at][:place] + bytes([byte]) + lines[at][place + 1 :]
    fails(io.BytesIO(b"".join(lines)), line=at + 1)


@pytest.mark.parametrize("name", sorted(BUNDLES))
def test_a_line_feed_put_anywhere_into_a_line_names_the_half_before_it(name):
    lines = BUNDLES[name]
    for at, line in enumerate(lines):
        for place in (0, 1, len(line) // 2, len(line) - 2):
            cut = line[:place] + b"\n" + line[place + 1 :]
            fails(io.BytesIO(b"".join([*lines[:at], cut, *lines[at + 1 :]])), line=at + 1)


def test_every_byte_of_a_small_bundle_counts():
    stream = Stream(size=2)
    stream.add("order", "france", "FIGHT", asks=[(1, 6)])
    lines = stream.bundle(["france"])
    assert verify.verify(lines).orders == 1
    for at, line in enumerate(lines):
        for place in range(len(line)):
            changed = line[:place] + bytes([line[place] ^ 1]) + line[place + 1 :]
            fails([*lines[:at], changed, *lines[at + 1 :]], line=at + 1)


@pytest.mark.parametrize("name", sorted(BUNDLES))
def test_any_dropped_line_is_found_and_its_place_named(name):
    lines = BUNDLES[name]
    for at in range(len(lines)):
        left = lines[:at] + lines[at + 1 :]
        fails(left, line=min(at + 1, len(left)))


@settings(max_examples=150, deadline=None)
@given(data=st.data(), name=st.sampled_from(sorted(BUNDLES)))
def test_any_two_swapped_lines_are_found_and_one_of_them_named(data, name):
    lines = list(BUNDLES[name])
    one, two = sorted(data.draw(st.sets(st.integers(0, len(lines) - 1), min_size=2, max_size=2)))
    lines[one], lines[two] = lines[two], lines[one]
    with pytest.raises(VerificationError) as caught:
        verify.verify(lines)
    assert caught.value.line in (one + 1, two + 1)


@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_any_repeated_line_is_found(data):
    lines = list(BUNDLES["public"])
    at = data.draw(st.integers(0, len(lines) - 1))
    lines.insert(data.draw(st.integers(0, len(lines))), lines[at])
    with pytest.raises(VerificationError):
        verify.verify(lines)


@pytest.mark.parametrize(
    "lines",
    [[], [b"\n"], [b"{}\n", b"{}\n"], [b"\xff\xfe"], [b"[" * 100_000 + b"\n", b"\n"], [b"null\n", b"null\n", b"1\n"]],
)
def test_what_is_no_bundle_is_refused_without_a_crash(lines):
    with pytest.raises(VerificationError):
        verify.verify(lines)


@pytest.mark.parametrize(
    "data",
    [
        b'{"b":1,"a":2}',
        b'{"a": 1}',
        b'{"a":1.0}',
        b'{"a":1e3}',
        b'{"a":-0}',
        b'{"a":01}',
        b'{"a":NaN}',
        b'{"a":Infinity}',
        b'{"a":1,"a":1}',
        b'{"a":"\\u0041"}',
        b'{"a":"\\/"}',
        b'{"a":"\\ud800"}',
        b'{"a":9007199254740992}',
        b'{"a":' + b"9" * 5000 + b"}",
        b'{"a":"\xff"}',
        b'\xef\xbb\xbf{"a":1}',
        b' {"a":1}',
        b'{"a":1}\r',
        b"[" * 50_000 + b"]" * 50_000,
        b"",
    ],
)
def test_no_other_form_of_json_is_taken(data):
    with pytest.raises(ValueError, match="."):
        verify.parse_canonical(data)


# One who makes the whole chain anew, but cheats


def edit(path, value):
    """A tamper function that sets one thing in the public part; `value` may be a function of the old one."""

    def tamper(parts):
        *steps, last = path
        target = parts["public"]
        for step in steps:
            target = target[step]
        target[last] = value(target[last]) if callable(value) else value

    return tamper


def other(text):
    return ("0" if text[0] != "0" else "1") + text[1:]


@pytest.mark.parametrize(
    ("tamper", "match"),
    [
        (edit(["facts", 1, "dice"], lambda dice: [dice[0] % 6 + 1, *dice[1:]]), "throw 1 gives"),
        (edit(["facts", 1, "dice"], lambda dice: dice[:1]), None),
        (edit(["facts", 1, "dice"], lambda dice: [*dice, 7]), "throw 1 gives"),
        (edit(["facts", 1, "dice"], []), "no dice and sides"),
        (edit(["facts", 1, "dice"], None), "no dice and sides"),
        (edit(["facts", 1, "dice"], [True, 1]), "no dice and sides"),
        (edit(["facts", 1, "sides"], 7), "throw 1 gives"),
        (edit(["facts", 1, "sides"], 0), "0 sides"),
        (edit(["facts", 1, "sides"], 2**40), "sides"),
        (edit(["facts", 1, "index"], 2), "random events"),
        (edit(["facts", 1, "index"], None), "random events"),
        (edit(["facts", 1, "index"], True), "random events"),
        (edit(["facts", 2, "k"], lambda k: (k + 1) % 9), "throw 2 gives"),
        (edit(["facts", 2, "m"], 1), "throw 2 gives"),
        (edit(["facts"], lambda facts: facts[:2]), r"tell of the random events \[1\], but \[1, 2\] were thrown"),
        (edit(["facts"], lambda facts: [facts[1], facts[1], facts[2]]), "random events"),
        (edit(["facts"], lambda facts: facts[::-1]), "random events"),
        (edit(["facts"], []), "random events"),
        (edit(["facts"], "none"), "not lists"),
        (edit(["facts"], [3]), "not lists"),
        (edit(["throws"], []), "random event 1, but nothing proves it"),
        (edit(["throws"], None), "not lists"),
        (edit(["throws"], [3]), "not as it must be"),
        (edit(["throws"], lambda throws: throws[1:]), "next throw is leaf 1 of tree 0, not leaf 2"),
        (edit(["throws"], lambda throws: throws[::-1]), "next throw is leaf 1"),
        (edit(["throws"], lambda throws: [throws[0], throws[0]]), "next throw is leaf 2"),
        (edit(["throws", 0, "index"], 0), "next throw is leaf 1 of tree 0, not leaf 0 of tree 0"),
        (edit(["throws", 0, "index"], True), "no number"),
        (edit(["throws", 0, "tree"], 1), "not leaf 1 of tree 1"),
        (edit(["throws", 0, "die_key"], other), "does not lead to the root"),
        (edit(["throws", 0, "die_key"], "00"), "key or hash that is none"),
        (edit(["throws", 0, "blind_hash"], other), "does not lead to the root"),
        (edit(["throws", 0, "path"], lambda path: path[:-1]), "does not lead to the root"),
        (edit(["throws", 0, "path"], lambda path: [*path, path[0]]), "does not lead to the root"),
        (edit(["throws", 0, "path"], lambda path: [other(path[0]), *path[1:]]), "does not lead to the root"),
        (edit(["throws", 0, "path"], lambda path: ["x", *path[1:]]), "not a list of hashes"),
        (edit(["throws", 1, "commitment"], other), "one C"),
        (edit(["throws", 0, "commitment"], 5), "key or hash that is none"),
        (edit(["throws", 0], lambda proof: {**proof, "note": 1}), "not as it must be"),
    ],
)
def test_dice_that_are_not_as_committed(tamper, match):
    stream = Stream()
    stream.add("order", "britain", "BUILD", asks=[(1, 6)])
    stream.add("order", "france", "ATTACK", asks=[(2, 6), 9], tamper=tamper)
    if match is None:
        # Fewer dice than were thrown prove as well: how many dice an order gets is the rulebook's matter.
        assert len(verify.verify(stream.bundle()).throws) == 3
    else:
        fails(stream.bundle(), match, line=4, event=3, part="public")


def test_another_c_after_the_order_was_sent_is_seen_by_its_sender_only():
    stream = Stream()
    throws = CommittedThrows(stream.trees[0], 0, b"ATTACK with a blank that suits ")
    thrown = throws.throw(2, 6, "fight")

    def tamper(parts):
        parts["public"]["throws"] = throws.proofs()
        parts["public"]["facts"][1]["dice"] = thrown.dice

    stream.add("order", "france", "ATTACK", asks=[(2, 6)], tamper=tamper)
    assert len(verify.verify(stream.bundle()).throws) == 1
    assert len(verify.verify(stream.bundle(["britain"])).throws) == 1
    fails(stream.bundle(["france"]), "not what the throws of event 2 stand on", line=3, event=2, part="order")


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"blind_key": None}, "blind key for the text of its order is not given"),
        ({"blind_key": "00" * 32}, "not that of the first throw"),
        ({"text": "ATTACK "}, "not what the throws"),
        ({"text": None}, "a text and the seat"),
        ({"seat": "prussia"}, "a text and the seat"),
    ],
)
def test_orders_that_do_not_fit_their_throws(change, match):
    stream = Stream()
    stream.add("order", "france", "ATTACK", asks=[9], tamper=lambda parts: parts["order"].update(change))
    fails(stream.bundle(["order"]), match, line=3, event=2, part="order")


def test_a_public_text_that_does_not_fit_its_throws():
    stream = Stream()
    key = stream.trees[0].blind_key(0).hex()
    stream.add("deadline", None, "question 4", asks=[6], public={"order": {"text": "question 5", "blind_key": key}})
    fails(stream.bundle(), "not what the throws of event 2", line=3, event=2, part="public")


def test_throws_that_no_text_fixed():
    stream = Stream()
    stream.add("deadline", asks=[6])
    verify.verify(stream.bundle())
    fails(stream.bundle(["order"]), "no part says which text", line=3, event=2, part="order")


def test_a_blind_key_of_an_event_without_throws():
    stream = Stream()
    stream.add("order", "france", "PASS", tamper=lambda parts: parts["order"].update(blind_key="00" * 32))
    fails(stream.bundle(["france"]), "which threw nothing", event=2, part="order")


def test_parts_that_disagree_on_the_sender():
    wrong = [("france", {}), ("britain", {"sent": True}), ("referee", {"sender": "britain"}), ("referee", {})]
    for name, content in wrong:
        stream = Stream()
        stream.add("order", "france", "PASS", tamper=lambda parts, wrong={name: content}: parts.update(wrong))
        fails(stream.bundle(sorted(EVERYTHING)), "does not agree", line=3, event=2, part=name)


def test_what_is_withheld_from_its_reader_is_missed():
    def without(part):
        return PLAYED.bundle(["france"], lambda records: records[1]["parts"].pop(part))

    fails(without("public"), "this part is missing", line=3, event=2, part="public")
    fails(without("france"), "this part is missing", line=3, event=2, part="france")
    fails(without("order"), "france sent an order here, but .* is withheld", line=3, event=2, part="order")


@pytest.mark.parametrize(
    ("change", "match"),
    [
        (lambda record: record["header"].update(number=3), "event 2 should stand here"),
        (lambda record: record["header"].update(number="2"), "event 2 should stand here"),
        (lambda record: record["header"].update(previous="ab" * 32), "chain is broken"),
        (lambda record: record["header"].update(kind="deadline"), "hash of header"),
        (lambda record: record["header"].update(kind=None), "not as it must be"),
        (lambda record: record["header"].update(parts=["public", "order"]), "not as it must be"),
        (lambda record: record["header"].update(parts=["public", "public", "referee", "order"]), "not as it must be"),
        (lambda record: record["header"].update(parts=[[], {}]), "not as it must be"),
        (lambda record: record["header"].update(note=1), "not as it must be"),
        (lambda record: record.update(header=[]), "not as it must be"),
        (lambda record: record.update(note=1), "not an event"),
        (lambda record: record.pop("hash"), "not an event"),
        (lambda record: record["commitments"].pop(), "one commitment for each part"),
        (lambda record: record["commitments"].reverse(), "hash of header"),
        (lambda record: record.update(commitments=[1] * 5), "one commitment for each part"),
        (lambda record: record.update(hash="ab" * 32), "hash of header"),
        (lambda record: record.update(parts=[]), "does not name"),
        (lambda record: record["parts"].update(prussia={}), "does not name"),
        (lambda record: record["parts"].update(public=None), "content and its salt"),
        (lambda record: record["parts"]["public"].update(content="{}"), "not what was committed to"),
        (lambda record: record["parts"]["public"].update(content="\\ud800"), "not what was committed to"),
        (lambda record: record["parts"]["public"].update(content=1), "content and its salt"),
        (lambda record: record["parts"]["public"].update(salt="ab" * 31), "content and its salt"),
        (lambda record: record["parts"]["public"].update(salt="AB" * 32), "content and its salt"),
        (lambda record: record["parts"]["public"].update(note=1), "content and its salt"),
    ],
)
def test_records_that_are_no_events_of_this_chain(change, match):
    fails(PLAYED.bundle(["france"], lambda records: change(records[1])), match, line=3, event=2)


@pytest.mark.parametrize("content", ['{"b":1,"a":2}', '{"a": 1}', "{", "[]", "1", '{"a":0.5}'])
def test_a_part_that_was_sealed_in_another_form(content):
    stream = Stream()
    stream.add("order", "france", "PASS")
    event = stream.events[-1]
    salt = "ab" * 32
    commitments = list(event.commitments)
    commitments[2] = ledger.commitment_of(bytes.fromhex(salt), content.encode())
    parts = {**event.parts, "france": {"content": content, "salt": salt}}
    hashed = ledger.event_hash(event.header, commitments)
    stream.events[-1] = ledger.SealedEvent(event.header, commitments, parts, hashed)
    fails(stream.bundle(["france"]), "not canonical JSON|not a JSON object", line=3, event=2, part="france")


# Opened parts


def test_opened_parts_are_checked_against_what_was_sealed():
    def stream_with(change):
        stream = Stream()
        order = stream.add("order", "france", "ATTACK", asks=[9])
        entry = {**opening(order, "order"), **change}
        stream.add("opened", public={"opened": [entry]})
        return stream.bundle()

    report = verify.verify(stream_with({}))
    assert (report.opened, report.orders) == (1, 1)
    place = {"line": 4, "event": 3, "part": "public"}
    fails(stream_with({"content": "{}"}), "opens the part order of event 2: .* not what was committed to", **place)
    fails(stream_with({"salt": "00" * 32}), "not what was committed to", **place)
    fails(stream_with({"salt": 1}), "its salt", **place)
    fails(stream_with({"part": "referee"}), "opens the part referee of event 2", **place)
    fails(stream_with({"part": "prussia"}), "no part prussia", **place)
    fails(stream_with({"part": []}), "no part", **place)
    for number in (0, 3, 4, -1, True, None):
        fails(stream_with({"number": number}), "before this one to open", **place)
    fails(stream_with({"note": 1}), "an opened part is", **place)


def test_what_has_not_the_form_of_an_order_or_opening():
    wrong = [({"opened": {}}, "not a list"), ({"order": "PASS"}, "no text"), ({"order": {"text": 1}}, "no text")]
    for public, match in wrong:
        stream = Stream()
        stream.add("order", "france", "PASS", public=public)
        fails(stream.bundle(), match, line=3, event=2, part="public")


def test_an_order_opened_to_one_seat_alone_is_checked_there():
    stream = Stream()
    order = stream.add("order", "france", "ATTACK", asks=[9], tamper=lambda parts: parts["order"].update(text="attack"))
    stream.add("opened", own={"britain": {"opened": [opening(order, "order")]}})
    verify.verify(stream.bundle())
    fails(stream.bundle(["britain"]), "not what the throws of event 2 stand on", event=3, part="britain")


# Trees


def test_throws_go_on_with_the_next_tree_when_and_only_when_the_last_is_spent():
    def play(first_throws, early=0):
        stream = Stream(size=16)
        stream.add("order", "france", "A", asks=[6] * first_throws)
        stream.open_tree()
        if early:
            stream.tree, stream.next = 1, 0
        stream.add("order", "france", "B", asks=[6] * 3)
        stream.add("order", "france", "C", asks=[6] * 2)
        return stream

    stream = play(12)
    assert (stream.tree, stream.next) == (1, 2)
    assert [thrown.tree for thrown in verify.verify(stream.bundle()).throws] == [0] * 15 + [1] * 2
    fails(play(12, early=1).bundle(), "next throw is leaf 12 of tree 0, not leaf 0 of tree 1", event=4)
    fails(play(13).bundle(), "too late", event=3)


def test_a_spent_tree_may_not_be_used_further():
    stream = Stream(size=16)
    stream.add("order", "france", "A", asks=[6] * 12)
    stream.open_tree()
    stream.add("order", "france", "B", asks=[6] * 3)
    second = stream.trees.pop()
    stream.add("order", "france", "C", asks=[6])
    stream.trees.append(second)
    fails(stream.bundle(), "next throw is leaf 0 of tree 1, not leaf 15 of tree 0", event=5)


def test_a_throw_past_the_last_leaf():
    stream = Stream(size=4)
    stream.add("order", "france", "A", asks=[6] * 4)
    proof = {**stream.events[-1].content("public")["throws"][-1], "index": 4}
    fact = {"fact": "draw", "k": 0, "m": 6, "index": 4}
    stream.add("order", "france", "B", public={"throws": [proof], "facts": [fact]})
    fails(stream.bundle(), "tree 0 of the dice has no leaf 4", line=4, event=3, part="public")


def test_wrong_commitments_to_trees():
    def with_dice(change):
        stream = Stream(size=16)
        stream.open_tree(tamper=edit(["dice"], lambda dice: {**dice, **change}))
        return stream.bundle()

    for change, match in [
        ({"tree": 2}, "number 1, not 2"),
        ({"tree": 0}, "number 1, not 0"),
        ({"tree": True}, "number 1, not True"),
        ({"size": 0}, "wrong size"),
        ({"size": 2**30}, "wrong size"),
        ({"root": "ab"}, "no root"),
        ({"lost": False}, "lost: true"),
        ({"note": 1}, "not as it must be"),
    ]:
        fails(with_dice(change), match, line=3, event=2, part="public")
    stream = Stream(size=16)
    stream.open_tree()
    stream.open_tree()
    fails(stream.bundle(), "before the last came into use", event=3)


def test_the_first_event_commits_to_dice_and_throws_nothing():
    stream = Stream()
    stream.events.clear()
    stream.roots.clear()
    stream.add("opening")
    fails(stream.bundle(), "commits to no dice", line=2, event=1)
    stream.events.clear()
    stream.add("opening", asks=[6], public={"dice": stream.trees[0].commitment()})
    fails(stream.bundle(), "before any dice", line=2, event=1)


def test_a_lost_secret_is_reported_and_the_new_one_opened():
    stream = Stream()
    stream.add("order", "france", "A", asks=[6] * 3)
    stream.secret = bytes(32)
    stream.open_tree(lost=True)
    stream.add("order", "france", "B", asks=[6] * 3)
    stream.add("end", public={"secret": bytes(32).hex()})
    report = verify.verify(stream.bundle())
    assert [thrown.index for thrown in report.throws] == [0, 1, 2, 0, 1, 2]
    assert "Event 3 says that the secret of the dice was lost" in report.remarks[0]


def test_the_secret_is_checked_leaf_by_leaf_and_nothing_is_thrown_after_it():
    stream = Stream()
    stream.add("end", public={"secret": bytes(32).hex()})
    fails(stream.bundle(), "does not give tree 0", line=3, event=2, part="public")
    stream = Stream()
    stream.add("end", public={"secret": "ab"})
    fails(stream.bundle(), "not 32 bytes", event=2)
    stream = Stream()
    stream.open_tree(secret=bytes(32))
    stream.add("end", public={"secret": SECRET.hex()})
    fails(stream.bundle(), "does not give tree 1", event=3)
    stream = Stream()
    stream.add("end", public={"secret": SECRET.hex()})
    stream.add("order", "france", "A", asks=[6])
    fails(stream.bundle(), "after the secret was opened", event=3)
    stream = Stream()
    stream.add("end", public={"secret": SECRET.hex()})
    stream.open_tree()
    fails(stream.bundle(), "after the secret was opened", event=3)


def test_a_draw_from_one_needs_no_throw():
    stream = Stream()
    stream.add("order", public={"facts": [{"fact": "draw", "what": "tile", "k": 0, "m": 1, "index": None}]})
    verify.verify(stream.bundle())
    stream.add("order", public={"facts": [{"fact": "draw", "what": "tile", "k": 0, "m": 2, "index": None}]})
    fails(stream.bundle(), "nothing proves it", event=3)


# The meta line


@pytest.mark.parametrize(
    ("change", "match", "line"),
    [
        ({"bundle": 2}, "format 1, not 2", 1),
        ({"campaign": None}, "meta line", 1),
        ({"readers": "public"}, "meta line", 1),
        ({"readers": [[]]}, "meta line", 1),
        ({"readers": ["prussia"]}, "readers that have no part", 1),
        ({"note": 1}, "not the meta line", 1),
        ({"dice": []}, "dice roots of the meta line", 1),
        ({"campaign": "c2"}, "the campaign is 'c1'", 2),
        ({"game": "his"}, "the game is 'soe'", 2),
    ],
)
def test_a_meta_line_that_does_not_fit(change, match, line):
    stream = Stream()
    records = [open_for(event, ["public"]) for event in stream.events]
    meta = bundle_meta("c1", "soe", [], stream.roots)
    fails(written({**meta, **change}, records), match, line=line)


def test_a_bundle_without_events():
    fails(written(bundle_meta("c1", "soe", [], []), []), "no events", line=2)


# Heads: what the bundle alone cannot show


def rewritten():
    """The same campaign with another history from event 5 on; the chain, the dice and the digest are all right."""
    stream = Stream()
    stream.events, stream.next = PLAYED.events[:4], 4
    for number in range(len(PLAYED.events) - 4):
        stream.add("order", "france", f"OTHER {number}", asks=[6])
    return stream


def cut():
    stream = Stream()
    stream.events = PLAYED.events[:5]
    return stream


def test_a_cut_tail_is_found_only_with_a_head():
    lines = cut().bundle()
    assert verify.verify(lines).events == 5
    head = PLAYED.events[9].hash
    fails(lines, "tail was cut: the bundle ends with event 5, but .* of event 10", [f"{head}@10"], event=10)
    fails(lines, "is of none of these events", [head])
    report = verify.verify(lines, [PLAYED.events[2].hash, f"{PLAYED.events[4].hash}@5"])
    assert report.remarks == []
    report = verify.verify(lines, [f"{PLAYED.events[2].hash}@3"])
    assert report.remarks == ["The heads given reach to event 3; no head from outside holds later events."]


def test_a_rewritten_history_is_found_only_with_a_head():
    lines = rewritten().bundle()
    assert verify.verify(lines).events == len(PLAYED.events)
    assert verify.verify(lines, [f"{PLAYED.events[3].hash}@4"])
    head = PLAYED.events[7].hash
    fails(lines, "history was rewritten", [f"{head}@8"], event=8)
    fails(lines, "is of none of these events", [head.upper()])
    fails(BUNDLES["public"], "history was rewritten", [Head(PLAYED.events[7].hash, 7)], event=7)
    fails(BUNDLES["public"], "history was rewritten", [Head(PLAYED.events[7].hash, 0)], event=0)


@pytest.mark.parametrize("text", ["", "ab", "x" * 64, "ab" * 32 + "@", "ab" * 32 + "@-1", "ab" * 32 + "@²", "@3"])
def test_what_is_no_head(text):
    with pytest.raises(ValueError, match="is not a head"):
        parse_head(text)
    with pytest.raises(ValueError, match="is not a head"):
        verify.verify(BUNDLES["public"], [text])


def report_mail(number, campaign="c1", head=None):
    mail = EmailMessage()
    mail["From"], mail["Subject"] = "campaign@example.org", "Führung – your move"
    mail["X-PBEM-Campaign"] = campaign
    mail["X-PBEM-Event"] = str(number)
    mail["X-PBEM-Head"] = head or PLAYED.events[number - 1].hash
    mail.set_content("From here on …\n")
    mail.add_attachment(b"\x89PNG\xff" * 1000, maintype="image", subtype="png")
    return mail


def other_mail():
    mail = EmailMessage()
    mail["Subject"] = "not a report"
    mail.set_content("hello")
    return mail


@pytest.fixture(params=["file", "mbox", "maildir", "folder"])
def saved(request, tmp_path):
    """Two reports of this campaign, one of another, and a mail that is no report, saved in each usual form."""
    mails = [report_mail(3), other_mail(), report_mail(9, "c2", "ab" * 32), report_mail(12)]
    path = tmp_path / "saved"
    if request.param == "file":
        paths = [tmp_path / f"{number}.eml" for number in range(4)]
        for file, mail in zip(paths, mails, strict=True):
            file.write_bytes(mail.as_bytes())
        return paths
    if request.param == "folder":
        (path / "deeper").mkdir(parents=True)
        for number, mail in enumerate(mails):
            (path / "deeper" / str(number)).write_bytes(mail.as_bytes())
        return [path]
    box = mailbox.mbox(path) if request.param == "mbox" else mailbox.Maildir(path)
    for mail in mails:
        box.add(mail)
    box.close()
    return [path]


def run(*arguments):
    return main([str(argument) for argument in arguments])


def test_saved_reports_find_a_cut_and_a_rewritten_history(saved, tmp_path, capsys):
    mails = [word for path in saved for word in ("--mail", path)]
    heads = [head for path in saved for head in heads_from_mails(path)]
    assert sorted((head.campaign, head.number) for head in heads) == [("c1", 3), ("c1", 12), ("c2", 9)]
    for name, stream in [("right", PLAYED), ("cut", cut()), ("rewritten", rewritten())]:
        (tmp_path / f"{name}.bundle").write_bytes(b"".join(stream.bundle()))
        assert run(tmp_path / f"{name}.bundle") == 0
    assert "CANNOT be seen" in capsys.readouterr().out
    bare = next(head.hash for head in heads if head.number == 3)
    assert run(tmp_path / "right.bundle", "--head", bare) == 0
    assert "agrees    with the head of event 3 (given)" in capsys.readouterr().out
    assert run(tmp_path / "right.bundle", *mails) == 0
    told = capsys.readouterr().out
    assert "agrees    with the head of event 12" in told and "NOT its words" in told
    assert run(tmp_path / "cut.bundle", *mails) == 1
    assert "FAILED    event 12: the tail was cut" in capsys.readouterr().out
    assert run(tmp_path / "rewritten.bundle", *mails) == 1
    assert "FAILED    event 12: the history was rewritten" in capsys.readouterr().out


def test_mails_that_prove_nothing_are_not_passed_over_in_silence(tmp_path, capsys):
    bundle = tmp_path / "bundle"
    bundle.write_bytes(b"".join(BUNDLES["public"]))
    mail = tmp_path / "mail"
    mail.write_bytes(other_mail().as_bytes())
    assert run(bundle, "--mail", mail) == 1
    assert "none of the mails given is a report" in capsys.readouterr().out
    mail.write_bytes(report_mail(3, "c2").as_bytes())
    assert run(bundle, "--mail", mail) == 1
    assert "none of the mails is a report of campaign c1 (they are of c2)" in capsys.readouterr().out
    for damaged in ("three", "3@4", ""):
        mail.write_bytes(report_mail(3).as_bytes().replace(b"X-PBEM-Event: 3", f"X-PBEM-Event: {damaged}".encode()))
        assert run(bundle, "--mail", mail) == 1
        assert "is damaged" in capsys.readouterr().out
    mail.write_bytes(report_mail(3).as_bytes().replace(b"X-PBEM-Campaign", b"X-Campaign"))
    assert run(bundle, "--mail", mail) == 1
    assert "is damaged" in capsys.readouterr().out


# The command


def test_the_command_prints_head_and_counts(tmp_path, capsys):
    bundle = tmp_path / "bundle"
    bundle.write_bytes(b"".join(BUNDLES["france"]))
    head = f"{PLAYED.events[-1].hash}@{len(PLAYED.events)}"
    assert run(bundle, "--head", head) == 0
    out = capsys.readouterr().out
    assert f"head      {head}\n" in out
    assert "throws    68 recomputed (38 rolls, 30 draws); caused by: close 2, deadline 1, order 65\n" in out
    assert out.endswith("OK\n")
    assert "NOTE" not in out
    assert run(bundle, "--throws") == 0
    out = capsys.readouterr().out
    first = json.loads(PLAYED.events[3].parts["public"]["content"])["facts"][1]
    dice_thrown = " ".join(map(str, first["dice"]))
    assert f"event 4 (order), tree 0, leaf 2: fight: 2d6 = {dice_thrown}\n" in out
    assert out.count(", leaf ") == 68
    assert run(bundle, "--head", other(PLAYED.events[-1].hash)) == 1


def test_wrong_usage_exits_with_2(tmp_path, capsys):
    bundle = tmp_path / "bundle"
    bundle.write_bytes(b"".join(BUNDLES["public"]))
    assert run(tmp_path / "missing") == 2
    assert run(tmp_path) == 2
    assert run(bundle, "--mail", tmp_path / "missing") == 2
    for arguments in ([], [bundle, "--head", "abc"], [bundle, "--unknown"]):
        with pytest.raises(SystemExit) as caught:
            run(*arguments)
        assert caught.value.code == 2
    assert "is not a head" in capsys.readouterr().err


def test_the_file_copied_out_runs_alone(tmp_path):
    shutil.copy(verify.__file__, tmp_path / "verify.py")
    (tmp_path / "bundle").write_bytes(b"".join(BUNDLES["france"]))
    lines = list(BUNDLES["france"])
    lines[4] = lines[4].replace(b'"kind":"', b'"kind":"x')
    (tmp_path / "damaged").write_bytes(b"".join(lines))

    def alone(*arguments):
        command = [sys.executable, "-I", "-S", "verify.py", *arguments]
        return subprocess.run(command, cwd=tmp_path, env={}, capture_output=True, text=True, timeout=60, check=False)

    right = alone("bundle", "--head", PLAYED.events[-1].hash)
    assert (right.returncode, right.stderr) == (0, "")
    assert right.stdout.endswith("OK\n")
    wrong = alone("damaged")
    assert (wrong.returncode, wrong.stderr) == (1, "")
    assert wrong.stdout.startswith("FAILED    line 5, event 4: ")
    assert alone().returncode == 2


def test_it_imports_the_standard_library_only():
    tree = ast.parse(Path(verify.__file__).read_text(encoding="utf-8"))
    modules = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules |= {name.name.split(".")[0] for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            modules.add(node.module.split(".")[0])
    assert "hmac" in modules
    assert modules <= sys.stdlib_module_names


# What it does twice must be the same as in dice.py and ledger.py


@settings(max_examples=300, deadline=None)
@given(
    key=st.binary(min_size=32, max_size=32),
    commitment=st.binary(min_size=32, max_size=32),
    number=st.integers(1, 80),
    sides=st.integers(1, 300) | st.sampled_from([65535, 65536, 65537, 2**24, 2**24 + 1, 2**32]) | st.integers(1, 2**32),
)
def test_both_codes_throw_the_same(key, commitment, number, sides):
    assert verify.throw(key, commitment, number, sides) == dice.throw(key, commitment, number, sides)


@settings(max_examples=80, deadline=None)
@given(secret=st.binary(min_size=32, max_size=32), tree=st.integers(0, 9), size=st.integers(1, 200), data=st.data())
def test_both_codes_build_the_same_trees_and_paths(secret, tree, size, data):
    made = DiceTree(secret, tree, size)
    assert verify.root_from_secret(secret, tree, size) == made.root
    index = data.draw(st.integers(0, size - 1))
    path = made.path(index)
    leaf = dice.leaf_hash(made.die_key(index), made.blind_key(index))
    assert verify.root_from_path(index, size, leaf, path) == made.root
    wrong = data.draw(st.integers(0, size - 1))
    damaged = data.draw(st.sampled_from([path, path[:-1], [*path, "00" * 32], path[::-1]]))
    holds = verify.root_from_path(wrong, size, leaf, damaged) == made.root
    assert holds == check_path(made.root, wrong, leaf, damaged, size)


values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(values)
def test_both_codes_have_one_canonical_form(value):
    data = ledger.canonical(value)
    assert verify.parse_canonical(data) == value
    assert ledger.canonical(verify.parse_canonical(data)) == data


@settings(max_examples=40, deadline=None)
@given(public=st.dictionaries(st.text(min_size=8), values, max_size=3), text=st.text(), seed=st.integers(0, 2**32))
def test_whatever_the_ledger_seals_the_verifier_takes(public, text, seed):
    stream = Stream(size=8, seed=seed, secret=sha256(text.encode()).digest())
    rng = random.Random(seed)
    kinds = [lambda: rng.randint(1, 500), lambda: (rng.randint(1, 9), rng.randint(1, 100))]
    asks = [rng.choice(kinds)() for _ in range(rng.randint(0, 6))]
    stream.add("order", "france", text, asks=asks, public=public)
    stream.add("end", public={"secret": stream.secret.hex()})
    for readers in (["public"], ["france"], sorted(EVERYTHING)):
        report = verify.verify(stream.bundle(readers), [f"{stream.events[1].hash}@2"])
        assert len(report.throws) == len(asks)


def places_in(value, path=()):
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from places_in(inner, (*path, key))


def with_replaced(value, path, new):
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = with_replaced(copy[path[0]], path[1:], new)
    return copy


strange = values | st.sampled_from(["ab" * 32, "public", "france", "order", "referee", 0, 1, 2, True, 2**53 - 1])


@settings(max_examples=500, deadline=None)
@given(data=st.data())
def test_no_well_sealed_nonsense_makes_the_verifier_crash(data):
    """Whatever a forger seals with right hashes: the answer is a report or a `VerificationError`, nothing else."""
    events = PLAYED.events
    at = data.draw(st.sampled_from([0, 1, 2, 3, 5, 6, 14, len(events) - 1]), "event")
    parts = {name: events[at].content(name) for name in events[at].parts}
    path = data.draw(st.sampled_from([path for path in places_in(parts) if path]), "place")
    forged = with_replaced(parts, path, data.draw(strange, "new"))
    forger = Stream()
    forger.roots = PLAYED.roots
    forger.events = events[:at]
    previous = events[at - 1].hash if at else FIRST_PREVIOUS
    for number, event in enumerate(events[at:], start=at + 1):
        contents = forged if number == at + 1 else {name: event.content(name) for name in event.parts}
        forger.events = [*forger.events, seal(number, event.header["kind"], previous, contents)]
        previous = forger.events[-1].hash
    try:
        report = verify.verify(forger.bundle(sorted(EVERYTHING)))
    except VerificationError as error:
        assert error.line is not None
    else:
        assert report.head == previous


@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_no_nonsense_in_the_lines_makes_the_verifier_crash(data):
    """The same for the lines themselves, with the digest made right."""
    lines = [json.loads(line) for line in BUNDLES["france"][:-1]]
    path = data.draw(st.sampled_from([path for path in places_in(lines[:6]) if path]), "place")
    new = data.draw(strange, "new")
    lines = with_replaced(lines, path, new)
    try:
        verify.verify(written(lines[0], lines[1:]))
    except VerificationError as error:
        assert error.line is not None
    else:
        assert path[:2] in [(0, "readers"), (0, "game"), (0, "campaign")] or lines == [
            json.loads(line) for line in BUNDLES["france"][:-1]
        ]
