"""6.3, 16, 17.4, 20.4: the world map: captains, voyages, piracy, colonies, the treasure fleet, treasures."""
