"""Names of places off the map, where pieces and units may be."""

ELECTORATE = "electorate:"
"""Places of the regulars on the Electorate display: ``electorate:<space>``."""
OFF, REMOVED, POOL = "off", "removed", "pool"
"""Where a named piece is that is not on the map: to come later, out of the game, in a pool to draw from."""
