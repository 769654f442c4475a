"""One run of a script in a fresh context of V8. Only the child imports this file."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping
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
from randomizer.systems.zeroad.engine.modules import (
    TAIL,
    Module,
    check_names,
    circular_imports,
    head_of,
    is_module,
    parse_module,
)
from randomizer.systems.zeroad.installation.script_data import ScriptData

PRELUDE = files(__package__).joinpath("prelude.js").read_text(encoding="utf-8")
GLOBAL_SCRIPTS = "globalscripts/"

QUICK_S = 0.00005
SLOW_S = 0.001
"""How long to sleep before looking for the next request: soon after one, and else."""
QUICK_FOR_S = 0.005

LOOK_S = 0.02
"""The longest time between two looks at a script that asks one thing after the other."""

_STOPPED = "null"
"""What V8 says of a function that it stopped in the middle: at the limit of memory only."""

_NO_NUMBER = re.compile(r'(?<=[:,\[])"\\u0000(NaN|-?Infinity)"(?=[,\]}])')
"""A value of JSON by which the prelude means this number; Python reads its name."""

_LONE_SURROGATE = re.compile(r"(?<!\\)((?:\\\\)*)\\u[dD][89a-fA-F][0-9a-fA-F]{2}")


class MapTexts(NamedTuple):
    """The value that a script returned: its JSON, the bytes of its arrays with their classes."""

    text: bytes
    arrays: tuple[tuple[str, str], ...]
    blocks: tuple[bytes, ...]


class ScriptRun:
    """Runs a script on a thread of its own; this thread answers its calls meanwhile."""

    def __init__(
        self, path: str, text: str, settings: Mapping[str, object], data: ScriptData, heap: int
    ) -> None:
        self._path = path
        self._text = text
        self._settings = settings
        self._data = data
        self._answers = Answers(data)
        self._heap = heap
        self._result: MapTexts | None = None
        self._fault: BaseException | None = None
        self._heads: dict[str, int] = {}
        self._parsed = path  # the file that V8 parses; an error of that does not name it

    def run(self, look: Callable[[Channel], None]) -> MapTexts:
        """Run to the end; ``look`` is called often, and once after it. Raises ScriptFailedError.

        After another error this process can run no further script.
        """
        engine = MiniRacer()
        engine.set_hard_memory_limit(self._heap)
        host = cast("Mapping[str, JSFunction]", engine.eval(PRELUDE))
        channel = Channel(cast("memoryview", host["shared"]), self._answers)
        worker = threading.Thread(target=self._work, args=(engine, host), daemon=True)
        worker.start()
        asked_s = looked_s = 0.0
        while worker.is_alive():
            if channel.serve():
                asked_s = time.monotonic()
                if asked_s < looked_s + LOOK_S:
                    continue
            looked_s = time.monotonic()
            look(channel)
            time.sleep(QUICK_S if time.monotonic() - asked_s < QUICK_FOR_S else SLOW_S)
        channel.ended = True
        look(channel)
        engine.close()  # not after an error of this thread: the script may still be running
        if isinstance(self._fault, ScriptFailedError):
            raise self._fault.moved(self._heads)
        if self._fault is not None:
            raise self._fault
        assert self._result is not None  # the worker sets the one or the other
        return self._result

    def _work(self, engine: MiniRacer, host: Mapping[str, JSFunction]) -> None:
        try:
            self._result = self._made(engine, host)
        except JSOOMException:
            self._fault = ScriptFailedError("script-memory", TOO_MUCH_MEMORY)
        except JSEvalException as reason:
            if str(reason).strip() == _STOPPED:
                self._fault = ScriptFailedError("script-memory", TOO_MUCH_MEMORY)
            else:
                self._fault = fault_in_engine(str(reason), self._path, self._parsed)
        except BaseException as reason:  # noqa: BLE001 - raised by run, on the other thread
            self._fault = reason

    def _made(self, engine: MiniRacer, host: Mapping[str, JSFunction]) -> MapTexts:
        host["begin"](json.dumps(self._settings))
        for path in self._data.list(GLOBAL_SCRIPTS, False):
            if path.endswith(".js"):
                self._run(engine, path, self._data.text(path) or "")
        if is_module(self._text):
            for path, text in self._module_texts():
                self._parsed = path
                host["addModule"](path, text)
            self._succeed(host["generateModule"](self._path))
        else:
            self._load_leading(engine, host, self._text, set())
            self._run(engine, self._path, self._text)
            self._succeed(host["generate"]())
        return _taken(host)

    def _load_leading(
        self, engine: MiniRacer, host: Mapping[str, JSFunction], text: str, loaded: set[str]
    ) -> None:
        """Run the libraries that a script begins with as scripts of their own."""
        for name in leading_libraries(text):
            paths = self._answers.library_files(name)
            if name in loaded or paths is None:
                continue
            loaded.add(name)
            host["mark"](name)
            for path in paths:
                library = self._data.text(path) or ""
                self._load_leading(engine, host, library, loaded)
                self._run(engine, path, library)

    def _module_texts(self) -> Iterator[tuple[str, str]]:
        """Yield all modules that the script needs, as texts of functions."""
        modules: dict[str, Module] = {}
        waiting = [(self._path, self._text)]
        while waiting:
            path, text = waiting.pop()
            modules[path] = parse_module(path, self._with_appended(path, text))
            for specifier in modules[path].specifiers:
                if specifier not in modules and all(specifier != queued for queued, _ in waiting):
                    if specifier.startswith(LIBRARIES):
                        library = self._data.text(specifier)
                    else:
                        library = None
                    if library is None:
                        message = f"{path} imports {specifier}: no such file"
                        place = modules[path].places[specifier]
                        raise ScriptFailedError("script-error", message, place)
                    waiting.append((specifier, library))
        check_names(modules)
        circular = circular_imports(modules)
        for path, module in modules.items():
            head = head_of(module, modules, circular[path])
            self._heads[path] = len(head)
            yield path, f"{head}{module.body}{TAIL}"

    def _with_appended(self, path: str, text: str) -> str:
        """Return the text with what the files ``base~x.append.js`` add to it."""
        folder, _, name = path.rpartition("/")
        start = path.removesuffix(".js") + "~"
        added = [
            self._data.text(each) or ""
            for each in self._data.list(f"{folder}/", False)
            if each.startswith(start) and each.endswith(".append.js") and name.endswith(".js")
        ]
        return "\n".join([text, *added])

    def _run(self, engine: MiniRacer, path: str, text: str) -> None:
        """Run a script whose outermost names are shared by all scripts."""
        self._parsed = path
        engine.eval(f"{text}\n;void 0;\n//# sourceURL={path}")

    def _succeed(self, thrown: object) -> None:
        """Raise ScriptFailedError for the description of what a script threw; "" is success."""
        if thrown == "":
            return
        try:
            text, stack = json.loads(str(thrown))
        except (ValueError, TypeError):  # a script can replace how values become JSON
            text = "the script threw what cannot be described"
            stack = ""
        raise describe_fault(str(text), str(stack), self._path)


def check_syntax(path: str, text: str) -> None:
    """Raise ScriptFailedError if V8 cannot parse a script. Nothing of it runs."""
    head = "throw null;"
    whole = text
    if is_module(text):
        module = parse_module(path, text)
        head = '(function () { "use strict"; '
        whole = f"{module.body}{TAIL}"
    with MiniRacer() as engine:
        try:
            engine.eval(f"{head}{whole}")
        except JSParseException as reason:
            fault = fault_in_engine(str(reason), path, path).moved({path: len(head)})
            lines = text.count("\n") + 1
            if fault.place is not None and fault.place.line > lines:  # a } closed the function
                fault.place = fault.place._replace(line=lines, column=1)
            raise fault from None
        except JSEvalException:
            pass  # it was parsed, and ended with its first word


def _taken(host: Mapping[str, JSFunction]) -> MapTexts:
    """Copy the map, which the prelude has copied, out of the context. Raises ScriptFailedError."""
    try:
        text = host["text"]()
        described = host["described"]()
        if not isinstance(text, str) or not isinstance(described, str):
            raise TypeError("not JSON")
        arrays = tuple((str(entry["path"]), str(entry["type"])) for entry in json.loads(described))
        blocks = [bytes(cast("memoryview", host["nextArray"]())) for _ in arrays]
    except (ValueError, TypeError, KeyError) as reason:  # it can replace how values become JSON
        raise ScriptFailedError("script-error", "the script returned no map") from reason
    text = _NO_NUMBER.sub(r"\1", text)
    return MapTexts(_LONE_SURROGATE.sub(r"\1\\ufffd", text).encode(), arrays, tuple(blocks))
