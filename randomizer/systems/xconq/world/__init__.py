"""Random worlds: relief and moisture, their percentiles, and the terrain that follows from them.

Numbers and arrays only: nothing here knows a map, a period or a file. Generators and the desk call.
"""
