"""Makes the pictures of the web sample that the site's first page and the sample's README show.

    picture.py PROGRAM FOLDER      PROGRAM is the program of Samples/Web; the GraphQL endpoint is in $STARWARS_URL
"""
import base64
import os
import sys

from browser import Browser
from site_under_test import Site

SIZE = (1100, 640)


def main():
    program, folder = sys.argv[1:]
    site = Site(program, "--url", os.environ["STARWARS_URL"])
    browser = Browser()
    try:
        for scheme in ("light", "dark"):
            browser.show(*SIZE, scheme)
            browser.call("Emulation.setScrollbarsHidden", hidden=True)
            browser.open(site.base + "/films/film:4")
            browser.wait("[...document.images].every(image => image.complete)", "the pictures of the page")
            data = browser.call("Page.captureScreenshot", format="webp", quality=82)["data"]
            with open(os.path.join(folder, f"page-{scheme}.webp"), "wb") as file:
                file.write(base64.b64decode(data))
    finally:
        browser.close()
        site.process.terminate()


main()
