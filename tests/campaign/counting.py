"""A game without end for tests that need many orders: the powers say numbers in turn, and dice are thrown.

Run as a program it is a process of its own that works on a campaign: ``python -m tests.campaign.counting '{json}'``.
"""

from __future__ import annotations

import functools
import json
import sys
import time
from datetime import datetime
from pathlib import Path
from typing import Any

from pbem import games
from pbem.campaign.clock import ManualClock
from pbem.campaign.service import Service
from pbem.campaign.settings import Settings
from pbem.campaign.submissions import Submission
from pbem.table.kit import Kit
from pbem.table.orders import Number, Order, Pass
from pbem.table.procedure import Procedure, Table
from pbem.table.questions import Question
from tests import toy

ROUND = 5
"""Numbers said in a step."""


class Say(Order):
    """Say a number."""

    line = "SAY {number}"
    number = Number(1, 6)


class Counting(toy.Toy):
    """The game room."""

    id = "counting"
    orders = (Say, Pass)

    def set_up(self, table: Table, scenario: str) -> None:
        table.set("said", 0)
        table.do({"fact": "sight", "name": "purse", "before": None, "after": "owner"})
        for power in table.board.powers:
            table.count("sum", power, 0)
            table.count("purse", power, 0)

    def next_step(self, table: Table) -> tuple[str, Procedure] | None:
        return "round", self.saying(table)

    def saying(self, table: Table) -> Procedure:
        for _ in range(ROUND):
            powers = table.board.powers
            power = powers[table.board.state["said"] % len(powers)]
            order = yield Question(power, "say", [Say, Pass], default=Pass())
            if isinstance(order, Say):
                dice = table.roll("luck", power, 2, section="1")
                table.count("sum", power, order.number, section="1")
                table.count("purse", power, sum(dice))
                table.tell("said", power=power, number=order.number)
            table.set("said", table.board.state["said"] + 1)

    def faults(self, table: Table) -> list[str]:
        return []

    def results(self, table: Table) -> list[dict[str, Any]]:
        return [
            {"power": p, "points": table.board.value("sum", p), "place": 1, "notes": []} for p in table.board.powers
        ]


GAME = Counting()
games.register(GAME)


@functools.cache
def kit() -> Kit:
    """The toy's kit under the name of this game."""
    record = json.loads(toy.kit().to_json())
    record["game"] = "counting"
    return Kit.from_json(json.dumps(record))


def begin(service: Service, seats: int = 3, **more: Any) -> tuple[str, list[str]]:
    """A running campaign and its tokens."""
    more.setdefault("policy", {"missed": "default"})  # silence is heard at once
    id = service.create("counting", seats, kit=kit(), **more)
    names = [f"seat{n + 1}" for n in range(seats)]
    tokens = [service.invite(id, name, name, f"{name}@example.net") for name in names]
    for name in names:
        service.accept(id, name)
    service.assign(id, dict(zip(names, ["red", "blue", "green", "black"], strict=False)))
    service.start(id)
    return id, tokens


def submission(campaign: str, tokens: list[str], n: int, at: datetime, name: str = "n") -> Submission:
    """The n-th order of a campaign, whose sender's turn it is."""
    line, id = f"SAY {n % 6 + 1}", f"<{name}{n}@example.net>"
    return Submission(campaign, [line], at, "mail", token=tokens[n % len(tokens)], message_id=id)


def main(task: dict[str, Any]) -> None:
    """Do a task in a process of its own."""
    clock = ManualClock(datetime.fromisoformat(task["now"]))
    store = {"store": task["store"], "schema": task["schema"]}
    service = Service(Settings(var=Path(task["var"]), domain="example.org", play_snapshot_every=20, **store), clock)
    print("ready", flush=True)
    match task["do"]:
        case "all":  # every order from the first on, each under its own Message-ID
            for n in range(task["orders"]):
                service.submit(submission(task["campaign"], task["tokens"], n, clock.now()))
                service.project()
        case "race":  # whatever is asked now, against another process that does the same
            sys.stdin.readline()
            for n in range(task["orders"]):
                said = service.view_at(task["campaign"]).state["said"]
                seat = said % len(task["tokens"])
                service.submit(
                    Submission(
                        task["campaign"],
                        [f"SAY {n % 6 + 1}"],
                        clock.now(),
                        "mail",
                        token=task["tokens"][seat],
                        message_id=f"<{task['name']}{n}@example.net>",
                    )
                )
                service.project()
        case "tick":
            sys.stdin.readline()
            for _ in range(task["orders"]):
                service.tick()
                time.sleep(0.01)
        case "look":
            print(
                json.dumps(
                    {
                        "view": service.view_at(task["campaign"], "seat1").to_json(),
                        "status": repr(service.status(task["campaign"])),
                        "upgrade": dict(service.check_upgrade()),
                    }
                ),
                flush=True,
            )
        case other:
            raise ValueError(other)
    service.close()


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
