"""``randomizer export``: a map into the game, and back out of it."""

from __future__ import annotations

import argparse

from randomizer.battlemap import BattleMap
from randomizer.colossus.battleland_xml import XML
from randomizer.colossus.export import plan_export, require_no_errors
from randomizer.colossus.export_receipts import commit_export, receipts, take_back
from randomizer.colossus.game_directory import GameDirectory
from randomizer.colossus.system import SYSTEM
from randomizer.commands.files import as_warnings, read_map
from randomizer.commands.output import FINE, Console, UsageError
from randomizer.problems import error


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Print the plan of an export, or of taking one back; with ``--yes`` do it."""
    options = {"--variant": arguments.variant, "--terrain": arguments.terrain}
    if arguments.take_back:
        given = [name for name, value in {"MAP": arguments.map, **options}.items() if value]
        if given:
            raise UsageError(f"--take-back takes no {', '.join(given)}")
        return _take_back(arguments, console)
    missing = [name for name, value in {"MAP": arguments.map, **options}.items() if value is None]
    if missing:
        raise UsageError(f"these are missing: {', '.join(missing)}")
    return _export(arguments, console)


def _export(arguments: argparse.Namespace, console: Console) -> int:
    data = _battleland(arguments.map, console)
    game = GameDirectory.open(arguments.game)
    plan = plan_export(game, data, arguments.variant, arguments.terrain)
    require_no_errors(plan)
    console.report(plan.problems)
    for line in plan.words():
        console.put_text(line)
    if not arguments.yes:
        console.put_text("Nothing was written; with --yes it will be.")
        return FINE
    receipt = commit_export(plan)
    console.put_text(f"Done; the receipt is {receipt.path}.")
    return FINE


def _battleland(path: str, console: Console) -> bytes:
    """The map in a file as the game loads it, after what is to be said about it."""
    battlemap, problems = read_map(path, console)
    console.report(as_warnings(problems))
    _require_colossus(battlemap, path)
    console.report(problem.at_path(path) for problem in XML.check(battlemap))
    return XML.write(battlemap)


def _require_colossus(battlemap: BattleMap, path: str) -> None:
    if battlemap.system is not SYSTEM:
        raise error(
            "other-system",
            f"this is a {battlemap.system.title}; the game takes a {SYSTEM.title}",
            path=path,
        )


def _take_back(arguments: argparse.Namespace, console: Console) -> int:
    game = GameDirectory.open(arguments.game)
    newest = next(
        (each for each in receipts(game) if each.problem is not None or not each.taken_back), None
    )
    if newest is None or newest.problem is not None:
        take_back(game)  # says why it cannot
    assert newest is not None
    what = f"the export of {', '.join(newest.terrains)} into {newest.variant} of {newest.time}"
    for file in newest.files:
        done = "removes" if file.backup is None else "restores"
        console.put_text(f"{done} {newest.root / file.place}")
    if not arguments.yes:
        console.put_text(f"This takes back {what}.\nNothing was changed; with --yes it will be.")
        return FINE
    take_back(newest.path)
    console.put_text(f"Taken back: {what}.")
    return FINE
