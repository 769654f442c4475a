"""Scripts in the styles of all three releases, and what they find."""

from __future__ import annotations

import numpy as np
import pytest

from randomizer.model.problems import ProblemError

from .conftest import Run, Write

TOP_LEVEL = """
Engine.LoadLibrary("lib");
const map = made(3);
Engine.SetProgress(20);
Engine.SetProgress(60.7);
Engine.ExportMap(map);
"""
GENERATOR = """
Engine.LoadLibrary("lib");
function* GenerateMap(mapSettings) {
    yield 20;
    yield 60.7;
    return { MakeExportable() { return made(3); } };
}
"""
MODULE = """
import { made } from "maps/random/lib/made.js";
export function* generateMap(settings) {
    yield 20;
    yield 60.7;
    return made(3);
}
"""
MADE = """function made(value) {
    return {
        size: 16, height: new Uint16Array(17 * 17).fill(value), textureNames: ["grass"],
        tileData: { index: new Uint8Array(256), priority: Array(256).fill(1.5) }, entities: []
    };
}
"""


@pytest.mark.parametrize("style", [TOP_LEVEL, GENERATOR, MODULE])
def test_scripts_of_all_releases_return_the_same_map(style: str, run: Run, write: Write) -> None:
    write("maps/random/lib/made.js", ("export " if style == MODULE else "") + MADE)
    seen: list[int] = []
    result = run(style, seen=seen)
    height = result.data["height"]
    tiles = result.data["tileData"]
    assert isinstance(height, np.ndarray)
    assert height.dtype == np.uint16
    assert height.tolist() == [3] * 289
    assert isinstance(tiles, dict)
    assert tiles["index"].dtype == np.uint8
    assert tiles["priority"].tolist() == [1.5] * 256
    assert result.data["textureNames"] == ["grass"]
    assert seen == sorted(seen)
    assert set(seen) <= {0, 20, 60}


def test_a_script_that_counts_in_a_global_begins_anew_every_time(run: Run) -> None:
    counts = "var count = (globalThis.count || 0) + 1; Math.count = (Math.count || 0) + 1;"
    counts += "Array.prototype.count = ([].count || 0) + 1;"
    counts += "Engine.ExportMap({ size: [count, Math.count, [].count] });"
    assert [run(counts).data["size"] for _ in range(3)] == [[1, 1, 1]] * 3


def test_random_numbers_are_those_of_rand48(run: Run) -> None:
    for seed in (0, 7, 2**31 + 5, 2**32 - 1):
        state = (seed << 16) | 0x330E
        expected = []
        for _ in range(50):
            state = (0x5DEECE66D * state + 0xB) % 2**48
            expected.append((state >> 17) / 2**31)
        script = "Engine.ExportMap({ drawn: Array.from({length: 50}, Math.random) });"
        assert run(script, settings={"Seed": seed}).data["drawn"] == expected


def test_a_missing_seed_is_zero_with_a_warning(run: Run) -> None:
    result = run("Engine.ExportMap({ drawn: Math.random() });", settings={})
    assert result.data["drawn"] == ((0x5DEECE66D * 0x330E + 0xB) % 2**48 >> 17) / 2**31
    assert [line.level for line in result.log] == ["warn"]


def test_the_settings_are_frozen_to_the_last_leaf(run: Run) -> None:
    script = """
    g_MapSettings.Size = 99;
    g_MapSettings.PlayerData[1].Civ = "none";
    Engine.ExportMap({ size: g_MapSettings.Size, civ: g_MapSettings.PlayerData[1].Civ });
    """
    assert run(script).data == {"size": 16, "civ": "athen"}


def test_lines_come_back_in_order_with_their_levels(run: Run) -> None:
    result = run('log("a"); print("b\\n"); warn({}); error("ü€😀"); Engine.ExportMap({});')
    assert [(line.level, line.text) for line in result.log] == [
        ("log", "a"),
        ("print", "b\n"),
        ("warn", "[object Object]"),
        ("error", "ü€😀"),
    ]


def test_an_error_names_file_line_column_and_the_way_there(run: Run, write: Write) -> None:
    write("maps/random/lib/made.js", "function made() {\n  return missing.value;\n}")
    with pytest.raises(ProblemError) as caught:
        run('log("before");\nEngine.LoadLibrary("lib");\n  made();')
    (problem,) = caught.value.problems
    assert (problem.path, problem.line, problem.column) == ("maps/random/a.js", 3, 3)
    assert "missing is not defined" in problem.message
    assert "made (maps/random/lib/made.js:2)" in problem.message
    assert [line.text for line in caught.value.log] == ["before"]


def test_a_syntax_error_names_its_place(run: Run) -> None:
    with pytest.raises(ProblemError) as caught:
        run("let a;\nlet b = ;")
    (problem,) = caught.value.problems
    assert (problem.path, problem.line, problem.column) == ("maps/random/a.js", 2, 9)
    assert "Unexpected token" in problem.message


def test_an_error_in_a_very_long_line_has_its_place(run: Run) -> None:
    with pytest.raises(ProblemError) as caught:
        run(f"const a = [{'1, ' * 20_000}]; missing();")
    (problem,) = caught.value.problems
    assert (problem.line, problem.column) == (1, 60_015)


def test_a_thrown_text_of_several_lines_is_told(run: Run) -> None:
    with pytest.raises(ProblemError) as caught:
        run("\nthrow 'one\\n^^^\\ntwo';")
    (problem,) = caught.value.problems
    assert problem.message.startswith("threw one")
    assert problem.line == 2
