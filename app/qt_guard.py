"""The one place where Qt enters the Python code of the desk, and where a fault there ends.

Qt calls Python in two ways: through an override of one of its virtual functions, which carries the
decorator ``guarded``, and through a slot, which is connected with ``connect`` or run ``later``::

    class Panel(QWidget):
        def __init__(self, document: MapDocument) -> None:
            super().__init__()
            connect(document.map_replaced, self._show_map)

        @guarded(default=QSize())
        def sizeHint(self) -> QSize:
            return QSize(...)

An exception in either is handed to ``report_fault`` and the program goes on. Without the guard
PySide prints it, or, if Python code had called Qt (``widget.close()``), raises it out of that call.
``KeyboardInterrupt``, ``SystemExit`` and the like are let through.

``connect`` gives Qt a *twin* of the slot: another function, with the same number of parameters,
that calls the slot through ``run_guarded``. Signals, and slots that are not Python functions, are
connected as they are.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Coroutine
from functools import partial, wraps
from inspect import CO_VARARGS
from types import BuiltinFunctionType, CodeType, FunctionType, MethodType
from typing import Any, ParamSpec, TypeVar, cast, overload

from PySide6.QtCore import QMetaObject, QObject, Qt, QTimer, SignalInstance

P = ParamSpec("P")
T = TypeVar("T")


def report_fault(fault: Exception) -> None:
    """Hand an exception that ended an override or a slot to ``sys.excepthook``, on its thread."""
    sys.excepthook(type(fault), fault, fault.__traceback__)


GUARDED_FUNCTION = "guards"
"""The attribute of a guarded override that has its own function."""


@overload
def guarded(function: Callable[P, None]) -> Callable[P, None]: ...
@overload
def guarded(*, default: None) -> Callable[[Callable[P, T | None]], Callable[P, T | None]]: ...
@overload
def guarded(*, default: T) -> Callable[[Callable[P, T]], Callable[P, T]]: ...
def guarded(function: Callable[P, Any] | None = None, *, default: object = None) -> Any:
    """Guard an override of a virtual function of Qt; after a fault it returns ``default``.

    ``@guarded`` for a function that returns nothing, else ``@guarded(default=False)``. A default
    has to be harmless for what Qt asks: an event is not handled, a size is not known.
    """
    if function is None:
        return partial(guarded, default=default)

    @wraps(function)
    def override(*args: P.args, **names: P.kwargs) -> object:
        try:
            return function(*args, **names)
        except Exception as fault:  # noqa: BLE001 - all of them: Qt is the caller
            report_fault(fault)
            return default

    setattr(override, GUARDED_FUNCTION, function)  # ``_twin`` reads its parameters
    return override


def connect(
    signal: SignalInstance,
    slot: Callable[..., object] | SignalInstance,
    connection_type: Qt.ConnectionType = Qt.ConnectionType.AutoConnection,
) -> QMetaObject.Connection:
    """Call ``slot`` whenever ``signal`` is emitted, with as many arguments as it takes.

    As with Qt's own ``connect``, a method of a QObject runs on the thread of that object and is
    disconnected when the object is destroyed; the connection does not keep the object alive. Any
    other callable runs on the thread of the sender, which keeps it alive (a method: not its
    object). So a lambda is for signals of what lives no longer than the objects that it uses
    (``tests/app/test_lambda_slots.py``).
    """
    if not isinstance(slot, SignalInstance):
        slot = _guarded_slot(slot)
    return signal.connect(slot, connection_type)


def disconnect(signal: SignalInstance, method: Callable[..., object]) -> None:
    """Undo ``connect`` for a method. (Other callables are disconnected by their connection.)"""
    assert isinstance(method, MethodType), "other callables have no slot that could be found again"
    signal.disconnect(_guarded_slot(method))


def end_connection(connection: QMetaObject.Connection) -> None:
    """Undo ``connect`` by its result, for methods and all other callables."""
    QObject.disconnect(connection)


def later(context: QObject, action: Callable[[], object], delay_ms: int = 0) -> None:
    """Call ``action`` once, from the event loop of ``context``, unless that is destroyed first."""
    QTimer.singleShot(delay_ms, context, _guarded_slot(action))


def _guarded_slot(slot: Callable[..., object]) -> Callable[..., object]:
    """Return the guarded callable that Qt gets instead of ``slot``.

    PySide treats methods, functions and other callables differently, so that it is of the same
    kind:

    - a method of a Python class becomes a method of the same object (``_method_twin``);
    - a function becomes a function with the same parameters (``_twin``);
    - any other callable becomes a ``partial``.
    """
    if isinstance(slot, BuiltinFunctionType):  # not Python: a slot of Qt's own, list.append
        return slot
    if isinstance(slot, MethodType) and isinstance(slot.__func__, FunctionType):
        return MethodType(_method_twin(slot.__func__, type(slot.__self__)), slot.__self__)
    if isinstance(slot, FunctionType):
        return _twin(slot)
    return partial(run_guarded, slot)


def _method_twin(function: FunctionType, owner_class: type) -> FunctionType:
    """Return the twin of a method of ``owner_class``, made once.

    PySide finds the receiver of a bound method by ``getattr(object, function.__name__)``, which
    must be that function: so the twin becomes an attribute of the class that has the method. (A
    function that is none of the class has no receiver for PySide
    either way: it runs on the thread of the sender.)
    """
    # The id is in the name since a class and its base may both have a method of this name.
    name = f"_guarded_{function.__name__}_{id(function):x}"
    for owner in owner_class.__mro__:
        if vars(owner).get(function.__name__) is function:
            if name not in vars(owner):
                twin = _twin(function)
                twin.__name__ = name
                setattr(owner, name, twin)
            return cast(FunctionType, vars(owner)[name])
    return _twin(function)


def _twin(function: FunctionType) -> FunctionType:
    """Return the guarded twin of a function, with as many parameters and the same defaults.

    PySide reads them from the code: they decide which overload of a signal is connected and how
    many of its arguments are passed on.
    """
    # An override that is guarded already has the parameters ``*args``; its own function has others.
    declared: FunctionType = vars(function).get(GUARDED_FUNCTION, function)
    twin = cast(FunctionType, _with_parameters(declared.__code__, partial(run_guarded, function)))
    twin.__defaults__ = declared.__defaults__
    return twin


def _with_parameters(code: CodeType, run: Callable[..., None]) -> Callable[..., None]:
    """Return a function with the parameters of ``code`` that calls ``run`` with its arguments.

    Raises TypeError if there are more than five.
    """
    if code.co_flags & CO_VARARGS:
        return lambda *args: run(*args)
    match code.co_argcount:
        case 0:
            return lambda: run()
        case 1:
            return lambda a: run(a)
        case 2:
            return lambda a, b: run(a, b)
        case 3:
            return lambda a, b, c: run(a, b, c)
        case 4:
            return lambda a, b, c, d: run(a, b, c, d)
        case 5:
            return lambda a, b, c, d, e: run(a, b, c, d, e)
    raise TypeError(f"{code.co_name} takes more arguments than any signal has")


_run_coroutine: Callable[[Coroutine[Any, Any, object]], object] | None = None
"""Runs the coroutine that a slot returns; None until ``app.background.actions`` is imported."""


def run_coroutines_with(run: Callable[[Coroutine[Any, Any, object]], object]) -> None:
    """Let ``run`` run the coroutines that slots return.

    ``app.background.actions`` calls it when it is imported: it stands above this module.
    """
    global _run_coroutine
    _run_coroutine = run


def run_guarded(action: Callable[..., object], *args: object) -> None:
    """Run an action, and report its fault instead of raising it.

    A coroutine that the action returns is run, too.
    """
    try:
        returned = action(*args)
        if isinstance(returned, Coroutine):
            assert _run_coroutine is not None, "what it awaits comes from the module that sets it"
            _run_coroutine(returned)
    except Exception as fault:  # noqa: BLE001 - all of them: Qt is the caller
        report_fault(fault)
