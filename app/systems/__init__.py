"""What one system of maps adds to the desk: panels, palettes, forms. A folder each.

The package of each folder lists its ``FEATURES``; ``app/feature_list.py`` names the packages.
"""
