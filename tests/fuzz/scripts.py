"""Harnesses of the script hosts: what a script is checked, explained and rolled by."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from randomizer.catalog.generators import generators_of
from randomizer.generator_run import run
from randomizer.installed import load
from randomizer.languages.language import SourceText
from randomizer.model.gate.gate import check_map
from randomizer.model.grid.grid import Grid
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import NO_TEXTS
from randomizer.model.problems import ProblemError, apply_fix, has_errors, split_lines
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.system.system import System
from randomizer.roll_base import Base
from randomizer.scripts.script_hosts import ScriptHost
from randomizer.systems.colossus.system import SYSTEM as COLOSSUS
from randomizer.systems.xconq.system import SYSTEM as XCONQ
from randomizer.systems.zeroad.engine.faults import ScriptFailedError
from randomizer.systems.zeroad.engine.global_scripts import leading_libraries, with_var
from randomizer.systems.zeroad.engine.module_linking import head_of
from randomizer.systems.zeroad.engine.module_parser import is_module, parse_module
from randomizer.systems.zeroad.engine.tokens import tokens
from randomizer.systems.zeroad.system import SYSTEM as ZEROAD
from tests.fuzz.harness import Harness, chance, check_problems, expect, refused
from tests.fuzz.mutators import text_mutator

DATA = Path(__file__).resolve().parents[1] / "data"

ROLLED = 8
"""One of so many scripts without errors is rolled."""


def run_host(host: ScriptHost, script: str, data: bytes) -> tuple[str, tuple[str, ...], bool]:
    """Read and check a script; the text, the codes of its problems, whether it can be rolled."""
    host.recognises(data)
    text, problems = host.decode(data)
    codes = check_problems(problems)
    if has_errors(problems):
        return text, codes, False
    if host.encode("ä") != "ä".encode():
        expect(host.decode(host.encode(text))[0] == text, "it is not encoded as it was decoded")
    problems = host.language.check(SourceText(text))
    codes += check_problems(problems, text)
    for problem in problems:
        host.language.problem_help(problem.code)
    look_at(host, text, script, chance(data, 10**6))
    return text, codes, not has_errors(problems)


def look_at(host: ScriptHost, text: str, script: str, seed: int) -> None:
    """Ask for all that an editor asks for, at some place of the text."""
    lines = split_lines(text)
    line = seed % len(lines) + 1
    column = seed // 7 % (len(lines[line - 1]) + 1) + 1
    host.further_names(text, script)
    host.library_folders(text)
    language = host.language
    language.completions(SourceText(text), line, column)
    language.help_at(SourceText(text), line, column)
    language.named_cells(SourceText(text))
    language.definition(SourceText(text), line, column)
    language.references(SourceText(text), line, column)
    try:
        apply_fix(text, language.rename(SourceText(text), line, column, "other"))
    except ProblemError as failed:
        refused(failed.problems)
    end = 0
    for token in language.tokens(lines[line - 1]):
        expect(end <= token.start < token.end, "coloured tokens overlap")
        end = token.end


def roll(host: ScriptHost, text: str, script: str, system: System, grid: Grid | None) -> object:
    """Roll a script without errors; what it makes is a map, or a problem says why not."""
    battlemap = BattleMap.new(system, grid)
    try:
        generator = host.generator(SourceText(text, script))
        made = run(generator, {}, DrawKey(3, 1), Base.under(battlemap, 0))
    except ProblemError as failed:
        return refused(failed.problems)
    assert made is not None
    layers = [layer.copy(id=number) for number, layer in enumerate(made.layers, 1)]
    check_map(BattleMap.new(system, made.grid or battlemap.grid, layers, made.terrain_set or None))
    return "rolled"


COLOSSUS_HOST: ScriptHost = load("randomizer.systems.colossus.script_host:HOST")
XCONQ_HOST: ScriptHost = load("randomizer.systems.xconq.script_host:HOST")
ZEROAD_HOST: ScriptHost = load("randomizer.systems.zeroad.script_host:HOST")


def run_rnd(data: bytes) -> object:
    """A script of Colossus."""
    text, codes, sound = run_host(COLOSSUS_HOST, "own.rnd", data)
    if sound and chance(data, ROLLED) == 0:
        return codes, roll(COLOSSUS_HOST, text, "own.rnd", COLOSSUS, None)
    return codes


def run_period(data: bytes) -> object:
    """A period of Xconq."""
    text, codes, sound = run_host(XCONQ_HOST, "own.per", data)
    if sound and chance(data, ROLLED) == 0:
        XCONQ_HOST.language.values(SourceText(text, "own.per", NO_TEXTS))
        XCONQ_HOST.language.trace(SourceText(text, "own.per", NO_TEXTS))
        grid = XCONQ.new_grid()
        small = Grid(grid.layout, 16, 12, wrap=grid.wrap)
        return codes, roll(XCONQ_HOST, text, "own.per", XCONQ, small)
    return codes


def run_javascript(data: bytes) -> object:
    """A script of 0 A.D. as it is read here, before any engine sees it."""
    text, problems = ZEROAD_HOST.decode(data)
    if has_errors(problems):
        return refused(problems)
    look_at(ZEROAD_HOST, text, "own.js", chance(data, 10**6))
    at = 0
    for token in tokens(text):
        expect(token.start >= at, "tokens overlap")
        expect(text.startswith(token.text, token.start), "a token stands elsewhere")
        at = token.end
    list(leading_libraries(text))
    shared = with_var(text)
    expect(shared.count("\n") == text.count("\n"), "a line is gone")
    if not is_module(text):
        return "script"
    try:
        module = parse_module("own.js", text)
    except ScriptFailedError as failed:
        expect(str(failed), "no reason is given")
        return "refused"
    expect(module.body.count("\n") == text.count("\n"), "a line is gone")
    head = head_of(module, {}, module.specifiers[:1])
    expect("\n" not in head, "the head has lines of its own")
    return ("module", bool(module.imports), bool(module.exports), bool(module.changing_names))


def run_checked_javascript(data: bytes) -> object:
    """A script of 0 A.D. as the desk checks it, with the engine."""
    return run_host(ZEROAD_HOST, "own.js", data)[1]


def _rnd_seeds() -> Iterator[bytes]:
    yield generators_of(COLOSSUS)[0].text.encode()
    yield from (file.read_bytes() for file in sorted(DATA.glob("colossus/broken/*.rnd")))


def _period_seeds() -> Iterator[bytes]:
    # The whole of a packaged period takes 50 ms; what follows its first lines is more of the same.
    yield XCONQ_HOST.encode("".join(generators_of(XCONQ)[0].text.splitlines(True)[:60]) + "end\n")
    yield from (file.read_bytes() for file in sorted(DATA.glob("xconq/simple_period/*.per")))


MODULES = (
    b'import { a, b as c } from "x.js";\nimport * as d from "y.js";\nimport e, { f } from "z.js";\n'
    b"export { a, c as default };\nexport const g = `${a} ${`in ${b}`}`;\nexport let h = 1;\n"
    b"h += 2; [h, g] = [1, 2];\nexport function* generateMap(s) { yield 5; return s; }\n"
    b'export * from "w.js";\nexport default class K { static x = /[/]/g; }\n',
    b"let a = 1 / 2 / 3, b = /x/.test(a) ? 'q' : \"r\"; // end\nclass C {}\nconst d = {a, b};\n"
    b'Engine.LoadLibrary("rmgen");\nTILE: for (;;) { if (a) /re/; break TILE; }\n/* tail */\n',
)


def _javascript_seeds() -> Iterator[bytes]:
    yield from MODULES
    for generator in generators_of(ZEROAD):
        if generator.text:
            yield generator.text.encode()


_RND = (
    *("AREA", "HAZARD", "ELEVATION", "TITLE", "SUBTITLE", "TOWER", "STARTLIST", "LABEL", "FILL"),
    *("SURROUNDINGS", "GROUND", "NUMBER", "PERCENT", "CHANCE", "SUBTRACT", "INTERSECT", "UNION"),
    *("ALL", "EDGE", "Tree", "Bog", "Plains", "Wall", "Cliff", "A1", "D4", "F1", "10%", "1-3", "#"),
    *('"', "(", ")", "{", "}", "[", "]", ",", "=", "-", "+", "/"),
)
_PERIOD = (
    *("utype", "ttype", "rtype", "u*", "t*", "r*", "[", "]", "makes", "speed", "moves", "true"),
    *("false", "capacity", "in-country", "country-size", "first-unit", "favored", "all", "nothing"),
    *("add", "print", "begin{notes}", "end{notes}", "end", ";", '"', "%", "1%", "999999"),
    *("Xconq", "-+----", "Period", "hp", "hit", "damage", "min-alt", "max-alt", "alt-roughness"),
)
_JAVASCRIPT = (
    *("import", "export", "default", "from", "as", "*", "{", "}", "`", "${", "/", "//", "/*", "*/"),
    *("'", '"', "=>", "let", "const", "var", "class", "function", "function*", "async", "yield"),
    *("return", "=", "+=", "++", "--", "[", "]", "(", ")", ";", ",", "\\", "\\u0061", "in", "of"),
    *("if", "while", "for", "Engine", "LoadLibrary", "meta", "with", "assert", "\u2028"),
)

HARNESSES = (
    Harness(
        "rnd-script",
        run_rnd,
        _rnd_seeds,
        text_mutator(*_RND),
        ("randomizer.systems.colossus.script_host:HOST",),
        180,
    ),
    Harness(
        "xconq-period",
        run_period,
        _period_seeds,
        text_mutator(*_PERIOD, encoding="latin-1"),
        ("randomizer.systems.xconq.script_host:HOST",),
        75,
    ),
    Harness(
        "javascript",
        run_javascript,
        _javascript_seeds,
        text_mutator(*_JAVASCRIPT),
        ("randomizer.systems.zeroad.script_host:HOST",),
        450,
    ),
    Harness(
        "javascript-checked",
        run_checked_javascript,
        _javascript_seeds,
        text_mutator(*_JAVASCRIPT),
        ("randomizer.systems.zeroad.script_host:HOST",),
        45,
    ),
)
