"""The pieces of Struggle of Empires: outline, colours, and what is written on them."""

from pbem.drawing.colours import DARK, LIGHT
from pbem.drawing.outlines import rounded
from pbem.games.struggle_of_empires.picture.position import Position


def short_name(position: Position, empire: str) -> str:
    """The name of an empire as it fits on the map: "Great Britain" without its adjective."""
    return position.name("empire", empire).removeprefix("Great ")


def colours(position: Position, power: str) -> dict[str, str]:
    home = next(home for home in position.kit.files["map_layout"]["homes"] if home["id"] == power)
    dark = home["text"] == LIGHT
    return {"fill": home["fill"], "ink": LIGHT if dark else DARK, "edge": LIGHT if dark else DARK}


def token(position: Position, power: str, kind: str, text: str, x: float, y: float, w: float, h: float) -> dict:
    share = {"control": 0.82, "army": 0.82, "navy": 0.72, "fort": 0.74}[kind]
    size = round(min(h * share, w / (0.62 * max(len(text), 2))), 1)
    sunk = h * 0.1 if kind == "fort" else 0
    return {
        "d": outline(kind, x, y, w, h), "x": round(x + w / 2, 1), "y": round(y + h / 2 + sunk + size * 0.36, 1),
        "text": text, "size": size, **colours(position, power),
    }  # fmt: skip


def outline(kind: str, x: float, y: float, w: float, h: float) -> str:
    """The outline of a piece: control a lozenge-ended bar, army a shield, navy a hull, fort a wall with battlements."""
    if kind == "control":
        return rounded(x, y, w, h, round(h / 2, 1))
    right, foot = round(x + w, 1), round(y + h, 1)
    if kind == "army":
        low = round(y + h * 0.72, 1)
        return f"M{x} {y}H{right}V{low}L{x + w / 2:.1f} {y + h * 1.12:.1f}L{x} {low}Z"
    if kind == "navy":
        return (
            f"M{x} {y + h * 0.1:.1f}H{right}"
            f"L{right - w * 0.2:.1f} {foot}H{x + w * 0.2:.1f}Z"
        )
    tooth, low = w / 5, round(y + h * 0.18, 1)
    teeth = "".join(f"V{low if i % 2 else y}H{x + tooth * (i + 1):.1f}" for i in range(5))
    return f"M{x} {foot}{teeth}V{foot}Z"


def together(tokens: list[dict]) -> list[dict]:
    """The tokens of each colour with their outlines as one path: a picture of few elements is painted much faster."""
    groups: dict[str, dict] = {}
    for token in tokens:
        colours = {key: token[key] for key in ("fill", "ink", "edge")}
        group = groups.setdefault(token["fill"], {"d": [], "texts": [], **colours})
        group["d"].append(token["d"])
        group["texts"].append({key: token[key] for key in ("x", "y", "text", "size")})
    return [{**group, "d": "".join(group["d"])} for group in groups.values()]
