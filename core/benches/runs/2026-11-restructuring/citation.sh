#!/bin/sh
# Checks every answer that cases.py wrote: citation.sh VERIFY CASES ARCHIVE_DIR OUT
verify=$1 cases=$2 archives=$3 out=$4
mkdir -p "$out"
for answer in "$cases"/corpus/*.md; do
  name=$(basename "$answer" .md)
  evidence="$cases/corpus/$name.json"
  if [ -f "$evidence" ]; then set -- --evidence "$evidence"; else set --; fi
  "$verify" "$cases/corpus/courier-1.4.0.tar.gz" "$answer" "$@" \
    > "$out/$name.json" 2> "$out/$name.txt"
  echo "exit $?" >> "$out/$name.txt"
done
for answer in "$cases"/sets/*.md; do
  name=$(basename "$answer" .md)
  "$verify" "$archives/$name" "$answer" > "$out/$name.json" 2> "$out/$name.txt"
  echo "exit $?" >> "$out/$name.txt"
done
