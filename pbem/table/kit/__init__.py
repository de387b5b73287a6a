"""The kit of a published game: its map, counters, tables and numbers as data, read from `config/games/<game>/`.

A kit is described by its `kit.toml`; the tables are CSV files, other material (the layout of a map) is JSON. This
module reads them, checks them and holds the result. It knows no game.

kit.toml:

    id = "…"  name = "…"  name_fr = "…"  version = "…"
    status = "in preparation"                    # left out: complete
    files = ["map_layout.json"]                  # other JSON, found as kit.files["map_layout"]
    [seats]            minimum, maximum, table (whose ids are the powers), usual (the number that a form offers)
    [tables.<table>]   file, key (a column, or several, joined by ":" to the id of a row),
                       references = {column = table or tables}, choices = {column = [allowed values]},
                       sources = {source column = [columns it speaks for]}
    [tables.<table>.columns]   column = type: text, int, number, bool (yes/no), list (values joined by ";");
                               with "?" the cell may be empty (text "", int and number None; a list always may)
    [domains.<domain>]         table, columns = {language = column}    # vocabularies; names.csv adds to them
                               shared = true: several things may have one name, which then shows them and means none
    [options.<option>]         default, type (choice, bool, int), choices, minimum, maximum, section, group; what it is
                               called, and its values in words, stand in the game's phrases
    [option_groups.<group>]    folded = true: shown only to whom asks for it; its name stands in the phrases
    [choice_sets.<set>]        options = {option = value}, choices made together under a name, which stands in the
                               phrases; the others are at their defaults; pace: leisurely, normal, quick
    [rulings.<ruling>]         text, section     # readings that leave nothing to choose
    [scenarios.<scenario>]     name, text (text_fr, text_ru …), and what the game wants to know besides
    [questions]                each kind of question by its name (a standing order to a kind that is not here is
                               refused), `default` for all others: hours, how long it stays open; own_turn = true: of
                               one's own turn, for which orders may be sent ahead, the main kind first; opens, the
                               orders that may answer a question that begins a turn of one's own; comes, a condition
                               under which it can still come; begins, one under which a question of the main kind
                               begins the turn; ahead = true: answered as the turn foresees it
    [words]                    words of lines that stand for themselves, kind = [word, …], in any language; "like build"
                               are those that may stand for BUILD; those of every game (yes, if, and, all) stand in
                               `config/words.toml`
    [spellings]                another spelling of a verb = the verb
    [dice]                     faces of the dice that show no pips: die = [face, face, …]; left out: none
    [constants]                whole numbers, texts, truth values, and lists or tables of them
"""

from pbem.table.kit.form import PACES
from pbem.table.kit.kit import FORM, Frozen, Kit, KitError, Option, OptionGroup, Problem, common_words, normalise
from pbem.table.kit.reading import load_kit

__all__ = [
    "FORM",
    "Frozen",
    "Kit",
    "KitError",
    "Option",
    "OptionGroup",
    "PACES",
    "Problem",
    "common_words",
    "load_kit",
    "normalise",
]
