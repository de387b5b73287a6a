"""What the store needs of PostgreSQL. A module of its own, because its driver is an extra that most do not install.

`pbem.campaign.stream` names `PostgresRecorder` by its topic only, so the driver is loaded where the settings ask for
it.
"""

from __future__ import annotations

from typing import Any

from eventsourcing.postgres import PostgresProcessRecorder

from pbem.campaign.stream import Beside


class PostgresRecorder(Beside, PostgresProcessRecorder):
    """Stream, tracking and what lies beside, in one transaction."""

    def _insert_events(self, curs: Any, stored_events: Any, **kwargs: Any) -> Any:
        # The library saves in pipeline mode. Where a save fails there (a lost race), psycopg takes statements for
        # prepared that the server never came to prepare, and the connection's next save fails for it. So none are.
        curs.connection.prepare_threshold = None
        return super()._insert_events(curs, stored_events, **kwargs)
