# An MMS centre of Python's own parts: aiosmtpd takes mail, smtplib sends it, email reads and writes it. Nothing of it is ours but the words
# on MM4 below. Orders come as lines of JSON on stdin, and what happened goes out as lines of JSON on stdout.

import asyncio
import base64
import email
import email.policy
import hashlib
import json
import smtplib
import ssl
import sys
import threading
from email.message import EmailMessage
from email.utils import format_datetime, getaddresses
from datetime import datetime, timezone

from aiosmtpd.smtp import SMTP, AuthResult

OPTIONS = json.loads(sys.argv[1])


# The event loop and the threads that send tell of what happened: one line is written at a time, and whole.
TELLING = threading.Lock()


def tell(**event):
    line = json.dumps(event) + "\n"
    with TELLING:
        sys.stdout.write(line)
        sys.stdout.flush()


def defects_of(message):
    found = [str(type(d).__name__) for d in message.defects]
    for name, value in message.items():
        found += [f"{name}: {type(d).__name__}" for d in getattr(value, "defects", [])]
    for part in message.iter_parts() if message.is_multipart() else []:
        found += defects_of(part)
    return found


def part_of(part):
    content = part.get_payload(decode=True)
    return {
        "type": part.get_content_type(),
        "name": part.get_filename(),
        "id": part["content-id"],
        "sha256": hashlib.sha256(content).hexdigest(),
        "text": part.get_content() if part.get_content_maintype() == "text" else None,
    }


class Handler:
    async def handle_DATA(self, server, session, envelope):
        message = email.message_from_bytes(envelope.content, policy=email.policy.default)
        parts = [part_of(p) for p in message.iter_parts()] if message.is_multipart() else []
        tell(
            mail={
                "from": envelope.mail_from,
                "to": envelope.rcpt_tos,
                "secure": session.ssl is not None,
                "user": session.auth_data.decode() if session.auth_data else None,
                "headers": {name.lower(): str(value) for name, value in message.items()},
                "recipients": [address for _, address in getaddresses([str(message["to"])])],
                "type": message.get_content_type(),
                "start": message.get_param("start"),
                "defects": defects_of(message),
                "parts": parts,
            }
        )
        return "250 2.0.0 Taken"


def authenticate(server, session, envelope, mechanism, data):
    ok = data.login == b"tandem" and data.password == b"sesame"
    return AuthResult(success=ok, handled=False, auth_data=data.login if ok else None)


def make_smtp():
    if "cert" not in OPTIONS:
        return SMTP(Handler(), enable_SMTPUTF8=False)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(OPTIONS["cert"], OPTIONS["key"])
    return SMTP(
        Handler(),
        tls_context=context,
        require_starttls=True,
        authenticator=authenticate,
        auth_required=True,
        enable_SMTPUTF8=False,
    )


def build(order):
    message = EmailMessage(policy=email.policy.SMTP)
    for name, value in order["headers"].items():
        message[name] = value
    message["Date"] = format_datetime(datetime.now(timezone.utc))
    if "text" in order:
        message.set_content(order["text"], charset=order["charset"], cte="quoted-printable")
        for nth, part in enumerate(order["parts"]):
            maintype, subtype = part["type"].split("/")
            content = base64.b64decode(part["content"])
            message.add_related(content, maintype, subtype, cid=f"<{nth}@mmsc.test>", filename=part["name"])
    return message.as_bytes()


def send(order):
    try:
        with smtplib.SMTP("127.0.0.1", order["port"], timeout=20) as client:
            if order.get("starttls"):
                context = ssl.create_default_context(cafile=order["starttls"])
                client.starttls(context=context)
            refused = client.sendmail(order["from"], order["to"], build(order))
        tell(sent={"refused": refused})
    except smtplib.SMTPResponseException as error:
        tell(sent={"code": error.smtp_code, "text": error.smtp_error.decode()})
    except Exception as error:
        tell(sent={"fault": repr(error)})


async def main():
    loop = asyncio.get_running_loop()
    server = await loop.create_server(make_smtp, "127.0.0.1", 0)
    tell(listening=server.sockets[0].getsockname()[1])
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        await loop.run_in_executor(None, send, json.loads(line))


asyncio.run(main())
