"""What a line means to the service, it may not mean to a game as well."""

import pytest

from pbem import resources
from pbem.campaign.commands import read_lines
from pbem.games import find_game
from pbem.table.kit import load_kit


@pytest.mark.parametrize("game", resources.kits())
def test_no_order_is_read_as_the_end_of_the_orders(game):
    orders, kit = find_game(game).orders, load_kit(game)
    for kind in orders:
        words = [word for word in kind.line.split() if not word.startswith(("[", "{"))]
        found = read_lines(orders, [" ".join(words)], kit)
        assert found, f"{kind.__name__} would never be read from a mail"
