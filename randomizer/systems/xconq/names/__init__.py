"""Names of sides and of places that any period may use; a period adds to them or clears them.

Used by whatever makes countries and units, and by the checks that count names.
"""
