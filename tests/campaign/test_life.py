from __future__ import annotations

from pbem.campaign import verify
from pbem.table import sight


def test_a_campaign_from_creation_to_its_end(desk, service, tmp_path):
    table = desk().start()
    assert service.status(table.id).kind == "negotiation"
    table.play_out()
    status = service.status(table.id)
    assert status.state == "finished"
    for reader in (None, "seat1"):
        file = tmp_path / f"{reader}.jsonl"
        service.export(table.id, reader, file)
        report = verify.verify(file.open("rb"), [status.head])
        assert report.secret_opened and report.throws and report.opened > 10
