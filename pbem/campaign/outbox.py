"""The outbox: what is to be sent to whom. The campaign writes intents; the mail room renders each once and sends it.

Table ``outbox``, one row for each message to one seat (or to the moderator, seat ``moderator``):

``number``
    primary key.
``campaign, seat, kind``
    kinds: ``invitation, opening, your_move, report, window_opening, window_closing, window_closed, answer, reminder,
    ruling, rewind, pause, resume, extension, replacement, missed, held, scores, final, press, set_aside``.
``first_event, last_event``
    the range of events it tells of. While a ``report`` is ``pending``, later events join it: one mail instead of many.
``inbox``
    for ``answer``: the number in the campaign's inbox, whose ``answer`` it sends (a refusal is an answer too).
``press``
    for ``press``: the number of the text in table ``press``.
``data``
    JSON, small public things that the kind needs (a deadline, a reason, which reminder).
``message_id``
    stable: made from campaign, kind, seat and event, so the same message never gets another one.
``state``
    ``pending`` -> ``claimed`` -> ``rendered`` -> ``sent``; or ``void`` (overtaken: the question was answered before it
    went out), ``failed`` (given up; the moderator's desk shows it and can `retry`).
``not_before, attempts, next_attempt, claimed_until, error, sent_at, created_at``
    the rhythm: `not_before` is set for daily digests; a claim runs out by itself when its process dies.
``rendered``
    the whole message as bytes, stored before the first attempt, so that every attempt sends the same.
"""
