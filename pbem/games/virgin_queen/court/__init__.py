"""19, 21, 22: espionage, Royals and their weddings, patronage."""
