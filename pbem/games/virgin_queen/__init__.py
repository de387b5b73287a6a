'''The game room *Virgin Queen*: the sequel of *Here I Stand*, all eight phases, all cards, 2 to 6 players.

What the two games share (map, stacks, land war, naval war, cards, impulses, deals) is in `pbem.games.reformation`; its
numbers are constants of the kit, its differences flags and hooks of `reformation.rules.Rules`. Numbers and names are
data of the kit. Sections are those of the rulebook; GB-… are the open points of the project's digest of it. This text
is the contract between the chapters; what a chapter alone keeps on the board is told in the text of its module.

Modules
-------
In the root lies what belongs to all chapters, in a package what one chapter of the book, or a few that belong together,
are about.

======================  ==============  ================================================================================
module                  rulebook        what
======================  ==============  ================================================================================
`room`                  –               `GAME`: phases, chapters with orders and actions, cards, hooks, picture in lists
`places`                –               names of places off the map
`choices`               –               what can be chosen besides `reformation.choices`
`faults`                –               invariants
`positions`             –               words of cases
`picture`               –               the board as a picture
`cards`                 6, card texts   one function a card (`cards.event`)
`sequence.setup`        scenarios       set-up from the kit
`sequence.draw`         8               phase 1
`sequence.spring`       10              phase 3
`sequence.impulse`      11              phase 4: the frame of impulses, treasures after a card
`sequence.winter`       20              phase 5: its steps
`sequence.leaders`      5.1, 8.1, 10    arrivals, default leaders, Don John, leaders off the map
`diplomacy.segments`    9               phase 2: its segments
`diplomacy.negotiation` 9.1             talks, announcements, confirmations, press
`diplomacy.packages`    9.1, 9.2        the clauses of deals
`diplomacy.wars`        9.4, 9.5        declarations, payment, intervention; how a war begins
`war.land`              12 to 15, 17    actions on land; hooks of the shared land rules; construction
`war.entry`             9.5, 16.7       who may be where, what entering brings, assaults on inland ports
`war.naval`             16, 17          ships of all kinds in Europe; building them
`war.armada`            16, 23.2        the Armada
`religion.conversion`   18.1-18.3,18.5  actions; conversion attempts of both sides, last stand
`religion.rebellion`    18.4, 18.5      rebellions, capitals of the factions
`new_world.ocean`       16, 17.4, 20.4  the world map: captains, patrols, navigation, circumnavigation, piracy there
`new_world.captains`    2.6, 5.2        sea captains: where they are, damage, loot, the way home; what lies next to what
`new_world.colonies`    8.4, 17.4       colonies
`new_world.piracy`      16.4            piracy in Europe
`new_world.awards`      16.4, 16.5      what the hits of piracy bring, one reward a hit
`new_world.fleet`       10, 23.2        the treasure fleet and its escorts
`new_world.treasures`   6.3, 11         treasures: pool, rows, hands, loot; what one brings
`powers.majors`         3, 23           who holds which with 2 to 6 players, factions, rulers and their deaths, capitals
`powers.activated`      3.2             major powers without a seat: activated or inactive
`powers.minors`         24              influence, status, activation and deactivation
`powers.league`         20.10           the Catholic League
`powers.foreign_war`    23.7            foreign wars
`powers.ottoman`        20.1, 23.1      the Suez canal, the Morisco revolt
`court.espionage`       19              intelligence, operatives, assassination, English Catholic Rebellion, Jesuits
`court.queens`          9.5, 21, 23.3   Mary and Elizabeth, deaths of Royals; the cost of war between England and Spain
`court.royals`          21              where the Royals are, their boxes, who is betrothed to whom
`court.weddings`        21              phase 6, betrothals, jilting
`court.patronage`       22              phase 7, artists and scientists, science bonuses
`court.results`         –               the kit's tables of results: what a total means
`victory.conditions`    25              phase 8, automatic victories, ranking
`victory.score`         25.2            VP computed from the board; key tracks; Protestant spaces; markers
======================  ==============  ================================================================================

Who is who
----------
powers
    ``ottoman, spain, england, france, empire, protestant``: those in play are ``board.powers``, in impulse order. One
    without a seat (games of 2 to 5: ``empire``, and below five ``ottoman``) is inactive, and like a minor power to the
    rules, or activated: in play from its controller's seat (``board.played_by``). `activated` has what differs.
    ``board.seated()`` are those with a seat of their own: they alone score, spy, patronize, marry, have influence.
    `majors.all_powers` has all six. Ask for the powers in play where the book says "each power", for those with a
    seat where it is about what `activated` leaves out.
factions
    ``huguenot, dutch`` (Protestant), ``walloons, knights_of_st_john`` (Spain), ``moriscos`` (Ottoman): owners of units
    and leaders with counters of their own, rows of the kit's ``minors`` of kind ``faction``. They stand in
    ``minor_ally`` from the set-up to the end, so their units are their power's own to all shared rules; the Protestant
    has no units but theirs. A space is controlled by ``protestant``, never by a faction.
minor powers
    ``ireland, papacy, portugal, scotland, venice``; and ``independent``.
units
    ``regular, mercenary, cavalry``; at sea ``galley, galleon, race_built, corsair, armada`` (so many units as its
    strength: 2, 4, 6 or 8); in ocean zones ``patrol``. Kinds on two sides of one counter share one supply.

The board
---------
state
    ``scenario, turn, phase, segment``; ``active, passes, impulse, card, cp_left`` as in *Here I Stand*;
    ``turn:…, impulse:…, action:…`` marks (`reformation.marks`):
    ``impulse:types`` (types of action that the CP of the card were spent on), ``impulse:free_types`` (true after a
    normal event: no such limit);
    ``at_war, allied, minor_ally``; ``ruler`` {power: ruler of the kit}, ``dead_rulers`` [ruler, …] (`majors.ruler`
    gives admin and bonus);
    ``control:<space>``, ``religion:<space>`` (all spaces have one; only those of a region turn, `conversion.region`),
    ``unrest:<space>``, ``fortress:<space>``, ``siege:<space>``, ``loans`` {place: {owner: {borrower: {kind: number}}}};
    ``capital:<power or faction>`` [space, …] (`majors.capitals`; the Empire's changes once, factions make and lose
    theirs); ``village:<village>`` a power (absent: nobody's), ``fortress:<village>`` true;
    ``influence`` {minor: {power: boxes}}, ``influence_gone`` {minor: [power, …]} (for the rest of the game),
    ``turn:evaluated`` [minor, …];
    ``plus_cards, minus_cards`` {power: number} for the next deal, ``minus_cards_lasting`` {power: number} (foreign
    wars); ``for_hire`` mercenaries of the Empire (0 to 4); ``packages, talks``; ``turn:deals`` see `packages`;
    ``shared_seats`` [[power, …], …] seats with two powers (`pbem.table.game`); ``turn:keys_held`` see `activated`;
    ``league`` turn in which the Catholic League formed; ``sebastian`` true once card DEATH OF KING SEBASTIAN was
    played; ``mary`` (absent: not in play yet) ``scotland, captured, dead``; ``mary_executed, excommunicated`` true
    (Elizabeth); ``suez`` true once dug, ``suez_failures`` number; ``science`` {bonus: power}, ``prague_centre`` true,
    ``isabella`` a power (`patronage`); ``rudolf_married`` true; ``cipher_keys, walsingham, jesuit_allowance`` (see
    `espionage`); ``war_winner:<card>`` (`foreign_war`); ``preference`` only once
    the Empire has revealed it (sealed before: pile ``preference``, its cards ``protestant, catholic, neutral``);
    ``vp_markers`` {power: {name: VP}}: every VP marker that a power holds, changed by `score.award` alone; names are
    ``piracy, assassination, circumnavigation, virgin_queen, wedding, valois, virginia_dare, suez, war_winner, paris,
    central_europe, patronage, treasure, mary_executed, slave_trader, activated_major`` and slugs of cards;
    ``fortress_markers`` those ready on Spain's card, ``circumnavigations`` how many there were; ``turn:piracy``
    [``zone:power``, …] the piracy markers; ``impulse:navigation`` what a card adds to navigation rolls;
    ``winner, victory``.
units[place][owner][kind]
    Places: spaces, ``<space>/inside``, sea zones, ocean zones (patrols), ``supply``, ``turn_track:<n>`` (ships that
    return then), ``escorts`` (galleons with the treasure fleet), ``armada`` (land units aboard, leaders too),
    ``foreign_war:<card>``, ``foreign_war:<card>:enemy``.
pieces
    ``leader:<id>`` at a space, zone, ``<space>/inside``, ``captured:<power>``, ``turn_track:<n>``, ``arrived:<power>``
    (on the power card: to be placed in spring; the Protestant may leave them), ``off``, ``removed``; marks ``power``
    and ``kind`` (``army`` or ``naval``, Don John) go before the kit.
    ``captain:<id>`` at an ocean zone, a village (wintering in the colony), ``pool:<power>`` or ``pool`` (two powers
    may build him), ``europe`` (English: he is ``leader:<id>`` for the turn), ``turn_track:<n>``, ``off``, ``removed``;
    marks ``damaged`` true, ``power`` (who built him), ``voyage`` [key legs sailed], see `captains`.
    ``royal:<id>`` at ``eligible`` (marks ``box``; ``betrothed`` the other's id, ``festivities`` true), ``france`` (a
    Valois on the card), ``turn_track:<n>`` (William of Orange), ``off``, ``removed``. ``artist:<id>,
    scientist:<id>`` at ``available``, ``sponsored:<power>`` (mark ``cp``),
    ``off``, ``removed``. ``colony:<power>:<n>`` at a village, ``aboard:<captain>``, ``supply``.
    ``jesuit:<n>`` at a space, ``card`` (Spain's power card), ``supply``. ``award:<side>:<type>:<vp>:<n>`` markers of
    patronage at ``display`` or a power. ``informant:<power>:<n>`` ``off`` before turn 3, at ``reserve:<power>``,
    ``spying:<target>`` (mark ``neutralized`` true).
tracks
    ``vp`` (always as computed, by `score.settle`), ``vp_of_turn:<n>``.
piles
    cards: ``deck`` (referee), ``box``, ``hand:<power>`` (owner), ``home:<power>`` (on the power card, open),
    ``put_away:<power>`` (the home card discarded face down this turn; owner), ``discard, removed, in_play, table``,
    ``looked_at:<power>, deck_top:<power>`` (seen, and laid on top of the deck, by who looked at it; owner).
    All 112 are in one of them. Treasures (`treasures`; ids ``<kind>:<n>``, 30 in all): ``treasures`` (pool, referee),
    ``treasures:<power>`` (hand, owner), ``treasures_spent``, ``treasures_gone`` (open), ``treasure_row:spain``
    (owner Spain), ``treasure_row:portugal`` (referee), ``loot_<captain>:<power>`` (who built him),
    ``treasures_at_stake:spain`` (with the fleet, owner), ``treasures_aside:<power>`` (taken in this impulse, owner).

What chapters call, and are called by
-------------------------------------
A procedure is a generator of the table; all take the table first.

`majors`      ``capitals(table, owner) -> list``; ``ruler(table, power) -> {"id", "admin", "bonus"}``;
              ``ruler_dies(table, power, why)``; ``faction_of_space(table, space) -> huguenot, dutch or None``;
              ``home_of(table, space) -> list`` of owners; ``all_powers(table)``.
`leaders`     ``leaves_the_game(table, leader, why, section, default=True)`` for good (`default`: by a loss of 5.1);
              a card that brings one in a later turn puts him at ``turn_track:<n>``.
`score`       ``award(table, power, name, vp, **more)``; ``keys_of(table, power)``; ``protestant_spaces(table)``;
              ``regional(table, region, side) -> int``.
`conditions`  ``look(table)`` after each change of control, religion, unrest; ``GameEnds(power, how)`` raised anywhere
              in phase 4; how: ``military, religious, catholic, rebellion, standard, domination, time``.
`rebellion`   ``rise(table, space, Rising(...))`` whoever rises (18.5, 19.4) -> whether it succeeded; ``rebellion(table,
              space, cp)`` of the Protestant, with capital and leader; ``why_not_target, targets``; ``set_capital``.
`treasures`   ``draw(table, power, number, why)`` from the pool to a hand; ``to_loot(table, captain, number)``;
              ``loot_home(table, captain)``; ``random(table, power, taker, why)``; ``random_from_hand(table, power,
              taker, why)`` the mixed hand of 6.3 (card or treasure).
`captains`    ``abroad, at_sea(table, power, zone)``; ``power_of, place_of, is_damaged(table, captain)``; ``damage``
              procedure, ``remove``, ``come_home(table, captain, why, section)``; ``villages_on(table, zone)``.
`ocean`       ``navigate(table, captain)``, ``sail(table, power, captain, zone)``, ``expedition`` procedures.
`piracy`      ``check_piracy, piracy(table, power, zone, target)``; ``check_raid, raid(table, power, captain, target,
              fewer_dice=0)``; `awards` ``lose_escort(table)``; `fleet` ``treasure_fleet(table)`` procedure.
`armada`      ``place, strength(table)``; ``degrade(table, levels, why, section)``; ``build(table, port)``, ``ports``.
`hands`       (`reformation.hands`) as in *Here I Stand*: ``hand, discard, random_card, draw_card, note_play, …``.
`impulse`     ``Action`` (`reformation.action`): a subclass with ``action`` (row of the kit's ``actions``), ``line``,
              ``check_action``, ``procedure``, ``candidates``; its ``type`` is the kit's; ``limited_actions``.
`wars`        ``begin_war(table, power, target, **more)`` procedure (rebellions, cards, entries into spaces);
              ``why_not(table, power, target)``.
`spring`      calls ``fleet.escorts``, ``ocean.captains_to_europe``, ``leaders.place(table, power)``.
`draw`        calls ``leaders.arrive``, ``ocean.arrive``, ``colonies.roll``, ``espionage.hand_out``,
              ``espionage.refill_jesuits``, ``ocean.refill_fortresses``; Royals, artists, scientists it moves itself.
`winter`      calls ``ottoman.morisco_winter``, ``leaders.don_john_ashore``, ``ocean.captains_home``,
              ``espionage.winter``, ``minors.reset_influence``, ``league.winter_test``.
`packages`    calls ``weddings.check_betrothal(table, man, woman) -> None or raises``, ``weddings.betroth(table, man,
              woman)`` procedure.
`wars`        calls ``minors.evaluate(table, minor, leave_out, declarer=None)`` procedure -> the power that intervenes
              or None (it activates the minor itself); ``queens.war_cost(table) -> int``.
`espionage`   ``assassinate(table, power, victim, cp)``, ``english_catholic_rebellion(table, cp)``, ``rise(table)``;
              ``why_no_plot(table, power)``, ``why_no_espionage(table)``, ``use_cipher_key``, ``use_walsingham``.
`queens`      ``royal_dies(table, royal, why, section)`` (ruler, army leader, betrothal), ``elizabeth_dies``,
              ``capture_mary(table)``, ``execute_mary``, ``mary_state(table)``; `weddings` ``jilt(table)``,
              ``why_not_jilt``, ``french_couples``, ``add_festivities(table, couple)``, ``to_france(table, royal)``.
`patronage`   ``sponsor(table, power, kind, cp, italians=False, drawn=1)``, ``why_not_sponsor``, ``pick_bonus``.
`foreign_war` ``begin(table, card, player)``, ``why_not_begin(table, card)``, ``end(table, power, card)``; `ottoman`
              ``try_suez(table) -> bool``, ``why_no_suez(table)``; `majors` ``card_marker(table, power, number)``.
`cards`       call everything; a condition of a card (`cards.playable`) returns None or a `Refused`.
`weddings`, `patronage`   are phases: ``SEGMENTS``, ``happens``.

Moments of windows (`pbem.table.asking.Moment`, as in *Here I Stand*; what answers count): ``impulse``; ``any_time``;
``event_declared``; ``land_move, naval_move, transport`` ("stop": STORMS); ``field_battle`` (REITERS);
``field_battle_cards, assault, assault_cards, assault_taken`` (SACK!, SPANISH FURY); ``naval_combat_cards,
naval_combat_rolled`` (GALLEASSES); ``piracy``; ``conversion`` (attempts rolled);
``espionage`` (dice thrown; INTERCEPTED LETTERS); ``treasure_fleet``; ``negotiation`` (LOUISE OF LORRAINE);
``victory``; ``combat_of_others``: combat cards of powers without units in a fight (TILBURY SPEECH). STORMS sets the
mark ``impulse:foul_weather`` (`land.barred`, `reformation.movement`); GOUVERNANTE DE FRANCE the dice of rebellions
(`rebellion.DICE`). What many cards do: `cards.common`, `cards.conversions` (batches of attempts), `cards.troops` (new
units), `cards.home_cards` (influence for nothing, two powers that are asked for peace), `cards.free_actions`.

How to add
----------
*A phase, a step*: ``SEGMENTS = (("name", procedure), …)``; one that returns `reformation.sequence.AGAIN` runs again.
*An action, an order*: into the module's ``ACTIONS``, ``ORDERS``. *A card*: a function in a module of `cards`, which
`room.CARDS` lists. *A question*: ``yield Ask(power, kind, [orders], default, context={…}, section=…)``; `kind` is
a name of the kit's ``[questions]``. *A refusal*: ``raise Refused("code", "section", hint=…, **values)``; the sentences
stand in ``phrases.<lang>.toml``. *A place on the board* that several chapters use: into this text.

Rules of the house
------------------
A procedure depends on board, answers and dice only; it holds names over a yield, never counts or copies; it iterates
over no set. Every fact that tells a story carries ``why`` or is a ``happened`` with ``section``. Nothing rebuilt stands
in code.
'''

from pbem.games.virgin_queen.room import GAME

__all__ = ["GAME"]
