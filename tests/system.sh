#!/bin/sh
# Installs what the tests need besides Python's own packages: two browsers and PostgreSQL, all
# Debian's. Where that cannot be done it says which tests are left out, and is not an error:
# `.ci/run` sets CI, with which it is one, at once. With CI the two proxies of deploy/ are installed as
# well: elsewhere they would begin to serve on somebody's own machine.
#
# Each package is installed by itself, for not every system has all of them, and none of their
# services is started. What apt says is kept in build/system.log.
set -u

has() { PATH="$PATH:/usr/sbin" command -v "$1" >/dev/null 2>&1; }
has_firefox() { has firefox-esr || has firefox; }
has_postgres() { has initdb || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1; }

# The packages of what is missing.
wanted() {
  has chromium || echo chromium
  has_firefox || echo firefox-esr
  has_postgres || echo postgresql
  [ -n "${CI:-}" ] || return 0
  has nginx || echo nginx
  has caddy || echo caddy
}

[ -n "$(wanted)" ] || exit 0

top=$(CDPATH= cd "$(dirname "$0")/.." && pwd)
mkdir -p "$top/build"
log=$top/build/system.log
: >"$log"
if [ "$(id -u)" = 0 ]; then as_root=""; else as_root="sudo -n"; fi

# Ends at once where there is no network; a slow mirror and another apt are waited for.
apt() {
  $as_root env DEBIAN_FRONTEND=noninteractive LC_ALL=C apt-get -q -y -o Acquire::Retries=3 \
    -o Acquire::http::Timeout=30 -o Acquire::https::Timeout=30 -o DPkg::Lock::Timeout=300 "$@" \
    </dev/null >>"$log" 2>&1
}

# What Debian's packages ask before they start a service. Where there is one already, it stays.
policy=/usr/sbin/policy-rc.d
if has apt-get && $as_root true 2>/dev/null; then
  echo "Installing for the tests, once:" $(wanted) "..."
  if [ ! -e $policy ]; then
    trap '$as_root rm -f $policy' EXIT
    trap 'exit 1' HUP INT TERM
    printf '#!/bin/sh\nexit 101\n' | $as_root tee $policy >/dev/null
    $as_root chmod 755 $policy
  fi
  if apt update || [ -z "${CI:-}" ]; then
    for package in $(wanted); do
      apt install --no-install-recommends "$package" || echo "apt-get cannot install $package." >&2
    done
  else
    echo "apt-get update failed." >&2
  fi
else
  echo "Packages can be installed by root, or with a sudo that asks nothing, and apt-get alone." >>"$log"
fi

left=$(wanted)
[ -n "$left" ] || exit 0
if [ -n "${CI:-}" ]; then
  tail -n 20 "$log" >&2
  echo "CI is set and these cannot be installed:" $left "(build/system.log says why). Look at the" \
    "network and at /etc/apt, or put them into the image: apt-get install" $left >&2
  exit 1
fi
has chromium ||
  echo "There is no chromium here, and it cannot be installed: the tests in a browser are skipped." >&2
has_firefox ||
  echo "There is no firefox here, and it cannot be installed: the test in it is skipped." >&2
has_postgres ||
  echo "There is no PostgreSQL here, and it cannot be installed: the tests on it are skipped." >&2
exit 0
