"""Replies as mail programs write them: what each puts above, around and below a player's words, in many languages.

`replies` gives every program in every language that it is known to speak, with words of a player in one of many forms
(with greeting and closing, wrapped, as a list, in bold ...), and the lines that should be read. Written from what the
programs send; the texts are no mails of anybody.
"""

# ruff: noqa: E501
from __future__ import annotations

import base64
import html
import quopri
import random
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass

TOKEN = "abcdefghijklmnopqrstuvwxyz234567"
OURS = f"alpha+{TOKEN}@pbem.example"
NAME = "Struggle of Empires: Test"
SENDER = "p1@players.example"

QUOTED = f"""-- write your orders above this line --


Struggle of Empires: Test
~~~~~~~~~~~~~~~~~~~~~~~~~
To Anna, who plays Britain

Your move
---------
Write one of these, for instance:
PLACE fort AT baltic
BID 4 A austria
PASS

What only you see
-----------------
Unrest: 2

-- 
Event 12, chain head
0f0f0f
Your page: https://pbem.example/c/alpha/enter/{TOKEN}"""
"""What we sent, with lines that would be orders."""


@dataclass(frozen=True)
class Tongue:
    """The words of a language: attribution with {who} and {when}, labels of headers (from, sent, to, subject), the device
    line of a phone, closing, greeting, "original message", a date."""

    wrote: str
    labels: tuple[str, str, str, str]
    device: str
    closing: str
    greeting: str
    original: str
    when: str


TONGUES = {
    "en": Tongue("On {when}, {who} wrote:", ("From", "Sent", "To", "Subject"), "Sent from my iPhone", "Best regards,", "Hi,", "Original Message", "Sat, Nov 28, 2026 at 7:39 AM"),
    "de": Tongue("Am {when} schrieb {who}:", ("Von", "Gesendet", "An", "Betreff"), "Von meinem iPhone gesendet", "Viele Grüße", "Hallo zusammen,", "Ursprüngliche Nachricht", "Sa., 28. Nov. 2026 um 07:39 Uhr"),
    "fr": Tongue("Le {when}, {who} a écrit :", ("De", "Envoyé", "À", "Objet"), "Envoyé de mon iPhone", "Cordialement,", "Bonjour,", "Message d'origine", "sam. 28 nov. 2026 à 07:39"),
    "es": Tongue("El {when}, {who} escribió:", ("De", "Enviado el", "Para", "Asunto"), "Enviado desde mi iPhone", "Un saludo,", "Hola:", "Mensaje original", "sáb, 28 nov 2026 a las 7:39"),
    "it": Tongue("Il giorno {when} {who} ha scritto:", ("Da", "Inviato", "A", "Oggetto"), "Inviato da iPhone", "Cordiali saluti", "Ciao,", "Messaggio originale", "sab 28 nov 2026 alle ore 07:39"),
    "pt": Tongue("{who} escreveu no dia {when}:", ("De", "Enviada em", "Para", "Assunto"), "Enviado do meu iPhone", "Abraço,", "Olá,", "Mensagem original", "sábado, 28/11/2026 à(s) 07:39"),
    "nl": Tongue("Op {when} schreef {who}:", ("Van", "Verzonden", "Aan", "Onderwerp"), "Verstuurd vanaf mijn iPhone", "Met vriendelijke groet,", "Hoi,", "Oorspronkelijk bericht", "za 28 nov 2026 om 07:39"),
    "sv": Tongue("Den {when} skrev {who}:", ("Från", "Skickat", "Till", "Ämne"), "Skickat från min iPhone", "Mvh", "Hej!", "Ursprungligt meddelande", "lör 28 nov. 2026 kl 07:39"),
    "no": Tongue("{when} skrev {who}:", ("Fra", "Sendt", "Til", "Emne"), "Sendt fra min iPhone", "Vennlig hilsen", "Hei,", "Opprinnelig melding", "lør. 28. nov. 2026 kl. 07:39"),
    "da": Tongue("Den {when} skrev {who}:", ("Fra", "Sendt", "Til", "Emne"), "Sendt fra min iPhone", "Med venlig hilsen", "Hej,", "Oprindelig meddelelse", "lør. 28. nov. 2026 kl. 07.39"),
    "fi": Tongue("{who} kirjoitti {when}:", ("Lähettäjä", "Lähetetty", "Vastaanottaja", "Aihe"), "Lähetetty iPhonesta", "Terveisin", "Moi,", "Alkuperäinen viesti", "28.11.2026 kello 7.39"),
    "pl": Tongue("{when} {who} napisał(a):", ("Od", "Wysłano", "Do", "Temat"), "Wysłane z iPhone'a", "Pozdrawiam,", "Cześć,", "Wiadomość oryginalna", "sob., 28 lis 2026 o 07:39"),
    "cs": Tongue("{when} odesílatel {who} napsal:", ("Od", "Odesláno", "Komu", "Předmět"), "Odesláno z iPhonu", "S pozdravem", "Ahoj,", "Původní zpráva", "so 28. 11. 2026 v 7:39"),
    "hu": Tongue("{who} ezt írta (időpont: {when}):", ("Feladó", "Elküldve", "Címzett", "Tárgy"), "iPhone-omról küldve", "Üdvözlettel", "Szia!", "Eredeti üzenet", "2026. nov. 28., Szo, 7:39"),
    "ro": Tongue("{when}, {who} a scris:", ("De la", "Trimis", "Către", "Subiect"), "Trimis de pe iPhone", "Cu stimă,", "Bună,", "Mesaj original", "sâm., 28 nov. 2026 la 07:39"),
    "tr": Tongue("{who}, {when} tarihinde şunu yazdı:", ("Kimden", "Gönderildi", "Kime", "Konu"), "iPhone'umdan gönderildi", "Saygılarımla", "Merhaba,", "Orijinal Mesaj", "28 Kas 2026 Cmt, 07:39"),
    "ru": Tongue("{when}, {who}:", ("От", "Отправлено", "Кому", "Тема"), "Отправлено с iPhone", "С уважением,", "Привет!", "Исходное сообщение", "сб, 28 нояб. 2026 г. в 07:39"),
    "uk": Tongue("{when} {who} пише:", ("Від", "Надіслано", "Кому", "Тема"), "Надіслано з iPhone", "З повагою,", "Привіт!", "Оригінальне повідомлення", "сб, 28 лист. 2026 р. о 07:39"),
    "el": Tongue("Στις {when}, ο χρήστης {who} έγραψε:", ("Από", "Στάλθηκε", "Προς", "Θέμα"), "Στάλθηκε από το iPhone μου", "Με εκτίμηση,", "Γεια,", "Αρχικό μήνυμα", "Σάβ 28 Νοε 2026 στις 7:39 π.μ."),
    "zh": Tongue("{who} 于{when}写道：", ("发件人", "发送时间", "收件人", "主题"), "发自我的 iPhone", "此致", "你好，", "原始邮件", "2026年11月28日周六 07:39"),
    "tw": Tongue("{who} 於 {when} 寫道：", ("寄件者", "寄件日期", "收件者", "主旨"), "從我的 iPhone 傳送", "謝謝", "您好，", "原始郵件", "2026年11月28日 週六 上午7:39"),
    "ja": Tongue("{when} {who}:", ("差出人", "送信日時", "宛先", "件名"), "iPhoneから送信", "よろしくお願いします。", "こんにちは。", "元のメッセージ", "2026年11月28日(土) 7:39"),
    "ko": Tongue("{when}, {who}님이 작성:", ("보낸 사람", "보낸 날짜", "받는 사람", "제목"), "나의 iPhone에서 보냄", "감사합니다.", "안녕하세요,", "원본 메시지", "2026년 11월 28일 (토) 오전 7:39"),
    "he": Tongue("\u202b\u05d1\u05ea\u05d0\u05e8\u05d9\u05da {when} \u05de\u05d0\u05ea {who}:\u202c", ("מאת", "נשלח", "אל", "נושא"), "נשלח מה-iPhone שלי", "תודה,", "היי,", "הודעה מקורית", "שבת, 28 בנוב׳ 2026 ב-7:39"),
    "ar": Tongue("{when} كتب {who}:", ("من", "تم الإرسال", "إلى", "الموضوع"), "أُرسلت من الـ iPhone", "تحياتي", "مرحبا،", "الرسالة الأصلية", "28 نوفمبر 2026 في 7:39"),
    "vi": Tongue("Vào {when}, {who} đã viết:", ("Từ", "Đã gửi", "Tới", "Chủ đề"), "Đã gửi từ iPhone của tôi", "Trân trọng,", "Chào,", "Thư gốc", "Th 7, 28 thg 11, 2026 lúc 07:39"),
    "is": Tongue("{who} skrifaði {when}:", ("Frá", "Sent", "Til", "Efni"), "Sent úr iPhone", "Kveðja", "Hæ,", "Upprunaleg skilaboð", "28. nóv. 2026 kl. 07:39"),
    "hr": Tongue("Dana {when} {who} napisao je:", ("Šalje", "Poslano", "Prima", "Predmet"), "Poslano s mog iPhonea", "Lijep pozdrav,", "Bok,", "Izvorna poruka", "sub, 28. stu 2026. u 07:39"),
    "lt": Tongue("{when} {who} rašė:", ("Nuo", "Išsiųsta", "Kam", "Tema"), "Išsiųsta iš mano iPhone", "Pagarbiai,", "Labas,", "Originalus laiškas", "2026-11-28, št, 07:39"),
    "eu": Tongue("{who} igorleak hau idatzi du ({when}):", ("Nork", "Bidalia", "Nori", "Gaia"), "Nire iPhone-tik bidalia", "Agur,", "Kaixo,", "Jatorrizko mezua", "2026 aza. 28, lr. (07:39)"),
}  # fmt: skip

WHO = f"{NAME} <{OURS}>"


def _quote(text: str = "", mark: str = "> ", width: int = 0) -> str:
    lines = (text or QUOTED).splitlines()
    if width:
        lines = [part for line in lines for part in (textwrap.wrap(line, width) or [""])]
    return "\n".join((mark + line).rstrip() for line in lines)


def _wrapped(text: str, width: int = 72) -> str:
    done: list[str] = []
    for line in text.splitlines():
        done += textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False) or [""]
    return "\n".join(done)


def _paragraphs(text: str) -> str:
    return "".join(f"<div>{html.escape(line) or '<br>'}</div>" for line in text.splitlines())


def _block(t: Tongue, *, reply_to: bool = False, bold: str = "", subject_first: bool = False) -> str:
    labels = t.labels
    rows = [f"{bold}{labels[0]}:{bold} {WHO}"]
    rows += [f"{bold}Reply-To:{bold} {WHO}"] if reply_to else []
    rows += [f"{bold}{labels[1]}:{bold} {t.when}", f"{bold}{labels[2]}:{bold} Anna <{SENDER}>"]
    subject = f"{bold}{labels[3]}:{bold} [Test] Your move"
    return "\n".join([subject, *rows] if subject_first else [*rows, subject])


def _html_block(t: Tongue) -> str:
    return "<br>".join(f"<b>{html.escape(row.partition(': ')[0])}:</b> {html.escape(row.partition(': ')[2])}" for row in _block(t).splitlines())


@dataclass(frozen=True)
class Body:
    """What a program makes of a player's words: a text part, an HTML part, or both."""

    text: str | None = None
    html: str | None = None
    flowed: bool = False


Program = Callable[[str, Tongue], Body]


def _attribution(t: Tongue) -> str:
    return t.wrote.format(who=WHO, when=t.when)


def _gmail(own: str, t: Tongue) -> Body:
    text = f"{_wrapped(own)}\n\n{_wrapped(_attribution(t), 78)}\n\n{_quote()}\n"
    below = f"<br><div class='gmail_quote gmail_quote_container'><div dir='ltr' class='gmail_attr'>{html.escape(_attribution(t))}<br></div><blockquote class='gmail_quote' style='margin:0 0 0 .8ex;border-left:1px solid'>{_paragraphs(QUOTED)}</blockquote></div>"
    return Body(text, f"<div dir='ltr'>{_paragraphs(own)}</div>{below}")


def _apple(own: str, t: Tongue) -> Body:
    return Body(f"{own}\n\n> {_attribution(t)}\n> \n{_quote()}\n", f"<html><body>{_paragraphs(own)}<div><br><blockquote type='cite'><div>{html.escape(_attribution(t))}</div>{_paragraphs(QUOTED)}</blockquote></div></body></html>")


def _iphone(own: str, t: Tongue) -> Body:
    return Body(f"{own}\n\n{t.device}\n\n> {_attribution(t)}\n> \n{_quote()}\n")


def _iphone_html(own: str, t: Tongue) -> Body:
    return Body(None, f"<div>{_paragraphs(own)}<br id='lineBreakAtBeginningOfSignature'><div dir='ltr'>{t.device}</div><div dir='ltr'><br><blockquote type='cite'>{html.escape(_attribution(t))}<br><br></blockquote></div><blockquote type='cite'>{_paragraphs(QUOTED)}</blockquote></div>")


def _outlook_text(own: str, t: Tongue) -> Body:
    return Body(f"{own}\n\n{_block(t)}\n\n{QUOTED}\n")


def _outlook_html(own: str, t: Tongue) -> Body:
    return Body(None, f"<div class='WordSection1'>{''.join(f'<p class=MsoNormal>{html.escape(line)}<o:p></o:p></p>' for line in own.splitlines())}<div><div style='border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm'><p class=MsoNormal>{_html_block(t)}</p></div></div>{_paragraphs(QUOTED)}</div>")


def _outlook_both(own: str, t: Tongue) -> Body:
    return Body(f"{_wrapped(own, 76)}\n\n{_block(t)}\n\n{QUOTED}\n", _outlook_html(own, t).html)


def _outlook_web(own: str, t: Tongue) -> Body:
    return Body(None, f"<div style='font-family:Calibri'>{_paragraphs(own)}</div><div id='appendonsend'></div><hr style='display:inline-block;width:98%'><div id='divRplyFwdMsg' dir='ltr'><font>{_html_block(t)}</font><div>&nbsp;</div></div><div>{_paragraphs(QUOTED)}</div>")


def _outlook_mac(own: str, t: Tongue) -> Body:
    return Body(f"{own}\n\n{_block(t, reply_to=True)}\n\n{QUOTED}\n")


def _outlook_mac_html(own: str, t: Tongue) -> Body:
    return Body(None, f"<div>{_paragraphs(own)}</div><span id='OLK_SRC_BODY_SECTION'><div style='border-top:#b5c4df 1pt solid'>{_html_block(t)}</div><div>{_paragraphs(QUOTED)}</div></span>")


def _outlook_phone(own: str, t: Tongue) -> Body:
    return Body(f"{own}\n\nGet Outlook for iOS<https://aka.ms/o0ukef>\n________________________________\n{_block(t)}\n\n{QUOTED}\n")


def _outlook_bold(own: str, t: Tongue) -> Body:
    return Body(f"{own}\n\n  {_block(t, bold='*')}\n\n{QUOTED}\n")


def _hotmail(own: str, t: Tongue) -> Body:
    return Body(f"{own}\n\n{_block(t, subject_first=True)}\n\n{QUOTED}\n")


def _thunderbird(own: str, t: Tongue) -> Body:
    return Body(f"{own}\n\n{_attribution(t)}\n{_quote()}\n", f"<p>{own.replace(chr(10), '<br>')}</p><div class='moz-cite-prefix'>{html.escape(_attribution(t))}<br></div><blockquote type='cite'>{_paragraphs(QUOTED)}</blockquote>")


def _thunderbird_flowed(own: str, t: Tongue) -> Body:
    flowed = "\n".join(part for line in own.splitlines() for part in [" \n".join(textwrap.wrap(line, 72, break_long_words=False, break_on_hyphens=False)) or ""])
    return Body(f"{flowed}\n\n{_attribution(t)}\n{_quote()}\n", flowed=True)


def _yahoo(own: str, t: Tongue) -> Body:
    indented = "\n".join(f"  {line}" for line in QUOTED.splitlines())
    return Body(f" {own}\n\n    {_attribution(t)}  \n \n{indented}\n", f"<div class='ydp1a2b3c4dyahoo-style-wrap'>{_paragraphs(own)}</div><div id='ydpyahoo_quoted_1' class='ydp99yahoo_quoted'><div>{html.escape(_attribution(t))}</div>{_paragraphs(QUOTED)}</div>")


def _proton(own: str, t: Tongue) -> Body:
    return Body(f"{own}\n\nSent with [Proton Mail](https://proton.me/mail/home) secure email.\n\n{_attribution(t)}\n\n{_quote()}\n", f"{_paragraphs(own)}<div class='protonmail_signature_block'><div class='protonmail_signature_block-proton'>Sent with Proton Mail secure email.</div></div><div class='protonmail_quote'>{html.escape(_attribution(t))}<br><blockquote class='protonmail_quote' type='cite'>{_paragraphs(QUOTED)}</blockquote></div>")


def _zoho(own: str, t: Tongue) -> Body:
    return Body(f"{own}\n\n\n---- {_attribution(t).rstrip(':：')} ---\n\n{QUOTED}\n", f"{_paragraphs(own)}<div class='zmail_extra'><div>---- {html.escape(_attribution(t))} ----</div>{_paragraphs(QUOTED)}</div>")


def _gmx(own: str, t: Tongue) -> Body:
    return Body(None, f"<html><body><div style='font-family: Verdana'>{_paragraphs(own)}<div>&nbsp;<div name='quote' style='margin:10px 5px 5px 10px; border-left:2px solid #C3D9E5;'><div>{_html_block(t)}</div><div name='quoted-content'>{_paragraphs(QUOTED)}</div></div></div></div></body></html>")


def _mail_ru(own: str, t: Tongue) -> Body:
    return Body(f"{own}\n \n{t.when} от {WHO}:\n \n{_quote(mark='>')}\n", f"{_paragraphs(own)}<blockquote style='border-left:1px solid'>{html.escape(_attribution(t))}{_paragraphs(QUOTED)}</blockquote>")


def _yandex(own: str, t: Tongue) -> Body:
    return Body(None, f"<div>{_paragraphs(own)}</div><div>&nbsp;</div><div>28.11.2026, 07:39, &quot;{NAME}&quot; &lt;{OURS}&gt;:</div><blockquote>{_paragraphs(QUOTED)}</blockquote>")


def _qq(own: str, t: Tongue) -> Body:
    return Body(f"{own}\n\n\n------------------&nbsp;{t.original}&nbsp;------------------\n{_block(t)}\n\n{QUOTED}\n".replace("&nbsp;", " "))


def _netease(own: str, t: Tongue) -> Body:
    return Body(f"{own}\n\n\n\n\n\n\nAt 2026-11-28 07:39:00, \"{NAME}\" <{OURS}> wrote:\n{_quote(mark='>')}\n")


def _roundcube(own: str, t: Tongue) -> Body:
    return Body(f"{own}\n\nOn 2026-11-28 07:39, {NAME} wrote:\n{_quote()}\n", f"<html><body>{_paragraphs(own)}<p id='reply-intro'>{html.escape(_attribution(t))}</p><blockquote type='cite'>{_paragraphs(QUOTED)}</blockquote></body></html>")


def _zimbra(own: str, t: Tongue) -> Body:
    return Body(f"{own}\n\n----- {_attribution(t)}\n\n{_quote(mark='')}\n", f"<div>{_paragraphs(own)}</div><hr id='zwchr' data-marker='__DIVIDER__'><div data-marker='__HEADERS__'>{_html_block(t)}</div><div data-marker='__QUOTED_TEXT__'>{_paragraphs(QUOTED)}</div>")


def _k9(own: str, t: Tongue) -> Body:
    return Body(f"{own}\n\n-------- {t.original} --------\n{_block(t)}\n\n{QUOTED}\n")


def _samsung(own: str, t: Tongue) -> Body:
    return Body(f"{own}\n\n\n\n{t.device.replace('iPhone', 'Galaxy')}\n\n-------- {t.original} --------\n{_block(t)}\n\n{QUOTED}\n")


def _notes(own: str, t: Tongue) -> Body:
    rows = "\n".join(row.replace(": ", ":\t", 1) for row in _block(t).splitlines())
    return Body(f"{own}\n\n\n\n{rows}\n\n\n\n{QUOTED}\n")


def _mutt(own: str, t: Tongue) -> Body:
    return Body(f"{own}\n\nOn Sat, Nov 28, 2026 at 07:39:00AM +0000, {NAME} wrote:\n{_quote()}\n")


def _gnus(own: str, t: Tongue) -> Body:
    return Body(f"{own}\n\n{WHO} writes:\n\n{_quote()}\n")


def _tutanota(own: str, t: Tongue) -> Body:
    return Body(None, f"{_paragraphs(own)}<div dir='auto'>{t.when} von {OURS}:<br></div><blockquote class='tutanota_quote' style='border-left: 1px solid'>{_paragraphs(QUOTED)}</blockquote>")


def _spark(own: str, t: Tongue) -> Body:
    return Body(f"{own}\nOn 28 Nov 2026 at 7:39 AM +0100, {WHO}, wrote:\n{_quote()}\n", f"<div name='messageBodySection'>{_paragraphs(own)}</div><div name='messageReplySection'>{html.escape(_attribution(t))}<br><blockquote type='cite'>{_paragraphs(QUOTED)}</blockquote></div>")


def _em_client(own: str, t: Tongue) -> Body:
    rows = _block(t).replace(": ", " ").replace("\uff1a", " ")
    return Body(f"{own}\n\n------ {t.original} ------\n{rows}\n\n{_quote(mark='>')}\n")


def _naver(own: str, t: Tongue) -> Body:
    return Body(f"{own}\n\n-----{t.original}-----\n{_block(t)}\n\n{QUOTED}\n")


def _windows_mail(own: str, t: Tongue) -> Body:
    return Body(f"{own}\n\nSent from Mail for Windows\n\n{_block(t)}\n\n{QUOTED}\n")


def _orange(own: str, t: Tongue) -> Body:
    return Body(f"{own}\n\n> Message du 28/11/26 07:39\n> De : {WHO}\n> A : {SENDER}\n> Objet : [Test] Your move\n>\n{_quote()}\n")


def _two_line_from(own: str, t: Tongue) -> Body:
    return Body(f"{own}\n\n{_block(t).replace(' <', chr(10) + '<', 1)}\n\n{QUOTED}\n")


def _three_line_attribution(own: str, t: Tongue) -> Body:
    return Body(f"{own}\n\n{_attribution(t).replace(' <', chr(10) + '<', 1).replace('> ', '>' + chr(10), 1)}\n\n{_quote()}\n")


def _forwarded(own: str, t: Tongue) -> Body:
    return Body(f"{own}\n\n---------- Forwarded message ---------\n{_block(t)}\n\n{QUOTED}\n")


def _apple_forward(own: str, t: Tongue) -> Body:
    return Body(f"{own}\n\nBegin forwarded message:\n\n{_quote(_block(t))}\n>\n{_quote()}\n")


def _nothing_quoted(own: str, t: Tongue) -> Body:
    return Body(f"{own}\n", f"<div>{_paragraphs(own)}</div>")


def _bottom(own: str, t: Tongue) -> Body:
    return Body(f"{_attribution(t)}\n{_quote()}\n\n{own}\n")


def _inline(own: str, t: Tongue) -> Body:
    return Body(f"{_attribution(t)}\n\n> Your move\n> PASS\n\n{own}\n\n{_quote()}\n")


def _without_marker(own: str, t: Tongue) -> Body:
    rest = QUOTED.split("\n", 3)[3]
    return Body(f"{own}\n\n{_attribution(t)}\n\n{rest}\n")


def _long_lines(own: str, t: Tongue) -> Body:
    return Body(None, f"<html><body>{_paragraphs(own)}<div class='moz-cite-prefix'>{html.escape(_attribution(t))}</div><blockquote>{_paragraphs(QUOTED) * 5}</blockquote></body></html>")


def _signature_gmail(own: str, t: Tongue) -> Body:
    return Body(None, f"<div dir='ltr'>{_paragraphs(own)}<br clear='all'><div><br></div><span class='gmail_signature_prefix'>-- </span><br><div dir='ltr' class='gmail_signature' data-smartmail='gmail_signature'>{t.closing}<br>Anna Smith<br>ACME Ltd.<br>+44 20 7946 0000</div></div><br><div class='gmail_quote'><div class='gmail_attr'>{html.escape(_attribution(t))}</div><blockquote class='gmail_quote'>{_paragraphs(QUOTED)}</blockquote></div>")


def _signature_outlook(own: str, t: Tongue) -> Body:
    return Body(None, f"<div>{_paragraphs(own)}</div><div id='Signature'><p>Anna Smith</p><p>ACME Ltd. | London | www.acme.example</p></div><div id='appendonsend'></div><div id='divRplyFwdMsg'>{_html_block(t)}</div><div>{_paragraphs(QUOTED)}</div>")


def _signature_phone(own: str, t: Tongue) -> Body:
    return Body(None, f"<div>{_paragraphs(own)}</div><div id='ms-outlook-mobile-signature'>Get <a href='x'>Outlook for Android</a></div><hr><div id='divRplyFwdMsg'>{_html_block(t)}</div>{_paragraphs(QUOTED)}")


def _clear_signed(own: str, t: Tongue) -> Body:
    return Body(f"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n{own}\n\n{_attribution(t)}\n{_quote()}\n-----BEGIN PGP SIGNATURE-----\n\niQIz\n=abcd\n-----END PGP SIGNATURE-----\n")


def _encrypted_list_footer(own: str, t: Tongue) -> Body:
    return Body(f"{own}\n\n_______________________________________________\nGames mailing list\nPASS\n")


PROGRAMS: dict[str, Program] = {
    name.lstrip("_"): made
    for name, made in list(globals().items())
    if name.startswith("_") and callable(made) and getattr(made, "__annotations__", {}).get("return") == "Body"
}

LONG = "MOVE army FROM south_america TO ottoman_empire, army FROM caribbean TO ottoman_empire"
ONE = "PLACE army AT india"


def words(t: Tongue) -> dict[str, tuple[str, list[str]]]:
    """What a player may write, in its forms: the text, and the lines to be read."""
    return {
        "plain": (ONE, [ONE]),
        "two": (f"{ONE}\nPASS", [ONE, "PASS"]),
        "greeting": (f"{t.greeting}\n\n{ONE}", [ONE]),
        "closing": (f"{ONE}\n\n{t.closing}\nAnna", [ONE]),
        "both": (f"{t.greeting}\n\n{ONE}\nPASS\n\n{t.closing}\n\nAnna Smith", [ONE, "PASS"]),
        "name": (f"{ONE}\n\nAnna", [ONE]),
        "dash name": (f"{ONE}\n\n-\nAnna Smith", [ONE]),
        "signature": (f"{ONE}\n\n-- \nAnna Smith\nPASS", [ONE]),
        "device": (f"{ONE}\n\n{t.device}", [ONE]),
        "long": (LONG, [LONG]),
        "long two": (f"{LONG}\nPASS", [LONG, "PASS"]),
        "broken": (_wrapped(LONG), [LONG]),
        "list": (f" - {ONE}\n - PASS", [ONE, "PASS"]),
        "numbers": (f"1. {ONE}\n2. PASS", [ONE, "PASS"]),
        "bold": (f"*{ONE}*", [ONE]),
        "quotation marks": (f"“{ONE}”", [ONE]),
        "full width": ("".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in "PASS"), ["PASS"]),
        "press": ("PRESS TO france: shall we ally?", ["PRESS TO france: shall we ally?"]),
        "press device": (f"PRESS TO france: shall we ally?\n\n{t.device}", ["PRESS TO france: shall we ally?"]),
        "press end": (f"PRESS TO france: Dear friend,\nyours\nEND\n{ONE}", ["PRESS TO france: Dear friend,", "yours", "END", ONE]),
        "end": (f"{ONE}\nEND\nwhat a day", [ONE]),
        "comment": (f"{ONE}\n\nI hope that this is right this time.", [ONE]),
    }


def as_mail(body: Body, chance: random.Random) -> bytes:
    """The mail of a body, in one of the transfer encodings."""
    parts = []
    for kind, content in (("plain", body.text), ("html", body.html)):
        if content is None:
            continue
        more = "; format=flowed" if body.flowed and kind == "plain" else ""
        data = content.encode().replace(b"\n", b"\r\n")
        encoding = chance.choice(["8bit", "base64", "quoted-printable"])
        if encoding == "base64":
            data = base64.encodebytes(data)
        elif encoding == "quoted-printable":
            data = quopri.encodestring(data.replace(b"\r\n", b"\n")).replace(b"\n", b"\r\n")
        parts.append(f"Content-Type: text/{kind}; charset=utf-8{more}\r\nContent-Transfer-Encoding: {encoding}\r\n\r\n".encode() + data)
    head = f"From: Anna <{SENDER}>\r\nTo: <{OURS}>\r\nSubject: Re: [Test] Your move\r\nMessage-ID: <{chance.getrandbits(64):x}@players.example>\r\nMIME-Version: 1.0\r\n".encode()
    if len(parts) == 1:
        return head + parts[0]
    return head + b"Content-Type: multipart/alternative; boundary=bb\r\n\r\n" + b"".join(b"--bb\r\n" + part + b"\r\n" for part in parts) + b"--bb--\r\n"


def replies(seed: int = 1, share: float = 1.0) -> Iterator[tuple[str, bytes, list[str]]]:
    """(name, mail, lines that should be read) of a share of all programs, languages and forms of words."""
    chance = random.Random(seed)
    for program, made in PROGRAMS.items():
        for language, tongue in TONGUES.items():
            for form, (text, lines) in words(tongue).items():
                if chance.random() < share:
                    yield f"{program}-{language}-{form}", as_mail(made(text, tongue), chance), lines
