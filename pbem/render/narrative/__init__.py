"""The narrative: facts told as sentences, in the player's language.

What can be said lies in phrase files, TOML, one for each language: ``config/games/<game>/phrases.<language>.toml`` for
the game and ``config/phrases.<language>.toml`` for all games. Games that share rules share phrases as well: ``family =
"reformation"`` at the top of a game's English file lets it have those of ``config/games/reformation``, before its own.
No code has to change for a new fact or a new language::

    [happened]                  # a section for each type of fact (`pbem.table.facts`)
    auction_won = "{{ power|The }} wins the auction for {{ bid|many('gold') }}."
    fight_told.fight = '''…'''   # (see below) a block of its own
    [count]
    "gold income" = "…"         # the track, and what the fact belongs to (its "why")
    gold = "…"                  # the track alone
    any = "…"                   # every other
    [units]                     # by kind of unit, by why, or both: "army build", "build", "army"
    [state]                     # by the name of the value, or by its first word: "control" for "control:vienna"
    [roll]                      # by what the dice are for; likewise [draw]
    [piece]                     # by the first word of the piece ("leader"), by why, or both: "leader loss"
    [card] [show] …             # by why; facts of a ruling by "ruling", whatever their subject
    [hand]                      # a card in a hand and what it does (`pbem.render.own`)
    [dice]                      # what the sides of a die show, by the number of its sides, where not just figures
    usual = 6                   # how many sides a die has, where neither the fact nor the phrase says it
    6 = {signs = "⚀⚁⚂⚃⚄⚅"}       # signs beside the figures
    10 = {faces = "1234567890"} # what stands on them in place of figures; a list where more than a letter does
    [macros]                    # what several phrases share: macro = "{% macro force(pieces) %}…{% endmacro %}"
    [picture] [phase]           # plain words, no templates: of the picture of the board, and of phases in its heading
    [condition] [preset]        # likewise: what the conditions and ready-made orders of ``standing.json`` mean, by name
    [kind]                      # likewise: kinds of things that have names ("space", "leader"), by the kit's domain
    [hint]                      # likewise: what stands before a hint (`pbem.table.refusals`)
    [value]                     # likewise: values of the state, by name or first word: control = "control of %s"
    [option_group] [choice_set] # likewise: groups of the kit's options, and sets of choices that the kit names
    [option.gold_sums]          # an option of the kit: what it is called, what it is about, and its values in words
    subject = "Who sees the gold"
    about = "…"                 # may be left out
    owner = "Its player alone"
    [ask]                       # questions, by kind: what they ask, and "<kind> title", what they are called
    [chosen]                    # what an event lets choose: "<kind> <card> <what>", "<kind> <what>"
    [refused]                   # refusals (`pbem.table.refusals`), by code, with their values as variables

    [nouns]                     # what is counted: one and several; in Russian three, for 1, 2 and 5
    gold = ["gold", "gold"]
    [forms.united_provinces]    # how a thing stands in a sentence
    the = "the United Provinces"
    of = "of the United Provinces"
    to = "to the United Provinces"
    plural = true
    [forms.inside]              # of "vienna/inside" as of "inside:vienna"; `domain` says what kind of thing that is
    name = "%s within the walls"

A phrase is a Jinja2 template, run in its sandbox, with the fields of the fact as variables and these filters:
``power`` and ``name`` (a thing's name), ``value`` (that of a value of the state), ``the``, ``The``, ``of``, ``to``,
``in``, ``from`` (its forms),
``many('noun')`` ("3 armies"), ``verb('builds', 'build')`` (by the number of its subject), ``dice`` ("2 5 ⚁⚄"; of a
throw with the ``sides`` of its fact, else the ``usual`` ones, or as ``dice(10)`` says), ``signed`` ("+1"),
``listed`` ("a, b and c"), ``either`` ("a, b or c"), ``strong``, ``named`` (a line of orders with names in place of
ids), ``question`` (what a kind of question is called; ``questions`` of several), ``refusal`` (the sentence of a refusal
that a fact holds), ``kinds`` ("space or sea zone", of domains of names), ``wanted`` and ``meant`` (of
`pbem.table.grammar`: what should stand in a line, and things that may have been meant), ``rebuilt`` (of a table of the
kit, ``'units'|rebuilt(id, 'cost')``: " (rebuilt)" where a value in these columns is not known to be the published one).
A form that ends in ``_vowel`` is that of names that begin with a vowel ("d'Alger").
The empty phrase is silence: bookkeeping is not told. A fact
without a phrase is told by the generic phrases, or as last resort by its fields; telling never fails.

Paragraphs: a fact that ``happened`` opens one, and the facts after it that belong to it (the same ``why``, or none)
join it; a phrase that begins with ``+`` always joins, one with ``/`` never does.
A phrase that begins with ``&`` joins, too; of equal ones in a row the first is told with their number ("×3").
A phrase that begins with ``*`` stands alone; ``¶`` in it breaks
the line. One that begins with ``~`` (dice) waits for the next: if that uses ``thrown``, the list of the facts that
wait, it tells them; else they are told before it. What waits and is no dice (the price of an action) is ``paid``.
Units that move together, with the pieces among them, are one fact ``moved`` where there is such a section: its `force`
is ``{units: {power: {kind: number}}, leaders}``. ``previous`` is the fact told last ({} at the beginning).
"""

from pbem.render.narrative.phrases import RULING, PhraseError, family
from pbem.render.narrative.story import Paragraph, narrate
from pbem.render.narrative.teller import Teller, check_phrases, general_teller, own_phrases

__all__ = [
    "RULING",
    "Paragraph",
    "PhraseError",
    "Teller",
    "check_phrases",
    "family",
    "general_teller",
    "narrate",
    "own_phrases",
]
