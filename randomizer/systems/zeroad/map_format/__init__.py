"""Maps of 0 A.D. as the data that scripts return and JSON files hold, and back.

Called by the catalogue (formats), by generators and by exports.
"""
