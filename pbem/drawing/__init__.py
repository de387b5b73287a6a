"""Tools with which games draw their boards. They know no game: no place, power, colour or number of any.

A game's picture holds placement only and lies with the game, as the module that its room names as ``picture``. It has

    picture(view, words, *, highlight, title) -> dict     what its template draws: ``board.svg`` in the module's folder
    text(view, words) -> str                              the board in lines of at most `wrapping.COLUMNS` columns

where `view` is the JSON of a board as a seat sees it, `words` the words of the game in the reader's language
(`words.Words`), `highlight` the places that have changed and `title` a heading or None. `pbem.render` calls both.

=============  =====================================================================================================
`position`     what picture and text need of a view, found once; a game's own adds to it
`words`        what pictures ask of the words of a game
`font`         the font: how wide a text is, and the outlines of its letters
`colours`      black or white on a colour
`items`        things that are drawn once for many pictures
`boxes`        rectangles: what they share, what runs through them, where around a point one can stand
`labels`       names beside their points, so that no two overlap
`blocks`       counters in rows beside a point, where they cover least
`counters`     one counter: how wide it is for its text, and its outline
`packing`      pieces of one shape in a box, as large as they can be
`outlines`     path data of circles, stars, pills and the like
`ground`       soft land below a net of points and lines
`cells`        land and borders of regions of which only the places are known
`sheet`        boxes, texts that fit, and paragraphs
`wrapping`     lines of a width, in columns or as drawn; columns of a table in plain text
=============  =====================================================================================================

A shared template, ``templates/map/_parts.svg``, holds macros for what `sheet`, `labels` and `blocks` give.
"""
