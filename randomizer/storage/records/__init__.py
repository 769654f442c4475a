"""Maps and edits as records that JSON can hold, and as blocks of bytes."""
