"""The demonstration from the invitations to the last bundle, over real SMTP, an hour of play in a second."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import select

from pbem.campaign.settings import load_settings
from pbem.demo import Demonstration, verify_all


def test_a_demonstration_is_played_to_its_end_and_every_bundle_verifies(tmp_path: Path) -> None:
    settings = replace(load_settings({}), var=tmp_path, listen_port=0, web_port=0, clock_seconds=1)
    with Demonstration(settings, seats=2, speed=3600, you=False, pictures=False) as show:
        show.running.web()
        show.begin()
        assert show.play_to_end(300)
        service = show.running.service
        assert service.status(show.campaign).state == "finished"
        assert "extended" not in {event["kind"] for event in service.events(show.campaign)}  # nothing was down
        found = list(verify_all(service, show.campaign, tmp_path))
        assert len(found) == 3 and all(verified for _, verified, _ in found), found
        with service.store.read() as connection:
            assert connection.execute(select(service.store.tables.gaps)).all() == []


@pytest.mark.parametrize(("speed", "minutes"), [(1, 5), (0.5, 5), (60, 300), (3600, 18_000)])
def test_an_outage_is_measured_by_the_clock_on_the_wall(tmp_path: Path, speed: float, minutes: int) -> None:
    with Demonstration(replace(load_settings({}), var=tmp_path, listen_port=0), seats=2, speed=speed) as show:
        assert show.running.service.settings.clock_outage_minutes == minutes
