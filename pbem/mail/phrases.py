"""Words that mail programs and people put around what they write, in the languages that players' programs speak.

They only ever take lines away that cannot be an order, or end a letter: a word that is missing here costs an answer
"not understood", a word too many none of the orders (`pbem.mail.written` looks for these first). All are compared
case-folded, with typographic quotes and dashes made plain.
"""

# ruff: noqa: E501
from __future__ import annotations

import re


def _words(text: str) -> list[str]:
    return [part.strip().casefold() for part in text.replace("\n", "|").split("|") if part.strip()]


GREETINGS = _words("""
    hi|hello|hey|hallo|hullo|dear|good morning|good evening|good day|good afternoon|greetings|thanks|thank you|ok|okay
    moin|servus|grüezi|guten tag|guten morgen|guten abend|liebe|lieber|liebes|sehr geehrte|danke
    salut|bonjour|bonsoir|cher|chère|coucou|merci|hola|buenos días|buenas|estimado|estimada|querido|gracias
    ciao|buongiorno|buonasera|caro|cara|gentile|grazie|olá|ola|bom dia|boa tarde|caro|prezado|obrigado|beste|goedendag
    hoi|dag|hej|hejsan|hei|god dag|kjære|kära|kære|moi|terve|hyvä|cześć|witam|dzień dobry|drogi|ahoj|dobrý den|čau
    szia|kedves|üdv|jó napot|bună|salutare|stimate|merhaba|selam|sayın|привет|здравствуйте|добрый день|уважаемый
    уважаемая|дорогой|привіт|вітаю|доброго дня|здравей|здрасти|zdravo|bok|pozdravljeni|γεια|αγαπητέ|καλημέρα|שלום|היי
    مرحبا|السلام عليكم|您好|你好|こんにちは|お世話になっております|안녕하세요|xin chào|chào|halo|selamat pagi
""")

SIGN_OFFS = _words("""
    best|best regards|best wishes|kind regards|kindest regards|warm regards|warmest regards|regards|with regards|rgds|br
    brgds|kr|cheers|thanks|thanks again|many thanks|thank you|thx|ta|yours|yours sincerely|yours truly|yours faithfully
    sincerely|sincerely yours|respectfully|all the best|take care|see you|cu|bye|bye bye|love|talk soon|good luck|have fun
    no rush|no hurry|can't wait|cannot wait|looking forward|no worries|no problem|no pressure|no offence|no offense|keep well|keep it up|give my best
    see you soon|see you later|cheers all|cheers everyone|later|catch you later|speak soon|until next time
    have a nice day|have a good day|have a great day|with best regards|with kind regards|happy gaming|tia|bw|bests
    mit freundlichen grüßen|mit freundlichen grüssen|mit freundlichem gruß|mit besten grüßen|mit besten grüssen|mfg|lg|vg
    freundliche grüße|freundliche grüsse|viele grüße|viele grüsse|beste grüße|beste grüsse|liebe grüße|liebe grüsse
    herzliche grüße|herzliche grüsse|schöne grüße|schöne grüsse|grüße|grüsse|gruß|gruss|vielen dank|danke|besten dank
    danke und gruß|bis dann|bis bald|tschüss|tschüß|hochachtungsvoll|schönen tag noch|schönen abend|grüessli
    cordialement|bien cordialement|très cordialement|cdlt|cdt|bien à vous|bien à toi|amicalement|amitiés|sincèrement
    salutations|meilleures salutations|sincères salutations|merci|merci d'avance|à bientôt|a bientôt|bonne journée
    à plus tard|à la prochaine|à demain|à tout à l'heure|à tout bientôt|bises à tous|bises à toutes|bisous|la bise|bien à tous
    bonne chance|j'ai hâte|hâte de|bonne chance à tous|bonne fin de journée|bon week-end|ciao ciao|bien amicalement|bonne partie|bon jeu
    bonne soirée|respectueusement|bises|à plus|a+|saludos|saludos cordiales|un saludo|un cordial saludo|atentamente
    cordialmente|gracias|muchas gracias|un abrazo|abrazos|hasta luego|hasta pronto|atte|atentos saludos|muchos saludos
    cordiali saluti|distinti saluti|saluti|un saluto|un caro saluto|grazie|grazie mille|a presto|buona giornata
    cari saluti|tanti saluti|ciao|atenciosamente|att|cumprimentos|com os melhores cumprimentos|melhores cumprimentos
    abraço|abraços|abs|um abraço|obrigado|obrigada|até logo|até breve|saudações|com os meus cumprimentos
    met vriendelijke groet|met vriendelijke groeten|vriendelijke groet|vriendelijke groeten|mvg|groet|groeten|groetjes
    hartelijke groet|hartelijke groeten|bedankt|dank je|dank u|tot ziens|met hartelijke groet|gr|hoogachtend|alvast bedankt
    med vänlig hälsning|med vänliga hälsningar|vänliga hälsningar|vänlig hälsning|hälsningar|mvh|bästa hälsningar|vh|tack
    hälsning|varma hälsningar|tack så mycket|ha det bra|med vennlig hilsen|vennlig hilsen|beste hilsen|hilsen
    med venlig hilsen|venlig hilsen|mange hilsner|hilsner|kærlig hilsen|bedste hilsner|kh|tak|takk|mange takk|mange tak
    bedste hilsen|de bedste hilsner|ystävällisin terveisin|terveisin|parhain terveisin|terv|yt|kiitos|kiitoksin
    terveiset|pozdrawiam|z poważaniem|pozdrawiam serdecznie|serdecznie pozdrawiam|serdeczne pozdrowienia|pozdrowienia
    z pozdrowieniami|pozdr|dziękuję|dzięki|z wyrazami szacunku|s pozdravem|s pozdravom|s přátelským pozdravem|zdravím
    pozdrav|hezký den|děkuji|děkuji předem|díky|ďakujem|s úctou|üdvözlettel|tisztelettel|üdv|köszönettel|köszönöm
    szívélyes üdvözlettel|cu stimă|cu respect|cu drag|mulțumesc|toate cele bune|saygılarımla|saygılar|iyi günler
    iyi çalışmalar|sevgiler|teşekkürler|selamlar|teşekkür ederim|с уважением|с наилучшими пожеланиями|всего доброго|жду не дождусь
    всего хорошего|спасибо|заранее спасибо|удачи|с приветом|до свидания|до встречи|до скорой встречи|до скорого|до связи|до завтра|пока|всем пока|с наилучшими|всех благ|всем удачи
    хорошего дня|хорошего вечера|обнимаю|твой|ваш|всего наилучшего|искренне ваш|з повагою
    з найкращими побажаннями|дякую|гарного дня|с уважение|поздрави|поздрав|благодаря|с поштовањем|srdačan pozdrav
    s poštovanjem|lijep pozdrav|lep pozdrav|lp|pozdravi|hvala|sveikinimai|pagarbiai|su pagarba|ar cieņu|lugupidamisega
    parimate soovidega|kveðja|bestu kveðjur|με εκτίμηση|φιλικά|χαιρετισμούς|με φιλικούς χαιρετισμούς|ευχαριστώ
    בברכה|תודה|בכבוד רב|مع أطيب التحيات|مع التحية|تحياتي|شكرا|مع خالص التحية|此致|敬礼|祝好|谢谢|謝謝|顺颂商祺|敬上
    よろしくお願いします|よろしくお願いいたします|宜しくお願いします|敬具|ありがとうございます|감사합니다|안녕히 계세요|드림
    trân trọng|thân|cảm ơn|salam|salam hormat|terima kasih|hormat saya|salutacions|una salutació|agur|eskerrik asko
""")

SENT = _words("""
    sent from|sent via|sent with|sent by|sent using|sent on|written on|written with|typed on|composed on|get outlook
    download|downloaded|get bluemail|get typeapp|via|mobile|from my|on the go|using|mailed from
    von meinem|von meiner|gesendet mit|gesendet von|gesendet über|gesendet aus|diese nachricht wurde|diese mail wurde
    holen sie sich|outlook für|verfasst mit|geschickt von|hol dir|versendet mit|mit der|sende aus
    envoyé de|envoyé depuis|envoyé à partir|envoyé avec|envoyé par|envoyé via|télécharger|obtenez|obtenir|téléchargez
    enviado desde|enviado con|enviado de|enviado do|enviado via|enviado através|enviado por|enviado pelo|enviado mediante
    enviat des|obtener|obter|obtén|obtenha|baixar|descargar|inviato da|inviato dal|inviato con|inviato tramite|scarica
    ottieni|verzonden vanaf|verzonden met|verzonden van|verzonden via|verstuurd vanaf|verstuurd met|verstuurd van
    verstuurd via|outlook voor|download outlook|skickat från|skickat med|skickades från|skickat via|hämta|skaffa
    sendt fra|sendt via|sendt med|hent|få|lähetetty|hanki|lataa|wysłane z|wysłano z|wysłane za|wysłano za|wysłane przy
    pobierz|odesláno z|odesláno ze|odoslané z|získejte|získajte|odesláno|odoslané|küldve|elküldve|az én|beszerzése
    trimis de pe|trimis din|trimis cu|descărcați|obțineți|gönderildi|gönderilmiştir|indirin|edinin
    отправлено с|отправлено из|отправлено через|отправлено при|получить|скачать|загрузить|послано с|отправлено
    надіслано з|надіслано|отримати|відправлено|изпратено от|изпратено|poslano s|poslano iz|poslano z|poslato sa|nabavite
    poslano|išsiųsta iš|nosūtīts no|saadetud|sent úr|sent með|στάλθηκε από|εστάλη από|αποστολή από|λήψη
    נשלח מ|הורד|أُرسلت من|أرسلت من|تم الإرسال من|发自|发送自|發自|從我的|从我的|来自|來自|获取|取得|iphoneから送信|ipadから送信
    から送信|から送信されました|を入手|내 iphone|나의 iphone|에서 보냄|에서 보낸|다운로드|được gửi từ|đã gửi từ|gửi từ
    dikirim dari|dihantar dari|ส่งจาก|enviado dende|nire
""")
"""How a line begins with which a program names itself."""

SENT_LAST = re.compile(
    r"gesendet|geschickt|gönderildi|gönderilmiştir|gönderdim|küldve|küldtem|küldöm|lähetetty|bidalia|送信|傳送|传送|发送|發送|寄出|보냄|보낸|전송|"
    r"נשלח|أرسل|أُرسل|भेजा|ส่ง|indirin|edinin|を入手|다운로드|elküldve"
)
"""What such a line holds in languages that put the verb last."""

DEVICES = re.compile(
    r"i-?phon|i-?pad|ipod|айфон|android|samsung|galaxy|huawei|xiaomi|redmi|oneplus|pixel|blackberry|windows (?:mail|phone|10)|"
    r"outlook|hotmail|yahoo|gmail|aol|icloud|proton ?mail|\bproton\b|tutanota|\btuta\b|thunderbird|k-?9|fairemail|"
    r"bluemail|typeapp|\bspark\b|airmail|mailbird|em client|edison|canary|superhuman|fastmail|zoho|vivaldi|roundcube|"
    r"sogo|zimbra|horde|evolution|kmail|\bmutt\b|mailspring|newton|\bnine\b|aquamail|posteo|mailbox\.org|\bgmx\b|web\.de|"
    r"t-online|freenet|mail\.ru|yandex|яндекс|почт|rambler|\bqq\b|foxmail|\b163\b|网易|邮箱|naver|daum|libero|virgilio|"
    r"\btim\b|orange|\bsfr\b|laposte|free\.fr|seznam|centrum|\bonet\b|\bwp\b|interia|o2\.pl|ukr\.net|mail for windows|"
    r"courrier|\bmail\b|\bmobil|\bhandy\b|smartphone|\bphone\b|telefon|téléphone|móvil|celular|cellulare|telefoon|puhelin|телефон|смартфон|устройств|мобильн|"
    r"tablet|приложени|\bapp\b|aka\.ms|手机|手機|スマートフォン|휴대|موبايل|هاتف",
    re.IGNORECASE,
)

DISCLAIMERS = re.compile(
    r"(?:<?https?://\S+\s+)?virus-?free|avast|\bavg\b|virus.*(?:scan|check|geprüft|vérifié)|"
    r"(?:this|the information in this) (?:e-?mail|message).*(?:confidential|intended|privileged)|"
    r"diese (?:e-?mail|nachricht).*vertraulich|ce (?:message|courriel|mail).*confidentiel|"
    r"este (?:mensaje|correo|e-?mail).*confidencial|think before you print|consider the environment|"
    r"das dokument wurde.*virenfrei|сообщение.*конфиденциальн",
    re.IGNORECASE,
)

WROTE = re.compile(
    r"\b(?:wrote|writes|schrieb|schreibt|geschrieben|écrit|ecrit|escribió|escribio|escriu|va escriure|escreveu|scritto|scrisse|"
    r"schreef|geschreven|skrev|skreiv|skrifaði|kirjoitti|napisał|napisał\(a\)|napisała|pisze|napsal|napsal\(a\)|napsala|napísal|"
    r"napísal\(a\)|írta|scris|yazdı|şunu yazdı|şunları yazdı|написал|написал\(а\)|написала|пишет|писал|писав|написав|пише|"
    r"написа|је написао|napisao|napisala|je napisao|piše|pisal|parašė|rašė|rakstīja|kirjutas|έγραψε|menulis|tulis|viết|đã viết|idatzi)\b|"
    r"写道|寫道|写到|写了|のメッセージ|書きました|書いて|님이 작성|님이 쓴|작성|כתב|كتب|เขียน",
    re.IGNORECASE,
)

LABELS = frozenset(
    _words("""
    from|to|cc|bcc|subject|date|sent|reply-to|reply to|importance|priority|sent on|sender|attachments|when|received
    von|an|kopie|betreff|datum|gesendet|antwort an|antwort|wichtigkeit|absender|empfänger|anlagen|kopie (cc)|blindkopie
    de|à|a|objet|date d'envoi|envoyé|envoyé le|répondre à|copie|pour|copie à|date :|de la part de|le|importance
    para|asunto|fecha|enviado|enviado el|enviada|responder a|assunto|data|enviada em|enviado em|para:|em nome de|cco
    da|per|oggetto|inviato|rispondi a|a:|aan|onderwerp|verzonden|beantwoorden|antwoord aan|verstuurd
    från|till|ämne|skickat|datum|kopia|svara till|fra|til|emne|sendt|dato|kopi|svar til|lähettäjä|vastaanottaja|aihe
    lähetetty|päivämäärä|päiväys|kopio|od|do|dw|temat|wysłano|wysłane|data|odpowiedz do|komu|kopie|předmět|odesláno|dátum|predmet
    odoslané|datum|feladó|címzett|tárgy|elküldve|dátum|másolat|küldve|de la|către|subiect|trimis|data|kime|kimden|konu
    gönderen|alıcı|tarih|gönderildi|gönderme tarihi|bilgi|от|от кого|кому|тема|дата|отправлено|копия|время|відправник|від|кому|надіслано|дата
    до|изпратено|относно|do|za|poslano|datum|predmet|prima|šalje|от:|από|προς|θέμα|ημερομηνία|στάλθηκε|κοιν|מאת|אל|אל:|נושא
    תאריך|נשלח|من|إلى|الموضوع|التاريخ|تاريخ|تم الإرسال|الإرسال|发件人|收件人|主题|日期|发送时间|抄送|发送日期|寄件者|收件者|主旨|日期|寄件日期|寄件人|收件人|主題|副本
    差出人|宛先|件名|日時|送信日時|送信者|日付|送信日|보낸 사람|받는 사람|제목|날짜|보낸 날짜|보낸날짜|받는사람|보낸사람|참조|보낸 시간
    từ|tới|đến|chủ đề|ngày|đã gửi|dari|kepada|perihal|subjek|tanggal|dikirim|จาก|ถึง|เรื่อง|วันที่|nuo|kam|tema|kellelt|no
""")
) | frozenset(["betr", "re"])
"""The names of header fields as programs write them above a quotation."""
