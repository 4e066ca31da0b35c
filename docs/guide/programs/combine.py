import os
import random
import sys
import time
import uuid
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.request import Request, urlopen

ATTEMPTS = 8
BASE_S = 0.5
CAP_S = 30
LONGEST_RETRY_AFTER_S = 120
TIMEOUT_S = 180
RETRYABLE = {408, 409, 429, 502, 503, 504}


def multipart(paths):
    """The documents as the form's parts `file`: the content type and the body."""
    boundary = uuid.uuid4().hex
    body = b""
    for path in paths:
        name = os.path.basename(path).replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
        with open(path, "rb") as file:
            body += head.encode() + file.read() + b"\r\n"
    return f"multipart/form-data; boundary={boundary}", body + f"--{boundary}--\r\n".encode()


def convert(request):
    """One attempt: the PDF, what went wrong, whether another attempt is worth it, and after how long."""
    try:
        with urlopen(request, timeout=TIMEOUT_S) as response:
            return response.read(), None, False, 0
    except HTTPError as error:
        body = error.read().decode(errors="replace")
        retry = error.code in RETRYABLE or '"INTERNAL_ERROR"' in body
        retry_after = error.headers.get("Retry-After", "")
        return None, f"{error.code} {body}", retry, int(retry_after) if retry_after.isdigit() else 0
    except (OSError, HTTPException) as error:  # no answer, or half of one
        return None, error, True, 0


def main(target, *sources):
    content_type, body = multipart(sources)
    headers = {
        "Authorization": f"Bearer {os.environ['PLATEN_API_KEY']}",
        "Content-Type": content_type,
        # One for the documents, the same in every attempt: however often they are sent, they are billed once.
        "Idempotency-Key": str(uuid.uuid4()),
    }
    request = Request(f"{os.environ['PLATEN_URL']}/v1/combine", body, headers, method="POST")
    for attempt in range(ATTEMPTS):
        pdf, problem, retry, retry_after = convert(request)
        if pdf is not None:
            with open(target, "wb") as file:
                file.write(pdf)
            return
        print(f"attempt {attempt + 1}: {problem}", file=sys.stderr)
        if not retry or attempt + 1 == ATTEMPTS or retry_after > LONGEST_RETRY_AFTER_S:
            sys.exit(1)
        # Full jitter, on top of what the service asked for.
        time.sleep(retry_after + random.uniform(0, min(CAP_S, BASE_S * 2**attempt)))


main(*sys.argv[1:])
