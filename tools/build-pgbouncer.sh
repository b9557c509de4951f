#!/usr/bin/env bash
# Builds the PgBouncer of Debian 13 into .cache/, where tests look for one that is newer than Debian 12's. Does nothing where it is there.
set -euo pipefail
cd "$(dirname "$0")/.."
version=1.24.1
sha256=da72a3aba13072876d055a3e58dd4aba4a5de4ed6148e73033185245598fd3e0
binary=.cache/pgbouncer

if [ "$("$binary" --version 2>/dev/null | head -n 1)" = "PgBouncer $version" ]; then exit 0; fi

give_up() {
  echo "PgBouncer $version is not built: $1" >&2
  exit 1
}

for tool in cc make pkg-config apt-get; do
  command -v "$tool" >/dev/null || give_up "$tool is not installed"
done
pkg-config --exists libevent openssl || give_up "libevent-dev or libssl-dev is not installed"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# From whichever mirrors this machine installs its packages from: they keep the sources of all versions of Debian.
for mirror in $(apt-get indextargets --format '$(REPO_URI)' | sort -u); do
  /usr/lib/apt/apt-helper -qq download-file "${mirror}pool/main/p/pgbouncer/pgbouncer_$version.orig.tar.gz" \
    "$work/source.tar.gz" "SHA256:$sha256" >/dev/null 2>&1 && break
done
[ -f "$work/source.tar.gz" ] || give_up "no mirror of Debian gave the source with its checksum"
tar xzf "$work/source.tar.gz" -C "$work" --strip-components=1

(cd "$work" && ./configure --without-cares && make -j"$(nproc)" pgbouncer) >"$work/build.log" 2>&1 ||
  give_up "$(tail -n 1 "$work/build.log")"
mkdir -p .cache
mv "$work/pgbouncer" "$binary"
