#!/bin/sh
# A worker in 20 lines: evaluates jobs of a spool by any command, which reads a design as
# JSON from standard input and prints metrics as JSON, as docs/clusters.md describes.
#
#   spool_worker.sh SPOOL COMMAND [ARGUMENT...]

spool=$1; shift
trap 'mv "$spool/claimed/$name" "$spool/new/$name" 2>/dev/null; exit 1' INT TERM
while :; do
    name=$(ls "$spool/new" 2>/dev/null | grep '^[0-9-]*-[0-9a-f]*\.json$' | head -n 1)
    if [ -z "$name" ]; then
        grep -q '"open": false' "$spool/spool.json" 2>/dev/null && exit 0  # it is over
        sleep 1; continue
    fi
    mv "$spool/new/$name" "$spool/claimed/$name" 2>/dev/null || continue  # taken
    # A sign of life every 20 s, as long as this shell lives.
    (while sleep 20 && kill -0 $$ 2>/dev/null; do touch -c "$spool/claimed/$name"; done) &
    beat=$! part="$spool/done/.$name.$$"
    sed 's/.*"design": \(.*\), "codes": .*/\1/' "$spool/claimed/$name" | "$@" > "$part" ||
        echo "{\"state\": \"failed\", \"message\": \"exit code $?\"}" > "$part"
    kill $beat
    mv "$part" "$spool/done/$name" && rm -f "$spool/claimed/$name"
done
