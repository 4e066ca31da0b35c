import json
import os
import sys
from datetime import datetime, timezone

import platen

configuration = platen.Configuration(host=os.environ["PLATEN_URL"])
configuration.access_token = os.environ["PLATEN_API_KEY"]
configuration.client_side_validation = False
client = platen.ApiClient(configuration)

try:
    answer = platen.ConversionApi(client).convert_document("document.docx", _preload_content=False)
except platen.ApiException as failure:
    error = json.loads(failure.body)
    print("request", failure.headers["X-Request-Id"])
    print("requests left", failure.headers.get("X-RateLimit-Remaining"))
    if error["code"] == "RATE_LIMIT_EXCEEDED":
        sys.exit(f"{error['code']}: wait for {error['retryAfter']} seconds")
    if error["code"] in ("INVALID_FILE_TYPE", "CORRUPTED_FILE", "PASSWORD_PROTECTED"):
        sys.exit(f"{error['code']}: ask for another document")
    sys.exit(f"{error['code']}: {error['message']}")

print("request", answer.headers["X-Request-Id"])
print("requests left", answer.headers.get("X-RateLimit-Remaining"))
with open("document.pdf", "wb") as file:
    file.write(answer.data)

month = datetime.now(timezone.utc).strftime("%Y-%m")
usage = platen.AccountApi(client).get_usage(month=month)
print("used in", usage.month, usage.conversions.used)
