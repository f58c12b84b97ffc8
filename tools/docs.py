"""Builds the documentation site into ``build/docs`` and checks it: ``make docs``.

Warnings are errors. Afterwards every link inside the site is followed, and whatever a
browser would load from elsewhere is an error too. Pages that have not changed are taken
from the last build.
"""

import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).parent.parent
SITE = ROOT / "build/docs"
CACHE = ROOT / "build/docs-cache"
#: What a browser loads by itself, by tag.
LOADED = {"script": "src", "img": "src", "link": "href", "iframe": "src"}


class Page(HTMLParser):
    """Anchors of a page, its links, and what it loads."""

    def __init__(self, path):
        super().__init__()
        self.anchors, self.links, self.loads = set(), [], []
        self.feed(path.read_text())

    def handle_starttag(self, tag, attrs):
        """Note what a tag says."""
        given = dict(attrs)
        self.anchors |= {given[key] for key in ("id", "name") if given.get(key)}
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        if given.get(LOADED.get(tag)):
            self.loads.append(given[LOADED[tag]])


def build():
    """Build what has changed; return whether there was nothing to complain about."""
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "-d", CACHE]
    done = subprocess.run([*command, ROOT / "docs", SITE], cwd=ROOT, check=False)
    if done.returncode:  # an unchanged page would not complain again
        shutil.rmtree(CACHE, ignore_errors=True)
    return not done.returncode


def mistakes(site):
    """Yield a sentence for each dead link, and for each thing loaded from elsewhere."""
    pages = {path: Page(path) for path in sorted(site.rglob("*.html"))}
    for path, page in pages.items():
        name = path.relative_to(site)
        for link in page.loads:
            if urlsplit(link).netloc:
                yield f"{name} loads {link}"
        for link in dict.fromkeys([*page.links, *page.loads]):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (
                (path.parent / unquote(parts.path)).resolve() if parts.path else path
            )
            anchors = pages[target].anchors if target in pages else ()
            if not target.exists():
                yield f"{name} links to {link}, which does not exist"
            elif anchors and parts.fragment and unquote(parts.fragment) not in anchors:
                yield f"{name} links to {link}, which has no such heading"


def main():
    """Build and look; the exit code is 1 if anything is wrong."""
    good = build()
    found = list(mistakes(SITE.resolve()))
    print("\n".join(found), end="\n" if found else "")
    if found or not good:
        sys.exit("the documentation has mistakes, see above")
    print(f"{(SITE / 'index.html').relative_to(ROOT)}")


if __name__ == "__main__":
    main()
