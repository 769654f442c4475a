"""These tests are of ``packaging/``: a source package without that folder leaves them out."""

from pathlib import Path

if not (Path(__file__).resolve().parents[2] / "packaging").is_dir():
    collect_ignore_glob = ["test_*.py"]
