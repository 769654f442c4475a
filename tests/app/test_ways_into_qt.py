"""Qt reaches the desk's Python code through the guard only."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType

import pytest
from PySide6 import QtCore, QtGui, QtPrintSupport, QtSvg, QtWidgets
from PySide6.QtCore import Signal

import app
from app import qt_guard
from tests.sources import sources_with

ROOT = Path(app.__file__).parent

GUARD_ONLY = {"connect", "singleShot", "invokeMethod", "callOnTimeout", "qInstallMessageHandler"}
"""Names by which Qt is given a callable."""


def classes() -> Iterator[type]:
    """All classes of the desk."""
    for found in pkgutil.walk_packages(app.__path__, "app."):
        if not found.name.endswith("__main__"):
            module = importlib.import_module(found.name)
            yield from (
                each
                for each in vars(module).values()
                if inspect.isclass(each) and each.__module__ == module.__name__
            )


def of_qt(kind: type) -> bool:
    return kind.__module__.partition(".")[0] in ("PySide6", "Shiboken")


def overrides(kind: type) -> Iterator[tuple[str, FunctionType]]:
    """Functions with the name of a function of a Qt class that ``kind`` derives from.

    Also those that come from a class that knows no Qt itself, a mixin.
    """
    bases = [base for base in kind.__mro__ if of_qt(base)]
    for owner in kind.__mro__:
        if owner.__module__.partition(".")[0] != "app":
            continue
        for name, value in vars(owner).items():
            if isinstance(value, FunctionType) and not name.startswith("__"):
                for base in bases:
                    if callable(vars(base).get(name)):
                        yield f"{owner.__module__}.{owner.__qualname__}.{name}", value
                        break


def test_every_override_of_a_function_of_qt_has_the_guard():
    found = {name: function for kind in classes() for name, function in overrides(kind)}
    bare = sorted(name for name, function in found.items() if "guards" not in vars(function))
    assert bare == []
    assert len(found) > 100


def python_files() -> list[Path]:
    return [path for path in sorted(ROOT.rglob("*.py")) if path != Path(qt_guard.__file__)]


def signals_of(call: ast.Call) -> list[str]:
    """The keywords of a call that connect: ``QAction(triggered=...)``."""
    if not call.keywords:
        return []
    name = call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")
    for module in (QtCore, QtGui, QtWidgets, QtPrintSupport, QtSvg):
        kind = getattr(module, name, None)
        if inspect.isclass(kind):
            return [
                word.arg
                for word in call.keywords
                if isinstance(inspect.getattr_static(kind, word.arg or "", None), Signal)
            ]
    return []


def gives_a_callable(call: ast.Call) -> bool:
    """Whether an argument of ``addAction`` or ``QShortcut`` is a slot."""
    if isinstance(call.func, ast.Name):
        return len(call.args) > 2  # keys, parent, slot
    for given in call.args:
        match given:
            case ast.Lambda() | ast.Call(func=ast.Name(id="partial")):
                return True
            case ast.Attribute(value=ast.Name(id="self")) if given is not call.args[0]:
                return True
    return False


def past_the_guard(tree: ast.AST) -> Iterator[str]:
    """Where a callable is given to Qt, as line and words."""
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(attr=name) | ast.Name(id="qInstallMessageHandler" as name) if (
                name in GUARD_ONLY
            ):
                yield f"{node.lineno}: {name}"
            case ast.Call(func=ast.Attribute(attr="disconnect"), args=[_, *_]):
                yield f"{node.lineno}: disconnect"
            case ast.Call(func=ast.Attribute(attr="addAction") | ast.Name(id="QShortcut")) if (
                gives_a_callable(node)
            ):
                yield f"{node.lineno}: {ast.unparse(node.func)}"
        if isinstance(node, ast.Call):
            yield from (f"{node.lineno}: {word}=" for word in signals_of(node))


def test_no_slot_goes_past_the_guard():
    found = [
        f"{path.relative_to(ROOT)}:{place}"
        for path in python_files()
        for place in past_the_guard(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert found == []


@pytest.mark.parametrize(
    "code",
    [
        "a.b.connect(c)",
        "partial(a.b.connect, c)",
        "a.b.disconnect(c)",
        "QTimer.singleShot(0, a, b)",
        "menu.addAction('Text', lambda: None)",
        "menu.addAction(icon, 'Text', self.do)",
        "QShortcut(keys, self, self.do)",
        "QAction('Text', self, triggered=do)",
        "QtCore.QTimer(self, timeout=do)",
        "QMetaObject.invokeMethod(a, 'b')",
        "qInstallMessageHandler(do)",
    ],
)
def test_a_slot_that_goes_past_the_guard_is_found(code):
    assert list(past_the_guard(ast.parse(code)))


@pytest.mark.parametrize(
    "code",
    [
        "connect(a.b, c)",
        "a.b.disconnect()",
        "QTimer(self, singleShot=True, interval=0)",
        "menu.addAction('Text')",
        "menu.addAction(icon(name), fix.title)",
        "menu.addAction(self.action)",
        "QShortcut(keys, self)",
        "replace(found, changed=True)",
    ],
)
def test_what_gives_qt_no_callable_is_not_found(code):
    assert not list(past_the_guard(ast.parse(code)))


def test_a_picture_that_is_decoded_has_its_format_named():
    """Else Qt tries its reader of SVGs, and threads may wait for each other forever."""
    nameless = []
    for path, text in sources_with(["fromData(", "loadFromData("], ROOT):
        for node in ast.walk(ast.parse(text)):
            is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
            if is_call and node.func.attr in ("fromData", "loadFromData") and len(node.args) < 2:
                nameless.append(f"{path.name}:{node.lineno}")
    assert nameless == []
