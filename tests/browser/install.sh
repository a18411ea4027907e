#!/bin/sh
# Sees to what the tests of the page need beside Python: Chromium, Chinese letters, and the rules
# of axe-core, which go to the folder that is given. What may not be installed here is named; the
# tests that need it are then left out, and say so.
set -u

AXE=4.14.1
AXE_SHA512=FHfa+lmNjQZfJz1q8wKqIDwC6DExcHt/pkjNQb09a3NPjCKg2rhu5qb2S4r76ASyFNNtuFooJpZe37OgudVGtQ==
folder=$1

has() { command -v "$1" >/dev/null 2>&1; }
# Chromium without its windows does the same with half of the work, where there is a package of it.
has_shell() { [ -n "${CHROMIUM:-}" ] || has chromium-headless-shell; }
has_browser() {
	has_shell || has chromium || has chromium-browser || has google-chrome ||
		has google-chrome-stable
}
has_letters() { has fc-list && [ -n "$(fc-list :lang=zh-cn family 2>/dev/null | head -n 1)" ]; }

install() {
	echo "Installing $* (apt)"
	apt-get install -y -qq --no-install-recommends "$@" >/dev/null ||
		echo "apt could not install $*" >&2
}
if ! { has_shell && has_letters; } && has apt-get && [ "$(id -u)" = 0 ]; then
	export DEBIAN_FRONTEND=noninteractive
	apt-get update -qq >/dev/null
	has_shell || install chromium-headless-shell
	has_browser || install chromium
	has_letters || install fontconfig fonts-noto-cjk
fi

if [ ! -f "$folder/axe.min.js" ] && has npm && has openssl; then
	echo "Getting axe-core $AXE (npm)"
	place=$(mktemp -d)
	archive="$place/axe-core-$AXE.tgz"
	npm pack --silent --ignore-scripts --pack-destination "$place" "axe-core@$AXE" >/dev/null 2>&1
	if [ ! -f "$archive" ]; then
		echo "npm could not fetch axe-core $AXE" >&2
	elif [ "$(openssl dgst -sha512 -binary "$archive" | openssl base64 -A)" != "$AXE_SHA512" ]; then
		echo "axe-core $AXE is not the file that it was: left alone" >&2
	else
		mkdir -p "$folder"
		tar -xzf "$archive" -C "$place" package/axe.min.js &&
			mv "$place/package/axe.min.js" "$folder/axe.min.js"
	fi
	rm -rf "$place"
fi

lacking=0
miss() {
	lacking=1
	echo "Missing: $1" >&2
}
has_browser || miss "Chromium, so the tests in tests/browser are left out (Debian and Ubuntu: \
apt install chromium; or name a browser: make test CHROMIUM=/path/to/chrome)"
has_letters || miss "a Chinese font, so screenshots show boxes (Debian and Ubuntu: \
apt install fontconfig fonts-noto-cjk)"
[ -f "$folder/axe.min.js" ] || miss "axe-core, so tests/browser/test_axe.py is left out (it comes \
by npm, with openssl to check it: apt install npm openssl, and a network)"
exit $lacking
