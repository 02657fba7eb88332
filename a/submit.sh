#!/bin/bash
# Submits both jobs. Options for sbatch (partition, account, time) are passed on.
id=$(sbatch --parsable "$@" /tmp/lz/queue/a/array.sbatch) || exit
echo "array job ${id%%;*}"
sbatch --dependency="afterany:${id%%;*}" "$@" /tmp/lz/queue/a/collect.sbatch
