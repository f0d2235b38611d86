#!/bin/sh
# Installs redis-server on Debian or Ubuntu, as root, without leaving a system-wide Redis running.
set -eu
export DEBIAN_FRONTEND=noninteractive
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  # Exit code 101 tells the package's own script not to start the service.
  printf '#!/bin/sh\nexit 101\n' >"$policy"
  chmod 755 "$policy"
  trap 'rm -f "$policy"' EXIT
fi
apt-get update -qq
apt-get install -y -qq --no-install-recommends redis-server
if [ -d /run/systemd/system ]; then systemctl disable --quiet redis-server || true; fi
