"""The syntax trees of the packaged scripts as files, so that a roll of one needs no parser.

Importing lark and building its tables takes longer than all the rest of a roll. A file is JSON:
``text``, a checksum of the script, and ``statements``; a node is ``{"Area": [fields in order]}``, a
tuple a list.
"""

from __future__ import annotations

import json
from binascii import crc32
from dataclasses import fields, is_dataclass
from typing import Any

from randomizer.systems.colossus.script import syntax
from randomizer.systems.colossus.script.syntax import Script


def encoded_tree(text: str, script: Script) -> str:
    """Return the file of the tree that parsing ``text`` gave."""
    record = {"text": _checksum(text), "statements": _encoded(script.statements)}
    return json.dumps(record, separators=(",", ":")) + "\n"


def decoded_tree(data: str, text: str) -> Script | None:
    """Return the tree in a file; None if it is that of another text."""
    record = json.loads(data)
    if record["text"] != _checksum(text):
        return None
    return Script(_decoded(record["statements"]), text)


def _checksum(text: str) -> int:
    return crc32(text.encode("utf-8", "replace"))


def _encoded(value: Any) -> Any:
    if is_dataclass(value):
        values = [_encoded(getattr(value, field.name)) for field in fields(value)]
        return {type(value).__name__: values}
    if isinstance(value, tuple):
        return [_encoded(element) for element in value]
    return value


def _decoded(value: Any) -> Any:
    if isinstance(value, dict):
        ((name, values),) = value.items()
        return getattr(syntax, name)(*map(_decoded, values))
    if isinstance(value, list):
        return tuple(map(_decoded, value))
    return value
