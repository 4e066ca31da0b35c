import json
import os
import random
import shutil
import sys
import time
import uuid
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.request import Request, urlopen

ATTEMPTS = 8
TIMEOUT_S = 180
POLL_S = 2
RETRYABLE = {408, 409, 429, 500, 502, 503, 504}


def multipart(paths):
    """The documents as parts `file` of a form: the content type and the body."""
    boundary = uuid.uuid4().hex
    body = b""
    for path in paths:
        name = os.path.basename(path).replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
        with open(path, "rb") as file:
            body += head.encode() + file.read() + b"\r\n"
    return f"multipart/form-data; boundary={boundary}", body + f"--{boundary}--\r\n".encode()


def call(method, path, read, body=None, headers={}):
    """What `read` makes of the answer, after as many attempts as it takes."""
    headers = {"Authorization": f"Bearer {os.environ['PLATEN_API_KEY']}", **headers}
    request = Request(os.environ["PLATEN_URL"] + path, body, headers, method=method)
    for attempt in range(ATTEMPTS):
        retry_after = 0
        try:
            with urlopen(request, timeout=TIMEOUT_S) as response:
                return read(response)
        except HTTPError as error:
            problem = f"{error.code} {error.read().decode(errors='replace')}"
            retry = error.code in RETRYABLE
            text = error.headers.get("Retry-After", "")
            retry_after = int(text) if text.isdigit() else 0
        except (OSError, HTTPException) as error:  # no answer, or half of one
            problem, retry = error, True
        print(f"{method} {path}, attempt {attempt + 1}: {problem}", file=sys.stderr)
        if not retry or attempt + 1 == ATTEMPTS:
            sys.exit(1)
        time.sleep(retry_after + random.uniform(0, min(30, 0.5 * 2**attempt)))


def save(target):
    def read(response):
        with open(target, "wb") as file:
            shutil.copyfileobj(response, file)

    return read


def main(target, *documents):
    content_type, body = multipart(documents)
    # The same in every attempt: however often it is sent, it is one job.
    headers = {"Content-Type": content_type, "Idempotency-Key": str(uuid.uuid4())}
    job = call("POST", "/v1/jobs", json.load, body, headers)
    while job["state"] in ("queued", "running"):
        time.sleep(POLL_S)
        job = call("GET", f"/v1/jobs/{job['id']}", json.load)
    call("GET", f"/v1/jobs/{job['id']}/archive", save(target))
    failed = [file for file in job["files"] if file["error"]]
    for file in failed:
        print(f"{file['name']}: {file['error']['code']} {file['error']['message']}", file=sys.stderr)
    sys.exit(1 if failed else 0)


main(*sys.argv[1:])
