"""What earlier releases wrote keeps its meaning: their streams are verified and projected by the code of today.

`tests/streams/` holds the public bundle of a whole campaign of each game and release, ``GAME-RELEASE.jsonl.gz``; the
next release adds its own and changes none.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from pbem.campaign import verify
from pbem.campaign.stream import PlainJSON
from pbem.render.narrative import narrate
from pbem.table.board import Board
from pbem.table.facts import apply_all
from pbem.table.kit import load_kit

STREAMS = sorted((Path(__file__).parents[1] / "streams").glob("*.jsonl.gz"))


@pytest.fixture(params=STREAMS, ids=lambda path: path.name.removesuffix(".jsonl.gz"))
def lines(request: pytest.FixtureRequest) -> list[bytes]:
    return gzip.decompress(request.param.read_bytes()).splitlines(keepends=True)


def public_parts(lines: list[bytes]) -> list[tuple[str, Any]]:
    events = [json.loads(line) for line in lines[1:-1]]
    return [(event["header"]["kind"], json.loads(event["parts"]["public"]["content"])) for event in events]


def test_a_stream_of_every_release_is_verified(lines):
    report = verify.verify(lines)
    assert report.secret_opened and len(report.throws) > 100


def test_a_stream_of_every_release_is_projected_to_the_end_that_it_tells(lines):
    game, board, results = json.loads(lines[0])["game"], None, []
    for kind, content in public_parts(lines):
        if kind == "started":
            board = Board(game, content["powers"])
        if board is not None:
            apply_all(board, content.get("facts", ()))
        results = content.get("results", results)
    assert board is not None and len(results) == len(board.powers)
    points = board.tracks.get("vp") or dict.fromkeys(board.powers, board.counters.get("vp"))  # of one track for both
    assert points == {row["power"]: row["points"] for row in results}
    if "unrest" in board.tracks:  # hidden until the end, so what opens it counts as well
        told = {row["power"]: row["notes"][0] for row in results}
        assert told == {power: f"unrest {unrest}" for power, unrest in board.tracks["unrest"].items()}


def test_a_bundle_of_an_earlier_release_that_was_changed_is_found_out(lines):
    changed = lines[100].replace(b'"number":100', b'"number":101')
    assert changed != lines[100]
    with pytest.raises(verify.VerificationError):
        verify.verify([*lines[:100], changed, *lines[101:]])


def test_an_event_that_was_stored_with_its_parts_within_is_read():
    parts = {
        "public": {"content": '{"at":"now","note":"a \\"word\\""}', "salt": "ab"},
        "order": {"content": "null", "salt": "cd"},
    }
    state = {"timestamp": "2026-11-28T04:21:55+00:00", "sealed": {"header": {"number": 1}, "parts": parts}}
    before, now = json.dumps(state).encode(), PlainJSON().encode(state)
    assert before != now and now.count(b"\n") == 2
    assert PlainJSON().decode(before) == PlainJSON().decode(now)
    assert PlainJSON().decode(now)["sealed"]["parts"] == parts


def happenings(lines: list[bytes]) -> list[dict[str, Any]]:
    """Of each kind of happening one for each set of its fields that hold nothing."""
    found: dict[Any, dict[str, Any]] = {}
    for _, content in public_parts(lines):
        for fact in content.get("facts", ()):
            if fact["fact"] == "happened":
                empty = tuple(sorted(name for name, value in fact.items() if value in (None, "", [])))
                found.setdefault((fact["what"], empty), fact)
    return list(found.values())


BURNING = {"fact": "happened", "what": "burn_books", "power": "papacy", "zone": None, "debater": "caraffa"}
TREATISE = {"fact": "happened", "what": "treatise", "power": "protestant", "zone": None, "debater": None}


def test_what_is_told_in_one_language_is_told_in_every_one_and_leaves_no_holes(lines):
    game = json.loads(lines[0])["game"]
    kit = load_kit(game)
    for fact in happenings(lines) + [BURNING, TREATISE] * (game == "here_i_stand"):
        told = {code: " ".join(p.text for p in narrate([fact], kit, code)) for code in ("en", "fr", "ru")}
        assert len({bool(text) for text in told.values()}) == 1, told
        holes = [text for text in told.values() for hole in ("  ", " .", "()", "None") if hole in text]
        assert not holes, fact
