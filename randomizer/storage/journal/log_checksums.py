"""The checksums in SQLite's write-ahead log, computed for many frames at a time.

SQLite goes through the data in pairs of words of 4 bytes, beginning with ``(first, second)``, the
checksum of the frame before, and computes for each pair, modulo 2**32::

    first += word + second
    second += next_word + first

This is linear: each word of the data is added to both sums a number of times, its *weights*, that
depend only on how many pairs follow it. So the sum of a frame's words is a product of matrices, and
the checksum of the frame before goes into it with weights of its own::

    checksums = frame_checksums(page_size)
    words_sum = words @ checksums.word_weights        # (n,) @ (n, 2), modulo 2**32
    checksum = checksums.next_checksum(previous_checksum, words_sum)
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.caches import KB, registered

SUMMED_FIELDS_BYTES = 8
"""The length of the page number and size in a frame's header, which the checksum covers."""

WORD_BYTES = 4

_MODULUS = 2**32
"""Checksums are computed modulo this."""

Checksum = tuple[int, int]
"""The two words of a checksum."""

Words = NDArray[np.uint32]


class Flip(NamedTuple):
    """A flipped bit among the words that a checksum covers."""

    word: int
    """The index of the word."""

    bit: int
    """The bit of the word, 0 for the lowest."""


@registered(count=8, bytes_each=40 * KB)  # for each of the page sizes that SQLite allows
@cache
def frame_checksums(page_size: int) -> FrameChecksums:
    """Return the checksums of frames with pages of ``page_size`` bytes."""
    return FrameChecksums(page_size)


class FrameChecksums:
    """Computes checksums of frames of one page size."""

    def __init__(self, page_size: int) -> None:
        word_count = (SUMMED_FIELDS_BYTES + page_size) // WORD_BYTES
        self.word_weights = word_weights(word_count)
        """The weights of each word of a frame in the two words of its checksum, (n, 2)."""
        # The checksum of the frame before is passed on through all pairs of words.
        first_weights: Checksum = (1, 0)
        second_weights: Checksum = (0, 1)
        for _pair in range(word_count // 2):
            first_weights = _passed_on(first_weights)
            second_weights = _passed_on(second_weights)
        self._first_weights = first_weights
        """The weights that the first word of the previous frame's checksum has in both words."""
        self._second_weights = second_weights
        """The weights that its second word has."""

    def next_checksum(self, checksum: Checksum, words_sum: Checksum) -> Checksum:
        """Return the checksum of a frame from that of the frame before and its sum of words."""
        first, second = checksum
        next_first = (
            first * self._first_weights[0] + second * self._second_weights[0] + words_sum[0]
        )
        next_second = (
            first * self._first_weights[1] + second * self._second_weights[1] + words_sum[1]
        )
        return next_first % _MODULUS, next_second % _MODULUS

    def find_flip(self, words: Words, computed: Checksum, stored: Checksum) -> Flip | None:
        """Return the flipped bit of a frame's ``words`` that explains a wrong checksum.

        None if there is none, or if several explain it. The highest bit of a word adds 2**31 times
        its weights, so modulo 2**32 only the last bits of the weights count: the highest bits of
        many words change a checksum alike.
        """
        # If bit b of a word has become 1, the words that are read give the computed checksum, which
        # is larger than the stored one: stored = computed - weight * 2**b. If it has become 0,
        # stored = computed + weight * 2**b.
        difference = np.array(stored, np.uint32) - np.array(computed, np.uint32)
        candidates: list[Flip] = []
        for bit in range(32):
            change = self.word_weights << np.uint32(bit)
            is_set = (words >> np.uint32(bit)) & 1 == 1
            expected_difference = np.where(is_set[:, None], -change, change)
            explains = (expected_difference == difference).all(axis=1)
            for word in np.flatnonzero(explains):
                candidates.append(Flip(int(word), bit))
        if len(candidates) == 1:
            return candidates[0]
        return None


@registered(count=8, bytes_each=20 * KB)
@cache
def word_weights(count: int) -> Words:
    """Return the weights of each of ``count`` words in the two words of a checksum, (count, 2)."""
    weights = np.zeros((count, 2), np.uint32)
    # In the last pair the first word comes into both sums, the second one only into ``second``.
    first_of_pair: Checksum = (1, 1)
    second_of_pair: Checksum = (0, 1)
    for pair_start in range(count - 2, -1, -2):
        weights[pair_start] = first_of_pair
        weights[pair_start + 1] = second_of_pair
        first_of_pair = _passed_on(first_of_pair)
        second_of_pair = _passed_on(second_of_pair)
    return weights


def _passed_on(checksum: Checksum) -> Checksum:
    """Return what a checksum becomes by a further pair of words, if both are 0."""
    first, second = checksum
    next_first = (first + second) % _MODULUS
    next_second = (second + next_first) % _MODULUS
    return next_first, next_second


def differing_bits(first: Checksum, second: Checksum) -> int:
    """Return the number of bits in which two checksums differ."""
    return sum((a ^ b).bit_count() for a, b in zip(first, second, strict=True))
