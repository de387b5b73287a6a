"""What waits for a thread of the pages: orders before readers, each in the order of their coming.

However many look at a campaign, whoever sends something waits for one page to be made at most, not for all of theirs.
"""

from __future__ import annotations

from collections import deque
from typing import Any

READING = ("GET", "HEAD", "OPTIONS")


class OrdersFirst:
    """A queue of requests for the threads of waitress, which hold its dispatcher's lock while they use it."""

    def __init__(self) -> None:
        self._readers: deque[Any] = deque()
        self._others: deque[Any] = deque()

    def __len__(self) -> int:
        return len(self._readers) + len(self._others)

    def append(self, channel: Any) -> None:
        """A connection on which a request has come in whole."""
        (self._readers if channel.requests[0].command in READING else self._others).append(channel)

    def popleft(self) -> Any:
        """The one whose turn it is. Raises `IndexError` where none waits."""
        return (self._others or self._readers).popleft()
