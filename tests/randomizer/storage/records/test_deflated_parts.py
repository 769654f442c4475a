"""Large parts of a block are deflated once, and give one stream with the small ones."""

from __future__ import annotations

import threading
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from randomizer.model.map.layer import Layer
from randomizer.storage.records.deflated_parts import (
    LARGE,
    MAX_BYTES,
    REMEMBERED,
    deflate_blocks,
    deflate_layers,
    deflated,
)
from randomizer.storage.records.npy import npy_bytes
from tests.counting import watched_calls

NOISE = np.random.default_rng(1)


@pytest.fixture(autouse=True)
def remembered():
    REMEMBERED.clear()
    return REMEMBERED


@pytest.fixture
def calls():
    """The large parts that were deflated, each as ``{"part": bytes}``."""
    with watched_calls(deflate_blocks) as calls:
        yield calls


def noise(length: int) -> bytes:
    return NOISE.integers(0, 9, length).astype("u1").tobytes()


@given(
    st.lists(
        st.tuples(st.sampled_from((0, 1, 300, LARGE - 1, LARGE, LARGE + 7)), st.integers(0, 3)),
        max_size=8,
    )
)
def test_any_parts_are_one_stream_that_any_reader_of_zlib_reads(parts) -> None:
    """Large and small parts in any order, repeated ones too: no block refers across a large one."""
    data = [
        np.random.default_rng(seed).integers(0, 9, n).astype("u1").tobytes() for n, seed in parts
    ]
    stream = deflated(b"", data)
    reader = zlib.decompressobj()
    assert reader.decompress(stream) == b"".join(data)
    assert reader.eof
    assert not reader.unused_data
    assert deflated(b"", data) == stream, "remembered or not, the bytes are the same"


def test_planes_that_a_job_has_deflated_are_not_deflated_again(calls) -> None:
    plane = NOISE.integers(0, 9, (300, 300)).astype("u2")
    deflate_layers([Layer(1, "Ground", planes={"terrain": plane, "small": plane[:9, :9].copy()})])
    assert calls == [{"part": npy_bytes(plane)}]
    deflated(bytes(2 * LARGE), [npy_bytes(plane.copy()), b"tail"])
    assert len(calls) == 1
    plane[5, 5] += 1
    assert npy_bytes(plane) in zlib.decompress(deflated(b"head", [npy_bytes(plane)]))
    assert len(calls) == 2, "a plane that was changed is another one"


def test_what_is_remembered_has_a_bound_and_the_parts_used_last_stay(remembered, calls) -> None:
    parts = [NOISE.bytes(MAX_BYTES // 4) for _ in range(6)]
    for part in parts:
        deflated(b"head", [parts[0], part])
    assert remembered.size <= MAX_BYTES
    assert remembered.size == sum(map(len, remembered.parts()))
    calls.clear()
    deflated(b"head", [parts[0], parts[-1]])
    assert calls == []
    deflated(b"head", [parts[1]])
    assert len(calls) == 1


def test_several_threads_deflate_at_once(remembered) -> None:
    parts = [noise(LARGE + each) for each in range(8)]
    whole = zlib.decompress(deflated(b"head", parts))
    results: list[bytes] = []
    work = [
        threading.Thread(target=lambda: results.append(zlib.decompress(deflated(b"head", parts))))
        for _ in range(4)
    ]
    for thread in work:
        thread.start()
    for thread in work:
        thread.join()
    assert results == [whole] * 4
    assert remembered.size == sum(map(len, remembered.parts()))
