"""Colour quantization: pictures of at most 256 colours, for small files."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QImage, qRgb

COLOURS = 256


def quantized(image: QImage) -> QImage:
    """The same picture without transparency, each colour replaced by the mean of its group.

    Groups are made by cutting the cube of colours at means, the group with the largest error first,
    so that plain areas and letters keep their exact colours.
    """
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(1)
    width = image.width()
    height = image.height()
    rows = np.frombuffer(image.constBits(), np.uint32).reshape(height, -1)[:, :width] & 0xFFFFFF
    values, places, counts = np.unique(rows, return_inverse=True, return_counts=True)
    colours = np.stack([values >> 16, values >> 8 & 255, values & 255], axis=1).astype(np.float64)
    group = groups(colours, counts.astype(np.float64))
    indices = np.zeros((height, (width + 3) // 4 * 4), np.uint8)
    indices[:, :width] = group[places].reshape(height, width)
    small = QImage(
        indices.tobytes(), width, height, indices.shape[1], QImage.Format.Format_Indexed8
    ).copy()
    weights = np.bincount(group, counts)
    means = [np.bincount(group, counts * colours[:, channel]) / weights for channel in range(3)]
    small.setColorTable([qRgb(*map(round, mean)) for mean in zip(*means, strict=True)])
    return small


def groups(
    colours: NDArray[np.float64], counts: NDArray[np.float64], most: int = COLOURS
) -> NDArray[np.uint8]:
    """The number of the group (n,) of each colour (n, 3) that occurs ``counts`` (n,) times."""
    found = [np.arange(len(colours))]
    error = [_error(colours, counts)]
    while len(found) < most and max(error) > 0:
        worst = int(np.argmax(error))
        members = found.pop(worst)
        error.pop(worst)
        weights = counts[members]
        of_members = colours[members]
        mean = np.average(of_members, axis=0, weights=weights)
        spread = np.average((of_members - mean) ** 2, axis=0, weights=weights)
        channel = int(np.argmax(spread))
        upper = of_members[:, channel] > mean[channel]
        for half in (members[~upper], members[upper]):
            found.append(half)
            error.append(_error(colours[half], counts[half]))
    numbers = np.zeros(len(colours), np.uint8)
    for number, members in enumerate(found):
        numbers[members] = number
    return numbers


def _error(colours: NDArray[np.float64], counts: NDArray[np.float64]) -> float:
    """The sum of the squared distances of all pixels from the mean of the colours."""
    if len(colours) < 2:
        return 0.0
    mean = np.average(colours, axis=0, weights=counts)
    return float((((colours - mean) ** 2).sum(axis=1) * counts).sum())
