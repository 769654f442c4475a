"""Areas, stamps, symmetries, transforms, edge fills: geometry that reads maps and makes edits.

Stands above ``model``; tools, systems and commands call it.
"""
