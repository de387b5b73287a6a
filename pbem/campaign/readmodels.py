"""Read models: what pages, clock and mail room look things up in, made from the stream by one pull loop, exactly once.

`Projection.pull` reads the notifications after its last tracking and writes the change of all views and the new tracking
in one transaction; a second loop loses by `IntegrityError`, reads the tracking again and goes on. Tables:

``campaigns``
    one row each: id, title, game, scenario, state, seats (JSON), waiting_for (JSON powers), waited_since, question kind,
    deadline, next_wake (when the clock has something to do), event, head, updated_at.
``outbox``
    see `pbem.campaign.outbox`.
"""
