"""All sentences about the language of scripts, from ``messages.json``.

messages()["problems"]["unknown-label"]["message"]     # "No LABEL defines `{name}`: ..."
word_help("SOMEOF")                                    # a sentence and an example
"""

from __future__ import annotations

import json
from functools import cache
from importlib import resources

from randomizer.model.basics.caches import KB, registered


@registered(count=1, bytes_each=100 * KB)
@cache
def messages() -> dict[str, dict[str, dict[str, str]]]:
    """Return all sentences about the language, from ``messages.json``.

    ``problems``: code -> severity, message, fix (title of its fix, if it can have one), help, and
    perhaps other (title of another fix). ``words``: keyword, function or predefined label -> help,
    example. ``expected``: token type of the parser -> words.
    """
    file = resources.files("randomizer.systems.colossus.script").joinpath("messages.json")
    loaded: dict[str, dict[str, dict[str, str]]] = json.loads(file.read_text("utf-8"))
    return loaded


def word_help(word: str) -> str | None:
    """Return help on a keyword, function or predefined label, with an example.

    None for other words.
    """
    entry = messages()["words"].get(word)
    if entry is None:
        return None
    return f"{entry['help']} For instance: {entry['example']}"


def problem_help(code: str) -> str | None:
    """Return a sentence or two about a problem of the language; None for other problems."""
    return messages()["problems"].get(code, {}).get("help")
