"""ES modules: what they import and export, run as functions."""

from __future__ import annotations

from typing import Any

import pytest

from randomizer.model.problems import ProblemError
from randomizer.systems.zeroad.engine.faults import ScriptFailedError
from randomizer.systems.zeroad.engine.module_parser import is_module, parse_module

from .conftest import Run, Write

LIB = "maps/random/lib/"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("export const a = 1;", True),
        ("import 'a';", True),
        ("import('a');", False),
        ("import.meta", False),
        ("// export const a\n'import a';", False),
        ("a.export = 1; ({ import: 1 });", False),
        ("`\nexport const a = 1;`", False),
        ("/export a/.test(b)", False),
        ("function f() { return { export: 1 }; }", False),
    ],
)
def test_modules_are_told_from_scripts(text: str, expected: bool) -> None:
    assert is_module(text) is expected


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("export const a = 1, b = [2, 3], c = f(4, 5);", "a b c"),
        ("export let a\nexport let b = 1\nx, y", "a b"),
        ("export const { a, b: c, ...d } = e, [f = g(h), [i]] = j;", "a c d f i"),
        ("export const { a = { x, y }, b: { c } } = d;", "a c"),
        ("export function a() {} export function* b() {} export async function c() {}", "a b c"),
        ("export const { [key(k)]: a, b, [c]: [d] } = e;", "a b d"),
        ("export const { a = { x }.y, b = [1, 2].z } = c;", "a b"),
        ("export class A extends B {} export { d as e, f };", "A e f"),
        ("export default function a() {}", "default"),
        ("export default 1 + 1;", "default"),
        ("export * as a from 'b'; export { default as c } from 'b';", "a c"),
        ("export const a = x => { let y = 1, z; return y, z; }, b = `${1, 2}`;", "a b"),
    ],
)
def test_exported_names_are_found(text: str, names: str) -> None:
    assert sorted(parse_module("a.js", text).exports) == sorted(names.split())


def test_the_lines_of_a_module_stay() -> None:
    text = "import {\n a,\n b\n} from 'x';\n\nexport const c = a;\nexport {\n c as d\n};"
    body = parse_module("a.js", text).body
    assert body.splitlines()[5].strip() == "const c = a;"
    assert body.count("\n") == text.count("\n")


@pytest.mark.parametrize("text", ["import { a b } from 'c';", "import a;", "export 1;", "export {"])
def test_bad_statements_are_problems_with_their_place(text: str) -> None:
    with pytest.raises(ScriptFailedError) as caught:
        parse_module("a.js", f"\n{text}")
    assert caught.value.frame is not None
    assert caught.value.frame[:2] == ("a.js", 2)


def value(run: Run, imports: str, expression: str) -> Any:
    script = f"{imports}\nexport function* generateMap() {{ return {{ value: {expression} }}; }}"
    return run(script).data["value"]


def test_all_kinds_of_imports(run: Run, write: Write) -> None:
    write(
        f"{LIB}a.js",
        "export const one = 1; export default class { get() { return 2; } }\n"
        "export function three() { return 3; } const four = 4; export { four as 'f o u r' };",
    )
    write(f"{LIB}b.js", f"export * from '{LIB}a.js'; export * as all from '{LIB}a.js';")
    imports = f"""
    import Two, {{ one, three as drei, "f o u r" as four }} from "{LIB}a.js";
    import * as a from '{LIB}a.js'
    import {{ all, three }} from '{LIB}b.js';
    import "{LIB}a.js";
    """
    expression = (
        "[one, new Two().get(), drei(), four, a.one, all.one, three === drei, Object.keys(a)]"
    )
    names = ["default", "f o u r", "one", "three"]
    found = value(run, imports, expression)
    assert found[:-1] == [1, 2, 3, 4, 1, 1, True]
    assert sorted(found[-1]) == names


def test_modules_are_strict_and_share_no_names(run: Run, write: Write) -> None:
    write(
        f"{LIB}a.js", "const hidden = 1; export const strict = (function () { return !this; })();"
    )
    found = value(run, f"import {{ strict }} from '{LIB}a.js';", "[strict, typeof hidden]")
    assert found == [True, "undefined"]


def test_modules_can_import_each_other(run: Run, write: Write) -> None:
    write(
        f"{LIB}a.js",
        f"import {{ odd, start }} from '{LIB}b.js';\n"
        "export function even(n) { return n === 0 || odd(n - 1); } export const first = start + 1;",
    )
    write(
        f"{LIB}b.js",
        f"import {{ even, first }} from '{LIB}a.js';\n"
        "export function odd(n) { return n !== 0 && even(n - 1); } export const start = 5;\n"
        "export const late = () => first;",
    )
    imports = f"import {{ even, first }} from '{LIB}a.js'; import {{ late }} from '{LIB}b.js';"
    assert value(run, imports, "[even(10), even(7), first, late()]") == [True, False, 6, 6]


def test_a_variable_that_its_module_changes_changes_for_all(run: Run, write: Write) -> None:
    write(
        f"{LIB}a.js",
        "export let first, count = 0; export function add() { ++count; }\nexport var map;"
        "export function make(count = 1, other = 2) { map = { size: 16, count: other }; }\n"
        "export const size = 1; export class Sized { size = 2; get(size = 3) { return size; } }",
    )
    imports = f"import {{ count as n, add, map, make }} from '{LIB}a.js';"
    expression = "(add(), add(), make(), [n, { n }, `${n}`, map.size, { map: map.size }.map])"
    assert value(run, imports, expression) == [2, {"n": 2}, "2", 16, 16]


@pytest.mark.parametrize(
    ("change", "values"),
    [
        ("const a = n\n++n\nn++\nn = n + 1", [1, 4]),  # lines end without a semicolon
        ("let a = n++ + 1\na++\nn = a", [1, 3]),
        ("++counts.x; --counts['x']; ++counts.x; n = counts.x", [1, 6]),
        ("let a = (n += 2, n) * n--", [1, 2]),
        ("let a = -n-- - --n", [1, -1]),
        ("const g = ({n = 3}) => n, {n = 2} = {}; n", [1, 1]),  # default values
    ],
)
def test_a_variable_is_changed_as_its_module_writes_it(
    change: str, values: list[int], run: Run, write: Write
) -> None:
    write(
        f"{LIB}a.js", f"export let n = 1, counts = {{ x: 5 }}\nexport function f() {{\n{change}\n}}"
    )
    assert value(run, f"import {{ n, f }} from '{LIB}a.js';", "[n, (f(), n)]") == values


def test_files_are_appended_to_their_base(run: Run, write: Write) -> None:
    write(f"{LIB}a.js", "export const all = [1];")
    write(f"{LIB}a~two.append.js", "all.push(2);")
    write(f"{LIB}a~more.append.js", "all.push(3);")
    write(f"{LIB}ab~more.append.js", "all.push(4);")
    assert value(run, f"import {{ all }} from '{LIB}a.js';", "all") == [1, 3, 2]


def test_old_libraries_can_be_loaded_by_modules(run: Run, write: Write) -> None:
    write("maps/random/old/a.js", "const old = 1;")
    assert value(run, "Engine.LoadLibrary('old');", "old") == 1


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        (f"import {{ a }} from '{LIB}none.js';", ("maps/random/a.js", 1, 19), "no such file"),
        (f"\nimport {{ a, b }} from '{LIB}a.js';", ("maps/random/a.js", 2, 22), "exports no b"),
        (f"import '{LIB}all.js';", (f"{LIB}all.js", 2, 19), "exports no b"),
        (f"import '{LIB}a.js';\n  missing();", ("maps/random/a.js", 2, 3), "missing is not"),
        (f"import '{LIB}bad.js';", (f"{LIB}bad.js", 2, 5), "SyntaxError"),
        ("export const a = 1;\nlet b = ;", ("maps/random/a.js", 2, 9), "Unexpected token"),
        ("export const a = b;", ("maps/random/a.js", 1, 18), "b is not defined"),
        ("import { a } from '../a.js';", ("maps/random/a.js", 1, 19), "no such file"),
    ],
)
def test_errors_of_modules_name_their_place(
    text: str, place: tuple[str, int, int], words: str, run: Run, write: Write
) -> None:
    write(f"{LIB}a.js", "export const a = 1;")
    write(f"{LIB}all.js", f"export * from '{LIB}a.js';\nimport {{ b }} from '{LIB}all.js';")
    write(f"{LIB}bad.js", "export const a = 1;\na = 1 1;")
    with pytest.raises(ProblemError) as caught:
        run(text)
    (problem,) = caught.value.problems
    assert words in problem.message
    assert (problem.path, problem.line) == place[:2]
    if problem.path != f"{LIB}bad.js":
        assert problem.column == place[2]


@pytest.mark.parametrize(
    "text",
    [
        f"export {{ count, add }} from '{LIB}a.js';",
        f"export * from '{LIB}a.js';",
        f"import {{ count as n, add }} from '{LIB}a.js'; export {{ n as count, add }};",
    ],
)
def test_a_changing_variable_that_a_module_passes_on_changes(
    text: str, run: Run, write: Write
) -> None:
    write(f"{LIB}a.js", "export let count = 0; export function add() { ++count; }")
    write(f"{LIB}b.js", text)
    imports = f"import {{ count, add }} from '{LIB}b.js';"
    assert value(run, imports, "(add(), add(), count)") == 2


@pytest.mark.parametrize(
    "declaration", ["function () { return 5; }", "async function* () {}", "class { f() {} }"]
)
def test_a_default_export_without_a_name_needs_no_semicolon(
    declaration: str, run: Run, write: Write
) -> None:
    write(f"{LIB}a.js", f"export default {declaration}\n(function () {{}})();\n[1].map(x => x);")
    assert value(run, f"import a from '{LIB}a.js';", "typeof a") == "function"
