"""A line below NEXT whose words fit several orders: it is answered, not set aside."""

from __future__ import annotations

import pytest

from pbem.campaign.clock import ManualClock
from pbem.campaign.service import Service
from pbem.campaign.settings import Settings
from pbem.campaign.submissions import Submission


@pytest.mark.parametrize("line", ["MARCH madrid", "PLAY 59 91 CP", "REINFORCE WAR WITH 23"])
def test_a_line_below_next_that_cannot_be_told_yet_is_answered(tmp_path, line):
    clock = ManualClock()
    service = Service(Settings(var=tmp_path, domain="example.org"), clock)
    campaign = service.create("virgin_queen", 2)
    tokens = {seat: service.invite(campaign, seat, seat, f"{seat}@example.net") for seat in ("seat1", "seat2")}
    for seat in tokens:
        service.accept(campaign, seat)
    service.assign(campaign)
    service.start(campaign)
    for seat, token in tokens.items():
        answer = service.submit(Submission(campaign, ["NEXT", line], clock.now(), token=token, message_id=f"<{seat}>"))
        assert not answer.note or "failed" not in answer.note
        assert [one.state for one in answer.lines][-1] in ("refused", "unreadable")
    service.close()
