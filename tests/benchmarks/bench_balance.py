"""The search for small edits that balance battlelands: how long it takes, what it reaches."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from time import process_time

from app.document.sample import sample_map
from randomizer.batches.fairness import GOAL, BalanceState, spread
from randomizer.cli.files import read_map
from randomizer.cli.output import Console
from randomizer.model.map.battlemap import BattleMap
from randomizer.systems.colossus.battle_terrain import Battleland
from randomizer.systems.colossus.fairness.balance import balance
from tests.benchmarks.benchmark import COLOSSUS_CORPUS, Row, benchmark


@benchmark("balance", full=10_000, tiny=1)
def measure_balance(max_states: int) -> Iterator[Row]:
    _state, search_s = search(sample_map(), max_states)
    yield Row("one board", search_s, "s")


@benchmark("balance-boards", full=10_000, tiny=0, only_by_name=True)
def measure_all_boards(max_boards: int) -> Iterator[Row]:
    """Balance each board of the corpus; without it, or at the tiny size, nothing is tried."""
    paths = sorted((COLOSSUS_CORPUS / "xml").glob("*.xml"))
    tried_paths = paths[:max_boards]
    reached = 0
    total_s = 0.0
    for path in tried_paths:
        state, search_s = search(read_board(path), max_states=10_000)
        total_s += search_s
        reached += fewest_edits(state) is not None
        best_wins = state.proposals[-1].wins if state.proposals else state.before
        edits = len(state.proposals[-1].texts) if state.proposals else 0
        yield Row(f"{path.stem}: apart at first", 100 * spread(state.before), "%")
        yield Row(f"{path.stem}: apart by {edits} edits", 100 * spread(best_wins), "%")
    share = len(tried_paths) / len(paths) if paths else 0.0
    yield Row("share of boards that were tried", share, "")
    yield Row("boards that reach the goal", reached, "boards")
    yield Row("mean time of a board", total_s / max(1, len(tried_paths)), "s")


def read_board(path: Path) -> BattleMap:
    """Read a battleland."""
    return read_map(str(path), Console())[0]


def search(battlemap: BattleMap, max_states: int) -> tuple[BalanceState, float]:
    """Search to the end, or for so many states; return the last state and the CPU time."""
    plains = bool(Battleland.of(battlemap.composite()).start)
    start_s = process_time()
    states = balance(battlemap, battlemap.layers[0].id, plains=plains)
    state = next(states)
    for number, later_state in enumerate(states, start=2):
        if number > max_states:
            break
        state = later_state
    return state, process_time() - start_s


def fewest_edits(state: BalanceState) -> int | None:
    """Return the number of edits that reach the goal, None if none do."""
    if spread(state.before) <= GOAL:
        return 0
    counts = [len(proposal.texts) for proposal in state.proposals if spread(proposal.wins) <= GOAL]
    return min(counts, default=None)
