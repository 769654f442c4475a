"""Names in messages, as the window shows them: in quotes.

The messages of problems and the titles of fixes have names, and what is to be written, between
backticks: ``There is no hazard `Lkae` ``. So the command line and files show them, which other
programs read. Whatever the window shows of a message goes through ``with_quotes``.
"""

from __future__ import annotations

import re


def with_quotes(text: str) -> str:
    """Return a text with quotes in place of the backticks around names."""
    return re.sub("`([^`]+)`", r"“\1”", text)
