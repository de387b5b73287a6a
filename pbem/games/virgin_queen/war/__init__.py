"""12 to 17: land, sea and the Armada; construction; who may be where. What of it is this game's alone."""
