"""How a campaign begins to be: the event that comes before everything else."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from pbem.campaign import ledger
from pbem.campaign.acts import Act, Archive
from pbem.campaign.campaign import Campaign, Created
from pbem.campaign.clock import stamp
from pbem.campaign.live import Live
from pbem.table.kit import Kit


def found(
    archive: Archive,
    kit: Kit,
    now: datetime,
    *,
    campaign: str,
    title: str,
    scenario: str,
    options: dict[str, Any],
    policy: dict[str, Any],
    seats: Sequence[str],
    secret: bytes,
) -> Act:
    """A new campaign, not yet saved: its first event commits to the dice before anything else happens."""
    tree = archive.dice.first_tree(secret)
    commitment = tree.commitment()
    public = {
        "at": stamp(now), "campaign": campaign, "game": kit.game, "title": title, "scenario": scenario,
        "options": options, "policy": policy, "kit": kit.hash, "seats": list(seats), "dice": commitment,
    }  # fmt: skip
    link = ledger.seal(1, "created", ledger.FIRST_PREVIOUS, ledger.event_parts(list(seats), public))
    blank = {"powers": [], "accepted": False, "generation": 1, "extensions": 0, "missed": None}
    change = {
        "title": title, "game": kit.game, "scenario": scenario, "options": options, "policy": policy,
        "kit": kit.hash, "seats": {seat: dict(blank) for seat in seats}, "trees": [commitment],
    }  # fmt: skip
    event = Created(campaign, 1, now, link.to_json(), change)
    live = Live(Campaign.create(campaign, event), kit)
    live.trees[0] = tree
    act = Act(live, now, archive)
    act.beside += archive.dice.keep_secret(campaign, secret, tree)
    return act
