"""How many battlelands can be balanced by one, two or three edits, and what the search costs.

Run: python -m tests.benchmarks.balance_proof FILE... (battlelands in any format that can be read).
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

from randomizer.batches.fairness import GOAL, BalanceState, Wins, spread
from randomizer.catalog import format_for
from randomizer.systems.colossus.battle.battleland import Battleland
from randomizer.systems.colossus.fairness.balance import balance


def main() -> None:
    reached: dict[int | None, int] = {}
    total_s = 0.0
    print(f"{'board':24} {'before':>5} {'after':>5} {'edits':>5} {'CPU s':>5}")
    for path in sys.argv[1:]:
        data = Path(path).read_bytes()
        battlemap = format_for(data, path).read(data, path).battlemap
        plains = bool(Battleland.of(battlemap.composite()).start)
        start_s = time.process_time()
        *_, state = balance(battlemap, battlemap.layers[0].id, plains=plains)
        seconds = time.process_time() - start_s
        total_s += seconds
        count = _edits(state)
        reached[count] = reached.get(count, 0) + 1
        best = spread(state.proposals[-1].wins) if state.proposals else spread(state.before)
        print(
            f"{Path(path).stem:24} {100 * spread(state.before):5.1f} {100 * best:5.1f} "
            f"{'-' if count is None else count:>5} {seconds:5.0f}"
        )
        for each in state.proposals:
            print(f"    {'; '.join(each.texts)}: {_line(each.wins)}", flush=True)
    for count, maps in sorted(reached.items(), key=str):
        print(f"{'not reached' if count is None else f'with {count} edits'}: {maps} of "
              f"{len(sys.argv) - 1}")  # fmt: skip
    print(f"{total_s / max(1, len(sys.argv) - 1):.0f} CPU seconds each")


def _edits(state: BalanceState) -> int | None:
    """The number of edits that reach the goal, None: none do."""
    boards = [(0, state.before), *((len(each.texts), each.wins) for each in state.proposals)]
    return next((count for count, wins in boards if spread(wins) <= GOAL), None)


def _line(wins: Wins) -> str:
    shares = ", ".join(f"{name} {100 * each.chance:.0f}" for name, each in wins)
    return f"{shares}; {100 * spread(wins):.1f} apart"


if __name__ == "__main__":
    main()
