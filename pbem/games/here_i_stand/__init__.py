'''The game room *Here I Stand*: the edition with 110 cards, all nine phases.

What it shares with *Virgin Queen* (map, stacks, land war, questions) is in `pbem.games.reformation`; numbers and names
are in the kit. What it shares are also cards, hands, impulses and the sequence of play: `reformation.hands, cards,
action, impulse, sequence, house, ranking`. This text is the contract between the chapters.

Modules
-------
In the root lies what belongs to all chapters, in a package what one chapter of the book, or a few that belong together,
are about.

===============================  =========================  ============================================================
module                           rulebook                   what
===============================  =========================  ============================================================
`room`                           –                          `GAME`: phases, orders, actions, cards, hooks, picture
`places`                         –                          names of places off the map
`faults`                         –                          invariants
`positions`                      –                          entries of case files
`picture`                        –                          the board as a picture
`cards`                          6, card texts              registry of events; `cards.common` for what many cards do
`sequence.setup`                 scenario                   set-up from the kit
`sequence.draw`                  6.2, 8.2                   phase 2
`sequence.entry`                 8.2                        the entry of reformers, debaters and leaders
`sequence.spring`                10                         phase 5
`sequence.winter`                19                         phase 7: its steps, overdue events
`diplomacy.segments`             9                          phase 3: its segments
`diplomacy.negotiation`          9.1, 7                     talks, announcements, confirmations, press
`diplomacy.packages`             9.1, 9.2                   the nine clauses of deals
`diplomacy.peace`                9.3                        suits for peace
`diplomacy.church_gifts`         9.5                        gifts to the Church
`diplomacy.wars`                 9.6                        declarations, interventions; how a war begins and ends
`war.land`                       12, 13, 15, 17             actions on land; hooks of the shared land rules
`war.naval`                      16                         ships
`religion.theses`, `.diet`       18.1                       phases 1 and 4 of turn 1
`religion.actions`               18.1                       religious actions, translation
`religion.conversion`            18.2-18.4                  religion of spaces: targets, dice, allegiance, electorates
`religion.attempts`              18.2-18.4                  attempts of both sides, bonuses, treatises, burning
`religion.debates`               18.5                       debates, the Council of Trent
`religion.church`                18.1, 21.5                 St. Peter's, Jesuit universities
`new_world.holdings`             20                         explorers, colonies and markers of a power
`new_world.voyages`              20.1-20.3                  voyages and phase 8
`new_world.riches`               20.4                       riches and raiders
`powers.rulers`                  3.3                        rulers, and how new ones follow
`powers.majors`                  21.1, 21.2, 21.4           pirates, the journey of Charles, chateaux
`powers.england`, `.mary`        21.3                       wives, heirs, succession; English impulses under Mary I
`powers.excommunication`         21.5                       Papal Bull; `lift` for peace, pardon, gift
`powers.sack_of_rome`            21.5                       the Sack of Rome
`powers.league`                  21.6                       the Schmalkaldic League
`powers.foreign_war`             21.7                       foreign wars
`powers.minors`                  22                         activation, deactivation, defeat of Hungary
`victory.score`                  23.2                       VP computed from the board; key track, electorates
`victory.conditions`             23                         phase 9 and automatic victory
===============================  =========================  ============================================================

The board
---------
state
    ``scenario, turn, phase, segment``; ``active, passes, impulse`` (number of the impulse in the game), ``card``
    (number of the card in play), ``cp_left`` (absent before a card is played); ``at_war, allied`` (sorted lists of
    sorted pairs), ``minor_ally`` {minor: power}; ``ruler`` {power: ruler}; ``heirs`` [edward, elizabeth];
    ``minus_cards`` {power: number}, ``minus_cards_until_deal`` (those among them that leave after the next deal, card
    79); ``league, barbary_pirates`` (true once they happened);
    ``cards_extra:<power>`` (riches for the next deal), ``galleons, plantations, raiders`` (powers with the marker),
    ``potosi, cabot``, ``pregnancy`` {result: wife};
    ``control:<space>`` (a power, a minor power, ``independent``; absent: not in play), ``religion:<space>``,
    ``unrest:<space>``, ``fortress:<space>``, ``haven:<space>``, ``home:<space>`` (a changed home power),
    ``university:<space>``, ``siege:<space>`` {"by": {power: number of the impulse since which it besieges}},
    ``loans`` {place: {owner: {borrower: number}}};
    ``society_of_jesus`` (true once it was played), ``excommunicated`` (everybody who was, for good),
    ``excommunication:<power>`` (true while the -1 Card marker lies there; it is counted in ``minus_cards``);
    ``talks`` [[power, ...], ...] (who may talk in private now), ``packages`` (announced, not settled), ``war_costs``
    {power: CP owed}, ``hungary_defeated, boleyn_discount_spent``;
    ``winner, victory``. Marks (`reformation.marks`): ``action:.., impulse:.., turn:..``, cleared by themselves.
units[place][owner][kind]
    owners: the six powers, the four minor powers, ``independent``, ``knights_of_st_john``; kinds of the kit. Places:
    spaces, sea zones, ``<space>/inside`` (land units within besieged walls; ships stay at ``<space>``), ``supply``,
    ``turn_track:<n>`` (ships that return then), ``electorate:<space>`` (display), ``foreign_war:<card>``,
    ``foreign_war:<card>:enemy``.
    The supply holds for each kind what all counters of the owner could show; `forces.can_add` knows what they suffice
    for, so units are only ever added by `forces.add_units` or after `forces.can_add`.
pieces
    ``leader:<id>`` at a space, zone, ``<space>/inside``, ``captured:<power>``, ``turn_track:<n>``, ``off`` (not in play
    yet), ``removed``; the mark ``power`` if not that of the kit. ``reformer:<id>`` (mark ``entered``),
    ``debater:<id>`` at a language zone or ``any`` (papal), ``off``, ``removed``, with ``committed``.
    ``explorer:, conquistador:`` (``pool``, ...), ``discovery:`` (``display``, or the power that has it, for a conquest
    with ``riches`` while it lies at the riches), ``voyage:<exploration|conquest|cabot>:<power>``,
    ``colony:<power>:<n>`` (see `new_world.holdings`).
tracks
    ``vp`` (always as computed, by `score.settle` after each step), ``bonus_vp, war_winner_vp`` (markers),
    ``piracy_vp, chateaux_vp, st_peters_cp, st_peters_vp, marital_box, new_testament_<language>, bible_<language>``,
    ``colonies``, ``vp_of_turn:<n>``.
piles
    see `hands`. Cards are ids of the kit, their number as text. Never put a card's id into a mark, a context or a fact
    that others can read later, when it may be a secret again: use its number (int) there; the id may stand in a fact of
    the answer in which the card is played.

How to add
----------
*A phase, or a step of one.* Its module has ``SEGMENTS = (("name", procedure), ...)`` and ``happens(table)``. Put a
segment in its place in the book's order. A procedure that returns `action.AGAIN` is run again as the next step: use it
to go power by power (``state["active"]``), so that a point of rest lies between. `sequence` needs no change.

*An action.* A subclass of `action.Action` in its chapter's module, listed in that module's ``ACTIONS``::

    class StPeters(Action):
        """Build Saint Peter's for 1 CP."""
        action = "build_st_peters"              # row of the kit's table ``actions``: cost by power, None: not available
        line = "BUILD SAINT PETER'S"            # verbs should differ, or the words behind them
        def check_action(self, table, power): ...      # raise Refused("code", section, ...)
        def procedure(self, table, power): ...         # a generator; the CP are spent already
        @classmethod
        def candidates(cls, table, question): ...      # all orders worth a check; random play draws from these

Override ``cost`` where the table does not say it. Other orders go into the module's ``ORDERS``. A new module is added
to `room.CHAPTERS`.

*A question.* ``yield asking.Ask(power, kind, [orders], default, context={...}, section=...)``; `asking.choose`,
`asking.confirm`, `asking.choose_number` ask for one thing without an order of their own. `kind` is a name of the kit's
``[questions]``; the context holds ``space, power, strength, cp_left, action`` where they mean something, for standing
orders. Defaults commit the player to least. PASS is `asking.Pass`, never another class.

*A card.* One function in a module of `cards`, see `cards`. Units, unrest, draws: `cards.common`; random cards,
fetching: `hands`. CP for actions: return the number. CP for some actions only: `action.limited_actions`.

*A window.* ``answers = yield from asking.response(table, Moment(name, power, data), powers)``. A card's function that
may be played there names the moment; what it returns comes back in ``answers``. The moments:

===========================  ===========================================================  ==============================
moment (data)                when                                                         what answers count
===========================  ===========================================================  ==============================
``impulse``                  own impulse, PLAY .. FOR EVENT                               CP, `Outcome`
``any_time``                 an impulse begins; after an action, event or naval combat    –
                             in it (`choices.free_responses`); the active power's own
                             between its actions (W-19)
``event_declared`` (card)    an event is announced, W-13                                  ``"cancel"``
``land_move``                after the CP of a move, W-1: origin, space, force (`Force`)  ``"stop"``: it does not move
``field_battle``             14 step 1, W-4: battle                                       –
``field_battle_cards``       14 steps 4, 5, W-6: battle, side                             –
``field_battle_rolled``      14 step 7, W-7: battle                                       –
``assault``                  15.1 step 2, W-5: space, battle                              ``"stop"``: no assault
``assault_cards``            15.1 steps 5, 6: battle, side                                –
``assault_rolled``           15.1 step 8, W-8: battle                                     –
``naval_move, transport``    16.1 step 3, 16.3, W-1                                       ``"stop"``
``naval_combat_cards``       16.2 steps 3, 4: battle, side                                –
``naval_combat_rolled``      16.2 step 6, W-9: battle                                     –
``naval_roll``               an interception or avoiding roll at sea was made: roll       number to add
``piracy``                   16.4                                                         ``"stop"``
``charles_moves`` (leader)   21.2, W-18                                                   ``"stop"``
``intervention_paid``        9.6, the card pays for an intervention (69, 108)             –
``spring_start``             10, before anybody deploys                                   –
``spring_deployment``        10, own deployment                                           –
``debate``                   18.5, W-15: the debate                                       –
``victory``                  23.2, W-20                                                   –
===========================  ===========================================================  ==============================

At ``debate`` the datum is a `debates.Debate`; Here I Stand calls `debates.replace_by_luther`. Cards that last set
``turn:printing_press``, ``turn:augsburg_confession``, ``turn:wartburg``; attempts and debates heed them.
``turn:succession`` is the heir who came to the English throne in this turn (card 59), ``turn:julia_gonzaga`` waits for
piracy (84), ``impulse:foreign_recruits`` opens foreign spaces to `land.Build` (76). A card that takes a unit off the
map at a power's choice asks by `reformation.taken_units.choose_unit`. `ranking.stops_domination` says whether so many
VP would help in the Victory phase, `ranking.outcome` who would win. A card gives attempts by
`attempts.reformation_attempts` or `counter_reformation_attempts` with a row of the kit's table, a debate by
`debates.debate`, spaces by `debates.turn_spaces`; reformers leave by `conversion.reformer_leaves`.

``battle`` is a `reformation.battle.Battle`: cards add dice to ``battle.attacker.extra`` or ``battle.defender.extra`` as
(number, hits from), and so on. Foul Weather sets the mark ``impulse:foul_weather``, Gout adds the leader to the list
``impulse:gout``; both break the announced action off (``"stop"``) and take 1 CP of it. Roxelana sets
``impulse:roxelana`` to the leader until his free assault (``action:free_assault``) is made; `action`, `land` and the
shared rules heed these marks. Whoever lets a battle be fought elsewhere than in `battle` minds ``battle.first``
(Surprise Attack) and, after combat cards, whether a side is still there. In a naval combat ``battle.space`` may be a
sea zone; `naval_roll` gets the dict ``roll``: what, power, origin, place, total. What follows from the hits of piracy
(Julia Gonzaga) is a function in `room.RULES`, ``after_piracy``.

Rules of the house
------------------
A procedure depends on board, answers and dice only; it holds names over a yield, never counts or copies; it iterates
over no set. Every fact that tells a story carries ``why`` or is a ``happened`` with ``section``.
'''

from pbem.games.here_i_stand.room import GAME

__all__ = ["GAME"]
