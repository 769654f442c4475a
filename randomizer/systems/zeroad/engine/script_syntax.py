"""Asks the JavaScript engine for the first syntax error of a map script, without running it.

problem = syntax_problem(Script("maps/random/swamp.js", text))    # None: there is none
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from randomizer.model.problems import Problem
from randomizer.systems.zeroad.engine.child_process import (
    IDLE,
    START_S,
    ChildEndedError,
    has_engine,
)
from randomizer.systems.zeroad.engine.messages import Kind, Message
from randomizer.systems.zeroad.engine.run_limits import LIMITS
from randomizer.systems.zeroad.engine.script import Script, problem_of


def syntax_problem(script: Script) -> Problem | None:
    """Return the first syntax error of a script; None if there is none, or no engine to ask.

    It waits for the child process: some 10 ms, and the first time until the child has started.
    """
    if not has_engine():
        return None
    answer = _answer_about_syntax(script)
    if answer is None or answer["kind"] == Kind.DONE:
        return None
    problem = problem_of(answer, script)
    end_column = None
    if problem.column is not None:
        end_column = problem.column + 1
    return replace(problem, code="script-syntax", end_line=problem.line, end_column=end_column)


def _answer_about_syntax(script: Script) -> Mapping[str, Any] | None:
    """Return the fields of the message DONE or FAILED of a child that parses a script.

    None if the child ends or takes too long.
    """
    child = IDLE.pop_or_start()
    is_reusable = False
    try:
        request = {"path": script.path, "text": script.text, "memory": LIMITS.memory}
        child.send(Message(request))
        while (message := child.receive(START_S)) is not None:
            if message.fields["kind"] in (Kind.DONE, Kind.FAILED):
                is_reusable = True
                return message.fields
    except ChildEndedError:
        pass
    finally:
        if is_reusable:
            IDLE.keep_for_next(child)
        else:
            child.close()
    return None
