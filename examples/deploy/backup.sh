#!/bin/sh
# Writes a backup of the database, and of the attached files after it, to /var/backups/muster. Run it daily as root.
set -eu
umask 077
database=$(sed -n "s|^DATABASE_URL=[^/]*//[^/]*/\([^/?\"']*\).*|\1|p" /etc/muster/muster.env)
folder=/var/backups/muster/$(date +%Y%m%d%H%M%S)
# Only a backup that is complete gets its name.
mkdir -p "$folder.unfinished"
runuser -u postgres -- pg_dump --format=custom "${database:?is missing: DATABASE_URL names no database}" > "$folder.unfinished/muster.dump"
if [ -d /var/lib/muster/files ]; then tar -C /var/lib/muster -cf "$folder.unfinished/files.tar" files; fi
mv "$folder.unfinished" "$folder"
# Two weeks are kept.
find /var/backups/muster -mindepth 1 -maxdepth 1 -type d -mtime +14 -exec rm -rf {} +
