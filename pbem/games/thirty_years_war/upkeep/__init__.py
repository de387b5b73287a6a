"""8.4, 8.5, 14, 15: what an army lives on: recruits, aid, supply, pay, loot, and what recovers from it."""
