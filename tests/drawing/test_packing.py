"""Pieces of one shape in a box."""

from pbem.drawing.packing import pack


def test_pieces_of_a_box_do_not_overlap():
    for number in range(1, 21):
        box = {"x": 10, "y": 20, "w": 86, "h": 28}
        spots = list(pack(box, number, 1.45, 22))
        assert len(spots) == number
        for x, y, w, h in spots:
            assert x >= 10 - 0.2 and y >= 20 - 0.2 and x + w <= 96.2 and y + h <= 48.2 and h > 0
        for one, (ax, ay, aw, ah) in enumerate(spots):
            for bx, by, _, _ in spots[one + 1 :]:
                assert bx >= ax + aw or by >= ay + ah

