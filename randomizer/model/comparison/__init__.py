"""The differences between two maps: worked out, put into texts, taken over.

    comparison = compare(ShownMap.of(ours), ShownMap.of(theirs))
    for difference in comparison.listed():
        print(difference_text(comparison, difference))
    edit = take_over(comparison, ours, layer_id)

Begin reading with ``comparison``.
"""
