#!/bin/sh
# Prints the path of a Python of at least 3.10 that can create virtual environments; else one line with what to install.
usable() {
    command -v "$1" >/dev/null 2>&1 &&
        "$1" -c 'import sys; sys.exit(sys.version_info < (3, 10))' >/dev/null 2>&1 &&
        "$1" -c 'import venv, ensurepip' >/dev/null 2>&1
}

find_python() {
    for candidate in ${PYTHON:-} python3 python3.14 python3.13 python3.12 python3.11 python3.10 python; do
        if usable "$candidate"; then
            command -v "$candidate"
            exit 0
        fi
    done
}

find_python
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    # Debian has ensurepip in a separate package, python3-venv.
    echo "apt-get install python3-venv" >&2
    export DEBIAN_FRONTEND=noninteractive
    apt-get install -y -q --no-install-recommends python3-venv >/dev/null 2>&1 ||
        { apt-get update -q && apt-get install -y -q --no-install-recommends python3-venv; } >/dev/null 2>&1
    find_python
fi
echo "No Python 3.10 or later with venv was found: install one (Debian, Ubuntu: apt-get install python3-venv)" >&2
exit 1
