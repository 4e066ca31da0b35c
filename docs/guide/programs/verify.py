import base64
import hashlib
import hmac
import json
import os
import sys
import time

TOLERANCE_S = 300


def verify(secret, message_id, timestamp, signature, body):
    """The content of a message. `body`: bytes as they came. Raises ValueError if the secret did not sign it."""
    if abs(time.time() - int(timestamp)) > TOLERANCE_S:
        raise ValueError("The message is too old, or from the future.")
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{message_id}.{timestamp}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    if not any(hmac.compare_digest(each.encode(), expected) for each in signature.split(" ")):
        raise ValueError("No signature fits.")
    return json.loads(body)


headers = [os.environ[name] for name in ("WEBHOOK_ID", "WEBHOOK_TIMESTAMP", "WEBHOOK_SIGNATURE")]
print(json.dumps(verify(os.environ["WEBHOOK_SECRET"], *headers, sys.stdin.buffer.read())))
