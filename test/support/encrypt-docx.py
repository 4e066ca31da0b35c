"""
Encrypts a document with a password as LibreOffice does, in the way of Office 2007:

    /usr/bin/python3 encrypt-docx.py SOFFICE PROFILE INPUT OUTPUT PASSWORD

The paths are absolute.
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import uno
from com.sun.star.beans import NamedValue, PropertyValue
from com.sun.star.connection import NoConnectException


def properties(**values):
    return tuple(PropertyValue(Name=name, Value=value) for name, value in values.items())


START_LIMIT_S = 240
deadline = time.monotonic() + START_LIMIT_S
soffice, profile, source, target, password = sys.argv[1:]
pipe = f"pipe,name=encrypt-{os.getpid()}"
office = subprocess.Popen(
    [
        soffice,
        "--headless",
        "--norestore",
        "--nolockcheck",
        f"-env:UserInstallation={Path(profile).as_uri()}",
        f"--accept={pipe};urp;",
    ],
    stdout=subprocess.DEVNULL,
    stderr=subprocess.DEVNULL,
    # A group of its own: soffice is a script that starts the program.
    start_new_session=True,
)
try:
    context = uno.getComponentContext()
    resolver = context.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", context)
    while True:
        try:
            remote = resolver.resolve(f"uno:{pipe};urp;StarOffice.ComponentContext")
            break
        except NoConnectException:
            if office.poll() is not None or time.monotonic() > deadline:
                raise
            time.sleep(0.05)
    desktop = remote.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", remote)
    document = desktop.loadComponentFromURL(Path(source).as_uri(), "_blank", 0, properties(Hidden=True))
    encryption = uno.Any(
        "[]com.sun.star.beans.NamedValue",
        (NamedValue("OOXPassword", password), NamedValue("CryptoType", "Standard")),
    )
    document.storeToURL(Path(target).as_uri(), properties(FilterName="MS Word 2007 XML", EncryptionData=encryption))
    document.close(True)
    try:
        desktop.terminate()
    except Exception:
        pass
    office.wait()
finally:
    try:
        os.killpg(office.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass  # it has ended
