"""How many mails a peer and a seat may send in a time. Counted in memory: a restart forgets, and harms nobody."""

from __future__ import annotations

from limits import RateLimitItem, parse
from limits.strategies import MovingWindowRateLimiter

from pbem.rates import OneAtATime

PER_PEER = "240/minute"
PER_TOKEN = "60/minute"


class RateLimits:
    """Rates per peer (IP address) and per token, as "60/minute" (the notation of the limits library) or None for none.

    Behind a relay or over LMTP every mail comes from one peer: set `per_peer` to None there.
    Raises ValueError for a rate that cannot be read.
    """

    def __init__(self, per_peer: str | None = PER_PEER, per_token: str | None = PER_TOKEN) -> None:
        self._limiter = MovingWindowRateLimiter(OneAtATime())
        self._per_peer = parse(per_peer) if per_peer else None
        self._per_token = parse(per_token) if per_token else None

    def peer_may_send(self, peer: str) -> bool:
        """Count one mail of `peer`; False when it is one too many now."""
        return self._count(self._per_peer, "peer", peer)

    def token_may_receive(self, campaign: str, token: str) -> bool:
        """Count one mail to `token` of `campaign` (all without a token count together); False when one too many."""
        return self._count(self._per_token, "token", campaign, token)

    def _count(self, rate: RateLimitItem | None, *key: str) -> bool:
        return rate is None or self._limiter.hit(rate, *key)
