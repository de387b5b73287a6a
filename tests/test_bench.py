"""The benchmarks: that what they measure is the service, with campaigns that can be played on."""

from __future__ import annotations

from pathlib import Path

from pbem.bench import Workbench


def test_copies_of_campaigns_are_played_like_those_that_were_founded(tmp_path: Path) -> None:
    table = Workbench(tmp_path)
    campaign = table.found("first")
    for _ in table.play(campaign, 3):
        pass
    copies = table.copies([campaign], 2)
    before = table.service.status(campaign)
    for copy in copies:
        status = table.service.status(copy)
        assert (status.event, status.waiting_for) == (before.event, before.waiting_for)
        assert len(list(table.play(copy, 2))) == 2
        assert table.service.campaigns([copy])[0]["event"] == table.service.status(copy).event == before.event + 2
    assert table.service.status(campaign) == before
    table.close()
