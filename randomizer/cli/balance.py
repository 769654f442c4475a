"""``randomizer balance``: the smallest edits that bring the shares of wins near one another.

A *proposal* is some edits of the map, with the attacker's shares of wins after them. It is printed
as a line, or with ``--json`` as an object::

    as it is: Right 62 % (55 to 69), Bottom 41 % (34 to 48), Left 55 % (48 to 62); 21 points apart
    D4 becomes Plains: Right 52 % (45 to 59), ...; 4 points apart
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from randomizer.batches.fairness import GOAL, BalanceState, FairnessModel, Wins, spread
from randomizer.catalog.systems import fairness_model_of
from randomizer.cli.file_formats import format_by_suffix
from randomizer.cli.files import as_warnings, read_map
from randomizer.cli.output import FINE, Console
from randomizer.cli.output_files import refuse_replacing_other_format, write_map_files
from randomizer.formats.checked import write_files_checked
from randomizer.model.hand.targets import why_not
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import error


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Print the proposals, the fewest edits first, and write the map with the last of them."""
    battlemap, problems = read_map(arguments.map, console)
    model = fairness_model_of(battlemap.system)
    if model is None or not model.simulator:
        message = f"this is a {battlemap.system.noun}; battles are fought on Colossus battlelands"
        raise error("no-battleland", message, path=arguments.map)
    console.report(as_warnings(problems))
    target: Path | None = None
    if arguments.out:
        target = Path(arguments.out)
        # Refused before the battles are fought, not a minute later.
        map_format = format_by_suffix(arguments.out, battlemap.system, "--out")
        refuse_replacing_other_format(arguments.map, target, map_format)
    balanced = _balance(model, battlemap, arguments, console)
    _print_proposals(balanced, arguments, console)
    console.say(f"fought by {model.simulator}, seed {arguments.seed}")
    if target is not None:
        if balanced.proposals:
            balanced.proposals[-1].edit.apply(battlemap)
        console.report(problem.at_path(arguments.out) for problem in map_format.check(battlemap))
        write_map_files(target, write_files_checked(map_format, battlemap, target.name), console)
    return FINE


def _balance(
    model: FairnessModel, battlemap: BattleMap, arguments: argparse.Namespace, console: Console
) -> BalanceState:
    """Return the last state of balancing a map. The edits go into the first unlocked layer.

    If all layers are locked they go into the first one; they are proposed all the same.
    """
    layer_ids = [layer.id for layer in battlemap.layers]
    open_ids = [layer_id for layer_id in layer_ids if not why_not(battlemap, layer_id)]
    target_id = (open_ids or layer_ids)[0]
    balance = None
    for balance in model.balance(
        battlemap, target_id, plains=arguments.plains, seed=arguments.seed
    ):
        console.progress(f"{balance.percent} % of the battles fought")
    assert balance is not None, "it ends with a state"
    return balance


def _print_proposals(
    balance: BalanceState, arguments: argparse.Namespace, console: Console
) -> None:
    """Print the wins on the map as it is and by each proposal, and say if none is good enough."""
    proposals = balance.proposals
    # A proposal with more edits does better than those before it.
    best_wins = balance.before
    if proposals:
        best_wins = proposals[-1].wins
    best_spread = spread(best_wins)
    if arguments.json:
        records = [{"edits": proposal.texts, **_record(proposal.wins)} for proposal in proposals]
        result = {
            "goal": best_spread <= GOAL,
            "before": _record(balance.before),
            "proposals": records,
        }
        console.put_text(json.dumps(result, indent=1))
    else:
        console.put_text(f"as it is: {_line(balance.before)}")
        for proposal in proposals:
            console.put_text(f"{'; '.join(proposal.texts)}: {_line(proposal.wins)}")
    if best_spread > GOAL:
        goal_points = f"{100 * GOAL:.0f} points"
        console.say(f"not within {goal_points}; the best is {100 * best_spread:.0f} apart")


def _record(wins: Wins) -> dict[str, object]:
    """Return the shares of wins as the object that ``--json`` prints."""
    shares: dict[str, object] = {}
    for name, win in wins:
        shares[name.lower()] = {"share": round(win.chance, 4), "interval": win.interval}
    return {"shares": shares, "apart": round(spread(wins), 4)}


def _line(wins: Wins) -> str:
    """Return the shares of wins as text, with their intervals."""
    shares = []
    for name, win in wins:
        low, high = (100 * end for end in win.interval)
        shares.append(f"{name} {100 * win.chance:.0f} % ({low:.0f} to {high:.0f})")
    return f"{', '.join(shares)}; {100 * spread(wins):.0f} points apart"
