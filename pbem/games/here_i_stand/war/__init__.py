"""12 to 17: control, war on land and at sea, construction; what of it is this game's alone."""
