"""The roller replays the game's recorded rolls: same map, same start list, same number of draws."""

from __future__ import annotations

import pytest

from randomizer.model.problems import ProblemError
from randomizer.systems.colossus.rolling.compiler import compile_script
from randomizer.systems.colossus.rolling.roller import PLAIN_HEXES, place_hexes, roll
from randomizer.systems.colossus.script.parser import parse
from tests.randomizer.systems.colossus.recorded import (
    ADVERSARIAL,
    NAMES,
    map_text,
    needs_recordings,
    program_of,
    recording,
    start_text,
    text_of,
)
from tests.randomizer.systems.colossus.recorded_draws import RecordedDraws, TraceError

UNKNOWN_HEXSIDE = "adv17_unknown_hexside"
"""The game rolls it and crashes later; we refuse it."""

REPLAYED = [name for name in NAMES + ADVERSARIAL if "_err_" not in name and name != UNKNOWN_HEXSIDE]


@needs_recordings
@pytest.mark.parametrize("name", REPLAYED)
def test_every_good_roll_of_the_game_is_replayed(name: str) -> None:
    traces = [trace for trace in recording("traces", name)["traces"] if trace["ok"]]
    assert traces
    program = program_of(text_of(name), name)
    for trace in traces:
        draws = RecordedDraws(trace["draws"])
        rolled = roll(program, draws)
        draws.finish()
        assert map_text(rolled) == trace["map"]
        assert start_text(rolled) == trace["startlist"]


@needs_recordings
def test_a_script_with_an_unknown_hexside_is_not_rolled_at_all() -> None:
    text = text_of(UNKNOWN_HEXSIDE)
    with pytest.raises(ProblemError) as caught:
        compile_script(parse(text).script, "odd.rnd")
    (problem,) = caught.value.problems
    assert problem.path == "odd.rnd"
    assert text.splitlines()[problem.line - 1][problem.column - 1] == "x"


@needs_recordings
def test_a_roll_fails_where_the_game_failed_to_place_an_unknown_hazard() -> None:
    """Custom_Beach says Brush, which the game does not know and we do; so it is renamed here."""
    text = text_of("Custom_Beach").replace("Brush", "Thicket")
    program = compile_script(parse(text).script, "beach.rnd")
    failed = 0
    for trace in recording("traces", "Custom_Beach")["traces"]:
        draws = RecordedDraws(trace["draws"])
        if trace["ok"]:
            assert map_text(roll(program, draws)) == trace["map"]
            draws.finish()
            continue
        failed += 1
        with pytest.raises(ProblemError) as caught:
            roll(program, draws)
        (problem,) = caught.value.problems
        assert "`Thicket`" in problem.message
        assert "<null>" in trace["map"]
        line = text.splitlines()[problem.line - 1]
        assert line[problem.column - 1 :].startswith("Thicket")
        assert problem.path == "beach.rnd"
    assert failed


@needs_recordings
def test_brush_is_brambles_where_the_game_fails() -> None:
    program = program_of(text_of("Custom_Beach"))
    for trace in recording("traces", "Custom_Beach")["traces"]:
        draws = RecordedDraws(trace["draws"])
        states = [
            word.split("/")[0]
            for word in map_text(place_hexes(program, draws, PLAIN_HEXES)).split()
        ]
        assert states == [
            word.replace("<null>", "Brambles").split("/")[0] for word in trace["map"].split()
        ]


def test_a_trace_that_does_not_fit_is_noticed() -> None:
    program = program_of("AREA D4 C3 HAZARDS Bog,50.\n")
    for trace in ([], [0.1], [0.1, 0.2], [0.1, [3, 0], 0.2], [0.1, [2, 0]], [[2, 0]]):
        with pytest.raises(TraceError):
            roll(program, RecordedDraws(trace))
    draws = RecordedDraws([0.1, [2, 0], 0.2, 0.3])
    roll(program, draws)
    assert draws.used == 3
    with pytest.raises(TraceError):
        draws.finish()
