"""``randomizer export``: exports a map into its game, and takes exports back."""

from __future__ import annotations

import argparse

from randomizer.catalog import game_host, game_hosts
from randomizer.cli.files import as_warnings, read_map
from randomizer.cli.output import FINE, Console, UsageError
from randomizer.formats import write_checked
from randomizer.games import Game, GameHost
from randomizer.model.problems import Problem, ProblemError, error, has_errors


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Print the plan of an export, or of taking one back; with ``--yes`` carry it out."""
    wanted = {
        "MAP": arguments.map,
        "--variant": arguments.variant,
        "--terrain": arguments.terrain,
    }
    if arguments.take_back:
        given = [name for name, value in wanted.items() if value is not None]
        if given:
            raise UsageError(f"--take-back takes no {', '.join(given)}")
        return _take_back(arguments, console)
    missing = [name for name, value in wanted.items() if value is None]
    if missing:
        raise UsageError(f"these are missing: {', '.join(missing)}")
    return _export(arguments, console)


def _export(arguments: argparse.Namespace, console: Console) -> int:
    host, data = _map_file(arguments.map, console)
    game = host.open_game(arguments.game)
    plan = host.plan_exports(game, {arguments.terrain: data}, arguments.variant)
    if has_errors(plan.problems):
        raise ProblemError(plan.problems)
    console.report(plan.problems)
    for line in plan.words():
        console.put_text(line)
    if not arguments.yes:
        console.put_text("Nothing was written; with --yes it will be.")
        return FINE
    receipt = host.commit_export(plan)
    console.put_text(f"Done; the receipt is {receipt.path}.")
    return FINE


def _map_file(path: str, console: Console) -> tuple[GameHost, bytes]:
    """The game that plays the map in ``path``, and the map as its file.

    Its problems are reported. Raises ProblemError if no game plays the map.
    """
    battlemap, problems = read_map(path, console)
    host = game_host(battlemap.system)
    if host is None:
        raise error("no-game", f"no game is known that plays a {battlemap.system.title}", path=path)
    console.report(as_warnings(problems))
    console.report(problem.at_path(path) for problem in host.FORMAT.check(battlemap))
    return host, write_checked(host.FORMAT, battlemap)


def _take_back(arguments: argparse.Namespace, console: Console) -> int:
    host, game = _game_at(arguments.game)
    receipts = [each for each in host.receipts(game) if not each.taken_back]
    if not receipts:
        raise error("no-export", "there is no export that could be taken back", path=arguments.game)
    newest = receipts[0]
    if newest.problem is not None:
        raise ProblemError(newest.problem)
    for file in newest.files:
        done = "removes" if file.backup is None else "restores"
        console.put_text(f"{done} {game.root / file.place}")
    what = f"the export of {', '.join(newest.terrains)} into {newest.variant}, {newest.time}"
    if not arguments.yes:
        console.put_text(f"This takes back {what}.\nNothing was changed; with --yes it will be.")
        return FINE
    host.take_back(newest.path)
    console.put_text(f"Taken back: {what}.")
    return FINE


def _game_at(path: str) -> tuple[GameHost, Game]:
    """The game in a directory. Raises ProblemError if there is none of the catalogue."""
    problems: list[Problem] = []
    for host in game_hosts():
        try:
            return host, host.open_game(path)
        except ProblemError as failed:
            problems += failed.problems
    raise ProblemError(problems)
