"""The moderator's desk: campaigns, whom they wait for, what came in and went out, and everything that can be done.

A moderator sees the campaigns he runs, an admin all; what is not there and what is somebody else's get the same answer.
The pages show the public part of a campaign only. What is hidden is shown once, for a reason that goes into the ledger
first. Each room holds what a moderator does in one place, with its routes; `frame` is what all of them stand in.
"""

from __future__ import annotations

from pbem.web.desk import accounts, disclosing, founding, lists, mails, rewinding, ruling, running
from pbem.web.desk.frame import blueprint, kit_at_start, moderators

ROOMS = (accounts, lists, founding, running, mails, ruling, rewinding, disclosing)

__all__ = ["ROOMS", "blueprint", "kit_at_start", "moderators"]
