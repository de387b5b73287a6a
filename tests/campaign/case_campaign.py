"""A campaign of the service in the position of a case (`pbem.rehearse`): its orders are sent as mails, its dice fall as
the case says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml

from pbem import rehearse
from pbem.campaign.acts import Act
from pbem.campaign.clock import ManualClock
from pbem.campaign.service import Service
from pbem.campaign.settings import Settings
from pbem.campaign.submissions import Answer, Submission
from pbem.games import find_game
from pbem.table.dice import CommittedThrows, ScriptedThrows, Thrown
from pbem.table.kit import load_kit

CASES = Path(__file__).parents[1] / "cases"


class CaseDice(CommittedThrows):
    """The throws of an event, proved as ever, that show what a case has written down as long as it has any."""

    script: ScriptedThrows

    def throw(self, number: int, sides: int, what: str) -> Thrown:
        """Throw with the next index."""
        thrown = super().throw(number, sides, what)
        return Thrown(thrown.index, self.script.throw(number, sides, what).dice) if self.script.left else thrown


class CaseCampaign:
    """A case being played through the one door of a service."""

    def __init__(self, service: Service, clock: ManualClock, case: Mapping[str, Any]):
        self.service, self.clock, self.case = service, clock, case
        game, kit = find_game(case["game"]), load_kit(case["game"])
        rehearsal = rehearse.Rehearsal(game, kit, {**case, "arrange": [], "dice": []})
        scenario = str(case.get("scenario", next(iter(kit.scenarios), "standard")))
        held = rehearsal._seats(scenario, case.get("options") or {})
        self.id = service.create(case["game"], len(held), scenario=scenario, options=case.get("options") or {})
        self.tokens: dict[str, str] = {}
        seating: dict[str, str] = {}
        for number, powers in enumerate(held, start=1):
            seat = f"seat{number}"
            self.tokens[seat] = service.invite(self.id, seat, seat, f"{seat}@example.net")
            service.accept(self.id, seat)
            seating[seat] = powers[0]
        self.players = {name: f"seat{n}" for n, name in enumerate(rehearsal.players, start=1)}
        service.assign(self.id, seating)
        service.start(self.id)

    def seat(self, name: str) -> str:
        """The seat of a player, or of a power, as a case names them."""
        held = self.service.status(self.id).seats
        return self.players.get(name) or next(seat for seat, one in held.items() if name in one["powers"])

    def send(self, name: str, *lines: str) -> Answer:
        """A mail of a player with some lines."""
        seat = self.seat(name)
        self.clock.advance(minutes=1)
        sent = Submission(self.id, list(lines), self.clock.now(), channel="mail", token=self.tokens[seat])
        return self.service.submit(sent)


@contextmanager
def campaign_of(case: Mapping[str, Any], folder: Path) -> Iterator[CaseCampaign]:
    """A campaign that begins as a case does."""
    clock = ManualClock()
    service = Service(Settings(var=folder, domain="example.org"), clock)
    script, game = ScriptedThrows(case.get("dice") or []), find_game(case["game"])
    begun, throws = game.set_up, Act.throws

    def set_up(table: Any, scenario: str) -> None:
        begun(table, scenario)
        for entry in case.get("arrange") or []:
            for name, value in entry.items():
                rehearse.arrange(game, table, name, value)

    def scripted(act: Act, text: str) -> CaseDice:
        real = throws(act, text)
        dice = CaseDice(real.tree, real.start, real.text)
        dice.script = script
        return dice

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(game, "set_up", set_up, raising=False)
        patch.setattr(Act, "throws", scripted)
        yield CaseCampaign(service, clock, case)
    service.close()


def cases_in(game: str, file: str) -> list[dict[str, Any]]:
    """The cases of a file."""
    read = list(yaml.safe_load_all((CASES / game / file).read_text()))
    return read[0] if len(read) == 1 and isinstance(read[0], list) else read
