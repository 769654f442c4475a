"""A lambda is connected only to signals of objects that live no longer than what it uses.

Qt disconnects a method when its object is destroyed. A lambda stays connected as long as the
sender lives: it keeps what it uses in memory, and calls widgets that are gone.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from pathlib import Path

import app
from tests.sources import sources_with

APP = Path(app.__file__).parent

WITHOUT_HARM = {
    "background/actions.py": "an action goes on only while it waits, and ends with its window",
    "commands/menus.py": "a menu is about to show only by a hand, and the menus are the bar's own",
    "desk/panel_keys.py": "docks and their keys go with the window, which hides before",
}
"""Files whose lambdas and partials on handed-in objects call nothing that is gone, and why."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


def test_no_lambda_outlives_what_it_uses() -> None:
    faults = []
    for path, text in sources_with(["connect("], APP):
        name = path.relative_to(APP).as_posix()
        if name in WITHOUT_HARM:
            continue
        for line, call in lambdas_of_longer_life(ast.parse(text)):
            faults.append(f"app/{name}:{line}: {call}")
    assert not faults, "connect a method instead:\n" + "\n".join(faults)


def test_a_lambda_on_a_signal_of_a_parameter_is_told() -> None:
    source = """
from app.commands.commands import Change

class Panel(QWidget):
    def __init__(self, document):
        self._document = document
        self.list = QListWidget()
        connect(document.changed, lambda _region: self.show())
        connect(self._document.changed, lambda _region: self.show())
        connect(self.list.clicked, lambda _row: self.show())
        connect(self.chosen, lambda: document.undo())
        for signal in (document.changed, document.map_replaced):
            connect(signal, partial(self.show, signal))

        def go():
            self.go()

        connect(self.list.clicked, go)
        connect(document.changed, go)

def make(desk):
    panel = Panel(desk.document)
    connect(desk.tools.chosen, lambda name: panel.show_tool(name))
    connect(desk.ready, lambda: desk.commands.refresh(Change.DESK))
    connect(panel.wanted, lambda: desk.undo())
"""
    lines = sorted(line for line, _text in lambdas_of_longer_life(ast.parse(source)))
    assert lines == [8, 9, 13, 19, 23]


def lambdas_of_longer_life(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield line and text of each ``connect`` of a lambda that may outlive what it uses."""
    modules_names = _names_of_module(tree)
    for function, owner in _functions(tree):
        given = _parameters(function)
        for call in _calls_of_connect(function):
            sender = call.args[0]
            root = _root_of(sender)
            slot = call.args[1]
            if root is None or not _is_kept_by_sender(slot, _inner_functions(function)):
                continue
            if not _outlives(sender, root, given, _made_by(owner), _made_by(function)):
                continue
            used = _names_used(slot) - modules_names
            if root != "self":
                used.discard(root)  # it lives as long as the sender
            if used:
                yield call.lineno, ast.unparse(call)


def _functions(tree: ast.Module) -> Iterator[tuple[Function, ast.ClassDef | None]]:
    """Yield each function of a module, or method with its class."""
    for node in tree.body:
        if isinstance(node, Function):
            yield node, None
        elif isinstance(node, ast.ClassDef):
            for method in node.body:
                if isinstance(method, Function):
                    yield method, node


def _parameters(function: Function) -> set[str]:
    arguments = function.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return {argument.arg for argument in every} - {"self"}


def _calls_of_connect(function: Function) -> Iterator[ast.Call]:
    for node in ast.walk(function):
        is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        if is_call and node.func.id == "connect":
            yield node


def _is_kept_by_sender(slot: ast.expr, inner_functions: set[str]) -> bool:
    """Return whether a slot is a function made on the spot: Qt knows no receiver of it."""
    if isinstance(slot, ast.Call):
        return ast.unparse(slot.func) == "partial"
    if isinstance(slot, ast.IfExp):
        branches = (slot.body, slot.orelse)
        return any(_is_kept_by_sender(branch, inner_functions) for branch in branches)
    if isinstance(slot, ast.Name):
        return slot.id in inner_functions
    return isinstance(slot, ast.Lambda)


def _inner_functions(function: Function) -> set[str]:
    nodes = ast.walk(function)
    return {node.name for node in nodes if isinstance(node, Function)} - {function.name}


def _root_of(node: ast.expr) -> str | None:
    """Return the name that an expression such as ``desk.tools.chosen`` begins with."""
    while isinstance(node, ast.Attribute | ast.Call):
        node = node.value if isinstance(node, ast.Attribute) else node.func
    return node.id if isinstance(node, ast.Name) else None


def _outlives(
    sender: ast.expr,
    root: str,
    given: set[str],
    made_by_class: dict[str, ast.expr],
    made_by_function: dict[str, ast.expr],
) -> bool:
    """Return whether the object of a signal was handed in: only what is made here is ours."""
    path = ast.unparse(sender).split(".")
    if root in given:
        return True
    if root != "self":
        value = made_by_function.get(root)
        return value is not None and _is_handed_in(value, given)
    if len(path) == 2:
        return False  # a signal of its own
    value = made_by_class.get(".".join(path[:2]))
    return value is None or _is_handed_in(value, None)


def _is_handed_in(value: ast.expr, given: set[str] | None) -> bool:
    """Return whether a value is a parameter, an attribute of one, or a row with such a value.

    ``given`` are the names of parameters (None: any name is one).
    """
    if isinstance(value, ast.Call):
        return False
    if isinstance(value, ast.Tuple | ast.List):
        return any(_is_handed_in(element, given) for element in value.elts)
    root = _root_of(value)
    return root is not None and root != "self" and (given is None or root in given)


def _made_by(node: ast.AST | None) -> dict[str, ast.expr]:
    """Return what is assigned, by the text of its target such as ``self.list``."""
    values: dict[str, ast.expr] = {}
    if node is None:
        return values
    for statement in ast.walk(node):
        if isinstance(statement, ast.Assign):
            for target in statement.targets:
                values.setdefault(ast.unparse(target), statement.value)
        elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
            values.setdefault(ast.unparse(statement.target), statement.value)
        elif isinstance(statement, ast.For):
            values.setdefault(ast.unparse(statement.target), statement.iter)
    return values


def _names_of_module(tree: ast.Module) -> set[str]:
    names = set(dir(builtins))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names |= {alias.asname or alias.name for alias in node.names}
    for statement in tree.body:
        if isinstance(statement, Function | ast.ClassDef):
            names.add(statement.name)
        elif isinstance(statement, ast.Assign):
            names |= {ast.unparse(target) for target in statement.targets}
    return names


def _names_used(slot: ast.expr) -> set[str]:
    """Return the names that a slot uses, without its parameters."""
    names = {node.id for node in ast.walk(slot) if isinstance(node, ast.Name)}
    parameters = {node.arg for node in ast.walk(slot) if isinstance(node, ast.arg)}
    return names - parameters
