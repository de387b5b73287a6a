"""The frame of a turn: set-up, Card Draw (8), Spring Deployment (10), impulses (11), Winter (20), and who arrives."""
