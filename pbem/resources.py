"""Where the files that are not Python lie: `config/` and `templates/`.

In a checkout they lie beside the package; a wheel carries them inside it as `pbem/_config` and `pbem/_templates`. The
environment variable `PBEM_CONFIG` names a folder that is looked into first, so that an operator can keep own settings
or a corrected kit outside the installed package.
"""

import os
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent


def path(name: str) -> Path:
    """Returns the path of a resource such as `templates/map` or `config/games/here_i_stand`.

    `name` starts with `config` or `templates`. Under `PBEM_CONFIG` a file or folder that exists there goes before the
    shipped one. Raises ValueError for another first part, FileNotFoundError if the resource is nowhere.
    """
    candidates = [root / rest for root, rest in _roots(name)]
    for candidate in candidates:
        if candidate.exists():
            return candidate
    raise FileNotFoundError(f"{name} is not in {' or '.join(str(candidate.parent) for candidate in candidates)}")


def kits() -> list[str]:
    """The ids of all games that have a kit (a folder with a `kit.toml`), sorted."""
    games: set[str] = set()
    for root, rest in _roots("config/games"):
        folder = root / rest
        if folder.is_dir():
            games.update(kit.parent.name for kit in folder.glob("*/kit.toml"))
    return sorted(games)


def _roots(name: str) -> list[tuple[Path, str]]:
    """The folders to look into, best first, each with what remains of the name below it."""
    kind, _, rest = name.strip("/").partition("/")
    if kind not in ("config", "templates"):
        raise ValueError(f"{name!r} is no resource: names start with 'config' or 'templates'")
    if ".." in Path(rest).parts:
        raise ValueError(f"{name!r} leaves its folder")
    roots = [PACKAGE / f"_{kind}", PACKAGE.parent / kind]
    override = os.environ.get("PBEM_CONFIG")
    if kind == "config" and override:
        roots.insert(0, Path(override).expanduser())
    return [(root, rest) for root in roots]
