#!/bin/sh
# Installs a version of Muster below /opt/muster and restarts its processes one after another. Run it as root:
# upgrade.sh VERSION, where VERSION is a tag, a commit, or origin/main.
set -eu
version=$1
target=/opt/muster/releases/$(date +%Y%m%d%H%M%S)

git -C /opt/muster/source fetch --quiet --tags origin
mkdir -p "$target"
git -C /opt/muster/source archive "$version" | tar -x -C "$target"
cd "$target"
npm ci --omit=dev --no-audit --no-fund
chmod -R go+rX "$target"
previous=$(readlink /opt/muster/current || true)
ln -sfn "$target" /opt/muster/current

if ! systemctl start muster-migrate; then
  # The processes still run the previous version. Whenever one restarts, it finds that version again.
  if [ -n "$previous" ]; then ln -sfn "$previous" /opt/muster/current; else rm /opt/muster/current; fi
  echo "The migrations failed. See: journalctl -u muster-migrate" >&2
  exit 1
fi
for unit in muster-web@3000 muster-web@3001; do
  systemctl restart "$unit"
  port=${unit#*@}
  tries=0
  until curl --silent --fail --output /dev/null "http://127.0.0.1:$port/readyz"; do
    tries=$((tries + 1))
    [ "$tries" -lt 60 ] || { echo "$unit is not ready. See: journalctl -u $unit" >&2; exit 1; }
    sleep 1
  done
done
systemctl restart muster-worker

# The four newest are kept.
ls -1d /opt/muster/releases/* | sort | head -n -4 | xargs -r rm -rf
