"""Forms made from descriptions of settings, and the fields in them."""
