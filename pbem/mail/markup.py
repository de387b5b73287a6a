"""The HTML of a mail as text, with its quotations marked and its signatures set off.

Where HTML says what is quoted it is believed: ``blockquote``, and the containers into which the common programs put
what they quote. A quotation becomes a ``>`` line, the beginning of one that nothing closes our own marker; a signature
stands between lines of its own.
"""

from __future__ import annotations

import re

import lxml.html
from inscriptis.css_profiles import CSS_PROFILES
from inscriptis.html_engine import Inscriptis
from inscriptis.model.config import ParserConfig

MARKER_WORDS = "write your orders above this line"
"""What the first line of our outgoing mails says, each in the language of its reader: his words stand above it."""
REPLY_MARKER = f"-- {MARKER_WORDS} --"
"""That line in English, as mails of every language began before."""

ELEMENTS_LIMIT = 20_000  # of HTML: laying out more takes seconds; a reply with a long report has a tenth of it
STYLE_LIMIT = 2_000  # characters of one element's style that are looked at
SIGNATURE = "\ue000signature\ue001"
"""Stands alone on a line where HTML begins a signature; private use, so no mail's own text can hold it (see
``normalise_line`` in `pbem.mail.written`)."""
SIGNATURE_END = "\ue000written\ue001"
"""Where it ends."""

_INVISIBLE = "script, style, head, template, noscript, iframe, object, svg, math"
_IDS = (
    "divRplyFwdMsg", "x_divRplyFwdMsg", "appendonsend", "x_appendonsend", "mail-editor-reference-message-container",
    "OLK_SRC_BODY_SECTION", "reply-intro", "stopSpelling", "OriginalMessage", "isReplyContent", "isForwardContent",
    "replySplit", "oriMsgHtmlSeperator", "origbody", "composeQuote", "quoted_header",
)  # fmt: skip
_CLASSES = (
    "moz-forward-container", "yahoo_quoted",
    "zmail_extra", "protonmail_quote", "tutanota_quote", "AppleOriginalContents",
    "WM_quoted", "mail-quote-collapse", "ms-outlook-mobile-reference-message", "front-blockquote",
    "skiff_quote", "quote", "email_quote", "reply_quote", "mail-quote", "original-message",
    "sh-quoted", "hey-quote", "qt", "quoted-text", "mailSeparator", "reply_mail_header",
)  # fmt: skip
_ATTRIBUTIONS = (
    "gmail_attr",
    "moz-cite-prefix",
    "airmail_on",
    "moz-email-headers-table",
    "protonmail_attribution",
)
_NAMES = ("messageReplySection", "quote", "mailcorp_quote")
_MARKERS = ("__HEADERS__", "__QUOTED_TEXT__", "__DIVIDER__")
_SIGNATURE = re.compile(
    r"(?:^|[\s_-])(?:x_)*(?:gmail_signature(?:_prefix)?|moz-signature|ms-outlook-mobile-signature|mobile_?signature|"
    r"composer_signature|protonmail_signature_block(?:-\w+)?|applemailsignature|yahoo-?signature|ydp\w*signature|"
    r"mb_sig|k9mail_signature|signature|email-?signature|mail-?signature|zmail_signature|tutanota_signature|"
    r"lineseparator-signature|signature_block|hs_signature|wisestamp\w*|zimbra_signature|mailru-signature)(?:$|[\s_-])",
    re.IGNORECASE,
)
_UNSEEN = re.compile(
    r"display:none|visibility:(?:hidden|collapse)|font-size:0(?:px|pt|em|%)?(?:!|;|$)|mso-hide:all|opacity:0(?:!|;|$)|"
    r"max-height:0|text-decoration(?:-line)?:[^;]*line-through"
)
_STRUCK_OUT = ("s", "strike", "del")
_BORDER = re.compile(r"border-top(?:-style)?:[^;]*(?:solid|double)")
_HTML_CONFIG = ParserConfig(css=CSS_PROFILES["strict"], display_links=False, display_images=False)


class TooManyParts(ValueError):
    """HTML whose layout would take too long."""


def html_text(content: str) -> tuple[str, str]:
    """(all text, text with quotations and signatures marked) of HTML.

    Raises `TooManyParts`, and what lxml and the layout raise for HTML that cannot be read.
    """
    tree = lxml.html.document_fromstring(content)
    if sum(1 for _ in tree.iter()) > ELEMENTS_LIMIT:
        raise TooManyParts
    quoted = _quotations(tree)
    _simplify(tree)
    full = Inscriptis(tree, _HTML_CONFIG).get_text()
    _mark(tree, *quoted)
    return full, Inscriptis(tree, _HTML_CONFIG).get_text()


def _quotations(tree: lxml.html.HtmlElement) -> tuple[list, list, list]:
    """(where an open quotation begins, quotations as a whole, signatures), found while styles are still there."""
    begun, whole, signatures = [], [], []
    for element in tree.iter():
        if not isinstance(element.tag, str):
            continue
        id, classes, name = element.get("id") or "", (element.get("class") or "").split(), element.get("name") or ""
        if _is_indented(element):
            continue
        if element.tag == "blockquote" or any(c in _ATTRIBUTIONS for c in classes):
            whole.append(element)
        elif (
            id in _IDS
            or name in _NAMES
            or element.get("data-marker") in _MARKERS
            or _is_begun(classes)
            or element.tag == "div"
            and _is_header_block(element)
        ):
            begun.append(element)
        elif element.tag not in ("html", "body") and (_SIGNATURE.search(id) or _SIGNATURE.search(" ".join(classes))):
            signatures.append(element)
    return begun, whole, signatures


def _is_indented(element: lxml.html.HtmlElement) -> bool:
    """Whether a block is no quotation, though it has the tag of one: a program's button for indenting makes it."""
    style = (element.get("style") or "")[:STYLE_LIMIT].replace(" ", "").lower()
    is_bare = not any(element.get(name) for name in ("class", "type", "cite", "id"))
    return element.tag == "blockquote" and is_bare and "border:none" in style and "margin" in style


def _is_begun(classes: list[str]) -> bool:
    if any(c in _CLASSES or c.startswith("x_") and c[2:] in _CLASSES for c in classes):
        return True
    return any(re.fullmatch(r"ydp\w*yahoo_quoted", c) for c in classes)


def _is_header_block(element: lxml.html.HtmlElement) -> bool:
    """Whether a block is the ruled-off header of what Outlook and its kin quote, in any language."""
    style = (element.get("style") or "")[:STYLE_LIMIT].replace(" ", "").lower()
    if "border" not in style or not _BORDER.search(style):
        return False
    text = element.text_content()
    return len(text) < 2_000 and (text.count(":") + text.count("\uff1a")) >= 3


def _simplify(tree: lxml.html.HtmlElement) -> None:
    """Drop what the sender did not see as text or struck out, and the attributes that could blow up the layout."""
    for element in list(tree.iter()):
        if not isinstance(element.tag, str):
            element.drop_tree() if element.getparent() is not None else None
            continue
        style = (element.get("style") or "")[:STYLE_LIMIT].replace(" ", "").lower()
        if element.get("hidden") is not None or _UNSEEN.search(style) or element.tag in _STRUCK_OUT:
            if element.getparent() is not None:
                element.drop_tree()
            continue
        if "white-space:pre" in style and element.tag in ("div", "p", "body"):
            _keep_lines(element)
        if element.tag in ("ul", "ol", "li"):
            element.tag = "div"  # no bullets or numbers in front of an order
        for name in ("style", "align", "valign"):
            element.attrib.pop(name, None)
    for element in tree.xpath(" | ".join(f"//{tag.strip()}" for tag in _INVISIBLE.split(","))):
        if element.getparent() is not None:
            element.drop_tree()


def _keep_lines(element: lxml.html.HtmlElement) -> None:
    """Turn the line ends of an element's own text, which its style keeps, into breaks."""
    lines = (element.text or "").split("\n")
    element.text = lines[0]
    for place, line in enumerate(lines[1:]):
        line_break = lxml.html.Element("br")
        line_break.tail = line
        element.insert(place, line_break)


def _mark(tree: lxml.html.HtmlElement, begun: list, whole: list, signatures: list) -> None:
    for element in begun:
        element.insert(0, _paragraph(REPLY_MARKER))
        element[0].tail, element.text = element.text, None
        if element.tag in ("hr", "br", "img"):
            element.tag = "div"
    for element in signatures:
        element.insert(0, _paragraph(SIGNATURE))
        element[0].tail, element.text = element.text, None
        element.append(_paragraph(SIGNATURE_END))
    for element in whole:
        parent = element.getparent()
        if parent is not None:
            quote = _paragraph("> quotation")
            quote.tail = element.tail
            parent.replace(element, quote)


def _paragraph(text: str) -> lxml.html.HtmlElement:
    paragraph = lxml.html.Element("p")
    paragraph.text = text
    return paragraph
