"""A live page on studies and results, and a report of one file; both only read.

``sources`` finds the files, ``watch`` looks at one of them, ``view`` is the one model
that the page and the report show, ``server`` serves the page, ``report`` writes the
report, and ``static/`` holds what the browser runs.
"""
