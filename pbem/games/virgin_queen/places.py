"""Names of places off the map, as the package's text tells them."""

OFF, REMOVED = "off", "removed"
ELIGIBLE, AVAILABLE = "eligible", "available"
ESCORTS = "escorts"
POOL = "pool"
DISPLAY = "display"


def arrived(power: str) -> str:
    """Where leaders lie on a power's card until they are placed."""
    return f"arrived:{power}"
