'''The game room *Thirty Years War: Europe in Agony*: two sides, four scenarios, a deck each.

Numbers and names are in the kit (`map.number`, ``table.kit.constants``); code holds procedure only. Sections are those
of the rulebook; T-…, INT-…, O-… are the numbers of the project's digest of it. This text is the contract between the
chapters.

Modules
-------
In the root lies what belongs to all chapters, in a package what a few chapters that belong together are about; in the
text the last word of a name stands for it.

=======================  ================  =============================================================================
module                   rulebook          what
=======================  ================  =============================================================================
`room`                   –                 `GAME`: phases, triggers, chapters with their orders, in lists
`rules`                  –                 what chapters ask of the room (`rules.Rules`), as ``table.game.rules``
`map`                    2.4               `map.atlas`: spaces, links, regions; `map.number`; `map.roll` (0 to 9)
`pieces`                 3.0               units and leaders: who stands where, strength, losses, how orders name them
`control`                3.1, 5.1, 9.42    who holds what; gaining, flips, revolts, neutrality, electors, triggers
`score`                  5.1               VP with their reasons; `score.GameEnds`
`conditions`             –                 what standing orders may ask
`order_watch`            6.0               the order of play, watched from outside
`faults`                 –                 invariants
`positions`              –                 words of cases
`picture`                –                 the board as a picture
`cards`                  8.6, 9            events and combat cards, a function each
`turn.setup`             4.0, 18.0         the four set-ups; what is placed before play
`turn.sequence`          6.0               the state machine: `sequence.next_step`, `sequence.advance`
`turn.deck`              8.1               piles, draws, phase C
`turn.activation`        6.0 D, 8.2        the actions phase: `activation.Use`, `activation.CardUse`
`turn.end_of_turn`       6.0 E to G        pay, looting, sieges, revolts, the last card, victory: one wait for both
`turn.victory`           5.2, 18           the ends of the game at the end of a turn
`marching.leading`       8.3, 10.1         who may be activated, who has to lead, how many units leaders command
`marching.ways`          10.2, 11          what may be entered, where a stack may stay, which way a group may go
`marching.army`          8.3               activation of an army by a card: the whole march in one line
`marching.march`         11                the march under way, as the board remembers it
`marching.movement`      11                what a march does, and its orders line by line
`marching.free_moves`    8.32              free moves of one unit or leader
`marching.reaction`      11.23             into the fortress or not; coming out again (INT-55)
`marching.forage`        11.16             foraging
`marching.overrun`       12.6              overruns
`combat.engagement`      12                what a battle is to its steps and to combat cards: `engagement.Battle`
`combat.battle`          12                field battles, the steps of 12.21 in their order
`combat.combat_cards`    9.5, 12.13, 12.23 who attacks, who commands, which cards: one order of each side
`combat.losses`          12.3              loss factors and steps; who has to lose, and what silence loses
`combat.leader_losses`   12.4              tests of leaders, their reverse sides, leaders lost with an army
`combat.retreat`         12.5, 10.22       the loser's way back, stacks that are too large
`combat.siege`           13                markers, assault, masks, phase F1
`combat.sortie`          13.16             sorties
`upkeep.recruiting`      8.4               recruiting
`upkeep.aid`             8.5, 14           foreign aid: what gives, what a card brings, the points of this turn
`upkeep.supply`          15.14, 15.15, 17  bases, home pay, lines of communication
`upkeep.pay`             15.1              who is paid; bases lost and retaken (15.15)
`upkeep.looting`         15.2              loot levels, looting rolls, lone leaders
`upkeep.recovery`        15.25, phase B    recovery from looting
`politics.nations`       17                where the pieces of nations may be, who may stand together, entries, exits
`politics.saxony`        17.Sa, C 8.6      Saxony changes sides
`politics.peace`         5.3               offers of peace
`politics.wallenstein`   7, phase A        Wallenstein
`politics.dutch_war`     16                the track, Spinola's sieges, the armies in the United Provinces
`politics.revolts`       9.44              peasant revolts spread
`politics.bans`          8.6               what cards forbid for the rest of a turn
=======================  ================  =============================================================================

The board
---------
powers
    ``protestant, catholic``: the two sides, in the order of play. A *side* is a power.
pieces
    ``leader:<counter>`` (the id of the counter's front), with the mark ``face`` while it shows its back (a leader of
    the kit: a replacement, Piccolomini, Leslie); ``unit:<kind>:<n>``. Marks, all of them true or not there:
    ``inside`` (within the walls, INT-55), ``reduced``, ``unpaid``, ``infant`` (a piece of the Cardinal Infant's army
    that is not in the Spanish zone yet), ``killed`` (a dead leader: in battle).
    Whose a piece is follows from its nation (`pieces.side_of`). Places: the spaces of the kit, boxes of the United
    Provinces among them; ``supply`` (units that can be had), ``removed`` (out of the game), ``off`` (leaders not in
    yet), ``dead``, ``dismissed``. Who takes a piece off the map calls `pieces.eliminate`; marks end with it.
counters
    ``vp`` and ``vp:<turn>:<reason>[:<what>]`` (`score.vp` alone changes them), ``dutch_war``, ``influence``
    (Wallenstein's), ``aid:<side>:<source>`` received in this turn, ``aid_spent:<side>``.
tracks
    ``activations``: how many of this turn's a side has used.
piles
    ``deck:<side>`` (referee), ``hand:<side>`` and ``discarded:<side>`` (owner), ``played:<side>``, ``aid:<side>`` (the
    AID card shown), ``removed:<side>``, ``box:<group>:<side>`` (open). See `deck`.
state
    ``scenario, turn, last_turn, phase, segment``; ``round, active`` in the actions phase; ``activation``: how many
    activations the game has had (sieges remember it).
    ``region:<id>``: a side, ``neutral`` (its marker lies there), ``closed``; absent: nobody's.
    ``control:<space>``: the side whose own marker lies there, of a city: who holds it. ``kept:<space>``: true where a
    side keeps a space of a flipped region by its units (INT-56). ``revolt:<space>`` true. ``loot:<space>`` 1 or 2.
    ``wasted:<region>``: the side that lost a point by it (15.24). Ask `control.holder`, `control.region_holder`.
    ``siege:<space>`` {"by": side, "value", "since": number of the activation in which it was placed}.
    ``march``: see `march.march`; absent outside an activation of an army.
    ``saxony`` side; ``rebellion`` true (Hungary); ``passes`` open or closed; ``pope``; ``palatine_elector`` region;
    ``award:majority, award:all`` (the latches of INT-04) side; ``wallenstein``: ``not_in_play, in_play, dismissed,
    recalled, assassinated`` (killed: his counter shows another face); ``dutch_war_effect`` box, ``dutch_award:<box>``
    true, ``dutch_war_over`` the side that lost it, ``dutch_must_leave`` true (16.13, -3);
    ``swedish_base`` space; ``entered:<nation>`` turn (0: before the start), of ``danish, swedish, french, english``;
    ``event:<card>`` turn in which its event was (0: before the start); ``source:<source>`` ``on`` while it pays,
    ``ended`` for good; ``base_lost:<nation>`` true (15.15); ``truce`` the turn that one ended, for phase B after it;
    ``conflict`` grace or strict (C54); ``infant_deadline`` turn (17.Sp.3);
    ``at_start`` {region or city: side} (5.32); ``winner`` side, ``victory`` {"level", "how"}.
    Marks (`pbem.table.marks`) ``activation:…`` and ``turn:…`` clear themselves: ``turn:combat_card`` [sides that
    played one] (INT-76), ``turn:cards:<side>`` how many cards it has spent on activations, ``turn:truce``,
    ``turn:base_moved`` (the Swedish base); bans of cards: ``turn:value_needed`` {nation: [value, card]},
    ``turn:hesitates`` {leader's piece: card}, ``turn:neutral_ground`` card.

How to add
----------
*A way to use an activation*: a subclass of `activation.Use`, or of `activation.CardUse` with ``use`` and the field
``card``, in the module's ``USES``. `activation` spends the card, lets an always-effect follow, runs the triggers.

*An order, a question*: the order into the module's ``ORDERS``. ``yield Question(side, kind, [orders], default,
context={...}, section=...)``; `kind` is a name of the kit's ``[questions]``; the context holds what all may know
(space, strengths, ratio, cards shown), JSON values. Say all that can be said at once in one order; a default commits
to least.

*A trigger* (2.15): a procedure of the table that does what is due now and nothing where nothing is, in the module's
``TRIGGERS``; `control.triggers` runs all of them until nothing more follows. Run ``yield from control.triggers(table)``
after each atomic step (an entry, a battle, a marker, an event).

*An end of the game*: raise `score.GameEnds` wherever it happens; at the end of a turn `victory` does.

*Refusals*: ``raise Refused("code", "section", hint=…, **values)``; the sentences stand in ``phrases.<lang>.toml`` under
``[refused]``.

Rules of the house
------------------
A procedure depends on board, answers and dice only; over a yield it holds names, never counts or copies; it iterates
over no set. Every fact that tells a story carries ``why`` and ``section``, or is a ``happened`` with ``section``.
Losses of units go through `pieces.step_loss` and `pieces.eliminate`; a space changes hands by `control.gain` alone.
'''

from pbem.games.thirty_years_war.room import GAME

__all__ = ["GAME"]
