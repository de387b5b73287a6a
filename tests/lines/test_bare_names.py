"""A bare name in answer to a question for one thing: where the rules do not allow it, their reason is told."""

from __future__ import annotations

import pytest

from pbem.campaign.clock import ManualClock
from pbem.campaign.service import Service
from pbem.campaign.settings import Settings
from tests.lines.test_lines import Campaign


@pytest.mark.parametrize("line", ["Erfurt", "Эрфурт", "обратить Эрфурт", "REFORM erfurt"])
def test_a_name_alone_is_refused_for_the_same_reason_as_the_whole_line(line, tmp_path):
    service = Service(Settings(var=tmp_path, domain="example.org"), ManualClock())
    campaign = Campaign(service, ManualClock(), {"seats": 6, "scenario": "1517"}, "here_i_stand")
    (result,) = campaign.send("protestant", line).lines
    assert (result.state, result.section) == ("refused", "18.3")
    assert "Erfurt has no reformer" in result.reason and result.hints[0].startswith("REFORM ")


def test_prose_that_begins_with_a_name_is_not_taken_for_it(tmp_path):
    service = Service(Settings(var=tmp_path, domain="example.org"), ManualClock())
    campaign = Campaign(service, ManualClock(), {"seats": 6, "scenario": "1517"}, "here_i_stand")
    for line in ("Magdeburg is lovely", "Not Magdeburg", "Magdeburg or Leipzig", "Magdeburg?"):
        assert [one.state for one in campaign.send("protestant", line).lines] == ["unreadable"], line
