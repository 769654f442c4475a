"""Whether a script is JavaScript at all, without running it."""

from __future__ import annotations

from dataclasses import replace

from randomizer.model.problems import Problem
from randomizer.systems.zeroad.engine.child_process import IDLE, ChildEndedError, has_engine
from randomizer.systems.zeroad.engine.limits import LIMITS
from randomizer.systems.zeroad.engine.messages import Message
from randomizer.systems.zeroad.engine.script_run import START_S, Script, problem_of


def syntax_problem(script: Script) -> Problem | None:
    """The first syntax error of a script; None if there is none, or no engine to ask.

    It waits for the child process: some 10 ms, and the first time until the child has started.
    """
    if not has_engine():
        return None
    child, answer = IDLE.take(), None
    try:
        request = {"path": script.path, "text": script.text, "memory": LIMITS.memory}
        child.send(Message(request))
        while answer is None or answer["kind"] not in ("done", "failed"):
            message = child.receive(START_S)
            if message is None:
                return None
            answer = message.fields
    except ChildEndedError:
        return None
    finally:
        if answer is not None and answer["kind"] in ("done", "failed"):
            IDLE.give_back(child)
        else:
            child.close()
    if answer["kind"] == "done":
        return None
    found = problem_of(answer, script)
    end = None if found.column is None else found.column + 1
    return replace(found, code="script-syntax", end_line=found.line, end_column=end)
