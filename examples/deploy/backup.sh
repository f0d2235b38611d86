#!/bin/sh
# Writes a backup of the database, and of the attached files after it, to /var/backups/muster. Run it daily as root.
set -eu
umask 077
folder=/var/backups/muster/$(date +%Y%m%d%H%M%S)
mkdir -p "$folder"
runuser -u postgres -- pg_dump --format=custom muster > "$folder/muster.dump"
if [ -d /var/lib/muster/files ]; then tar -C /var/lib/muster -cf "$folder/files.tar" files; fi
# Two weeks are kept.
find /var/backups/muster -mindepth 1 -maxdepth 1 -type d -mtime +14 -exec rm -rf {} +
