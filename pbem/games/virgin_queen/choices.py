"""What the rules of this game let choose besides the choices of both games (`reformation.choices`)."""

from __future__ import annotations

from pbem.games.reformation import choices
from pbem.table.asking import Choose
from pbem.table.orders import Name, Order


class ChooseRoyal(Choose):
    """Choose a Royal."""

    line = "CHOOSE ROYAL {royal}"
    what = "royal"
    royal = Name("royal")


class ChooseCaptain(Choose):
    """Choose a sea captain."""

    line = "CHOOSE CAPTAIN {captain}"
    what = "captain"
    captain = Name("captain")


class ChooseTreasure(Choose):
    """Choose a treasure, by its kind."""

    line = "CHOOSE TREASURE {treasure}"
    what = "treasure"
    treasure = Name("treasure")


class ChooseVillage(Choose):
    """Choose a village."""

    line = "CHOOSE VILLAGE {village}"
    what = "village"
    village = Name("village")


class ChooseOcean(Choose):
    """Choose an ocean zone."""

    line = "CHOOSE OCEAN {ocean}"
    what = "ocean"
    ocean = Name("ocean")


class ChooseArtist(Choose):
    """Choose an artist."""

    line = "CHOOSE ARTIST {artist}"
    what = "artist"
    artist = Name("artist")


class ChooseScientist(Choose):
    """Choose a scientist."""

    line = "CHOOSE SCIENTIST {scientist}"
    what = "scientist"
    scientist = Name("scientist")


class ChooseBonus(Choose):
    """Choose a science bonus."""

    line = "CHOOSE BONUS {science_bonus}"
    what = "science_bonus"
    science_bonus = Name("science_bonus")


NOT_HERE = (choices.ChooseDebater, choices.ChooseLanguage)

ACTIONS: tuple[type[Order], ...] = ()
ORDERS: tuple[type[Order], ...] = (
    *(kind for kind in choices.ORDERS if kind not in NOT_HERE),
    ChooseRoyal,
    ChooseCaptain,
    ChooseTreasure,
    ChooseVillage,
    ChooseOcean,
    ChooseArtist,
    ChooseScientist,
    ChooseBonus,
)
