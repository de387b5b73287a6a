"""The form of the stream: canonical bytes, commitments, the chain, who reads which part, bundles."""

import hmac
import io
import json
from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.campaign import ledger
from pbem.campaign.ledger import (
    FIRST_PREVIOUS,
    SealedEvent,
    bundle_meta,
    canonical,
    commit_press,
    event_parts,
    open_for,
    opening,
    order_part,
    readable,
    seal,
    write_bundle,
)

SEATS = ["france", "britain"]

values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def first(**public):
    return seal(1, "opening", FIRST_PREVIOUS, event_parts(SEATS, public))


# Canonical bytes


def test_canonical_form():
    assert canonical({"b": [1, -2], "a": {"ü": None, "Z": True}}) == '{"a":{"Z":true,"ü":null},"b":[1,-2]}'.encode()
    assert canonical("line\nfeed \u2028 \x7f") == b'"line\\nfeed \xe2\x80\xa8 \x7f"'


@given(values)
def test_canonical_bytes_read_back_as_the_same_value_and_hold_no_line_feed(value):
    data = canonical(value)
    assert json.loads(data) == value
    assert canonical(json.loads(data)) == data
    assert b"\n" not in data


@pytest.mark.parametrize(
    ("value", "error"),
    [
        (1.0, TypeError),
        ({"a": [0.5]}, TypeError),
        (float("nan"), TypeError),
        ({1: "a"}, TypeError),
        ({None: "a"}, TypeError),
        ({"a": b"bytes"}, TypeError),
        ({"a", "b"}, TypeError),
        (2**53, ValueError),
        ([-(2**53)], ValueError),
        ("\ud800", ValueError),
        ({"\udfff": 1}, ValueError),
    ],
)
def test_what_has_no_canonical_form_is_refused(value, error):
    with pytest.raises(error):
        canonical(value)


# Parts


def test_all_parts_are_there_in_every_event_whoever_sent_the_order():
    nobody = event_parts(SEATS)
    assert nobody == {"public": {}, "france": {}, "britain": {}, "referee": {}, "order": {}}
    sent = event_parts(SEATS, {"a": 1}, {"britain": {"b": 2}}, {"c": 3}, order_part("france", "PASS", b"\x01\x02"))
    assert sent == {
        "public": {"a": 1},
        "france": {"sent": True},
        "britain": {"b": 2},
        "referee": {"c": 3, "sender": "france"},
        "order": {"seat": "france", "text": "PASS", "blind_key": "0102"},
    }
    assert list(nobody) == list(sent) == ["public", "france", "britain", "referee", "order"]
    everybody = event_parts(SEATS, order=order_part(None, "BID 1\nBID 2", None))
    assert everybody["order"] == {"seat": None, "text": "BID 1\nBID 2", "blind_key": None}
    assert everybody["france"] == everybody["britain"] == everybody["referee"] == {}


def test_what_is_handed_in_is_not_changed():
    own, referee = {"france": {}}, {}
    event_parts(SEATS, {}, own, referee, order_part("france", "PASS", None))
    assert (own, referee) == ({"france": {}}, {})


def test_wrong_seats_are_refused():
    for seat in ("public", "referee", "order", "", "Fran\u00e7ois", "a b", "-a"):
        with pytest.raises(ValueError, match="cannot be the id of a seat"):
            event_parts([seat])
    with pytest.raises(ValueError, match="there is no seat 'prussia'"):
        event_parts(SEATS, own={"prussia": {}})
    with pytest.raises(ValueError, match="there is no seat 'prussia'"):
        event_parts(SEATS, order=order_part("prussia", "PASS", None))


# Events


def test_an_event_is_made_as_documented():
    numbers = iter(range(1, 6))
    event = seal(
        7, "order", "ab" * 32, event_parts(SEATS, {"facts": [{"fact": "roll"}]}), lambda n: bytes([next(numbers)]) * n
    )
    assert event.header == {
        "number": 7,
        "kind": "order",
        "previous": "ab" * 32,
        "parts": ["public", "france", "britain", "referee", "order"],
    }
    contents = [b'{"facts":[{"fact":"roll"}]}', b"{}", b"{}", b"{}", b"{}"]
    expected = [hmac.new(bytes([at]) * 32, text, sha256).hexdigest() for at, text in enumerate(contents, start=1)]
    assert event.commitments == expected
    assert len(set(expected)) == 5
    assert event.parts["public"] == {"content": contents[0].decode(), "salt": "01" * 32}
    assert event.hash == sha256(canonical({"header": event.header, "commitments": expected})).hexdigest()
    assert event.content("public") == {"facts": [{"fact": "roll"}]}
    with pytest.raises(KeyError):
        event.content("prussia")


def test_salts_are_random_so_that_equal_parts_show_nothing():
    events = [first() for _ in range(20)]
    assert len({commitment for event in events for commitment in event.commitments}) == 100


def test_an_event_survives_being_stored_as_json():
    event = first(text="Añb\n\u2028")
    assert SealedEvent.from_json(json.loads(json.dumps(event.to_json()))) == event


def test_events_that_cannot_be_are_refused():
    parts = event_parts(SEATS)
    for number, previous in [(0, FIRST_PREVIOUS), (1, "ab" * 32), (2, FIRST_PREVIOUS)]:
        with pytest.raises(ValueError, match="cannot follow"):
            seal(number, "order", previous, parts)
    for name in ("public", "referee", "order"):
        with pytest.raises(ValueError, match=f"no part {name}"):
            seal(1, "order", FIRST_PREVIOUS, {key: part for key, part in parts.items() if key != name})
    with pytest.raises(TypeError):
        seal(1, "order", FIRST_PREVIOUS, {**parts, "public": {"odds": 0.5}})
    with pytest.raises(ValueError, match="31"):
        seal(1, "order", FIRST_PREVIOUS, parts, lambda n: bytes(n - 1))


# Readers


@pytest.mark.parametrize(
    ("readers", "names"),
    [
        (set(), ["public"]),
        ({"public"}, ["public"]),
        ({"france"}, ["public", "france", "order"]),
        ({"britain"}, ["public", "britain"]),
        ({"referee"}, ["public", "referee"]),
        ({"order"}, ["public", "order"]),
        ({"public", "france", "britain", "referee", "order"}, ["public", "france", "britain", "referee", "order"]),
    ],
)
def test_who_reads_what_of_an_order_from_france(readers, names):
    parts = event_parts(SEATS, {"p": 1}, {"france": {"f": 1}, "britain": {"b": 1}}, {"r": 1})
    parts.update(order=order_part("france", "MARCH", None))
    event = seal(1, "order", FIRST_PREVIOUS, parts)
    assert readable(event, readers) == names
    record = open_for(event, readers)
    assert list(record["parts"]) == names
    assert (record["header"], record["commitments"], record["hash"]) == (event.header, event.commitments, event.hash)
    text = canonical(record).decode()
    for name in set(event.parts) - set(names):
        assert event.parts[name]["content"] not in text
        assert event.parts[name]["salt"] not in text


def test_the_order_of_nobody_is_read_by_the_reader_of_orders_only():
    event = seal(1, "close", FIRST_PREVIOUS, event_parts(SEATS, order=order_part(None, "all answers", None)))
    assert "order" not in readable(event, {"france", "britain", "referee"})
    assert "order" in readable(event, {"order"})
    empty = first()
    assert "order" not in readable(empty, {"france", "britain", "referee"})


def test_an_opening_points_back_and_carries_content_and_salt():
    event = seal(1, "order", FIRST_PREVIOUS, event_parts(SEATS, referee={"remained": [3, 4]}))
    entry = opening(event, "referee")
    assert entry == {"number": 1, "part": "referee", "content": '{"remained":[3,4]}', "salt": entry["salt"]}
    assert ledger.commitment_of(bytes.fromhex(entry["salt"]), entry["content"].encode()) == event.commitments[3]


def test_press_enters_as_a_commitment():
    press = commit_press("Let us share Bavaria – F.")
    salt = bytes.fromhex(press["salt"])
    assert len(salt) == 32
    assert press["commitment"] == hmac.new(salt, "Let us share Bavaria – F.".encode(), sha256).hexdigest()
    assert commit_press("Let us share Bavaria – F.") != press


# Bundles


def test_a_bundle_is_canonical_lines_with_a_digest():
    tree = {"tree": 0, "root": "cd" * 32, "size": 64}
    event = first(dice=tree)
    file = io.BytesIO()
    meta = bundle_meta("c1", "struggle_of_empires", {"france"}, [{**tree, "lost": True}])
    digest = write_bundle(file, meta, [open_for(event, {"france"})])
    lines = file.getvalue().splitlines(keepends=True)
    assert len(lines) == 3
    assert all(canonical(json.loads(line)) + b"\n" == line for line in lines)
    assert json.loads(lines[0]) == {
        "bundle": 1,
        "campaign": "c1",
        "game": "struggle_of_empires",
        "readers": ["france", "public"],
        "dice": [tree],
    }
    assert json.loads(lines[1]) == open_for(event, {"france"})
    assert digest == sha256(lines[0] + lines[1]).hexdigest()
    assert json.loads(lines[2]) == {"digest": digest, "events": 1, "meta": sha256(lines[0]).hexdigest()}


def test_a_bundle_of_what_cannot_be_canonical_is_refused():
    with pytest.raises(TypeError):
        write_bundle(io.BytesIO(), {"odds": 0.5}, [])
