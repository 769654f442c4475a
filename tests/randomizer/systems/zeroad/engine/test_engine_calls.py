"""What scripts find: the functions of Engine and the other globals."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from .conftest import Run, Write


@pytest.fixture
def value(run: Run) -> Callable[[str], Any]:
    """The value of an expression of a script."""
    return lambda text: run(f"Engine.ExportMap({{ value: {text} }});").data["value"]


def test_global_scripts_run_first_in_the_order_of_their_names(run: Run, write: Write) -> None:
    write("globalscripts/b.js", "order.push('b'); const last = order.length;")
    write("globalscripts/a.js", "const order = ['a', typeof g_MapSettings];")
    write("globalscripts/tests/c.js", "order.push('test');")
    write("globalscripts/read.txt", "order.push('text');")
    data = run("order.push('script'); Engine.ExportMap({ order, last });").data
    assert data == {"order": ["a", "object", "b", "script"], "last": 3}


def test_libraries_share_one_scope_and_run_once(run: Run, write: Write) -> None:
    write("maps/random/lib/a.js", "Engine.LoadLibrary('lib/deep');\nconst a = deep + 1;")
    write("maps/random/lib/b.js", "const b = a + 1; Engine.LoadLibrary('lib');")
    write(
        "maps/random/lib/deep/a.js", "let deep = 1; globalThis.times = (globalThis.times || 0) + 1;"
    )
    data = run(
        "Engine.LoadLibrary('lib'); Engine.LoadLibrary('lib/deep');"
        "Engine.ExportMap({ deep, a, b, times });"
    ).data
    assert data == {"deep": 1, "a": 2, "b": 3, "times": 1}


def test_a_library_that_is_loaded_late_shares_its_names_too(run: Run, write: Write) -> None:
    write(
        "maps/random/lib/a.js",
        "const one = 1, [two] = [2];\nlet three = `${one}`;\nclass Four { get() { return 4; } }\n"
        "for (let i = 0; i < 3; ++i) { const hidden = i; }\nfunction five() { return 5; }",
    )
    data = run(
        "var dir = 'lib'; const loaded = Engine.LoadLibrary(dir);"
        "Engine.ExportMap({ loaded, all: [one, two, three, new Four().get(), five()],"
        " hidden: typeof hidden + typeof i });"
    ).data
    assert data == {"loaded": True, "all": [1, 2, "1", 4, 5], "hidden": "undefinedundefined"}


def test_a_library_that_is_not_there_is_not_loaded(value: Callable[[str], Any]) -> None:
    assert value("[Engine.LoadLibrary('none'), Engine.LoadLibrary(undefined)]") == [False, False]


def test_a_library_that_is_not_there_is_told(run: Run) -> None:
    (line,) = run("Engine.LoadLibrary('none'); Engine.ExportMap({});").log
    assert (line.level, line.text) == ("error", "there is no library none")


def test_files_below_maps_and_simulation_are_read(
    value: Callable[[str], Any], write: Write
) -> None:
    write("maps/random/a.json", '{"a": [1, "ü"]}')
    write("maps/random/bad.json", "{")
    write("maps/other.json", "{}")
    write("art/a.json", "{}")
    assert value("Engine.ReadJSONFile('maps/random/a.json')") == {"a": [1, "ü"]}
    assert value("Engine.ReadJSONFile('maps/random/bad.json')") is None
    assert value("Engine.FileExists('maps/random/a.json')") is True
    assert value("Engine.FileExists('art/a.json')") is False
    listed = "Engine.ListDirectoryFiles('maps/', '*.json', {})"
    assert value(listed.format("false")) == ["maps/other.json"]
    assert value(listed.format("true")) == [
        "maps/other.json",
        "maps/random/a.json",
        "maps/random/bad.json",
    ]


def test_patterns_of_files_know_two_wildcards_and_many_of_them_take_no_time(
    value: Callable[[str], Any], write: Write
) -> None:
    write("maps/a1.json", "{}")
    write("maps/a[1].json", "{}")
    write(f"maps/{'a' * 40}", "{}")
    listed = "Engine.ListDirectoryFiles('maps/', '{}', false)"
    assert value(listed.format("a?.json")) == ["maps/a1.json"]
    assert value(listed.format("a[1].json")) == ["maps/a[1].json"], "a bracket is a letter"
    assert value(listed.format("*a" * 12 + "b")) == []  # minutes, by backtracking


@pytest.mark.parametrize(
    ("text", "read"), [("[NaN]", None), ("[1e999]", ["Infinity"]), ("\ufeff[1]", ["1"])]
)
def test_json_is_read_as_javascript_reads_it(
    text: str, read: object, value: Callable[[str], Any], write: Write
) -> None:
    write("maps/random/odd.json", text)
    shown = "(read => read && read.map(String))"
    assert value(f"{shown}(Engine.ReadJSONFile('maps/random/odd.json'))") == read


def test_a_folder_outside_is_none(value: Callable[[str], Any]) -> None:
    outside = "['maps/../', 'maps//', '/maps/', '../maps/', 'art/']"
    listed = f"{outside}.map(each => Engine.ListDirectoryFiles(each, '*', true))"
    assert value(listed) == [None] * 5


def test_a_long_answer_comes_whole(value: Callable[[str], Any], write: Write) -> None:
    numbers = [f"{number} ü€😀" for number in range(200_000)]
    write("maps/random/long.json", json.dumps(numbers, ensure_ascii=False))
    joined = value("Engine.ReadJSONFile('maps/random/long.json')")
    assert joined == numbers


def test_civilisations_are_found_by_their_codes(value: Callable[[str], Any], write: Write) -> None:
    write("simulation/data/civs/athen.json", '{"Code": "athen", "Name": "Athenians"}')
    write("simulation/data/civs/gaul.json", '{"Code": "gaul"}')
    assert value("Engine.GetCivData()") == {
        "athen": {"Code": "athen", "Name": "Athenians"},
        "gaul": {"Code": "gaul"},
    }


def test_templates_have_undefined_for_empty_leaves(
    value: Callable[[str], Any], write: Write
) -> None:
    write(
        "simulation/templates/a.xml",
        '<Entity><Cost kind="x"><Wood>20</Wood><None/></Cost></Entity>',
    )
    assert value("Engine.TemplateExists('a')") is True
    assert value("Engine.TemplateExists('b')") is False
    assert value("Engine.FindTemplates('', true)") == ["a"]
    asked = "(t => [t.Cost.Wood, t.Cost['@kind'], 'None' in t.Cost, typeof t.Cost.None])"
    assert value(f"{asked}(Engine.GetTemplate('a'))") == ["20", "x", True, "undefined"]


def test_a_template_that_is_not_there_is_said(run: Run) -> None:
    result = run("Engine.ExportMap({ value: typeof Engine.GetTemplate('none') });")
    assert result.data["value"] == "undefined"
    assert [(line.level, line.text) for line in result.log] == [
        ("error", "there is no template none")
    ]


def test_the_other_globals(value: Callable[[str], Any]) -> None:
    assert value("[TERRAIN_TILE_SIZE, MAP_BORDER_WIDTH, global === globalThis]") == [4, 3, True]
    assert value("(a => (a.push(a), clone(a)[1][1].length))([1])") == 2
    assert value("Object.isFrozen(deepfreeze({ a: { b: 1 } }).a)") is True
    assert value("uneval({ a: [1, 'x', undefined, null] })") == '({"a":[1, "x", undefined, null]})'
    assert value("typeof Engine.GetMicroseconds() + Engine.MaybeGC()") == "numberundefined"
    assert (
        value(
            "['console', 'setTimeout', 'WebAssembly', 'SharedArrayBuffer', 'Atomics', 'fetch']"
            ".filter(name => typeof globalThis[name] !== 'undefined')"
        )
        == []
    )


def test_progress_beyond_100_is_told_once(run: Run) -> None:
    result = run("for (const p of [100, 300, 400]) Engine.SetProgress(p); Engine.ExportMap({});")
    told = [line.text for line in result.log if "progress" in line.text]
    assert told == ["the progress is 300, beyond 100"]


def test_progress_never_falls_and_stays_within_its_range(run: Run) -> None:
    seen: list[int] = []
    result = run(
        "for (const p of [-3, 0.2, 30.9, 10, 20, NaN, 45, 500, 60]) Engine.SetProgress(p);"
        "const end = Date.now() + 200; while (Date.now() < end); Engine.ExportMap({});",
        seen=seen,
    )
    assert seen[-1] == 99
    assert seen == sorted(seen)
    assert [line.level for line in result.log] == ["warn", "warn"]  # it fell, and it was beyond 100


def test_a_yield_that_is_no_number_is_thrown_into_the_script(run: Run) -> None:
    data = run(
        "function* GenerateMap() {"
        " try { yield 'a'; } catch (e) { yield 5; return { e: e.message }; } }"
    ).data
    assert data == {"e": "a script may yield only numbers, its progress"}


def test_a_map_exported_while_loading_is_the_map(run: Run) -> None:
    script = "Engine.ExportMap({ size: 1 }); function* GenerateMap() { return { size: 2 }; }"
    assert run(script).data == {"size": 1}


def test_texts_that_are_no_unicode_are_mended(run: Run) -> None:
    data = run(r"Engine.ExportMap({ a: 'x\ud800y', b: '\\ud800', c: '😀' });").data
    assert data == {"a": "x\ufffdy", "b": "\\ud800", "c": "😀"}
