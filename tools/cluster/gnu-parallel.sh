#!/bin/sh
# Runs a sweep in N shards with GNU parallel, on this machine or over ssh, and merges them. Run it
# again after anything went wrong: only what is missing is computed.
#
#   tools/cluster/gnu-parallel.sh SPEC.json DIR N [options of parallel]
#   tools/cluster/gnu-parallel.sh sweep.json runs 64 --sshloginfile hosts --jobs 8
#
# Over ssh, this folder, SPEC.json and DIR are the same shared ones on every host. VGSIM is the
# program, by its full path unless it is on PATH everywhere (default: vgsim).
set -eu
# Else parallel takes each host's $SHELL, and where a host sets none it runs nothing without a word.
export PARALLEL_SHELL=/bin/sh
[ $# -ge 3 ] || { echo "usage: $0 SPEC.json DIR N [options of parallel]" >&2; exit 2; }
spec=$1 dir=$2 shards=$3 vgsim=${VGSIM:-vgsim}
shift 3

# A mistake in SPEC.json shows here once, instead of N times below.
"$vgsim" sweep "$spec" --output "$dir" --plan >&2
mkdir -p "$dir"

# 1 is an answer (an expectation failed), not a crash: the merge repeats it for the whole sweep.
# shellcheck disable=SC2016  # expanded where the shard runs
run='"$@"; status=$?; [ "$status" -ne 1 ] || status=0; exit "$status"'
seq "$shards" | parallel --will-cite --quote --workdir "$PWD" --retries 3 \
  --joblog "$dir/parallel-of-$shards.log" --resume-failed "$@" \
  sh -c "$run" sh "$vgsim" sweep "$spec" --output "$dir" --shard "{}/$shards" --jobs 1 --resume --yes ||
  echo "some shards are not complete: see $dir/parallel-of-$shards.log, and run this again" >&2

exec "$vgsim" sweep "$spec" --output "$dir" --merge
