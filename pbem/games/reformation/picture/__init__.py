"""What the pictures of *Here I Stand* and *Virgin Queen* share: the map of Europe, and what is read of a view."""
