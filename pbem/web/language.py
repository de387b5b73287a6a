"""The sentences of the pages, by the same means as those of the mails (`pbem.render.language`).

Templates are written in English with gettext marks; a translation is a file ``templates/web/locale/<code>.po``, beside
the catalogue of the mails. What the pages' own file does not have is looked up in that of the mails.
"""

from __future__ import annotations

import io
from dataclasses import replace
from functools import cache

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import Translations

from pbem import resources
from pbem.render.language import Language, find_language


@cache
def page_language(code: str | None) -> Language:
    """The language of a code for pages; English where there is no translation into it."""
    language = find_language(code)
    try:
        file = resources.path(f"templates/web/locale/{language.code}.po")
    except FileNotFoundError:
        return language
    with file.open("rb") as opened:
        catalogue = read_po(opened, locale=language.code)
    compiled = io.BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    own = Translations(compiled)
    own.add_fallback(language.translations)
    return replace(language, translations=own)
