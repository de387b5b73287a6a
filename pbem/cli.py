"""The command `pbem`. Every command is thin: it reads its arguments, calls a room, and prints what came."""

from __future__ import annotations

import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from pathlib import Path
from typing import Any

import click

from pbem import resources
from pbem.games import UnknownGame, find_game, game_ids
from pbem.table.kit import Kit, KitError, load_kit
from pbem.table.playout import Record, play_out, write_failure
from pbem.table.rehearse import BadCase, load_case, run_case

kit_of = cache(load_kit)


class _Game(click.ParamType):
    """The id of a game, with what there is for one that is not."""

    name = "game"

    def convert(self, value: str, param: Any, context: Any) -> str:
        try:
            find_game(value)
        except UnknownGame as error:
            self.fail(str(error), param, context)
        return value

    def shell_complete(self, context: Any, param: Any, incomplete: str) -> list[Any]:
        return [click.shell_completion.CompletionItem(id) for id in game_ids() if id.startswith(incomplete)]


GAME = _Game()


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="pbem")
def main() -> None:
    """Campaign games by mail: adjudicated, with dice that anyone can prove."""


# --- rules without a campaign ---


@main.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
def rehearse(files: tuple[Path, ...]) -> None:
    """Run case FILES: positions, orders and what should come of them. One line a case; status 1 when one fails."""
    failed = 0
    for path in files:
        try:
            verdict = run_case(load_case(path), find_game, kit_of)
        except (BadCase, UnknownGame) as error:
            failed += 1
            click.echo(f"FAIL {path.name}: {error}")
            continue
        if verdict.passed:
            click.echo(f"ok   {path.name}: {verdict.title}")
        else:
            failed += 1
            click.echo(f"FAIL {path.name}: {verdict.title}\n{verdict.text()}")
    click.echo(f"{len(files) - failed} passed, {failed} failed")
    if failed:
        raise SystemExit(1)


def _play_numbered(game: str, seats: int, seed: int, more: dict[str, Any], number: int) -> Record:
    return play_out(find_game(game), kit_of(game), number, seats, seed, **more)


@main.command()
@click.argument("game", type=GAME)
@click.option("--seats", type=int, required=True, help="Players at the table.")
@click.option("--games", type=click.IntRange(1), default=10, show_default=True, help="How many games to play.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed plays the same games.")
@click.option("--scenario", help="The scenario; as a rule the first of the kit.")
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="Processes to play in.")
@click.option("--fast", is_flag=True, help="Check nothing on the way, to measure the bare rules.")
@click.option("--failures", type=click.Path(file_okay=False, path_type=Path), default=Path("var/playouts"))
def playout(
    game: str, seats: int, games: int, seed: int, scenario: str | None, jobs: int, fast: bool, failures: Path
) -> None:
    """Play GAME at random to its end, again and again, and check every promise of the table on the way."""
    kit = kit_of(game)
    if not kit.seats["minimum"] <= seats <= kit.seats["maximum"]:
        raise click.BadParameter(f"{kit.name} is for {kit.seats['minimum']} to {kit.seats['maximum']} players")
    more = {"check": not fast, **({"scenario": scenario} if scenario else {})}
    play = partial(_play_numbered, game, seats, seed, more)
    orders: Counter[str] = Counter()
    told: Counter[str] = Counter()
    answers = failed = 0
    began = time.perf_counter()
    with ProcessPoolExecutor(jobs) as pool, click.progressbar(length=games, label=f"playing {game}") as bar:
        records = pool.map(play, range(games)) if jobs > 1 else map(play, range(games))
        for record in records:
            bar.update(1)
            orders.update(record.orders)
            told.update(record.told)
            answers += record.answers
            if record.failure:
                failed += 1
                path = write_failure(record, failures)
                click.echo(f"\nFAIL seed {record.seed}: {record.failure}\n     run again: pbem rehearse {path}")
    seconds = time.perf_counter() - began
    _print_coverage("orders accepted", orders, [kind.id() for kind in find_game(game).orders])
    _print_coverage("happenings", told, [])
    click.echo(
        f"{games - failed} passed, {failed} failed: {answers} answers in {seconds:.1f} s, "
        f"{games / seconds:.1f} games a second in {jobs} process{'es' if jobs > 1 else ''}"
    )
    if failed:
        raise SystemExit(1)


def _print_coverage(title: str, counts: Counter[str], known: list[str]) -> None:
    names = [*dict.fromkeys(known), *sorted(counts.keys() - set(known))]
    width = max((len(name) for name in names), default=0)
    click.echo(f"{title}:")
    for name in names:
        click.echo(f"  {name:<{width}} {counts[name]:>9}" + ("   never" if not counts[name] else ""))


@main.group()
def kit() -> None:
    """Look after the data of the games."""


@kit.command("check")
@click.argument("game", type=click.Choice(resources.kits()))
def kit_check(game: str) -> None:
    """Check the files of a kit, and list the values that are rebuilt: plausible, but not those that were published."""
    try:
        checked: Kit = load_kit(game)
    except KitError as error:
        for problem in error.problems:
            click.echo(str(problem))
        raise SystemExit(1) from error
    rebuilt = checked.rebuilt()
    for table, id, column, value in rebuilt:
        click.echo(f"rebuilt  {table}  {id}  {column} = {value}")
    rows = sum(len(table) for table in checked.tables.values())
    click.echo(f"{checked.name}: {rows} rows in {len(checked.tables)} tables are sound; {len(rebuilt)} are rebuilt")
    click.echo(f"hash {checked.hash}")
