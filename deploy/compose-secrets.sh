#!/bin/sh
# Creates missing secret files for compose.yaml: sh deploy/compose-secrets.sh [folder]
#
# Existing files are never replaced, so it is safe to run again. Only the owner can enter the folder. Its files are
# readable by all, since containers read them under other user ids.
set -eu

folder="${1:-$(dirname "$0")/secrets}"
command -v openssl >/dev/null || {
  echo "openssl is not on the PATH; it is needed to make keys" >&2
  exit 1
}
umask 077
mkdir -p "$folder"
chmod 700 "$folder"

# keep <file>: writes standard input to the file, completely or not at all, unless the file exists.
keep() {
  if [ -e "$folder/$1" ]; then
    echo "kept $folder/$1"
    cat >/dev/null
    return
  fi
  cat >"$folder/$1.new"
  if [ ! -s "$folder/$1.new" ]; then
    rm "$folder/$1.new"
    echo "$1 could not be made" >&2
    exit 1
  fi
  chmod 444 "$folder/$1.new"
  mv "$folder/$1.new" "$folder/$1"
  echo "made $folder/$1"
}

openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:3072 2>/dev/null | keep signing-key.pem
openssl rand -hex 32 | keep internal-api-key
openssl rand -hex 24 | tr -d '\n' | keep postgres-password
printf 'postgres://latchkey:%s@postgres:5432/latchkey' "$(cat "$folder/postgres-password")" | keep database-url
