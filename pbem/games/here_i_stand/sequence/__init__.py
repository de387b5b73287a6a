"""7, 8, 10, 19: the set-up and the phases of a turn that are no chapter of a power or a struggle."""
