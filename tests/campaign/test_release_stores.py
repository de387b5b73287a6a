"""A store that an earlier release left behind is migrated, loaded, played on and verified by the code of today.

`tests/streams/store-RELEASE.sqlite.xz` is the store of a release, with its key beside it.
"""

from __future__ import annotations

import json
import lzma
import random
import sqlite3
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from pbem.campaign import verify
from pbem.campaign.clock import ManualClock
from pbem.campaign.migrations import OtherForm
from pbem.campaign.service import Service
from pbem.campaign.settings import Settings
from pbem.campaign.store import Store
from pbem.campaign.submissions import Answer, Asked, LineResult, Submission
from pbem.mail.outbound import Courier
from pbem.mail.transports import MaildirTransport
from pbem.table import sight
from tests.campaign.test_migrations import difference, rows

STORES = sorted((Path(__file__).parents[1] / "streams").glob("store-*.sqlite.xz"))


@pytest.fixture(params=STORES, ids=lambda path: path.name.removesuffix(".sqlite.xz"))
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    """Settings of a copy of the store, as it was left."""
    (tmp_path / "pbem.sqlite").write_bytes(lzma.decompress(request.param.read_bytes()))
    key = request.param.with_name(request.param.name.replace(".sqlite.xz", ".key"))
    (tmp_path / "secret.key").write_bytes(key.read_bytes())
    return Settings(var=tmp_path, domain="example.org")


@pytest.fixture
def service(settings: Settings) -> Iterator[Service]:
    """The service on the migrated store, a minute after what happened last."""
    store = Store(settings, migrate=True)
    campaigns = store.tables.campaigns
    with store.read() as connection:
        last = max(row.updated_at for row in connection.execute(campaigns.select()))
    store.close()
    made = Service(settings, ManualClock(datetime.fromisoformat(last) + timedelta(minutes=1)))
    yield made
    made.close()


def running(service: Service) -> list[str]:
    return [row["campaign"] for row in service.campaigns() if row["state"] == "running"]


def answer_one(service: Service, campaign: str, chance: random.Random) -> Answer:
    """Somebody who is asked sends one of the lines that he is offered."""
    seats = service.status(campaign).waiting_seats
    asked = [(seat, one) for seat in seats for one in service.asked(campaign, seat) if not one.answered]
    seat, question = chance.choice(asked)
    lines = [chance.choice(question.examples)]
    answer = service.submit(Submission(campaign, lines, service.clock.now(), seat=seat))
    assert answer.ok, (lines, answer)
    return answer


def test_every_release_has_left_a_store_with_all_that_may_be_under_way():
    assert [path.name for path in STORES][:1] == ["store-0.1.0.sqlite.xz"]


def test_the_store_is_refused_until_it_is_migrated_and_then_has_the_tables_of_today(settings):
    with pytest.raises(OtherForm, match="pbem migrate"):
        Service(settings)
    store = Store(settings, migrate=True)
    assert difference(store) == [] and store.migrated
    store.close()


def test_what_was_under_way_is_loaded_and_the_rules_find_their_place_again(service):
    games, over = set(), 0
    for row in service.campaigns():
        whole = service.store.load(row["campaign"], snapshot=False)
        snapshot = service.store.load(row["campaign"])
        assert vars(whole).keys() == vars(snapshot).keys() and whole.head == row["head"]
        over += row["state"] == "finished"
        if row["state"] == "running":
            games.add(row["game"])
            assert whole.sealed and whole.entries and whole.queue
    assert games == {"here_i_stand", "struggle_of_empires"} and over == 1
    assert any(service.store.load(id).standing for id in running(service))
    assert [(id, problem) for id, problem in service.check_upgrade() if problem] == []


def test_the_campaigns_go_on_each_sees_what_he_may_and_their_bundles_are_verified(service, tmp_path):
    chance = random.Random(3)
    for id in running(service):
        before = service.status(id).event
        for _ in range(12):
            service.clock.advance(minutes=5)
            answer_one(service, id, chance)
        assert service.status(id).event >= before + 12
        seats = service.status(id).seats
        board = service.table_of(id, next(iter(seats)), lambda table, _: table.board.copy())
        for reader in (None, *seats):
            held = seats[reader]["powers"] if reader else sight.PUBLIC
            assert service.view_at(id, reader) == sight.view(board, held)
        service.export(id, next(iter(seats)), tmp_path / "bundle")
        verify.verify((tmp_path / "bundle").open("rb"), [service.status(id).head])
    assert len(running(service)) == 2


def test_a_campaign_that_was_over_is_verified_with_its_secret_open(service, tmp_path):
    (over,) = [row["campaign"] for row in service.campaigns() if row["state"] == "finished"]
    service.export(over, None, tmp_path / "bundle")
    report = verify.verify((tmp_path / "bundle").open("rb"), [service.status(over).head])
    assert report.secret_opened and report.throws


def test_an_invited_player_accepts_and_a_deadline_passes(service):
    (inviting,) = [row["campaign"] for row in service.campaigns() if row["state"] == "inviting"]
    seat = next(iter(service.status(inviting).seats))
    assert service.submit(Submission(inviting, ["ACCEPT INVITATION"], service.clock.now(), seat=seat)).ok
    assert service.status(inviting).seats[seat]["accepted"]
    id = running(service)[0]
    before, deadline = service.status(id).event, service.status(id).deadline
    service.clock.set(deadline + timedelta(minutes=1))
    service.tick()
    assert service.status(id).event > before


def test_answers_given_then_are_read_and_mails_that_waited_are_sent(service, tmp_path):
    numbers = [(row[0], row[1]) for row in rows(service.store, "inbox")]
    answers = [service.answer(campaign, number) for campaign, number in numbers]
    assert len(answers) > 50 and all(answers) and {line.state for answer in answers for line in answer.lines} == {
        "accepted", "refused", "unreadable", "queued", "told"
    }  # fmt: skip
    Courier(service, transport=MaildirTransport(tmp_path / "mails"), pictures=False).send_due()
    sent = {row.kind: row.state for row in _outbox(service)}
    assert {"your_move", "report", "press", "invitation"} <= sent.keys()
    assert [row for row in _outbox(service) if row.state not in ("sent", "void")] == []
    assert len(list((tmp_path / "mails" / "new").iterdir())) > 20


def _outbox(service: Service) -> list:
    with service.store.read() as connection:
        return list(connection.execute(service.store.tables.outbox.select()))


def test_read_models_made_again_are_those_that_the_release_had_made(service):
    """But for what rows did not tell then: how a campaign stands, which they tell now as the stream does."""
    later = {"options", "policy", "asks", "clocks", "dice"}

    def of_the_release() -> list[dict]:
        return [{name: value for name, value in row.items() if name not in later} for row in service.campaigns()]

    made = of_the_release()
    service.project()
    ids = [row["campaign"] for row in service.campaigns()]
    assert service.reading.statuses(ids) == [service.status(id) for id in ids] and len(ids) > 2
    assert of_the_release() == made
    service.rebuild()
    assert of_the_release() == made


def test_answers_of_a_program_that_knew_less_or_more_are_read():
    line = LineResult("PASS", "accepted", order="PASS")
    asked = Asked("impulse", "ottoman", "", {}, None, ["PASS"], ["PASS"], "", None)
    whole = Answer("winter", 1, "seat1", [line], asked=[asked], note="late").to_json()
    stored = json.loads(json.dumps(whole))
    assert Answer.from_json(stored) == Answer("winter", 1, "seat1", [line], asked=[asked], note="late")
    for part in (stored, stored["lines"][0], stored["asked"][0]):
        part["of_a_later_program"] = {"x": 1}
    assert Answer.from_json(stored) == Answer.from_json(whole)
    for name in ("queued", "note_values", "received_at"):
        del stored[name]
    del stored["lines"][0]["events"], stored["asked"][0]["context"], stored["asked"][0]["section"]
    assert Answer.from_json(stored) == Answer.from_json(whole)


def test_a_store_in_the_form_of_a_release_is_not_changed_by_being_refused(settings):
    def schema() -> list:
        with sqlite3.connect(settings.var / "pbem.sqlite") as db:
            return sorted(db.execute("SELECT name, sql FROM sqlite_master"), key=repr)

    before = schema()
    with pytest.raises(OtherForm):
        Service(settings)
    assert schema() == before
