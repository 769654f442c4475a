"""The seven parts of Cordery's page, and the search for routes that three of them share."""
