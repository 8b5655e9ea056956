"""React for plugins that run in the page: from a folder of the user's, or fetched once, pinned and verified."""
