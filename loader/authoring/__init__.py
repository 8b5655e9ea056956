"""Beginning a plugin: the templates, and writing what they make."""
