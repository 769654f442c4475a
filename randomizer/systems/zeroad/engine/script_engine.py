"""One run of a script in a fresh context of V8, the JavaScript engine.

    run = ScriptRun(path, text, settings, data, heap)
    map_texts = run.run(report)        # the map as JSON and arrays, or ScriptFailedError

Only the child process imports this file. The script runs on a thread of its own, and asks for
files and templates of the mods; its calls are answered on the thread of the caller (``channel``).
The scripts of release 0.28 of 0 A.D. are ES modules; those of 0.26 and 0.27 are evaluated in one
global scope (docs/adr/0025).
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Mapping
from importlib.resources import files
from typing import NamedTuple, cast

from py_mini_racer import JSEvalException, JSFunction, JSOOMException, JSParseException, MiniRacer

from randomizer.systems.zeroad.engine.answers import LIBRARIES, Answers
from randomizer.systems.zeroad.engine.channel import Channel
from randomizer.systems.zeroad.engine.faults import (
    TOO_MUCH_MEMORY,
    ScriptFailedError,
    describe_fault,
    fault_in_engine,
)
from randomizer.systems.zeroad.engine.global_scripts import leading_libraries
from randomizer.systems.zeroad.engine.module_linking import (
    TAIL,
    check_names,
    circular_imports,
    head_of,
)
from randomizer.systems.zeroad.engine.module_parser import Module, is_module, parse_module
from randomizer.systems.zeroad.installation.script_data import ScriptData

PRELUDE = files(__package__).joinpath("prelude.js").read_text(encoding="utf-8")
"""The script of ours that every context begins with: it defines what scripts call."""

GLOBAL_SCRIPTS = "globalscripts/"
"""The folder of the game's scripts that are run before every map script."""

QUICK_S = 0.00005
"""The sleep before the next look for a request, soon after one: scripts ask several in a row.

Shorter sleeps answer sooner, and take processor time from the script.
"""

QUICK_FOR_S = 0.005
"""The time after a request for which sleeps are quick."""

SLOW_S = 0.001
"""The sleep before the next look after that time."""

REPORT_S = 0.02
"""How often, in seconds, a report is made of a script that asks one thing after the other.

A script that asks nothing is reported each time that the channel is looked at.
"""

_STOPPED = "null"
"""What V8 says of a function that it stopped in the middle: at the limit of memory only."""

_NOT_FINITE = re.compile(r'(?<=[:,\[])"\\u0000(NaN|-?Infinity)"(?=[,\]}])')
"""A value of JSON by which the prelude means this number; Python reads its name."""

_LONE_SURROGATE = re.compile(r"(?<!\\)((?:\\\\)*)\\u[dD][89a-fA-F][0-9a-fA-F]{2}")
"""Half a character, which JSON escapes, unlike whole ones; UTF-8 cannot have it.

Behind an even number of backslashes it is an escape, behind an odd one a text.
"""


class MapTexts(NamedTuple):
    """The value that a script returned, as bytes for the parent process."""

    text: bytes
    """Its JSON, without the arrays."""

    arrays: tuple[tuple[str, str], ...]
    """The path of each array in the JSON ("tileData.index"), and its class in JavaScript."""

    blocks: tuple[bytes, ...]
    """The bytes of each array."""


class _Context(NamedTuple):
    """V8, in which the prelude was run."""

    engine: MiniRacer

    host: Mapping[str, JSFunction]
    """The functions of the prelude by name.

    They are called in this order: "begin" with the settings; for modules "addModule" for each and
    "generateModule", for other scripts "mark" with each library that is run and "generate"; then
    "text", "described" and "nextArray" return the map.
    """


class _LinkedModule(NamedTuple):
    """A module as a function for V8."""

    path: str

    text: str
    """The text of the function."""

    head_length: int
    """The length of its beginning, before the text of the module."""


class ScriptRun:
    """Runs a script on a thread of its own; this thread answers its calls meanwhile."""

    def __init__(
        self, path: str, text: str, settings: Mapping[str, object], data: ScriptData, heap: int
    ) -> None:
        """Prepare to run a script once; ``heap`` is the memory that it may have, in bytes."""
        self._path = path
        self._text = text
        self._settings = settings
        self._data = data
        self._answers = Answers(data)
        """Answers the calls of the script."""
        self._heap = heap

        # These are set by the thread of the script, and read here when it has ended.
        self._outcome: MapTexts | BaseException | None = None
        """The map, or the error that ended the script; None while it runs."""
        self._heads: dict[str, int] = {}
        """By module the length of the text that was put before it: columns are moved by it."""
        self._parsed = path
        """The file that V8 parses; an error of parsing does not name it."""

    def run(self, report: Callable[[Channel], None]) -> MapTexts:
        """Run the script to its end, and return its map. Raises ScriptFailedError.

        ``report`` is called often while it runs, to read its progress and log from the channel, and
        once after it. After an error of another class this process can run no further script.
        """
        engine = MiniRacer()
        engine.set_hard_memory_limit(self._heap)
        context = _Context(engine, cast("Mapping[str, JSFunction]", engine.eval(PRELUDE)))
        channel = Channel(cast("memoryview", context.host["shared"]), self._answers.answer)
        worker = threading.Thread(target=self._set_outcome, args=(context,), daemon=True)
        worker.start()
        _serve(channel, worker, report)
        channel.end()
        report(channel)
        engine.close()  # not after an error of this thread: the script may still be running

        outcome = self._outcome
        assert outcome is not None, "the thread of the script has ended"
        if isinstance(outcome, ScriptFailedError):
            raise outcome.with_own_column(self._heads)
        if isinstance(outcome, BaseException):
            raise outcome
        return outcome

    # --- on the thread of the script ---------------------------------------------------------

    def _set_outcome(self, context: _Context) -> None:
        """Run the script, and set ``_outcome`` to its map or its error."""
        try:
            self._outcome = self._map_of_script(context)
        except JSOOMException:
            self._outcome = ScriptFailedError("script-memory", TOO_MUCH_MEMORY)
        except JSEvalException as reason:
            if str(reason).strip() == _STOPPED:
                self._outcome = ScriptFailedError("script-memory", TOO_MUCH_MEMORY)
            else:
                self._outcome = fault_in_engine(str(reason), self._path, self._parsed)
        except BaseException as reason:  # noqa: BLE001 - raised by run, on the other thread
            self._outcome = reason

    def _map_of_script(self, context: _Context) -> MapTexts:
        """Run the game's global scripts, then the script in the form of its release."""
        host = context.host
        host["begin"](json.dumps(self._settings))
        for path in self._data.list(GLOBAL_SCRIPTS, recurse=False):
            if path.endswith(".js"):
                self._evaluate(context, path, self._data.text(path) or "")
        if is_module(self._text):
            for module in self._linked_modules():
                self._heads[module.path] = module.head_length
                self._parsed = module.path
                host["addModule"](module.path, module.text)
            self._raise_thrown(host["generateModule"](self._path))
        else:
            self._run_leading_libraries(context, self._text, set())
            self._evaluate(context, self._path, self._text)
            self._raise_thrown(host["generate"]())
        return _map_texts(host)

    def _run_leading_libraries(self, context: _Context, text: str, loaded: set[str]) -> None:
        """Run the libraries that a script begins with as scripts of their own.

        ``loaded`` are the names of those that were run before; those that are run here are added.
        """
        for name in leading_libraries(text):
            paths = self._answers.library_files(name)
            if name in loaded or paths is None:
                continue
            loaded.add(name)
            context.host["mark"](name)
            for path in paths:
                library = self._data.text(path) or ""
                self._run_leading_libraries(context, library, loaded)
                self._evaluate(context, path, library)

    def _linked_modules(self) -> list[_LinkedModule]:
        """Return all modules that the script needs, as functions."""
        modules: dict[str, Module] = {}
        waiting = [(self._path, self._text)]
        while waiting:
            path, text = waiting.pop()
            modules[path] = parse_module(path, self._with_appended(path, text))
            for specifier in modules[path].specifiers:
                is_waiting = any(specifier == waiting_path for waiting_path, _text in waiting)
                if specifier not in modules and not is_waiting:
                    waiting.append((specifier, self._imported_text(specifier, modules[path])))
        check_names(modules)
        circular = circular_imports(modules)
        linked_modules = []
        for path, module in modules.items():
            head = head_of(module, modules, circular[path])
            linked_modules.append(_LinkedModule(path, f"{head}{module.body}{TAIL}", len(head)))
        return linked_modules

    def _imported_text(self, specifier: str, module: Module) -> str:
        """Return the text of a library that a module imports. Raises ScriptFailedError."""
        text = None
        if specifier.startswith(LIBRARIES):
            text = self._data.text(specifier)
        if text is None:
            message = f"{module.path} imports {specifier}: no such file"
            raise ScriptFailedError("script-error", message, module.first_uses[specifier])
        return text

    def _with_appended(self, path: str, text: str) -> str:
        """Return the text with what the files ``base~x.append.js`` add to it."""
        if not path.endswith(".js"):
            return text
        folder, _slash, _name = path.rpartition("/")
        start = path.removesuffix(".js") + "~"
        texts = [text]
        for other_path in self._data.list(f"{folder}/", recurse=False):
            if other_path.startswith(start) and other_path.endswith(".append.js"):
                texts.append(self._data.text(other_path) or "")
        return "\n".join(texts)

    def _evaluate(self, context: _Context, path: str, text: str) -> None:
        """Run a text in the global scope: all scripts share its outermost names."""
        self._parsed = path
        context.engine.eval(f"{text}\n;void 0;\n//# sourceURL={path}")

    def _raise_thrown(self, thrown: object) -> None:
        """Raise ScriptFailedError for what a script threw, as the prelude describes it.

        ``thrown`` is JSON, [text, stack], or "" if the script threw nothing.
        """
        if thrown == "":
            return
        try:
            text, stack = json.loads(str(thrown))
        except (ValueError, TypeError):  # a script can replace how values become JSON
            text = "the script threw what cannot be described"
            stack = ""
        raise describe_fault(str(text), str(stack), self._path)


def _serve(channel: Channel, worker: threading.Thread, report: Callable[[Channel], None]) -> None:
    """Answer the calls of the script on another thread until that thread ends.

    Nothing tells of a call: the channel is looked at again and again. Between calls, ``report`` is
    called.
    """
    last_request_s = 0.0
    last_report_s = 0.0
    while worker.is_alive():
        if channel.serve():
            last_request_s = time.monotonic()
            if last_request_s < last_report_s + REPORT_S:
                continue  # a script that asks one thing after the other is answered at once
        last_report_s = time.monotonic()
        report(channel)
        since_last_request_s = time.monotonic() - last_request_s
        time.sleep(_pause_s(since_last_request_s))


def _pause_s(since_last_request_s: float) -> float:
    """Return the time until the channel is looked at again."""
    if since_last_request_s < QUICK_FOR_S:
        return QUICK_S
    return SLOW_S


def check_syntax(path: str, text: str) -> None:
    """Raise ScriptFailedError if V8 cannot parse a script. Nothing of it runs."""
    if is_module(text):
        module = parse_module(path, text)
        # A function that nobody calls. A } too many in the module closes it early: V8 then finds a
        # fault behind the text.
        head = '(function () { "use strict"; '
        body = f"{module.body}{TAIL}"
    else:
        head = "throw null;"  # the script ends before its first word
        body = text
    with MiniRacer() as engine:
        try:
            engine.eval(f"{head}{body}")
        except JSParseException as reason:
            fault = fault_in_engine(str(reason), path, path).with_own_column({path: len(head)})
            line_count = text.count("\n") + 1
            frame = fault.frame
            if frame is not None and frame.line > line_count:
                frame = frame._replace(line=line_count, column=1)
            raise ScriptFailedError(fault.code, fault.message, frame) from None
        except JSEvalException:
            pass  # it was parsed, and ended with its first word


def _map_texts(host: Mapping[str, JSFunction]) -> MapTexts:
    """Copy the map, which the prelude has copied, out of the context. Raises ScriptFailedError."""
    try:
        text = host["text"]()
        description = host["described"]()
        if not isinstance(text, str) or not isinstance(description, str):
            raise TypeError("not JSON")
        entries = json.loads(description)
        arrays = tuple((str(entry["path"]), str(entry["type"])) for entry in entries)
        blocks = [bytes(cast("memoryview", host["nextArray"]())) for _ in arrays]
    except (ValueError, TypeError, KeyError) as reason:  # it can replace how values become JSON
        raise ScriptFailedError("script-error", "the script returned no map") from reason
    text = _NOT_FINITE.sub(r"\1", text)
    return MapTexts(_LONE_SURROGATE.sub(r"\1\\ufffd", text).encode(), arrays, tuple(blocks))
