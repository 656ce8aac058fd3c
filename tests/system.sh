#!/bin/sh
# Installs what the tests need besides Python's own packages: two browsers and PostgreSQL, all
# Debian's. Where that cannot be done it says which tests are left out, and is not an error:
# `.ci/run` sets CI, with which those tests fail instead of being skipped. With CI the two proxies of
# deploy/ are installed as well: elsewhere they would begin to serve on somebody's own machine.
set -u

wanted=""
command -v chromium >/dev/null 2>&1 || wanted="chromium"
command -v firefox-esr >/dev/null 2>&1 || command -v firefox >/dev/null 2>&1 ||
  wanted="$wanted firefox-esr"
command -v initdb >/dev/null 2>&1 || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 ||
  wanted="$wanted postgresql"
proxies=""
for proxy in nginx caddy; do
  [ -z "${CI:-}" ] || PATH="$PATH:/usr/sbin" command -v $proxy >/dev/null 2>&1 || proxies="$proxies $proxy"
done
[ -n "$wanted$proxies" ] || exit 0

if [ "$(id -u)" = 0 ]; then as_root=""; else as_root="sudo -n"; fi
if command -v apt-get >/dev/null 2>&1 && $as_root true 2>/dev/null; then
  echo "Installing for the tests, once:$(printf ' %s' $wanted $proxies) ..."
  {
    $as_root apt-get -qq update
    [ -z "$wanted" ] ||
      $as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq install --no-install-recommends $wanted
    for proxy in $proxies; do  # each by itself, for not every system has both
      $as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq install --no-install-recommends $proxy
    done
  } >/dev/null 2>&1
fi

command -v chromium >/dev/null 2>&1 ||
  echo "There is no chromium here, and it cannot be installed: the tests in a browser are skipped." >&2
command -v firefox-esr >/dev/null 2>&1 || command -v firefox >/dev/null 2>&1 ||
  echo "There is no firefox here, and it cannot be installed: the test in it is skipped." >&2
command -v initdb >/dev/null 2>&1 || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 ||
  echo "There is no PostgreSQL here, and it cannot be installed: the tests on it are skipped." >&2
exit 0
