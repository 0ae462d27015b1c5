# The warm shell: loads one tools file, then forks a runner for each call that overlaps another.
#
# Started as `bash --norc --noprofile -p -c THIS FILE`, so that `$0` and BASH_SOURCE are FILE and
# `$@` is empty, as when FILE is run by itself. Standard input is the request pipe, standard output
# the status pipe; both move out of the way before FILE is read.
#
# Written for bash 3.2. Everything of ours is named `__candor_`, and builtins are called through
# `builtin`, because FILE may define functions of any other name. (`builtin exec` would undo its
# redirections; `command exec` keeps them.)

command exec 97<&0 98>&1 0</dev/null 1>&2
IFS= builtin read -r -u 97 __candor_at     # where the ends of pipes are found: a prefix for their names
IFS= builtin read -r -u 97 __candor_folder # what the names of the calls' folders begin with
__candor_core=none
__candor_entered=no
__candor_sourced=()
__candor_last=$0

# ---- What tools may say ---------------------------------------------------------------------

# Besides its answer a tool speaks on a channel of its own, a line for each thing it says. A line is
# written whole, because it is short.
candor() {
  local IFS=' ' __candor_verb=${1-} __candor_first=${2-} __candor_second=${3-}
  [[ $# == 0 ]] || builtin shift
  case $__candor_verb in
  progress)
    __candor_counts "$__candor_first" || {
      __candor_misused 'progress DONE [TOTAL] [TEXT]'
      builtin return 2
    }
    builtin shift
    if __candor_counts "$__candor_second"; then builtin shift; else __candor_second=-; fi
    __candor_say "progress $__candor_first $__candor_second" "$*"
    ;;
  log)
    case $__candor_first in
    debug | info | notice | warning | error | critical | alert | emergency) builtin shift ;;
    *)
      __candor_misused 'log LEVEL TEXT, and a LEVEL is debug, info, notice, warning or error'
      builtin return 2
      ;;
    esac
    __candor_say "log $__candor_first" "$*"
    ;;
  attach)
    [[ -z $__candor_second || $__candor_second =~ ^[A-Za-z0-9.+-]+/[A-Za-z0-9.+-]+$ ]] || {
      __candor_misused 'attach FILE [TYPE], and a TYPE is like image/png'
      builtin return 2
    }
    [[ -f $__candor_first && -r $__candor_first ]] || {
      builtin printf 'candor attach: %s is not a file that can be read\n' "$__candor_first" >&2
      builtin return 1
    }
    __candor_own attached || builtin return 1
    local __candor_copy
    __candor_copy=$(command mktemp "$CANDOR_FOLDER/attached/XXXXXXXX") &&
      command head -c "$((CANDOR_OUTPUT + 1))" <"$__candor_first" >"$__candor_copy" &&
      __candor_say "attach ${__candor_copy##*/} ${__candor_second:--}" "${__candor_first##*/}"
    ;;
  temp) __candor_own temp && builtin printf '%s\n' "$CANDOR_FOLDER/temp" ;;
  ask)
    [[ $__candor_first =~ ^[A-Za-z0-9_.-]+:[^[:space:]]+$ ]] || {
      __candor_misused 'ask KEY:TYPE TEXT'
      builtin return 2
    }
    builtin shift
    __candor_say "ask $__candor_first" "$*" && builtin return 10
    ;;
  *)
    __candor_misused 'progress, candor log, candor attach, candor temp or candor ask'
    builtin return 2
    ;;
  esac
}

__candor_say() {
  local __candor_text=${2:0:1000}
  [[ $__candor_text != *[[:cntrl:]]* ]] || __candor_text=${__candor_text//[[:cntrl:]]/ }
  if [[ -n ${CANDOR_FD-} ]]; then
    builtin printf '%s %s\n' "$1" "$__candor_text" >&"$CANDOR_FD"
  else
    builtin printf 'candor %s %s\n' "$1" "$__candor_text" >&2
  fi
}

# Not a regular expression, which each call would have to compile.
__candor_counts() {
  case $1 in '' | .* | *. | *.*.* | *[!0-9.]*) builtin return 1 ;; esac
  ((${#1} < 32))
}

__candor_misused() { builtin printf 'Write candor %s.\n' "$1" >&2; }

# A folder within the call's own, which nobody else can look into.
__candor_own() {
  [[ -n ${CANDOR_FOLDER-} ]] || {
    builtin printf 'candor keeps files for a call, and no tool is called\n' >&2
    builtin return 1
  }
  [[ -d $CANDOR_FOLDER ]] || command mkdir -m 700 "$CANDOR_FOLDER" 2>/dev/null
  [[ -O $CANDOR_FOLDER && ! -L $CANDOR_FOLDER ]] || {
    builtin printf '%s cannot be made\n' "$CANDOR_FOLDER" >&2
    builtin return 1
  }
  [[ -d $CANDOR_FOLDER/$1 ]] || command mkdir "$CANDOR_FOLDER/$1" 2>/dev/null || [[ -d $CANDOR_FOLDER/$1 ]]
}

# ---- While FILE is read ---------------------------------------------------------------------

# The loop is ours, whoever else defined one by that name.
__candor_ours() {
  run_mcp_server() { __candor_serve; }
  run_mcp_http_server() { __candor_serve; }
}

__candor_note() {
  __candor_last=$1
  case $1 in
  "$0" | environment | main | '') builtin return 0 ;;
  /*) ;;
  *) builtin set -- "$PWD/$1" ;;
  esac
  local __candor_noted
  for __candor_noted in ${__candor_sourced[@]+"${__candor_sourced[@]}"}; do
    [[ $__candor_noted != "$1" ]] || builtin return 0
  done
  __candor_sourced+=("$1")
}

# `source FILE` is about to run. Only a core that is missing gets our functions in the way:
# a file sourced from inside a function would lose what it declares.
__candor_sourcing() {
  builtin unset -f source . 2>/dev/null
  case ${1##*/} in
  *mcpserver_core* | *mcpserver_http*)
    if [[ -e $1 ]] || { [[ $1 != */* ]] && builtin type -P "$1" >/dev/null; }; then
      __candor_core=real
    else
      source() { __candor_stub "$1"; }
      .() { __candor_stub "$1"; }
      builtin return 0
    fi
    ;;
  esac
  [[ ! -f $1 ]] || __candor_note "$1"
}

# Stands in for a core that is not there: the same defaults, and the functions a script may use.
__candor_stub() {
  local __candor_folder=.
  [[ $1 != */* ]] || __candor_folder=${1%/*}
  [[ $__candor_core == real ]] || __candor_core=stub
  case ${1##*/} in
  *mcpserver_http*)
    : "${MCP_HTTP_PORT:=3000}" "${MCP_HTTP_BIND:=127.0.0.1}" "${MCP_HTTP_PATH:=/mcp}"
    : "${MCP_ALLOWED_ORIGINS:=http://localhost,http://127.0.0.1}"
    : "${MCP_HTTP_SELF:=$0}"
    ;;
  *)
    SCRIPT_DIR=$(builtin cd "${__candor_folder:-/}" 2>/dev/null && builtin pwd) ||
      SCRIPT_DIR=$__candor_folder
    MCP_PROTOCOL_VERSION=2026-07-28
    : "${MCP_CONFIG_FILE:=$SCRIPT_DIR/assets/mcpserverconfig.json}"
    : "${MCP_TOOLS_LIST_FILE:=$SCRIPT_DIR/assets/tools_list.json}"
    : "${MCP_LOG_FILE:=$SCRIPT_DIR/mcpserver.log}"
    : "${MCP_DEFAULT_TTL_MS:=60000}" "${MCP_DEFAULT_CACHE_SCOPE:=public}"
    [[ ${MCP_FS+set} ]] || builtin readonly MCP_FS=$'\x1f'
    __candor_helpers
    ;;
  esac
}

__candor_helpers() {
  log() {
    [[ ${MCP_LOG_STDERR:-0} != 1 ]] || builtin printf '[%s] %s\n' "$1" "$2" >&2
    [[ -d ${MCP_LOG_FILE%/*} ]] || mkdir -p -- "${MCP_LOG_FILE%/*}" 2>/dev/null
    { builtin printf '[%s] [%s] %s\n' "$(date '+%Y-%m-%d %H:%M:%S')" "$1" "$2" \
      >>"$MCP_LOG_FILE"; } 2>/dev/null
    builtin return 0
  }
  # One line of JSON. Without jq the line ends go, which JSON text has only between its tokens.
  read_json_file() {
    [[ -f $1 ]] || {
      log ERROR "not found: $1"
      builtin return 1
    }
    if builtin type -P jq >/dev/null; then
      jq -c . "$1" 2>/dev/null || {
        log ERROR "not JSON: $1"
        builtin return 1
      }
    else
      tr -d '\r\n' <"$1" && builtin printf '\n'
    fi
  }
  # create_response ID, the result on standard input.
  create_response() {
    builtin printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$1" "$(tr -d '\r\n')"
  }
  # create_error_response ID CODE MESSAGE [DATA]
  create_error_response() {
    local message=${3//\\/\\\\} data=
    message=${message//\"/\\\"}
    message=${message//$'\n'/\\n}
    [[ -z ${4:-} ]] || data=,\"data\":$4
    builtin printf '{"jsonrpc":"2.0","id":%s,"error":{"code":%s,"message":"%s"%s}}\n' \
      "$1" "$2" "$message" "$data"
  }
}

# ---- Once FILE is read ----------------------------------------------------------------------

# FILE called run_mcp_server, or just ended.
__candor_serve() {
  [[ $__candor_entered == no ]] || builtin return 0
  __candor_entered=yes
  # What FILE set for itself would trip our loop; a tool gets it back. Not `-e`: the loop that
  # FILE was written for runs its tools where that is not inherited.
  __candor_set=
  case $- in *a*) builtin set +a && __candor_set=a ;; esac
  builtin export -n __candor_at __candor_folder __candor_core __candor_entered __candor_sourced __candor_last \
    __candor_look __candor_set
  builtin export -nf run_mcp_server run_mcp_http_server
  case $- in *u*) __candor_set+=u ;; esac
  case $- in *x*) __candor_set+=x ;; esac
  case $- in *E*) __candor_set+=E ;; esac
  __candor_pipefail=+o
  [[ ! -o pipefail ]] || __candor_pipefail=-o
  local __candor_errexit=+e
  case $- in *e*) __candor_errexit=-e ;; esac
  builtin trap - DEBUG
  builtin set +euxET
  builtin set +o pipefail
  builtin unset -f source . 2>/dev/null
  if ((BASH_SUBSHELL > 0)); then
    builtin printf 'subshell\0' >&98
    builtin exit 1
  fi
  __candor_tell >&98
  command exec 98>&- 1>/dev/null 2>/dev/null
  builtin set -m
  local __candor_request __candor_report
  while IFS=' ' builtin read -r -u 97 __candor_request __candor_report; do
    [[ $__candor_request != end ]] || break
    __candor_run "$__candor_request" "$__candor_report" &
  done
  if [[ $__candor_request != end ]]; then
    # The host is gone without a word, and its calls are still there.
    local IFS=$'\n' __candor_runner
    for __candor_runner in $(builtin jobs -p); do
      builtin kill -TERM "$__candor_runner"
    done
  fi
  builtin set +m "$__candor_errexit" "$__candor_pipefail" pipefail
  [[ -z $__candor_set ]] || builtin set "-$__candor_set"
}

# Records end with NUL, so that a value may hold anything a variable can.
__candor_tell() {
  local __candor_name IFS=$'\n'
  builtin printf '%s\0' "status=${__candor_ended:-0}" "core=$__candor_core" "folder=$PWD"
  for __candor_name in MCP_CONFIG_FILE MCP_TOOLS_LIST_FILE MCP_LOG_FILE MCP_DEFAULT_TTL_MS \
    MCP_DEFAULT_CACHE_SCOPE MCP_PROTOCOL_VERSION; do
    [[ -z ${!__candor_name+set} ]] ||
      builtin printf '%s=%s\0' "$__candor_name" "${!__candor_name}"
  done
  [[ ${#__candor_sourced[@]} == 0 ]] ||
    builtin printf 'sourced=%s\0' "${__candor_sourced[@]}"
  builtin printf 'functions='
  builtin set -f
  builtin shopt -s extdebug # makes `declare -F` say where each function stands
  builtin declare -F $(builtin compgen -A function)
  builtin shopt -u extdebug
  builtin set +f
  builtin printf '\0ready\0'
}

# One call at a time, each in a subshell that leads its own process group. Requests come in and
# reports go out where a call has other things.
__candor_run() {
  command exec <"$__candor_at$1" >>"$__candor_at$2" 97<&- || builtin exit 1
  # Where the host's ends are found is not for tools to know.
  builtin set -- "$__candor_at"
  builtin unset __candor_at
  local __candor_id __candor_out __candor_err __candor_said __candor_work
  local __candor_runs __candor_argument __candor_status __candor_group=
  builtin trap '[[ -z $__candor_group ]] || builtin kill -KILL -- "-$__candor_group"
    builtin exit 0' TERM
  builtin set -m # a fork has none of it
  builtin set "$__candor_pipefail" pipefail
  CANDOR_FD=96 # others are for tools to use
  builtin export CANDOR_FD CANDOR_FOLDER CANDOR_OUTPUT
  builtin printf 'up %s\n' "${BASHPID:-0}"
  while IFS=' ' builtin read -r -d '' __candor_id __candor_out __candor_err __candor_said \
    __candor_work CANDOR_OUTPUT __candor_runs __candor_argument; do
    CANDOR_FOLDER=$__candor_folder$__candor_id
    [[ -z $__candor_set ]] || builtin set "-$__candor_set"
    # Appending: should the other end have been closed and its number have gone to a file of
    # the host's, nothing is cut.
    ("$__candor_runs" "$__candor_argument") <"$1$__candor_work" 96>>"$1$__candor_said" \
      >>"$1$__candor_out" 2>>"$1$__candor_err" &
    [[ -z $__candor_set ]] || builtin set "+$__candor_set"
    __candor_group=$!
    builtin printf '%s group %s\n' "$__candor_id" "$__candor_group"
    builtin wait "$__candor_group"
    __candor_status=$?
    # What the tool left behind goes before the answer does.
    builtin kill -KILL -- "-$__candor_group"
    __candor_group=
    builtin printf '%s status %s\n' "$__candor_id" "$__candor_status"
  done
  builtin exit 0
}

# A call for which a line is not enough. Its standard input says whose it is, how much it may compute
# and fill, what it runs, and which variables it sets; then its arguments and their values.
__candor_prepared() {
  builtin set +x
  IFS=' ' builtin read -r __candor_status __candor_cpu __candor_memory __candor_runs __candor_names
  [[ $__candor_status == "$__candor_id" ]] || builtin exit 1
  [[ $__candor_cpu == - ]] || builtin ulimit -t "$__candor_cpu" 2>/dev/null
  [[ $__candor_memory == - ]] || builtin ulimit -d "$__candor_memory" 2>/dev/null
  if [[ $__candor_runs == / ]]; then
    IFS= builtin read -r __candor_runs
    # Some shells know no number of two digits, and a program has opened none yet.
    CANDOR_FD=3
    # Its standard input is what is left to read here.
    command exec "$__candor_runs" 3>&96 96>&-
    builtin exit
  fi
  IFS= builtin read -r -d '' __candor_argument
  __candor_assign
  command exec </dev/null
  case $__candor_set in *x*) builtin set -x ;; esac
  "$__candor_runs" "$__candor_argument"
}

# Most variables at once; one by one those whose values hold what stands between the others. What
# has no value has none, whatever FILE made of it.
__candor_assign() {
  local IFS=' '
  [[ -z $__candor_names ]] ||
    IFS=$'\037' builtin read -r -d '' $__candor_names __candor_rest
  while IFS= builtin read -r -d '' __candor_names; do
    case $__candor_names in
    +*) IFS= builtin read -r -d '' "${__candor_names#+}" ;;
    *) builtin unset -v ${__candor_names#-} ;;
    esac
  done
}

# ---- Now --------------------------------------------------------------------------------------

__candor_ours
# Before each command of FILE. `$BASH_COMMAND` is its text, not yet expanded; what would cost a
# process to expand is looked at only where it names the core, and what would count or assign once
# too often not at all.
__candor_look='case $BASH_COMMAND in
  *run_mcp_server* | *run_mcp_http_server* | \$* | \"\$*) __candor_ours ;;
  "source "*"<("* | ". "*"<("*) ;;
  "source "*\$\(*mcpserver_* | ". "*\$\(*mcpserver_* | "source "*\`*mcpserver_* | ". "*\`*mcpserver_*)
    builtin eval "__candor_sourcing ${BASH_COMMAND#* }" || : ;;
  "source "*\$\(* | ". "*\$\(* | "source "*\`* | ". "*\`*) builtin unset -f source . 2>/dev/null || : ;;
  "source "*"++"* | ". "*"++"* | "source "*"--]"* | ". "*"--]"* | "source "*":="* | ". "*":="*)
    builtin unset -f source . 2>/dev/null || : ;;
  "source "* | ". "*) builtin eval "__candor_sourcing ${BASH_COMMAND#* }" || : ;;
  esac
  case ${BASH_SOURCE-} in "$__candor_last") ;; *) __candor_note "${BASH_SOURCE-}" ;; esac'
builtin set -T
# Parsed anew each time, and so as short as can be.
# No `[[`: where bash has given one up in FILE, it cannot read another for a while.
builtin trap 'case $BASH_COMMAND in [\$\".s]* | *run_mcp_*) builtin eval "$__candor_look" ;; *)
  case ${BASH_SOURCE-} in "$__candor_last") ;; *) builtin eval "$__candor_look" ;; esac ;; esac' DEBUG
builtin source "$0"
__candor_ended=$?
__candor_serve
