"""What stands below the gallery's pictures when a search has ended."""

from __future__ import annotations

from app.features.gallery.messages import of_end
from app.features.gallery.search import Ended


def test_a_search_that_was_cancelled_before_its_first_map_names_no_numbers() -> None:
    assert of_end(Ended(0, 0, 0), 7, 0, 0, of_filter=False).words == "Seed 7: no map yet"
    assert of_end(Ended(3, 3, 3), 7, 0, 3, of_filter=False).words == "Seed 7, no. 0 to 2"
