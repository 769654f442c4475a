"""Checking a script and rolling it find the same mistakes."""

from __future__ import annotations

import pytest

from randomizer.generator import DrawKey, base_of, generate
from randomizer.languages.language import SourceText
from randomizer.model.problems import ProblemError, Severity
from randomizer.systems.colossus.script_host import HOST
