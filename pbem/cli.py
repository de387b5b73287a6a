"""The command `pbem`. Every command is thin: it reads its arguments, calls a room, and prints what came."""

from __future__ import annotations

import errno
import json
import logging
import socket
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from functools import cache, partial
from pathlib import Path
from typing import Any

import click
from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from pbem import resources
from pbem.campaign import verify as verifier
from pbem.campaign.changes import described
from pbem.campaign.migrations import FORM
from pbem.campaign.moderators import Moderator, Moderators
from pbem.campaign.people import known_as
from pbem.campaign.readmodels import Projection
from pbem.campaign.service import NoCampaign, NotNow, Service
from pbem.campaign.settings import Settings, load_settings
from pbem.campaign.store import Store, is_store_fault
from pbem.campaign.vault import without_tokens
from pbem.games import UnknownGame, find_game, game_ids
from pbem.rehearse import BadCase, load_case, run_case
from pbem.rehearse import words as case_words
from pbem.render.language import languages
from pbem.render.narrative import PhraseError, check_phrases, narrate
from pbem.service_playout import ServiceRecord, play_through, write_acts
from pbem.table.kit import Kit, KitError, load_kit
from pbem.table.pace import Pace, Replies, medians, shares, simulate
from pbem.table.playout import Record, play_out, write_failure
from pbem.words import check as check_words
from pbem.words import families

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


@main.command(short_help="Run case files: positions, orders, what should come.")
@click.argument("files", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("-v", "--verbose", is_flag=True, help="Print what every order brought (the facts), and what was asked.")
@click.option("--words", type=GAME, metavar="GAME", help="List the words that cases of a game may use, and stop.")
def rehearse(files: tuple[Path, ...], verbose: bool, words: str | None) -> None:
    """Run case FILES: positions, orders and what should come of them. One line a case; status 1 when one fails."""
    if words:
        _print_words(words)
        return
    if not files:
        raise click.UsageError("name a case file, or --words GAME")
    failed = 0
    for path in files:
        try:
            verdict = run_case(load_case(path), find_game, kit_of)
        except (BadCase, UnknownGame) as error:
            failed += 1
            click.echo(f"FAIL {path.name}: {error}")
            continue
        if not verdict.passed:
            failed += 1
        click.echo(f"{'ok  ' if verdict.passed else 'FAIL'} {path.name}: {verdict.title}")
        if verbose and verdict.story:
            click.echo("\n".join(verdict.story))
        if not verdict.passed:
            click.echo(verdict.text())
    click.echo(f"{len(files) - failed} passed, {failed} failed")
    if failed:
        raise SystemExit(1)


def _print_words(game: str) -> None:
    words = case_words(find_game(game), kit_of(game))
    happenings = (phrase.partition(" ") for phrase in check_phrases(game, "en"))
    words["happenings"] = sorted(key for section, _, key in happenings if section == "happened")
    words["orders"] = [kind.usage() for kind in find_game(game).orders]
    for section, known in words.items():
        separator = "\n" if section == "orders" else ", "
        text = separator.join(known)
        click.echo(f"{section}\n{click.wrap_text(text, 110, '  ', '  ') if separator == ', ' else text}\n")


def _play_through_numbered(game: str, seats: int, seed: int, more: dict[str, Any], number: int) -> Record:
    return play_through(game, kit_of(game), number, seats, seed, **more)


def _play_numbered(game: str, seats: int, seed: int, more: dict[str, Any], number: int) -> Record:
    return play_out(find_game(game), kit_of(game), number, seats, seed, **more)


@main.command(short_help="Play a game at random, and check every promise.")
@click.argument("game", type=GAME)
@click.option("--seats", type=int, required=True, help="Players at the table.")
@click.option("--games", type=click.IntRange(1), default=10, show_default=True, help="How many games to play.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed plays the same games.")
@click.option("--scenario", help="The scenario; as a rule the first of the kit.")
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="Processes to play in.")
@click.option("--fast", is_flag=True, help="Check nothing on the way, to measure the bare rules.")
@click.option("--failures", type=click.Path(file_okay=False, path_type=Path), default=Path("var/playouts"))
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="A choice of the kit; may be repeated.")
@click.option("--pace", is_flag=True, help="Count mail round trips and days under simulated reply times instead.")
@click.option("--slow", type=click.IntRange(0), help="With --pace: how many players are slow; as a rule a third.")
@click.option("--service", "whole", is_flag=True, help="Play whole campaigns through the service, as players do.")
@click.option("--limit", type=click.IntRange(1), help="With --service: end a campaign after so many answers.")
def playout(
    game: str, seats: int, games: int, seed: int, scenario: str | None, jobs: int, fast: bool, failures: Path,
    options: tuple[str, ...], pace: bool, slow: int | None, whole: bool, limit: int | None,
) -> None:  # fmt: skip
    """Play GAME at random to its end, again and again, and check every promise of the table on the way.

    With --service each game is a campaign: founded, powers drawn, orders sent as lines, by mail or as from a page, some
    deadlines missed, with another process taking over now and then, and what every seat sees is checked.
    """
    if limit is not None and not whole:
        raise click.UsageError("--limit goes with --service")
    if slow is not None and not pace:
        raise click.UsageError("--slow goes with --pace")
    if whole and (fast or pace):
        raise click.UsageError("--service does not go with --fast or --pace")
    kit = kit_of(game)
    if not kit.seats["minimum"] <= seats <= kit.seats["maximum"]:
        raise click.BadParameter(f"{kit.name} is for {kit.seats['minimum']} to {kit.seats['maximum']} players")
    chosen = _chosen(kit, scenario, options)
    if pace:
        if slow is not None:
            chosen["replies"] = Replies(slow=min(slow, seats) / seats)
        _pace(game, seats, games, seed, jobs, chosen)
        return
    if whole:
        play = partial(_play_through_numbered, game, seats, seed, {"limit": limit, **chosen})
    else:
        play = partial(_play_numbered, game, seats, seed, {"check": not fast, **chosen})
    orders: Counter[str] = Counter()
    told: Counter[str] = Counter()
    cards: Counter[str] = Counter()
    uses: Counter[tuple[str, str]] = Counter()
    answers = failed = 0
    began = time.perf_counter()
    with ProcessPoolExecutor(jobs) as pool, click.progressbar(length=games, label=f"playing {game}") as bar:
        records = pool.map(play, range(games)) if jobs > 1 else map(play, range(games))
        for record in records:
            bar.update(1)
            orders.update(record.orders)
            told.update(record.told)
            cards.update(record.cards)
            uses.update(record.uses)
            answers += record.answers
            if record.failure:
                failed += 1
                if isinstance(record, ServiceRecord):
                    again = f"the way to it: {write_acts(record, failures)}"
                else:
                    again = f"run again: pbem rehearse {write_failure(record, failures)}"
                click.echo(f"\nFAIL seed {record.seed}: {record.failure}\n     {again}")
    seconds = time.perf_counter() - began
    _print_coverage("orders accepted", orders, [kind.id() for kind in find_game(game).orders])
    _print_coverage("happenings", told, [])
    if find_game(game).card_uses:
        _print_uses(uses, find_game(game).card_uses, list(kit.tables["cards"]))
    elif "cards" in kit.tables:
        _print_coverage("cards played as events or responses", cards, list(kit.tables["cards"]))
    click.echo(
        f"{games - failed} passed, {failed} failed: {answers} answers in {seconds:.1f} s, "
        f"{games / seconds:.1f} games a second in {jobs} process{'es' if jobs > 1 else ''}"
    )
    if failed:
        raise SystemExit(1)


def _chosen(kit: Kit, scenario: str | None, options: tuple[str, ...]) -> dict[str, Any]:
    """Scenario and options as play-outs take them; raises `click.BadParameter` for what the kit does not have."""
    chosen: dict[str, Any] = {"options": _pairs(options)}
    try:
        kit.settings(chosen["options"])
    except ValueError as error:
        raise click.BadParameter(str(error)) from error
    if scenario is not None and scenario not in kit.scenarios:
        raise click.BadParameter(f"there is no scenario {scenario}; there are {', '.join(kit.scenarios)}")
    return {**chosen, **({"scenario": scenario} if scenario else {})}


def _simulate_numbered(game: str, seats: int, seed: int, more: dict[str, Any], number: int) -> Pace:
    return simulate(find_game(game), kit_of(game), number, seats, seed, **more)


_PACES: dict[str, dict[str, Any]] = {
    "without standing orders": {},
    "with the sensible ready-made ones": {"standing": True},
    "and half of the programs sent ahead (NEXT)": {"standing": True, "foreseen": 0.5},
}


def _pace(game: str, seats: int, games: int, seed: int, jobs: int, chosen: dict[str, Any]) -> None:
    """Print round trips and days a turn, without and with what saves them."""
    records_of: dict[str, list[Pace]] = {}
    bar = click.progressbar(length=len(_PACES) * games, label=f"pace of {game}")
    with ProcessPoolExecutor(jobs) as pool, bar:
        for title, habits in _PACES.items():
            run = partial(_simulate_numbered, game, seats, seed, {**chosen, **habits})
            records_of[title] = []
            for record in pool.map(run, range(games)) if jobs > 1 else map(run, range(games)):
                records_of[title].append(record)
                bar.update(1)
    for title, records in records_of.items():
        click.echo(f"{title}:")
        click.echo("  medians of a turn             games  round trips     days")
        for turn in medians(records):
            click.echo(f"  {turn.number:>4}{turn.games:>31}  {turn.trips:>11.0f}  {turn.days:>7.1f}")
        click.echo("  what a turn waits for         round trips     days, on the average")
        for kind, trips, days in shares(records)[:12]:
            click.echo(f"  {kind:<28}  {trips:>11.1f}  {days:>7.1f}")
    for failure in dict.fromkeys(r.failure for records in records_of.values() for r in records if r.failure):
        click.echo(f"a game broke off; its turns before that are counted: {failure}")


def _print_coverage(title: str, counts: Counter[str], known: list[str]) -> None:
    names = [*dict.fromkeys(known), *sorted(counts.keys() - set(known))]
    width = max((len(name) for name in names), default=0)
    click.echo(f"{title}:")
    for name in names:
        click.echo(f"  {name:<{width}} {counts[name]:>9}" + ("   never" if not counts[name] else ""))


def _print_uses(counts: Counter[tuple[str, str]], uses: Sequence[str], cards: list[str]) -> None:
    """How often each card was used in each way: a row for each card, "-" where it never was."""
    click.echo("uses of cards:")
    click.echo("  " + " " * 6 + "".join(f"{use:>9}" for use in uses))
    for card in cards:
        click.echo(f"  {card:<6}" + "".join(f"{counts[use, card] or '-':>9}" for use in uses))


@main.group()
def kit() -> None:
    """Look after the data of the games."""


@kit.command("check", short_help="Check a kit, and list the values that are rebuilt.")
@click.argument("game", type=click.Choice(resources.kits()))
def kit_check(game: str) -> None:
    """Check the files of a kit and its phrases, and list what is rebuilt: plausible, but not as it was published."""
    try:
        checked: Kit = load_kit(game)
    except KitError as error:
        for problem in error.problems:
            click.echo(str(problem))
        raise SystemExit(1) from error
    try:
        for code in languages():
            check_phrases(game, code)
    except PhraseError as error:
        click.echo(str(error))
        raise SystemExit(1) from error
    rebuilt = checked.rebuilt()
    for table, id, column, value in rebuilt:
        click.echo(f"rebuilt  {table}  {id}  {column} = {value}")
    rows = sum(len(table) for table in checked.tables.values())
    click.echo(f"{checked.name}: {rows} rows in {len(checked.tables)} tables are sound; {len(rebuilt)} are rebuilt")
    click.echo(f"hash {checked.hash}")


@main.group()
def words() -> None:
    """Look after the sentences of the games, in all languages."""


@words.command("check", short_help="Check the sentences of refusals and kits, and count what is not translated.")
@click.argument("game", required=False, type=GAME)
def words_check(game: str | None) -> None:
    """Check that each refusal which the rules of GAME can raise has an English phrase with the values that it is given,
    that each phrase is used, and that the other languages ask for no other values; that the options of the kit and what
    its tables give to read (such as the effects of cards) are told in each language; without GAME those of all games
    and of the table. What else is not translated is counted, and no fault: it is told in English.
    """
    faults = 0
    for name in [game] if game else [None, *families(), *game_ids()]:
        title = name or "every game"
        try:
            checked = check_words(name)
        except PhraseError as error:
            faults += 1
            click.echo(f"{title}: {error}")
            continue
        faults += len(checked.problems)
        for problem in checked.problems:
            click.echo(f"{title}: {problem}")
        for language, lacks in checked.missing.items():
            told = ", ".join(f"{number} [{section}]" for section, number in lacks.items()) or "nothing"
            click.echo(f"{title}: not translated ({language}): {told}")
    if faults:
        raise SystemExit(1)


# --- the service ---


@contextmanager
def _service() -> Iterator[Service]:
    """The service of the settings, for one command; what it cannot do is told in a line."""
    with _in_a_line():
        service = Service(_settings())
    try:
        with _in_a_line():
            yield service
    except NoCampaign as error:
        known = ", ".join(row["campaign"] for row in service.campaigns()[:20]) or "none yet"
        raise click.ClickException(f"{error}; there are: {known}") from error
    except (NotNow, ValueError, LookupError) as error:
        raise click.ClickException(str(error)) from error
    finally:
        service.close()


@contextmanager
def _in_a_line() -> Iterator[None]:
    """What stands in the way of a start or a command, as people can mend it: settings, files, ports, the store."""
    try:
        yield
    except (NoCampaign, NotNow, click.ClickException):
        raise
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        raise click.ClickException(f"{where}{error.strerror or error}") from error
    except (ValueError, OverflowError) as error:
        raise click.ClickException(str(error)) from error
    except Exception as error:
        if not is_store_fault(error) and not isinstance(error, ArgumentError):
            raise
        reason = " ".join(str(getattr(error, "orig", None) or error).split())
        store = load_settings().database_url
        raise click.ClickException(f"the store {_without_password(store)} cannot be used: {reason}") from error


def _without_password(store: str) -> str:
    try:
        return make_url(store).render_as_string(hide_password=True)
    except ArgumentError:
        return "of the settings"


def _settings() -> Settings:
    with _in_a_line():
        return load_settings()


class _NoTokens(logging.Formatter):
    """A traceback may quote the mail or the statement that it came of; no token stands in what is logged."""

    def format(self, record: logging.LogRecord) -> str:
        return str(without_tokens(super().format(record)))


def _log() -> None:
    handler = logging.StreamHandler()
    handler.setFormatter(_NoTokens("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.INFO, handlers=[handler])
    logging.getLogger("alembic").setLevel(logging.WARNING)  # that a new store gets its tables is no news
    logging.getLogger("apscheduler").setLevel(logging.ERROR)  # that a tick took longer than a second, neither


_NO_NAME = (socket.EAI_NONAME, socket.EAI_AGAIN, socket.EAI_FAIL)
"""What a resolver says of a host that it does not know."""


def _listening(what: str, part: str, settings: Settings, start: Callable[[], Any]) -> Any:
    """Start what listens at the address of a part of the settings; where that cannot be had, say so in a line."""
    try:
        return start()
    except OSError as error:
        if error.errno not in (errno.EADDRINUSE, errno.EADDRNOTAVAIL, errno.EACCES, *_NO_NAME):
            raise
        host, port = getattr(settings, f"{part}_host"), getattr(settings, f"{part}_port")
        raise click.ClickException(
            f"the {what} cannot be at {host} port {port}: {error.strerror}. "
            f"Another port is chosen by PBEM_{part.upper()}_PORT"
        ) from error


def _run(*parts: str) -> None:
    """Run these parts of the service until a signal comes."""
    from pbem.running import Running  # the commands above need neither Flask nor a mail server

    _log()
    with _in_a_line():
        made = Running(_settings())
    with made as running, _in_a_line():
        listening = partial(_listening, settings=running.settings)
        if "mail" in parts:
            room = listening("way in for mail", "listen", start=running.mail)
            click.echo(f"mail is taken in at {running.settings.listen_host} port {room.listener.port}")  # type: ignore[union-attr]
        if "listener" in parts:
            room = listening("way in for mail", "listen", start=running.listener)
            click.echo(f"mail is taken in at {running.settings.listen_host} port {room.listener.port}")  # type: ignore[union-attr]
        if "worker" in parts:
            running.worker()
            click.echo("the clock ticks and mail goes out")
        if "clock" in parts:
            running.clock()
        if "web" in parts:
            click.echo(f"the pages are at {listening('pages', 'web', start=running.web)}")
        running.wait()


@main.command(short_help="Run everything in one process.")
def serve() -> None:
    """Run everything in one process: pages, clock, mail in and out."""
    _run("mail", "clock", "web")


@main.command()
def web() -> None:
    """Run the pages only."""
    _run("web")


@main.command()
def worker() -> None:
    """Run the clock, the outbox and the IMAP poller only."""
    _run("worker")


@main.command()
def smtp() -> None:
    """Run the SMTP (or LMTP) listener only."""
    _run("listener")


@main.command(short_help="Play a demonstration: one seat is yours.")
@click.option("--game", type=GAME, default="struggle_of_empires", show_default=True)
@click.option("--seats", type=int, default=5, show_default=True)
@click.option("--scenario", help="The scenario; as a rule the first of the kit.")
@click.option("--speed", type=float, default=60.0, show_default=True, help="How much faster than yours its clock runs.")
@click.option("--seed", type=int, default=1, show_default=True, help="Of the other players' taste.")
@click.option("--auto", is_flag=True, help="No seat for you: play to the end, verify every bundle, and stop.")
@click.option("--var", type=click.Path(file_okay=False, path_type=Path), help="By default a new folder demo/… in var.")
def demo(
    game: str, seats: int, scenario: str | None, speed: float, seed: int, auto: bool, var: Path | None
) -> None:  # fmt: skip
    """Play a demonstration campaign: one seat is yours, the others write mails. It prints where its pages are."""
    from pbem.demo import Demonstration

    _log()
    logging.getLogger().setLevel(logging.WARNING)
    settings = _settings()
    var = var or settings.var / "demo" / time.strftime("%Y%m%d-%H%M%S")
    settings = replace(settings, var=var, store="sqlite", clock_seconds=1)
    if auto:
        settings = replace(settings, listen_port=0)  # nobody needs to know it
    _chosen(kit_of(game), scenario, ())
    with Demonstration(
        settings, game=game, seats=seats, scenario=scenario, speed=speed, seed=seed, you=not auto
    ) as show:  # fmt: skip
        address = _listening("pages", "web", settings, show.running.web)
        _listening("way in for mail", "listen", settings, show.begin)
        click.echo(f"campaign {show.campaign}; everybody may look at {address}/c/{show.campaign}")
        if not auto:
            click.echo(f"your seat: {show.link(address)}")
            click.echo(f"your mails: {var}/maildir")
            click.echo(f"your answers: on the page; or by mail, to the Reply-To of any of these mails, sent by SMTP to "
                       f"{settings.listen_host} port {show.port}")  # fmt: skip
            click.echo("Ctrl-C ends the demonstration")
            show.running.wait()
            return
        began = time.perf_counter()
        with click.progressbar(length=_usual_events(game, seats, scenario), label="events") as bar:
            done = show.play_to_end(3600 * 3, lambda event: bar.update(max(0, event - bar.pos)))
        if not done:
            raise click.ClickException("the campaign did not come to its end")
        status = show.running.service.status(show.campaign)
        click.echo(
            f"finished: {status.event} events, {show.office.delivered} mails delivered, "
            f"{sum(player.sent for player in show.players)} sent, {time.perf_counter() - began:.0f} s"
        )
        _verify_all(show.running.service, show.campaign, var)


def _usual_events(game: str, seats: int, scenario: str | None) -> int:
    """About how many events a random game has, for the progress bar."""
    record = play_out(find_game(game), kit_of(game), 0, seats, 1, check=False, scenario=scenario)
    return int(record.answers * 1.1)


def _verify_all(service: Service, campaign: str, folder: Path) -> None:
    """Export the bundle of every reader, and verify each with the copied-out verifier."""
    from pbem.demo import verify_all

    for file, verified, last in verify_all(service, campaign, folder):
        click.echo(f"{file.name}: {'verified' if verified else 'NOT VERIFIED'} {last}")
        if not verified:
            raise SystemExit(1)


@main.command(short_help="Measure the service beside this machine's limits.")
@click.argument("which", nargs=-1)
@click.option("--scale", type=int, default=1000, show_default=True, help="Campaigns; ten times as many orders in one.")
def bench(which: tuple[str, ...], scale: int) -> None:
    """Measure the service beside the limits of this machine.

    WHICH of: machine orders long playouts mail readers report here_i_stand.
    """
    from pbem import bench as benchmarks

    unknown = set(which) - benchmarks.ALL.keys()
    if unknown:
        raise click.BadParameter(f"there is no {', '.join(sorted(unknown))}; there are {', '.join(benchmarks.ALL)}")
    done = benchmarks.run(list(which) or list(benchmarks.ALL), scale, lambda text: click.echo(text, err=True))
    width = max(len(what) for what, _, _ in done.rows)
    for what, measured, wanted in done.rows:
        click.echo(f"{what:<{width}}  {measured}" + (f"  (wanted: {wanted})" if wanted else ""))


# --- campaigns ---


def _only_number_of_seats(game: str) -> int:
    """The number of players that a game is for, where it is one alone; else it has to be said."""
    kit = kit_of(game)
    least, most = kit.seats["minimum"], kit.seats["maximum"]
    if least != most:
        raise click.UsageError(f"{kit.name} is for {least} to {most} players: say for how many by --seats")
    return least


@main.command()
@click.argument("game", type=GAME)
@click.option("--seats", type=int, help="Players; not needed where the game is for one number of them alone.")
@click.option("--title")
@click.option("--campaign", help="Its id, in small letters; by default one is made.")
@click.option("--scenario")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="A choice of the kit; may be repeated.")
@click.option("--policy", multiple=True, metavar="NAME=VALUE", help="missed=grace, times={\"auction\": 48}, ...")
@click.option("--invite", "invited", multiple=True, metavar="ADDRESS", help="Players, in the order of the seats.")
@click.option("--moderator", "runner", metavar="NAME_OR_ADDRESS", help="Who runs it; by default the only account.")
def new(
    game: str, seats: int | None, title: str | None, campaign: str | None, scenario: str | None,
    options: tuple[str, ...], policy: tuple[str, ...], invited: tuple[str, ...], runner: str | None,
) -> None:  # fmt: skip
    """Found a campaign of GAME, and invite its players."""
    from pbem.mail.compose import BadAddress, check_address

    seats = seats or _only_number_of_seats(game)
    if len(invited) > seats:
        raise click.ClickException(f"there are {seats} seats, and {len(invited)} addresses")
    try:
        for address in invited:
            check_address(address)
            if [known_as(one) for one in invited].count(known_as(address)) > 1:
                raise click.BadParameter(f"{address} stands there twice: nobody holds two seats of a campaign",
                                         param_hint="--invite")  # fmt: skip
    except BadAddress as error:
        raise click.BadParameter(f"{address}: {error}", param_hint="--invite") from error
    with _service() as service:
        moderators = Moderators(service.store)
        known = moderators.all()
        runs = moderators.named(runner) if runner is not None else known[0] if len(known) == 1 else None
        created = service.create(
            game, seats, campaign=campaign, title=title, scenario=scenario, options=_pairs(options),
            policy=_pairs(policy),
        )  # fmt: skip
        if runs is not None:
            moderators.take(created, runs.name)
        click.echo(f"campaign {created}")
        click.echo(_who_runs(runs, known))
        for seat, address in zip(service.status(created).seats, invited, strict=False):
            service.invite(created, seat, address.partition("@")[0], address)
            click.echo(f"{seat}: {address} is invited")
        service.project()
        kit = service.kit_of(created)
        if kit.status != "complete":
            click.secho(f"warning: {kit.name} is {kit.status}: its rules and values may still be wrong in places, and "
                        "be corrected while this campaign runs", fg="yellow", err=True)  # fmt: skip
        rebuilt = len(kit.rebuilt())
        if rebuilt:
            click.echo(f"{rebuilt} values of this kit are rebuilt, not the published ones: pbem kit check {game}")


def _who_runs(runs: Moderator | None, known: list[Moderator]) -> str:
    """Who sees a new campaign on the desk, in a line."""
    if runs is not None:
        return f"{runs.name} runs it, at the desk"
    if not known:
        return "nobody can run it at the desk yet: pbem moderator add NAME --admin makes an account that sees all"
    admins = ", ".join(one.name for one in known if one.admin) or "there is none yet"
    return f"no moderator was named, so only admins see it at the desk: {admins}; --moderator names one"


def _pairs(given: tuple[str, ...]) -> dict[str, Any]:
    """NAME=VALUE; a value that is JSON is read as such (7, true, a list), another is a text."""
    pairs: dict[str, Any] = {}
    for item in given:
        name, equals, value = item.partition("=")
        if not equals:
            raise click.BadParameter(f"“{item}” should be NAME=VALUE")
        try:
            pairs[name] = json.loads(value)
        except json.JSONDecodeError:
            pairs[name] = value
    return pairs


@main.command("list")
def list_campaigns() -> None:
    """List the campaigns: who is waited for, and since when."""
    with _service() as service:
        service.project()
        rows = service.campaigns()
        if not rows:
            click.echo(f"there is no campaign in {service.store.url.render_as_string(hide_password=True)}")
        wide = {name: max((len(row[name]) for row in rows), default=0) for name in ("campaign", "game", "state")}
        for row in rows:
            waiting = ", ".join(row["waiting_for"]) or "nobody"
            if row["state"] == "inviting":
                seats = service.status(row["campaign"]).seats
                missing = [seat for seat, seating in seats.items() if not seating["accepted"]]
                waiting = ", ".join(missing) or "its beginning"
            since = f" since {row['waited_since'][:16]}" if row.get("waited_since") else ""
            cells = "  ".join(f"{row[name]:<{most}}" for name, most in wide.items())
            click.echo(f"{cells}  waits for {waiting}{since}")


@main.command(short_help="Show the board of a campaign and its last events.")
@click.argument("campaign")
@click.option("--event", type=int, help="The board after this event; by default now.")
@click.option("--last", type=int, default=10, show_default=True, help="How many of the last events to tell.")
def show(campaign: str, event: int | None, last: int) -> None:
    """Show the board of a CAMPAIGN as everybody may see it, and its last events."""
    from pbem.render.board_text import board_text

    with _service() as service:
        status = service.status(campaign)
        kit = service.kit_of(campaign)
        click.echo(f"{status.title}: {status.game}, {status.state}, event {status.event}, head {status.head}")
        click.echo(f"waits for {', '.join(status.waiting_for) or 'nobody'}, until {status.deadline or '-'}\n")
        if status.state != "inviting":
            click.echo(board_text(service.view_at(campaign, None, event).to_json(), kit))
        stop = event or status.event
        for told in service.events(campaign, None, max(1, stop - last + 1), stop):
            click.echo(f"\n{told['number']} {told['kind']} {told['at'][:16]}")
            for paragraph in narrate(told["facts"], kit):
                click.echo(f"  {paragraph.text}")


@main.command(short_help="Write the bundle of a campaign into a file.")
@click.argument("campaign")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--seat", help="For the reader of this seat; by default for everybody.")
def export(campaign: str, file: Path, seat: str | None) -> None:
    """Write what a reader may see of a CAMPAIGN into FILE, a bundle that `pbem verify` checks."""
    with _service() as service:
        digest = service.export(campaign, seat, file)
        status = service.status(campaign)
    click.echo(f"{file}: digest {digest}")
    click.echo(f"head {status.head}@{status.event}")


@main.command(context_settings={"ignore_unknown_options": True}, add_help_option=False, short_help="Check a bundle.")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def verify(arguments: tuple[str, ...]) -> None:
    """Check a bundle: `pbem verify FILE [--head HASH[@NUMBER]] [--mail FILE_OR_FOLDER]`."""
    raise SystemExit(verifier.main(list(arguments)))


@main.command(short_help="Tell everything about one throw.")
@click.argument("campaign")
@click.option("--roll", type=int, required=True, help="The number of the throw, as the reports give it.")
@click.option("--tree", type=int, default=0, show_default=True, help="Of which tree of dice.")
@click.option("--seat", help="As this seat may read it; by default as everybody may.")
def audit(campaign: str, roll: int, tree: int, seat: str | None) -> None:
    """Tell everything about one throw: the order, the dice, their proof, and the boards around it."""
    from pbem.render.board_text import board_text

    with _service() as service:
        thrown = service.audit(campaign, roll, tree, seat)
        kit = service.kit_of(campaign)
    click.echo(f"throw {roll} of tree {tree}: event {thrown['event']} ({thrown['kind']}) at {thrown['at']}")
    cause = thrown["cause"]
    click.echo(f"order as received: {cause['text'] if cause else 'not open to this reader'}")
    click.echo(f"thrown: {json.dumps(thrown['fact'], ensure_ascii=False)}")
    for title in ("before", "after"):
        click.echo(f"\n{title} it, in the same event:")
        for paragraph in narrate(thrown[title], kit):
            click.echo(f"  {paragraph.text}")
    click.echo("\nproof:")
    for name, value in thrown["proof"].items():
        click.echo(f"  {name}: {value if not isinstance(value, list) else ' '.join(value)}")
    click.echo(f"  root: {thrown['root']['root']}")
    for title in ("before", "after"):
        click.echo(f"\nthe board {title} the event:\n{board_text(thrown[f'board_{title}'], kit)}")


@main.command(short_help="Bring the store of an earlier program to today's form.")
def migrate() -> None:
    """Bring the store to the form that this program works with.

    Every other command stops at a store of another form. Stop what runs on the store first, and keep a copy: there is
    no way back. It happens as a whole or not at all.
    """
    settings = _settings()
    with _in_a_line():
        store = Store(settings, migrate=True)
    try:
        Projection(store, settings.domain, timedelta(minutes=settings.smtp_gather_minutes)).pull()
    finally:
        store.close()
    for form, what in store.migrated:
        click.echo(f"{form}  {what}")
    click.echo(f"{store.url.render_as_string(hide_password=True)} has form {FORM}")


@main.command(short_help="Make the read models again from the stream.")
def rebuild() -> None:
    """Make again what pages and clock look up (the list of campaigns and what each waits for), from the stream.

    May be done while the service runs. Mails that went out, and those that wait, stay as they are.
    """
    with _service() as service:
        events = service.rebuild()
        click.echo(f"{len(service.campaigns())} campaigns made again from {events} events")


@main.command(short_help="List the kinds of events, and what they change.")
def kinds() -> None:
    """List the kinds of events, what an event may change of what a campaign remembers, and what read models hear."""
    for title, names in described():
        click.echo(f"{title}:")
        for name, text in names:
            click.echo(f"  {name:<14} {text}")


@main.command(short_help="Forget a person in all campaigns.")
@click.argument("address")
@click.option("--yes", is_flag=True, help="Do not ask first.")
def erase(address: str, yes: bool) -> None:
    """Forget whoever plays from an address: his name, mails and press; his seats become vacant, his tokens void."""
    with _service() as service:
        person = service.person_of(address)
        if person is None:
            raise click.ClickException(f"nobody plays or played from {address}")
        if not yes:
            click.confirm(f"Forget {address} in all campaigns? This cannot be taken back", abort=True)
        click.echo(f"forgotten, in {service.erase_person(person)} campaigns")


@main.command("check-upgrade", short_help="Try the open steps with the new rules.")
def check_upgrade() -> None:
    """Try the open step of every campaign with these rules, before an upgrade goes live."""
    with _service() as service:
        different = 0
        for campaign, problem in service.check_upgrade():
            if problem:
                different += 1
                click.echo(f"DIFFERS {campaign}: {problem}")
            else:
                click.echo(f"ok      {campaign}")
            if service.out_of_order(campaign):
                click.echo("        it goes round in the order of its seats, and is put right where a round ends")
    if different:
        raise SystemExit(1)


# --- moderators ---


@main.group()
def moderator() -> None:
    """Look after the accounts of the desk."""


@moderator.command("add")
@click.argument("name")
@click.option("--address", help="His mail address, for links to log in and for faults.")
@click.option("--admin/--no-admin", default=None, help="Sees all campaigns; by default only his own.")
@click.password_option()
def moderator_add(name: str, address: str | None, admin: bool | None, password: str) -> None:
    """Make an account NAME for the moderator's desk.

    Where there is one, it gets the new password, and keeps what is not said.
    """
    with _service() as service:
        moderators = Moderators(service.store)
        known = moderators.find(name)
        if known is not None:
            address = known.address if address is None else address
            admin = known.admin if admin is None else admin
        moderators.add(name, password, service.clock.now(), address=address or "", admin=bool(admin))
    what = "can log in" if known is None else "has a new password, and can log in"
    click.echo(f"{name}{' (admin)' if admin else ''} {what} at {_settings().site}/desk")


@moderator.command("remove")
@click.argument("name")
def moderator_remove(name: str) -> None:
    """Take an account away."""
    with _service() as service:
        if not Moderators(service.store).remove(name):
            raise click.ClickException(f"there is no moderator {name}")
