"""What the program says to a person, and can say again in another language.

What refuses something deep inside does not know who will read it. So it says an English sentence with its values apart;
who tells it puts it into the reader's language with names for ids (`pbem.render.tellings`).
"""

from __future__ import annotations

from typing import Any


class Said(str):
    """An English sentence, made of a message of the catalogues, with ``%(name)s`` in it, and of the values there.

    As a text it is that sentence with the values as they are, a list with commas between.
    """

    message: str
    values: dict[str, Any]

    def __new__(cls, message: str, **values: Any) -> Said:
        """`message` is what the catalogues translate; the names of `values` say what they are."""
        plain = {name: ", ".join(map(str, value)) if isinstance(value, list | tuple) else value
                 for name, value in values.items()}  # fmt: skip
        made = super().__new__(cls, message % plain if plain else message)
        made.message, made.values = message, values
        return made

    def format(self, *_arguments: object, **_values: object) -> Said:
        """The sentence itself: libraries that fill in their messages (marshmallow's validators) leave it whole."""
        return self


def said_by(error: BaseException) -> str:
    """What an error says: a `Said` where it was made with one."""
    first = error.args[0] if error.args else ""
    return first if isinstance(first, str) else str(error)
