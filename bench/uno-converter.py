"""
A warm soffice that is driven over UNO: one process that stays, one document after the other.

    /usr/bin/python3 uno-converter.py SOFFICE FOLDER CALLS < lines of "INPUT<tab>OUTPUT"

Starts the soffice with a profile in FOLDER and prints the milliseconds of each conversion, a line each, after a line
"ready". Ends with its input, and the soffice with it.

CALLS is "unoserver", for the calls that unoserver 3 makes for each document (src/unoserver/converter.py in
github.com/unoconv/unoserver), without the XML-RPC server in front of them; or "fewest", for loading, storing and closing.
"""
import os
import signal
import subprocess
import sys
import time

import uno
from com.sun.star.beans import PropertyValue
from com.sun.star.connection import NoConnectException

START_LIMIT_S = 60
PDF_FILTER = "writer_pdf_Export"

# unoserver asks in an order that is left to chance.
DOCUMENT_KINDS = [
    "com.sun.star.sheet.SpreadsheetDocument",
    "com.sun.star.presentation.PresentationDocument",
    "com.sun.star.drawing.DrawingDocument",
    "com.sun.star.text.TextDocument",
]


class Soffice:
    """A connection to the one that listens on this pipe."""

    def __init__(self, pipe, process):
        context = self.connect(pipe, process)

        def service(name):
            return context.ServiceManager.createInstanceWithContext(name, context)

        self.desktop = service("com.sun.star.frame.Desktop")
        self.types = service("com.sun.star.document.TypeDetection")

    def connect(self, pipe, process):
        """Its component context, once it answers."""
        local = uno.getComponentContext()
        resolver = local.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", local)
        deadline = time.monotonic() + START_LIMIT_S
        while True:
            try:
                return resolver.resolve(f"uno:pipe,name={pipe};urp;StarOffice.ComponentContext")
            except NoConnectException:
                if process.poll() is not None or time.monotonic() > deadline:
                    raise
                time.sleep(0.05)

    def convert_with_fewest_calls(self, source, target):
        document = self.desktop.loadComponentFromURL(source, "_blank", 0, properties(Hidden=True))
        try:
            document.storeToURL(target, properties(FilterName=PDF_FILTER))
        finally:
            document.close(True)

    def convert_as_unoserver(self, source, target):
        document = self.desktop.loadComponentFromURL(source, "_default", 0, properties(ReadOnly=True))
        try:
            self.update_indexes(document)
            # unoserver finds the export filter in a list by these two answers.
            next(kind for kind in DOCUMENT_KINDS if document.supportsService(kind))
            self.types.queryTypeByURL(target)
            document.storeToURL(target, properties(FilterName=PDF_FILTER, Overwrite=True))
        finally:
            document.close(True)

    def update_indexes(self, document):
        # Twice: the first time they grow, the second time their page numbers become right.
        for _ in range(2):
            document.refresh()
            indexes = document.getDocumentIndexes()
            for n in range(indexes.getCount()):
                indexes.getByIndex(n).update()


def properties(**values):
    return tuple(PropertyValue(Name=name, Value=value) for name, value in values.items())


def main():
    soffice, folder, calls = sys.argv[1:]
    pipe = "platen-" + folder.strip("/").replace("/", "-")
    process = subprocess.Popen(
        [soffice, "--headless", "--norestore", "--nologo", f"--accept=pipe,name={pipe};urp;"]
        + ["-env:UserInstallation=" + uno.systemPathToFileUrl(folder + "/profile")],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        office = Soffice(pipe, process)
        convert = office.convert_as_unoserver if calls == "unoserver" else office.convert_with_fewest_calls
        print("ready", flush=True)
        for line in sys.stdin:
            source, target = map(uno.systemPathToFileUrl, line.rstrip("\n").split("\t"))
            started = time.monotonic()
            convert(source, target)
            print(f"{(time.monotonic() - started) * 1000:.3f}", flush=True)
    finally:
        # soffice is a script whose children are the office.
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


main()
