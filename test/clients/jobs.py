"""Sends documents' addresses as a job that makes one PDF: with the client of OpenAPI Generator."""
import json
import os

import platen

configuration = platen.Configuration(host=os.environ["PLATEN_URL"])
configuration.access_token = os.environ["PLATEN_API_KEY"]
files = [{"url": f"https://files.example.com/{name}.docx"} for name in ("one", "two")]
options = {"pdfa": "2b", "combine": True, "pageNumbers": "continuous"}
job = {"files": files, "options": options}
try:
    print(platen.JobsApi(platen.ApiClient(configuration)).create_job(job).id)
except platen.ApiException as failure:
    print(failure.status, json.loads(failure.body)["message"])
