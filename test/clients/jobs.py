"""Sends a document's address as a job: with the client of OpenAPI Generator."""
import json
import os

import platen

configuration = platen.Configuration(host=os.environ["PLATEN_URL"])
configuration.access_token = os.environ["PLATEN_API_KEY"]
job = {"files": [{"url": "https://files.example.com/one.docx"}], "options": {"pdfa": "2b"}}
try:
    print(platen.JobsApi(platen.ApiClient(configuration)).create_job(job).id)
except platen.ApiException as failure:
    print(failure.status, json.loads(failure.body)["message"])
