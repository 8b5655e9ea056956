"""What the service knows of each plugin, and what it does when something changed."""
