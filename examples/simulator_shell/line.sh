#!/bin/sh
# A production line of six stations with buffers between them, simulated in awk.
#
# Reads a design as JSON from standard input: {"machines": [2, 1, ...], "buffers":
# [4, 0, ...], "order": [0, 2, ...], "maintenance": "weekly"}. Prints the metrics as JSON.

set -eu
# One line per variable, "name:1,2,3".
tr -d ' \n{}"' | tr ']' '\n' | tr -d '[' | awk -F : '
{ sub(/^,/, "", $1); value[$1] = $2 }
function draw() { word = (word * 69069 + 1) % 4294967296; return word / 4294967296 }
END {
    kind = value["maintenance"]
    if (split(value["machines"], machines, ",") != 6 || kind == "" ||
        split(value["buffers"], buffer, ",") != 5 || split(value["order"], order, ",") != 4) {
        print "the design is not complete" > "/dev/stderr"
        exit 2
    }
    word = 7
    split("1.0 1.6 0.9 2.1 1.3 0.8", work, " ")      # minutes per part
    split("0.0 0.8 0.2 0.5", change, " ")            # set-up between neighbours in order
    risk = kind == "never" ? 0.05 : kind == "weekly" ? 0.015 : 0.004
    lost = kind == "never" ? 0 : kind == "weekly" ? 0.02 : 0.07
    setup = 0
    for (i = 1; i <= 3; i++) setup += change[1 + (order[i] - order[i + 1] + 4) % 4]

    # Parts leave a station when they are done and the buffer behind has room.
    parts = 1500
    for (k = 1; k <= parts; k++) {
        enter = 0
        for (s = 1; s <= 6; s++) {
            m = machines[s]
            start = enter > free[s, k % m] ? enter : free[s, k % m]
            time = work[s] * (0.7 + 0.6 * draw()) + (k % 25 == 0 ? setup : 0)
            if (draw() < risk) time += 12
            done = start + time / (1 - lost)
            room = buffer[s] + machines[s + 1]
            if (s < 6 && k > room && left[s + 1, k - room] > done) done = left[s + 1, k - room]
            left[s, k] = done
            free[s, k % m] = done
            if (s > 1) waiting += start - enter
            enter = done
        }
    }
    for (s = 1; s <= 6; s++) cost += 40 * machines[s]
    for (s = 1; s <= 5; s++) cost += 3 * buffer[s]
    cost += kind == "daily" ? 30 : kind == "weekly" ? 8 : 0
    printf "{\"parts_per_hour\": %.4f, \"waiting_minutes\": %.4f, \"cost\": %.1f}\n",
        60 * parts / left[6, parts], waiting / parts, cost
}'
