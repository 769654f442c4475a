"""Scripts and rolls on the desk: reading, checking, rolling, stepping back and forth."""
