"""``randomizer balance``: the smallest edits that bring the shares of wins near one another."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from randomizer.batches.fairness import GOAL, Wins, spread
from randomizer.catalog.catalog import fairness_model_of
from randomizer.cli.files import (
    as_warnings,
    format_by_suffix,
    keep_input,
    read_map,
    write_map_files,
)
from randomizer.cli.output import FINE, Console
from randomizer.formats import write_files_checked
from randomizer.model.hand.targets import why_not
from randomizer.model.problems import error


def run(arguments: argparse.Namespace, console: Console) -> int:
    """Print the proposals, the fewest edits first, and write the map with the last of them."""
    battlemap, problems = read_map(arguments.map, console)
    model = fairness_model_of(battlemap.system)
    if model is None or not model.simulator:
        message = f"this is a {battlemap.system.noun}; battles are fought on Colossus battlelands"
        raise error("no-battleland", message, path=arguments.map)
    console.report(as_warnings(problems))
    target = Path(arguments.out) if arguments.out else None
    if target is not None:
        map_format = format_by_suffix(arguments.out, battlemap.system, "--out")
        keep_input(arguments.map, target, map_format)
    open_layers = [layer.id for layer in battlemap.layers if not why_not(battlemap, layer.id)]
    layer_id = (open_layers or [battlemap.layers[0].id])[0]
    state = None
    for state in model.balance(battlemap, layer_id, plains=arguments.plains, seed=arguments.seed):
        console.progress(f"{state.percent} % of the battles fought")
    assert state is not None, "it ends with a state"
    proposals = state.proposals  # more edits do better
    apart = spread(proposals[-1].wins if proposals else state.before)
    if arguments.json:
        records = [{"edits": proposal.texts, **_record(proposal.wins)} for proposal in proposals]
        result = {"goal": apart <= GOAL, "before": _record(state.before), "proposals": records}
        console.put_text(json.dumps(result, indent=1))
    else:
        console.put_text(f"as it is: {_line(state.before)}")
        for proposal in proposals:
            console.put_text(f"{'; '.join(proposal.texts)}: {_line(proposal.wins)}")
    if apart > GOAL:
        console.say(f"not within {100 * GOAL:.0f} points; the best is {100 * apart:.0f} apart")
    console.say(f"fought by {model.simulator}, seed {arguments.seed}")
    if target is not None:
        if proposals:
            proposals[-1].edit.apply(battlemap)
        console.report(problem.at_path(arguments.out) for problem in map_format.check(battlemap))
        write_map_files(target, write_files_checked(map_format, battlemap, target.name), console)
    return FINE


def _record(wins: Wins) -> dict[str, object]:
    shares = {
        name.lower(): {"share": round(win.chance, 4), "interval": win.interval}
        for name, win in wins
    }
    return {"shares": shares, "apart": round(spread(wins), 4)}


def _line(wins: Wins) -> str:
    shares = []
    for name, win in wins:
        low, high = (100 * end for end in win.interval)
        shares.append(f"{name} {100 * win.chance:.0f} % ({low:.0f} to {high:.0f})")
    return f"{', '.join(shares)}; {100 * spread(wins):.0f} points apart"
