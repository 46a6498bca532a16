#!/bin/sh
# Installs what `make run` and `make test` need and this machine lacks: PostgreSQL and Redis, and with the argument
# `browser` Chromium, which only the tests drive.
# Says and does nothing when all is there. Debian and Ubuntu through apt, macOS through Homebrew.
set -eu

main() {
	check_go
	missing=
	have_postgres || missing="postgresql"
	have_redis || missing="$missing redis"
	if [ "${1:-}" = browser ]; then have_browser || missing="$missing chromium"; fi
	if [ -z "$missing" ]; then return; fi

	if [ "$(uname)" = Darwin ] && command -v brew >/dev/null; then
		install_with_brew
	elif command -v apt-get >/dev/null; then
		install_with_apt
	else
		fail "this system needs, installed by hand: $missing (PostgreSQL 14 or newer; Redis or Valkey; Chromium for the tests); or run: docker compose up"
	fi
	have_postgres || fail "this system's packages have no PostgreSQL 14 or newer; run: docker compose up"
	have_redis || fail "this system's packages have no Redis; run: docker compose up"
	if [ "${1:-}" = browser ]; then have_browser || fail "this system's packages have no Chromium: install Google Chrome by hand"; fi
}

check_go() {
	command -v go >/dev/null || fail "Go is missing: install it from https://go.dev/dl/"
	minor=$(go env GOVERSION | sed 's/^go1\.\([0-9]*\).*/\1/')
	case $minor in
	*[!0-9]*) ;; # a development version
	*) [ "$minor" -ge 21 ] || fail "Go 1.$minor is too old: install a newer one from https://go.dev/dl/" ;;
	esac # Go since 1.21 fetches the version that go.mod names by itself
}

# have_postgres and have_redis look where programs.go looks.
have_postgres() {
	for program in "$(command -v postgres || true)" /usr/lib/postgresql/*/bin/postgres /usr/pgsql-*/bin/postgres \
		/opt/homebrew/opt/postgresql@*/bin/postgres /usr/local/opt/postgresql@*/bin/postgres; do
		if [ -x "$program" ]; then
			major=$("$program" --version | sed 's/[^0-9]*\([0-9]*\).*/\1/')
			if [ "${major:-0}" -ge 14 ]; then return 0; fi
		fi
	done
	return 1
}

have_redis() {
	for program in redis-server valkey-server /opt/homebrew/opt/redis/bin/redis-server \
		/usr/local/opt/redis/bin/redis-server /opt/homebrew/opt/valkey/bin/valkey-server \
		/usr/local/opt/valkey/bin/valkey-server; do
		if command -v "$program" >/dev/null; then return 0; fi
	done
	return 1
}

# have_browser looks where the tests' library looks.
have_browser() {
	for program in headless_shell headless-shell chromium chromium-browser google-chrome google-chrome-stable \
		/snap/bin/chromium "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome" \
		/Applications/Chromium.app/Contents/MacOS/Chromium; do
		if command -v "$program" >/dev/null; then return 0; fi
	done
	return 1
}

install_with_brew() {
	for name in $missing; do
		case $name in
		postgresql) name=postgresql@17 ;;
		chromium) name=google-chrome ;;
		esac
		echo "podbor: installing $name with Homebrew" >&2
		brew install "$name" >&2 </dev/null || fail "Homebrew could not install $name: its messages are above"
	done
}

# Debian's packages create a database cluster and start both servers as services. We only want the programs: until we
# are done, no service starts (policy-rc.d is Debian's way to say so) and no cluster is created.
policy=/usr/sbin/policy-rc.d
cluster_conf=/etc/postgresql-common/createcluster.conf
install_with_apt() {
	if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
		fail "installing needs root: run once as root, or install sudo"
	fi
	echo "podbor: installing $missing with apt" >&2
	made_policy=
	made_cluster_conf=
	trap undo_apt EXIT
	trap 'exit 1' HUP INT TERM
	if [ ! -e $policy ]; then
		made_policy=yes
		printf '#!/bin/sh\nexit 101\n' | as_root tee $policy >/dev/null
		as_root chmod 755 $policy
	fi
	as_root apt-get update >&2 || true # a broken source of somebody else need not stop us
	for name in $missing; do
		case $name in
		postgresql)
			if [ ! -e $cluster_conf ]; then
				apt_install postgresql-common
				made_cluster_conf=yes
				as_root sed -i 's/^#*create_main_cluster.*/create_main_cluster = false/' $cluster_conf
			fi
			apt_install postgresql
			;;
		redis)
			apt_install redis-server
			if command -v systemctl >/dev/null; then as_root systemctl --quiet disable redis-server >&2 || true; fi
			;;
		chromium) apt_install chromium ;;
		esac
	done
}

apt_install() {
	as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$1" >&2 </dev/null ||
		fail "apt could not install $1: its messages are above"
}

undo_apt() {
	if [ -n "$made_policy" ]; then as_root rm -f $policy; fi
	if [ -n "$made_cluster_conf" ]; then as_root sed -i 's/^create_main_cluster.*/#create_main_cluster = true/' $cluster_conf; fi
}

as_root() {
	if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

fail() {
	echo "podbor: $*" >&2
	exit 1
}

main "$@"
