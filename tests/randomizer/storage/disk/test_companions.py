"""A map's file and those beside it are written together, or none of them."""

from __future__ import annotations

import pytest

from randomizer.model.problems import ProblemError
from randomizer.storage.disk.companions import digest_of, plan_files, replaced_beside, write_files

FILES = {"a.map": b"map\n", "a.per": b"one\ntwo\n"}


def test_all_files_are_written(tmp_path):
    path = tmp_path / "a.map"
    changes = plan_files(path, FILES)
    assert replaced_beside(path, changes) == ()
    write_files(path, changes)
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == FILES


def test_a_file_beside_with_other_line_ends_stays(tmp_path):
    (tmp_path / "a.per").write_bytes(b"one\r\ntwo\r\n")
    path = tmp_path / "a.map"
    changes = plan_files(path, FILES)
    assert [change.path for change in changes] == [path]
    write_files(path, changes)
    assert (tmp_path / "a.per").read_bytes() == b"one\r\ntwo\r\n"


def test_another_file_beside_is_named_unless_it_is_known(tmp_path):
    (tmp_path / "a.per").write_bytes(b"other\n")
    path = tmp_path / "a.map"
    changes = plan_files(path, FILES)
    assert replaced_beside(path, changes) == ("a.per",)
    assert replaced_beside(path, changes, {"a.per": digest_of(b"other\n")}) == ()
    write_files(path, changes)
    assert (tmp_path / "a.per").read_bytes() == FILES["a.per"]


def test_where_one_file_cannot_be_written_none_is(tmp_path):
    path = tmp_path / "a.map"
    path.write_bytes(b"before\n")
    changes = plan_files(path, FILES)
    (tmp_path / "a.per").write_bytes(b"written by another program meanwhile\n")
    with pytest.raises(ProblemError):
        write_files(path, changes)
    assert path.read_bytes() == b"before\n"


def test_a_folder_in_the_place_of_a_file_is_a_problem(tmp_path):
    (tmp_path / "a.per").mkdir()
    with pytest.raises(ProblemError):
        plan_files(tmp_path / "a.map", FILES)
