"""``randomizer export``: exports a map into its game, and takes exports back."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from contextlib import suppress

from randomizer.catalog.systems import game_host, game_hosts
from randomizer.cli.files import as_warnings, read_map
from randomizer.cli.output import FINE, Console, UsageError
from randomizer.formats.checked import write_checked
from randomizer.games.game import Game
from randomizer.games.host import GameHost
from randomizer.model.basics.plurals import with_article
from randomizer.model.players_view import players_map
from randomizer.model.problems import Problem, ProblemError, error, has_errors
from randomizer.storage.exports.export_backups import commit_export, receipts, take_back


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Print the plan of an export, or of taking one back; with ``--yes`` carry it out."""
    options: dict[str, str] = arguments.places
    if arguments.take_back:
        named_options = [f"--{name}" for name in options]
        if arguments.map is not None:
            named_options.insert(0, "MAP")
        if named_options:
            raise UsageError(f"--take-back takes no {', '.join(named_options)}")
        return _take_back(arguments, console)
    if arguments.map is None:
        raise UsageError("these are missing: MAP")
    return _export(arguments, console)


def _export(arguments: argparse.Namespace, console: Console) -> int:
    """Print the plan of an export; with ``--yes`` carry it out. Raises ProblemError."""
    host, data = _map_file(arguments, console)
    # The last level names the map in the game, the one above, if any, the group that it is in.
    place_names = [arguments.places[level.name] for level in host.levels]
    slot = place_names[-1]
    group = ""
    if len(place_names) > 1:
        group = place_names[0]
    game = host.open_game(host.find_game(arguments.game))
    plan = host.plan_exports(game, {slot: data}, group, arguments.version)
    if has_errors(plan.problems):
        raise ProblemError(plan.problems)
    console.report(plan.problems)
    for line in plan.sentences():
        console.put_text(line)
    if not arguments.yes:
        console.put_text("Nothing was written; with --yes it will be.")
        return FINE
    receipt = commit_export(plan)
    console.put_text(f"Done; the receipt is {receipt.path}.")
    return FINE


def _check_places(host: GameHost, options: Iterable[str]) -> None:
    """Raise UsageError unless each level of the game's places is given, and nothing else."""
    levels = [level.name for level in host.levels]
    missing = [f"--{level}" for level in levels if level not in options]
    unknown = [f"--{name}" for name in options if name not in levels]
    faults = list[str]()
    if missing:
        faults.append(f"these are missing: {', '.join(missing)}")
    if unknown:
        faults.append(f"{host.title} has no places for {', '.join(unknown)}")
    if faults:
        raise UsageError("; ".join(faults))


def _map_file(arguments: argparse.Namespace, console: Console) -> tuple[GameHost, bytes]:
    """Return the game that plays the map, and the map as its file.

    Its problems are reported. Raises ProblemError if no game plays the map, UsageError if the
    places are not those of the game.
    """
    path: str = arguments.map
    battlemap, problems = read_map(path, console)
    if arguments.players:
        battlemap = players_map(battlemap)
    host = game_host(battlemap.system)
    if host is None:
        raise error(
            "no-game",
            f"no game is known that plays {with_article(battlemap.system.title)}",
            path=path,
        )
    _check_places(host, arguments.places)
    if arguments.version and not host.versions():
        raise UsageError(f"--for: the maps of {host.title} are the same for all its versions")
    console.report(as_warnings(problems))
    console.report(problem.at_path(path) for problem in host.format.check(battlemap))
    return host, write_checked(host.format, battlemap)


def _take_back(arguments: argparse.Namespace, console: Console) -> int:
    """Print what taking back the newest export changes; with ``--yes`` do it.

    Raises ProblemError if there is none, or it cannot be taken back.
    """
    game = _game_at(arguments.game)
    exports = [receipt for receipt in receipts(game) if not receipt.taken_back]
    if not exports:
        raise error("no-export", "there is no export that could be taken back", path=arguments.game)
    newest = exports[0]
    if newest.problem is not None:
        raise ProblemError(newest.problem)
    for file in newest.files:
        action = "restores"
        if file.backup is None:  # the export made the file
            action = "removes"
        console.put_text(f"{action} {game.root / file.place}")
    subject = f"the export of {', '.join(newest.slots)}"
    if newest.group:
        subject += f" into {newest.group}"
    subject += f", {newest.time}"
    if not arguments.yes:
        console.put_text(f"This takes back {subject}.\nNothing was changed; with --yes it will be.")
        return FINE
    take_back(newest.path)
    console.put_text(f"Taken back: {subject}.")
    return FINE


def _game_at(path: str) -> Game:
    """Return the game in a directory, else the one near it.

    Raises ProblemError, with the reasons of all games, if there is none.
    """
    problems: list[Problem] = []
    for host in game_hosts():
        try:
            return host.open_game(path)
        except ProblemError as failed:
            problems += failed.problems
    for host in game_hosts():
        with suppress(ProblemError):
            return host.open_game(host.find_game(path))
    raise ProblemError(problems)
