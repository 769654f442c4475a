"""The gallery: many rolls as thumbnails, filtered, sorted, pinned, compared, taken."""
