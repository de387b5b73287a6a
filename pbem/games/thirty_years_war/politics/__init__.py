"""5.3, 7, 9.44, 16, 17: nations and their entries, peace, Wallenstein, the Dutch War, revolts, what cards forbid."""
