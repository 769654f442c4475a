"""One run of a script in a fresh context of V8. Only the child imports this file."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from importlib.resources import files
from typing import NamedTuple, cast

from py_mini_racer import JSEvalException, JSFunction, JSOOMException, MiniRacer

from randomizer.systems.zeroad.host.answers import LIBRARIES, Answers
from randomizer.systems.zeroad.host.channel import Channel
from randomizer.systems.zeroad.host.faults import ScriptFailedError, fault, fault_in_engine
from randomizer.systems.zeroad.host.global_scripts import leading_libraries
from randomizer.systems.zeroad.host.mod_data import ModData
from randomizer.systems.zeroad.host.modules import (
    Module,
    as_function,
    circular_imports,
    is_module,
    parsed,
)

PRELUDE = files(__package__).joinpath("prelude.js").read_text(encoding="utf-8")
GLOBAL_SCRIPTS = "globalscripts/"

QUICK_S, SLOW_S = 0.00005, 0.001
"""How long to sleep before looking for the next request: soon after one, and else."""
QUICK_FOR_S = 0.005

_LONE_SURROGATE = re.compile(r"(?<!\\)((?:\\\\)*)\\u[dD][89a-fA-F][0-9a-fA-F]{2}")


class MapTexts(NamedTuple):
    """What a script returned: its JSON, and the bytes of its arrays with their classes."""

    text: bytes
    arrays: tuple[tuple[str, str], ...]
    blocks: tuple[bytes, ...]


class ScriptRun:
    """Runs a script on a thread of its own; this thread answers its calls meanwhile."""

    def __init__(
        self, path: str, text: str, settings: Mapping[str, object], data: ModData, heap: int
    ) -> None:
        self._path = path
        self._text = text
        self._settings = settings
        self._data = data
        self._answers = Answers(data)
        self._heap = heap
        self._result: MapTexts | None = None
        self._fault: BaseException | None = None
        self._parsed = path  # the file that V8 parses; an error of that does not name it

    def run(self, look: Callable[[Channel], None]) -> MapTexts:
        """Run to the end; ``look`` is called often. Raises ScriptFailedError."""
        with MiniRacer() as engine:
            engine.set_hard_memory_limit(self._heap)
            host = cast("Mapping[str, JSFunction]", engine.eval(PRELUDE))
            channel = Channel(cast("memoryview", host["shared"]), self._answers)
            worker = threading.Thread(target=self._work, args=(engine, host), daemon=True)
            worker.start()
            asked_s = 0.0
            while worker.is_alive():
                if channel.serve():
                    asked_s = time.monotonic()
                    continue
                look(channel)
                time.sleep(QUICK_S if time.monotonic() - asked_s < QUICK_FOR_S else SLOW_S)
            look(channel)
        if self._fault is not None:
            raise self._fault
        assert self._result is not None  # the worker sets the one or the other
        return self._result

    def _work(self, engine: MiniRacer, host: Mapping[str, JSFunction]) -> None:
        try:
            self._result = self._made(engine, host)
        except JSOOMException:
            self._fault = ScriptFailedError("script-memory", "the script needs too much memory")
        except JSEvalException as reason:
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
        """All modules that the script needs, as texts of functions."""
        found: dict[str, Module] = {}
        waiting = [(self._path, self._text)]
        while waiting:
            path, text = waiting.pop()
            found[path] = parsed(path, self._with_appended(path, text))
            for each in found[path].specifiers:
                if each not in found and all(each != other for other, _ in waiting):
                    library = self._data.text(each) if each.startswith(LIBRARIES) else None
                    if library is None:
                        raise ScriptFailedError(
                            "script-error", f"{path} imports {each}: no such file"
                        )
                    waiting.append((each, library))
        circular = circular_imports(found)
        for path, module in found.items():
            yield path, as_function(module, circular[path])

    def _with_appended(self, path: str, text: str) -> str:
        """The text with what the files ``base~x.append.js`` add to it."""
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
        """Raises ScriptFailedError for the description of what a script threw; "" is success."""
        if thrown == "":
            return
        try:
            text, stack = json.loads(str(thrown))
        except ValueError:
            text, stack = "the script ended in a way that cannot be described", ""
        raise fault(str(text), str(stack), self._path)


def _taken(host: Mapping[str, JSFunction]) -> MapTexts:
    """Copy the map out of the context. What a script can forge here is checked by who reads it."""
    text = host["text"]()
    if not isinstance(text, str):
        raise ScriptFailedError("script-error", "the script returned no map")
    text = _LONE_SURROGATE.sub(r"\1\\ufffd", text)
    described = json.loads(text)["arrays"]
    arrays = tuple((str(each["path"]), str(each["type"])) for each in described)
    blocks = []
    for number in range(len(arrays)):
        block = host["array"](number)
        if not isinstance(block, memoryview):
            raise ScriptFailedError("script-error", "the script returned no map")
        blocks.append(bytes(block))
    return MapTexts(text.encode(), arrays, tuple(blocks))
