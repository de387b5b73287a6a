"""Finished campaigns of earlier releases, played again: what today's rules make otherwise is written down with why."""

from __future__ import annotations

import gzip
import json
import lzma
import sqlite3
from dataclasses import asdict
from pathlib import Path

import pytest
import yaml

from pbem.campaign.kept import read_kit
from pbem.table.kit import Kit, load_kit
from tests import toy
from tests.campaign import golden

STREAMS = Path(__file__).parents[1] / "streams"
BUNDLES = sorted(STREAMS.glob("*.jsonl.gz"))
KNOWN = yaml.safe_load((STREAMS / "differences.yaml").read_text(encoding="utf-8"))


def kits_of(release: str, folder: Path) -> dict[str, Kit]:
    """The kits that campaigns of a release run under, as its store holds them; of later games, as their files do."""
    file = folder / "release.sqlite"
    file.write_bytes(lzma.decompress((STREAMS / f"store-{release}.sqlite.xz").read_bytes()))
    with sqlite3.connect(file) as db:
        contents = [content for (content,) in db.execute("SELECT content FROM kits")]
    contents += [lzma.decompress(kept.read_bytes()).decode() for kept in STREAMS.glob(f"*-{release}.kit.xz")]
    kits = [read_kit(content) for content in contents]
    return {kit.game: kit for kit in kits}


@pytest.mark.parametrize("bundle", BUNDLES, ids=lambda path: path.name.removesuffix(".jsonl.gz"))
def test_a_finished_campaign_is_played_again_with_no_other_differences_than_are_known(bundle, tmp_path):
    name = bundle.name.removesuffix(".jsonl.gz")
    game, _, release = name.rpartition("-")
    known = KNOWN.get(name, [])
    unasked = [difference["event"] for difference in known if difference.get("goes_by")]
    played, found = golden.play_again(bundle, kits_of(release, tmp_path)[game], unasked)
    told = [{field: difference[field] for field in ("event", "order", "stored", "today")} for difference in known]
    assert [asdict(difference) for difference in found] == told
    assert played > 200 and all(difference["why"] for difference in known)


def test_a_rule_that_makes_something_else_is_found_at_its_event(tmp_path, monkeypatch):
    (bundle,) = STREAMS.glob("struggle_of_empires-0.1.0.jsonl.gz")
    events = golden.read(bundle)
    number = next(at for at, event in enumerate(events) if event.kind == "order" and event.facts)
    events[number].facts[-1]["after"] = "something else"
    monkeypatch.setattr(golden, "read", lambda _: events)
    kit = kits_of("0.1.0", tmp_path)["struggle_of_empires"]
    played, found = golden.play_again(bundle, kit)
    known = {difference["event"] for difference in KNOWN["struggle_of_empires-0.1.0"]}
    new = [difference for difference in found if difference.event not in known]
    assert [difference.event for difference in new] == [events[number].number] and played > number
    assert "something else" in new[0].stored


def test_a_campaign_is_played_again_over_the_deadlines_that_passed_in_it(desk, service, clock, tmp_path):
    table = desk().start()
    table.show_all()
    for _ in range(2):  # silence for a march, then for a window, and for some of those who choose a card
        clock.set(service.status(table.id).deadline)
        service.tick()
    table.good("seat1", f"SHOW {table.hand('seat1')[0]}")
    clock.set(service.status(table.id).deadline)
    service.tick()
    table.play_out()
    kinds = [event["kind"] for event in service.events(table.id, None)]
    file = tmp_path / "bundle.jsonl"
    service.export(table.id, None, file)
    bundle = tmp_path / "bundle.jsonl.gz"
    bundle.write_bytes(gzip.compress(file.read_bytes()))
    played, found = golden.play_again(bundle, toy.kit())
    assert found == [] and kinds.count("expired") == 3
    assert played == 1 + kinds.count("order") + kinds.count("expired")


def test_a_kit_of_a_release_keeps_its_hash_and_has_the_options_that_its_game_has_got_since(tmp_path):
    kits = kits_of("0.1.0", tmp_path)
    for game in ("thirty_years_war", "virgin_queen"):  # kept beside their bundles; their options have not grown since
        later = kits.pop(game)
        assert later.hash == golden.read(STREAMS / f"{game}-0.1.0.jsonl.gz")[0].public["kit"]
    for game, kit in kits.items():
        today = load_kit(game)
        assert set(today.options) <= set(kit.options) and kit.hash != today.hash
        assert set(today.options) != {option["id"] for option in json.loads(kit.to_json())["options"]}
        assert kit.settings({}).keys() >= today.settings({}).keys()
