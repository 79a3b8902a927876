#!/bin/sh
# Prints the path of a Python that the book runs on: $PYTHON if it is set, else the first that fits, else one that uv has
# or downloads, where uv is installed. Those that fit are in .python-versions; nothing but the shell is needed to read it.
versions=
while read -r line; do
    case $line in '' | '#'*) ;; *) versions="$versions $line" ;; esac
done <"${0%/*}/../.python-versions"
fits='import sys; "{}.{}".format(*sys.version_info[:2]) in sys.argv[1:] or sys.exit(1); print(sys.executable)'

if [ -n "${PYTHON:-}" ]; then
    "$PYTHON" -c "$fits" $versions 2>/dev/null && exit
    echo "PYTHON=$PYTHON is none of the Pythons that this book runs on:$versions." >&2
    exit 1
fi

names=python3
for version in $versions; do
    names="$names python$version"
done
for name in $names python; do
    "$name" -c "$fits" $versions 2>/dev/null && exit
done
for version in $versions; do
    uv run --quiet --no-project --python "$version" python -c "$fits" $versions 2>/dev/null && exit
done
echo "This book runs on these Pythons, and none of them was found:$versions." >&2
echo "Install one, or uv, which gets one; or name one that you have: make test PYTHON=/path/to/python" >&2
exit 1
