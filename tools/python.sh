#!/bin/sh
# Prints the path of a Python that the book runs on: $PYTHON if it is set, else the first that fits.
fits='import sys; (3, 11) <= sys.version_info[:2] <= (3, 13) or sys.exit(1); print(sys.executable)'

if [ -n "${PYTHON:-}" ]; then
    "$PYTHON" -c "$fits" 2>/dev/null && exit
    echo "PYTHON=$PYTHON is not a Python 3.11, 3.12 or 3.13, which this book needs." >&2
    exit 1
fi

for name in python3 python3.13 python3.12 python3.11 python; do
    "$name" -c "$fits" 2>/dev/null && exit
done
echo "This book needs Python 3.11, 3.12 or 3.13, and none was found." >&2
echo "Install one, or name one that you have: make test PYTHON=/path/to/python3.12" >&2
exit 1
