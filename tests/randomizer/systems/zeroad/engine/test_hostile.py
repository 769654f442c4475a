"""Scripts that mean harm end with a problem, and the program goes on."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from randomizer.model.problems import ProblemError
from randomizer.systems.zeroad.engine.run_limits import MEBIBYTE

from .conftest import QUICK, Run

SMALL = replace(QUICK, heap=64 * MEBIBYTE)
SHORT = replace(QUICK, time_s=0.25)
GENERATE = "function* GenerateMap(settings) {{ {} }}"


def cases(scripts: dict[str, str], daily: set[str]) -> list[object]:
    """Return the scripts as parameters with their names; those that are not daily are deep."""
    parameters: list[object] = []
    for name, script in scripts.items():
        marks = () if name in daily else pytest.mark.deep
        parameters.append(pytest.param(script, id=name, marks=marks))
    return parameters


ENDLESS = {
    "loop": "for (;;);",
    "yield": GENERATE.format("for (;;) yield 1;"),
    "caught yields": GENERATE.format("for (;;) try { yield 'no'; } catch (e) { yield 1; }")
    .replace("{{", "{")
    .replace("}}", "}"),
    "regular expression": "/^(a+)+$/.test('a'.repeat(60) + 'b');",
    "promises": "(function next() { Promise.resolve().then(next); })(); Engine.ExportMap({});",
    "getter": "Engine.ExportMap({ get size() { for (;;); } });",
    "proxy": "Engine.ExportMap(new Proxy({}, { ownKeys() { for (;;); } }));",
    "toString": "log({ toString() { for (;;); } });",
    "toJSON": "Engine.ExportMap({ a: { toJSON() { for (;;); } } });",
    "next": "globalThis.GenerateMap = () => ({ next() { for (;;); } });",
    "sort": "const a = Array(1e3).fill(0); for (;;) a.sort(() => Math.random() - 0.5);",
    "requests": "for (;;) Engine.FileExists('maps/random/a.js');",
    "log": "for (;;) log('x'.repeat(5000));",
    "stack": "Error.prepareStackTrace = () => { for (;;); }; null.x;",
    "caught overflow": "function f() { try { f(); } finally { f(); } } f();",
}


DAILY_ENDLESS = {"loop", "yield", "regular expression", "promises", "requests"}


@pytest.mark.parametrize("script", cases(ENDLESS, DAILY_ENDLESS))
def test_an_endless_script_is_stopped(script: str, run: Run) -> None:
    with pytest.raises(ProblemError) as caught:
        run(script, limits=SHORT)
    assert [problem.code for problem in caught.value.problems] == ["script-time"]


GREEDY = {
    "typed arrays": "const a = []; for (;;) a.push(new Uint8Array(1 << 26).fill(1));",
    "one array": "new Float64Array(2 ** 29).fill(1);",
    "heap": "const a = []; for (;;) a.push([a.length, {}, 'x' + a.length]);",
    "string": "let s = 'x'; for (;;) s += s + s;",
    "array of arrays": "let a = [1]; for (;;) a = a.concat(a);",
    "map": "const m = new Map(); for (let i = 0; ; ++i) m.set(i, { i });",
    "returned string": "Engine.ExportMap({ a: Array(300).fill('x'.repeat(1e6)) });",
    "returned array": "Engine.ExportMap({ height: Array(2 ** 25).fill(1) });",
    "returned typed array": "Engine.ExportMap({ height: new Uint8Array(2 ** 28) });",
    "buffer that grows": "const b = new ArrayBuffer(8, { maxByteLength: 2 ** 32 });"
    "b.resize(2 ** 32); new Uint8Array(b).fill(1);",
    "closures": "let f = () => 0; for (;;) { const g = f; const a = Array(1000).fill(0);"
    "f = () => g() + a[0]; }",
}


DAILY_GREEDY = {"typed arrays", "heap", "returned string", "buffer that grows"}


@pytest.mark.parametrize("script", cases(GREEDY, DAILY_GREEDY))
def test_a_script_that_wants_too_much_memory_fails(script: str, run: Run) -> None:
    with pytest.raises(ProblemError) as caught:
        run(script, limits=SMALL)
    (problem,) = caught.value.problems
    assert problem.code in ("script-memory", "script-error", "script-engine-ended")


@pytest.mark.parametrize("text", ["{}", "function* GenerateMap() {{ {} }}"])
def test_a_heap_that_is_full_is_said_to_be(text: str, run: Run) -> None:
    with pytest.raises(ProblemError) as caught:
        run(text.format("const a = []; for (;;) a.push(Array(1e5).fill(1.5));"), limits=SMALL)
    assert [problem.code for problem in caught.value.problems] == ["script-memory"]


RUBBISH = {
    "nothing": "",
    "import": "import('maps/random/a.js');",
    "import statement": "import { a } from '../../etc/passwd';",
    "import of a page": "import 'http://example.com/a.js';",
    "fetch": "fetch('http://example.com');",
    "require": "require('fs');",
    "process": "process.exit(0);",
    "WebAssembly": "new WebAssembly.Memory({ initial: 1, maximum: 65536, shared: true });",
    "SharedArrayBuffer": "new SharedArrayBuffer(2 ** 33);",
    "Atomics.wait": "Atomics.wait(new Int32Array(new SharedArrayBuffer(8)), 0, 0);",
    "console": "console.log('a');",
    "setTimeout": "setTimeout(() => 0, 0);",
    "recursion": "function f() { return 1 + f(); } f();",
    "deep object": "let a = {}; for (let i = 0; i < 1e6; ++i) a = { a }; Engine.ExportMap(a);",
    "object for itself": "const a = {}; a.a = a; Engine.ExportMap(a);",
    "throws an object": "throw { a: 1 };",
    "throws null": "throw null;",
    "throws undefined": "throw undefined;",
    "throws a symbol": "throw Symbol('a');",
    "throws a lone surrogate": "throw '\\ud800';",
    "throws a looping message": "const e = { get message() { throw e; }, toString() { throw e; } };"
    "throw e;",
    "throws a mute error": "const e = Error(); e.toString = () => { throw e; }; throw e;",
    "exports null": "Engine.ExportMap(null);",
    "exports a number": "Engine.ExportMap(3);",
    "exports a function": "Engine.ExportMap(() => 0);",
    "a revoked proxy": "const p = Proxy.revocable({}, {}); p.revoke(); Engine.ExportMap(p.proxy);",
    "getter that throws": "Engine.ExportMap({ get size() { throw null; } });",
    "big integers": "Engine.ExportMap({ size: 10n });",
    "no generator": "function GenerateMap() { return { size: 16 }; }",
    "async": "async function* GenerateMap() { yield 1; }",
    "returns nothing": "function* GenerateMap() { yield 1; }",
    "returns a number": "function* GenerateMap() { return 7; }",
    "yields rubbish": "function* GenerateMap() { yield {}; }",
    "yields rubbish for ever": "function* GenerateMap() { for (;;) try { yield {}; } catch {} }",
    "throws later": "function* GenerateMap() { yield 1; throw { a: 1 }; }",
    "stack of rubbish": "Error.prepareStackTrace = () => ({}); null.x;",
    "stack that throws": "Error.prepareStackTrace = (e, s) => { throw s; };"
    "function* GenerateMap() { null.x; }",
    "stack without end": "Error.stackTraceLimit = Infinity; function f(n) { n ? f(n - 1) : n.x.y; }"
    "f(5000);",
    "JSON of arrays": "Array.prototype.toJSON = () => 7; Engine.ExportMap({ height: [1] });",
    "JSON of errors": "Array.prototype.toJSON = () => 7; function* GenerateMap() { null.x; }",
    "JSON of all": "Object.prototype.toJSON = () => undefined; Engine.ExportMap({});",
    "a buffer that is gone": "const a = new Uint8Array(8); a.buffer.transfer();"
    "Engine.ExportMap({ height: a });",
    "no throw": "globalThis.GenerateMap = () => ({ next: () => ({ value: '' }) });",
    "getter of the generator": "Object.defineProperty(globalThis, 'GenerateMap',"
    "{ get() { throw null; } });",
    "nested source": "eval('('.repeat(1e6));",
    "await": "export const a = await 1;",
    "throws null later": "function* GenerateMap() { yield 1; throw null; }",
    "throws a proxy later": "function* GenerateMap() { throw new Proxy({}, { get() { throw 1 }}) }",
    "MakeExportable": "function* GenerateMap() { return { MakeExportable() { throw 1; } }; }",
    "no settings": "g_MapSettings.a.b;",
    "module without generator": "export const a = 1;",
    "module of rubbish": "export { , };",
    "open template": "export const a = `${",
    "zero": "\\0",
}


@pytest.mark.parametrize("script", RUBBISH.values(), ids=RUBBISH.keys())
def test_a_script_without_a_map_fails_in_words(script: str, run: Run) -> None:
    with pytest.raises(ProblemError) as caught:
        run(script)
    (problem,) = caught.value.problems
    assert problem.code == "script-error"
    assert problem.message


MAP = "{ size: 16, height: [1, 2], entities: [] }"
REPLACED = {
    "JSON": "JSON.stringify = () => 'x'; JSON.parse = () => { throw 1; };",
    "the object JSON": "globalThis.JSON = undefined;",
    "prototypes": """
        for (const type of [Object, Array, String, Function, Map, Set, Uint8Array, Number])
            for (const name of Object.getOwnPropertyNames(type.prototype))
                if (name !== "constructor" && name !== "prototype")
                    try { type.prototype[name] = () => { throw new Error("replaced"); }; }
                    catch (e) {}
        """,
    "iterators": "Array.prototype[Symbol.iterator] = function* () { yield 'x'; };",
    "typed arrays": "Uint8Array = Float64Array = Uint16Array = undefined;",
    "setters": "Object.defineProperty(Object.prototype, 'data', { set() { throw 1; } });",
    "indices": "Object.defineProperty(Array.prototype, 0, { set(v) { throw 1; } });",
    "getters": "Object.defineProperty(Object.prototype, 'a', { get() { throw 1; } });",
    "Object": "Object.keys = () => { throw 1; }; Object.defineProperty = () => { throw 1; };",
    "Reflect": "Reflect.apply = () => { throw 1; }; Reflect.ownKeys = undefined;",
    "Error": "Error = undefined; Error_ = 1;",
}


@pytest.mark.parametrize("script", REPLACED.values(), ids=REPLACED.keys())
def test_what_a_script_replaces_is_not_used(script: str, run: Run) -> None:
    data = run(f"{script}\nEngine.ExportMap({MAP});").data
    assert data["size"] == 16
    assert data["entities"] == []
    assert list(data["height"]) == [1, 2]  # type: ignore[call-overload]  # an array


LYING = (
    "Engine.ExportMap({{ height: new Proxy([1], {{ get: (_, k) => k === 'length' ? {} : 1 }}) }});"
)


@pytest.mark.parametrize("length", ["NaN", "{ valueOf() { return 2; } }", "undefined"])
def test_a_list_without_a_length_is_empty(length: str, run: Run) -> None:
    assert list(run(LYING.format(length)).data["height"]) == []  # type: ignore[call-overload]


@pytest.mark.parametrize("length", ["-1", "2 ** 40", "Symbol()", "9n"])
def test_a_list_with_an_impossible_length_is_a_problem(length: str, run: Run) -> None:
    with pytest.raises(ProblemError) as caught:
        run(LYING.format(length))
    assert [problem.code for problem in caught.value.problems] == ["script-error"]


def test_endless_lines_are_cut_off(run: Run) -> None:
    log = run("for (let i = 0; i < 1e5; ++i) log(i); Engine.ExportMap({});").log
    assert len(log) == 5001
    assert (log[4999].text, log[5000].text) == ("4999", "(further lines: 95,000)")


def test_odd_arguments_of_calls_have_an_answer(run: Run) -> None:
    data = run(
        "Engine.ExportMap({ a: [Engine.ListDirectoryFiles({}, [], 'x'), Engine.ReadJSONFile(null),"
        " Engine.FileExists(Symbol()), Engine.LoadHeightmapImage(5), Engine.LoadMapTerrain(''),"
        " Engine.FindActorTemplates(), typeof Engine.GetTemplate('a|'.repeat(1e5) + 'b'),"
        " Engine.FileExists('maps/' + 'a'.repeat(1e6))] });"
    ).data
    assert data["a"] == [None, None, False, None, None, [], "undefined", False]


def test_numbers_that_are_none_are_seen(run: Run) -> None:
    data = run("Engine.ExportMap({ height: [1, '2', null, undefined, NaN, {}, 70000] });").data
    assert [str(each) for each in data["height"]] == ["1.0", *["nan"] * 5, "70000.0"]  # type: ignore[attr-defined]  # an array


def test_numbers_that_json_does_not_have_come_back(run: Run) -> None:
    said = """[NaN, -Infinity, { x: Infinity }, "NaN", '\\0NaN,"\\0NaN",', { "\\0NaN": 1 }]"""
    data = run(f"Engine.ExportMap({{ entities: {said} }});").data
    texts = ["NaN", '\0NaN,"\0NaN",', {"\0NaN": 1}]
    assert repr(data["entities"]) == repr([math.nan, -math.inf, {"x": math.inf}, *texts])


def test_the_path_out_of_a_mod_leads_nowhere(run: Run) -> None:
    paths = ["../a.json", "maps/../../a.json", "/etc/passwd", "maps/random/../../../a.json"]
    paths += ["maps\\\\random\\\\a.js", "file:///etc/passwd", "art/a.json", ""]
    calls = ", ".join(
        f"Engine.ReadJSONFile('{path}'), Engine.FileExists('{path}')" for path in paths
    )
    found = run(f"Engine.ExportMap({{ found: [{calls}] }});").data["found"]
    assert found == [None, False] * len(paths)
    found = run(
        "Engine.ExportMap({ found: [Engine.ListDirectoryFiles('../', '*', true),"
        " Engine.ListDirectoryFiles('globalscripts/', '*', true),"
        " Engine.LoadLibrary('../../..'), Engine.LoadLibrary('/etc')] });"
    ).data["found"]
    assert found == [None, None, False, False]


def test_more_lists_than_a_map_has_are_refused_before_they_are_made(run: Run) -> None:
    with pytest.raises(ProblemError) as caught:
        run("Engine.ExportMap({ size: 16, entities: Array(1.5e6).fill([]) });")
    (problem,) = caught.value.problems
    assert problem.message == (
        "the map that the script returned cannot be read: "
        "its JSON has 3,000,002 values, 1,000,000 are the most"
    )
    assert problem.path is not None
