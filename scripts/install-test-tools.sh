#!/usr/bin/env bash
# Installs the programs that the tests compare Lazuli with, where this machine lets us and where they are missing:
#
#   gcc, also for -m32   the reference for C: sizes, layouts, what compiles, what a program prints
#   cadical              a native SAT solver beside the bundled WebAssembly one
#   cbmc                 a verifier that reads the C we emit (version 5.12, the one of Debian 11)
#   frama-c              an analyser that reads the C we emit
#   chromium             the browser in which the report and the playground are tried
#   redis-server         the queue of swarms on many machines
#   slurm                runs swarms on clusters
#   openssl              makes the certificates with which that queue is tried
#   gdb                  the debugger that `replay --gdb` starts
#   python3              for the tool-info module of BenchExec
#
# Nothing here is needed to use Lazuli, and nothing here fails: what cannot be had is named with the reason, and the
# tests that want it say so in their turn. Whoever wants missing tools to be errors sets LAZULI_REQUIRE_TOOLS=1.
#
# The machine's own apt configuration is left as it was: the Debian 11 source lives in a temporary folder and is
# gone when the script ends.

set -u
export DEBIAN_FRONTEND=noninteractive

left_out=()
as_root=()
updated=no

has() { command -v "$1" >/dev/null 2>&1; }

leave_out() { left_out+=("$1: $2"); }

gcc_works() {
  local out
  out=$(mktemp) || return 1
  printf '#include <stdio.h>\n#include <pthread.h>\nint main(void) { return 0; }\n' |
    gcc "$1" -x c -o "$out" - -pthread >/dev/null 2>&1
  local status=$?
  rm -f "$out"
  return $status
}

# Says in $why_not why packages cannot be installed; returns whether they can.
can_install() {
  why_not=
  if ! has apt-get; then
    why_not='this machine has no apt-get'
  elif [ "$(id -u)" = 0 ]; then
    as_root=()
  elif has sudo && sudo -n true 2>/dev/null; then
    as_root=(sudo -n)
  else
    why_not='not root, and no sudo without a password'
  fi
  [ -z "$why_not" ]
}

apt() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=120 "$@"
}

# install_packages TOOL PACKAGE…
install_packages() {
  local tool=$1 log
  shift
  if ! can_install; then
    leave_out "$tool" "$why_not"
    return 1
  fi
  log=$(mktemp)
  if [ $updated = no ]; then
    apt update >"$log" 2>&1 || true # Some list may be stale and the package still there: the install tells.
    updated=yes
  fi
  echo "installing $tool ($*)"
  if ! apt install -y --no-install-recommends "$@" >"$log" 2>&1; then
    leave_out "$tool" "apt-get install $* failed: $(tail -n 1 "$log")"
  fi
  rm -f "$log"
}

# Prints the machine's Debian sources with the suite changed to that of Debian 11, one `deb` line each. Reads both
# formats of apt: one-line `.list` files and `.sources` stanzas. Only the main suite is taken (no updates, no security).
debian_11_sources() {
  local codename=$1
  cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null |
    awk -v suite="$codename" '
      $1 == "deb" {
        at = ($2 ~ /^\[/) ? 0 : 2
        for (i = 2; !at && i <= NF; i++) if ($i ~ /\]$/) at = i + 1
        if ($(at + 1) == suite) { $(at + 1) = "bullseye"; print }
      }'
  cat /etc/apt/sources.list.d/*.sources 2>/dev/null |
    awk -v suite="$codename" '
      function flush(  n, i, words, options) {
        if (wanted && uris != "") {
          options = keyring == "" ? "" : "[signed-by=" keyring "] "
          n = split(uris, words, " ")
          for (i = 1; i <= n; i++) print "deb " options words[i] " bullseye main"
        }
        wanted = 0; uris = ""; keyring = ""
      }
      /^[[:space:]]*$/ { flush(); next }
      tolower($1) == "uris:" { $1 = ""; uris = $0 }
      tolower($1) == "signed-by:" && $2 ~ /^\// { keyring = $2 }
      tolower($1) == "types:" { flush() }
      tolower($1) == "suites:" { for (i = 2; i <= NF; i++) if ($i == suite) wanted = 1 }
      END { flush() }'
}

# CBMC 5.12 is in Debian 11 and not in later ones; its package installs on them without pulling in anything else of
# Debian 11. Apt keeps both its source and its package lists in a temporary folder for this one installation.
install_cbmc() {
  local codename folder
  if ! can_install; then
    leave_out cbmc "$why_not"
    return
  fi
  codename=$(. /etc/os-release 2>/dev/null && [ "${ID:-}" = debian ] && echo "${VERSION_CODENAME:-}")
  if [ -z "$codename" ]; then
    leave_out cbmc 'this machine is not a Debian, so the package of Debian 11 does not fit'
    return
  fi
  folder=$(mktemp -d) && chmod 755 "$folder"
  mkdir -p "$folder/sources" "$folder/lists/partial"
  cp /etc/apt/sources.list "$folder/sources/machine.list" 2>/dev/null
  cp /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources "$folder/sources/" 2>/dev/null
  debian_11_sources "$codename" | sort -u >"$folder/sources/lazuli-debian-11.list"
  local options=(-o Dir::Etc::SourceList=/dev/null -o "Dir::Etc::SourceParts=$folder/sources" -o "Dir::State::Lists=$folder/lists")
  if [ ! -s "$folder/sources/lazuli-debian-11.list" ]; then
    leave_out cbmc 'no Debian source in /etc/apt to derive the one of Debian 11 from'
  else
    echo 'installing cbmc (cbmc of Debian 11)'
    apt "${options[@]}" update >"$folder/log" 2>&1 || true # As above: the install tells.
    if ! apt "${options[@]}" install -y --no-install-recommends cbmc/bullseye >"$folder/log" 2>&1; then
      leave_out cbmc "apt-get install cbmc/bullseye failed: $(tail -n 1 "$folder/log")"
    fi
  fi
  "${as_root[@]}" rm -rf "$folder"
}

gcc_works -m64 || install_packages gcc gcc libc6-dev
gcc_works -m32 || install_packages 'gcc -m32' gcc gcc-multilib
has cadical || install_packages cadical cadical
has cbmc || install_cbmc
has frama-c || install_packages frama-c frama-c-base
has chromium || install_packages chromium chromium
has sbatch || install_packages slurm slurm-client slurmctld slurmd munge
has openssl || install_packages openssl openssl
has redis-server || install_packages redis-server redis-server
has gdb || install_packages gdb gdb
has python3 || install_packages python3 python3

for reason in "${left_out[@]}"; do
  echo "left out: $reason"
done
exit 0
