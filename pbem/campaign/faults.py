"""How a fault that stops one thing, and lets all others go on, is told in the log."""

from __future__ import annotations

import traceback

from pbem.campaign.store import is_store_fault
from pbem.campaign.vault import without_tokens


def told(error: BaseException, *foreseen: type[BaseException]) -> str:
    """A fault for the log, without tokens. One of the store, of the network or of a kind that is `foreseen` is told in
    a line, for nobody mends it in the code; any other is a defect, and told with the way to it."""
    if is_store_fault(error) or isinstance(error, (OSError, *foreseen)):
        text = f"{type(error).__name__}: {error}"
    else:
        text = "".join(traceback.format_exception(error)).rstrip()
    return str(without_tokens(text))
