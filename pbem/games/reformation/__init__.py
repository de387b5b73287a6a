"""What *Here I Stand* and *Virgin Queen* share: map, stacks, land war, deployment, questions. No game of its own.

The differences of the two games are parameters: numbers of the kit, and the flags and hooks of `rules.Rules`, which
each game has as its `Game.rules`. Nothing here names a power, a card or a space of either game.

What is refused here is said by the phrases of ``config/games/reformation``, which a game has by the line ``family =
"reformation"`` at the top of its English phrase file.

==================  ==================================================================================================
`rules`             the `Rules` of a game: flags and hooks; ``rules(table)`` finds them
`atlas`             the map and the vocabulary of a kit, worked out once: neighbours, passes, ports, home spaces
`relations`         wars, alliances, active minor powers
`ground`            spaces on the board: control, religion, unrest, fortification, siege, friendliness
`forces`            units and leaders, formations (5.1), counters (5.2), marks of units, how orders name a force
`marks`             what is remembered for an action, an impulse, a turn
`choices`           what the rules let choose, an order a kind; windows of both games (`pbem.table.asking`)
`control`           12: line of communication, control, unrest
`movement`          13: land movement, interception, avoiding battle, withdrawal
`battle`            14: field battle, combat dice, losses, capture, retreat
`siege`             15: siege, assault, relief, breaking of a siege
`fleets`            ships at a place: who commands them (loans, 9.2), how they are named, moved, lost; nearest ports
`naval`             16.1, 16.2: naval movement, interception, avoiding battle, naval combat
`transport`         16.3: naval transport
`construction`      17: building units
`deployment`        10: spring deployment
`displacement`      nearest fortified space; units and ships that have to leave a space
`treaties`          9.1: clauses and packages: how they are written, announced, confirmed, and take effect
`clauses`           9.1, 9.2: the clauses that both games have
`negotiation`       9.1: packages in the state, confirmations, press
`minor_powers`      22: activation and deactivation
`house`             what chapters ask of a room: its phases, actions, cards, hooks (`house.HouseRules`)
`family`            what the rooms of both games are alike in (`family.FamilyGame`)
`faults`            invariants of the board that both games keep
`sequence`          7: the state machine of phases, segments, steps
`hands`             6: deck, hands, draws, random cards, discards
`cards`             6: a function a card (`cards.Book`), when it may be played, what it leaves behind
`action`            11: the Action Phase, `Action`, CP
`impulse`           11: playing cards, passing
`captives`          9.4: captured leaders, ransom
`winter_quarters`   19.3: how land units go home
`homeward`          19.3, 8.2: how ships go home, naval leaders come back
`land_actions`      12 to 15: moves, assaults, control, calm as actions
`naval_actions`     16.1, 16.3: naval move and transport as actions
`ranking`           23: who wins at the end of a turn, ties, the ranking
==================  ==================================================================================================
"""
