"""Things that are drawn once for many pictures: of two boards that follow each other nearly all is the same."""

from collections.abc import Callable

from markupsafe import Markup


class Item(dict):
    """What a template draws as one thing. A picture that remembers its items has each drawn once (see `once`).

    Nobody changes an item: it is shared by all pictures that show the same thing.
    """

    __slots__ = ("drawn",)
    drawn: Markup


def once(macro: Callable[[Item], Markup], item: Item) -> Markup:
    """For templates: what a macro makes of an item, made when the item is first drawn.

    An item is always given to the same macro, and the macro looks at nothing but the item.
    """
    try:
        return item.drawn
    except AttributeError:
        item.drawn = macro(item)
        return item.drawn
