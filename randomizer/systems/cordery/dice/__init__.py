"""The dice of Cordery's page: its tables, and throws by name."""
