#!/bin/sh
# Installs Debian's chromium, as root, for the tests of pages in a real browser.
set -eu
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends chromium
