#!/usr/bin/env bash
# The history of one repository, to look at and never to change. Needs git 2.30 or newer.
#
#   candor call examples/git.sh log count=3
#   GIT_ROOT=~/src/notes candor call --env GIT_ROOT examples/git.sh blame path=README.md
#
# The repository is the one that GIT_ROOT is in, or the folder in which candor runs. What a model
# sends never becomes an option of git: a revision is looked up first, and only the number of its
# commit goes on; paths stand behind --.

# List commits, the newest first: number, date, author and subject.
# @arg  rev:string(1..200)=HEAD  Where to begin: a branch, a tag or the number of a commit
# @arg  path?:string(1..1000)    Only commits that changed this file or folder
# @arg  author?:string(1..100)   Only commits of whoever has this in their name or address
# @arg  count:integer(1..100)=20 How many
# @does read
tool_log() {
  local commit log
  find_commit rev "$arg_rev" || return
  log=$(look log --max-count="$arg_count" --date=short --format='%h %ad %an: %s' \
    ${arg_author+-i --fixed-strings --author="$arg_author"} "$commit" -- ${arg_path+"$arg_path"}) ||
    return
  echo "${log:-No such commits.}"
}

# Show a commit: who, when, why, and what it changed.
# @arg  rev:string(1..200)      A branch, a tag or the number of a commit, from log
# @arg  path?:string(1..1000)   Only what it changed in this file or folder
# @does read
# @limit output=64K
tool_show() {
  local commit
  find_commit rev "$arg_rev" || return
  look show --stat --patch --no-ext-diff --no-textconv --format=fuller "$commit" -- \
    ${arg_path+"$arg_path"}
}

# Show what changed from one revision to another.
# @arg  from:string(1..200)     A branch, a tag or the number of a commit
# @arg  to:string(1..200)=HEAD  The same, for the later one
# @arg  path?:string(1..1000)   Only in this file or folder
# @does read
# @limit output=64K
tool_diff() {
  local commit from difference
  find_commit from "$arg_from" || return
  from=$commit
  find_commit to "$arg_to" || return
  difference=$(look diff --no-ext-diff --no-textconv "$from" "$commit" -- \
    ${arg_path+"$arg_path"}) || return
  echo "${difference:-Nothing has changed.}"
}

# Tell for each line of a file which commit it comes from.
# @arg  path:string(1..1000)       The file
# @arg  rev:string(1..200)=HEAD    As it was in this branch, tag or commit
# @arg  from:integer(1..)=1        The first line
# @arg  lines:integer(1..500)=100  How many lines
# @does read
tool_blame() {
  local commit length
  find_commit rev "$arg_rev" || return
  if [[ $(look cat-file -t "$commit:./$arg_path" 2>/dev/null) != blob ]]; then
    echo "path: is not a file in $arg_rev. Send a path from the folder of this tool on."
    return 1
  fi
  length=$(look show "$commit:./$arg_path" | grep -c '')
  if (( arg_from > length )); then
    echo "from: must be at most $length, which is how many lines there are. Got $arg_from."
    return 1
  fi
  look blame --no-textconv --date=short -L "$arg_from,+$arg_lines" "$commit" -- "$arg_path"
}

# find_commit NAME REVISION: sets commit to its number. Fails, and says why, if there is none.
find_commit() {
  commit=$(look rev-parse --quiet --verify --end-of-options "$2^{commit}") && return
  if ! look rev-parse --git-dir >/dev/null; then
    echo "This tool has no repository to look at. Changing the arguments will not help."
    return 1
  fi
  echo "$1: there is no \"$2\" here. Send a branch, a tag or the number of a commit, like HEAD~2."
  return 1
}

# look COMMAND ARGUMENT...: git, which neither waits for anyone nor writes anything.
look() {
  GIT_OPTIONAL_LOCKS=0 GIT_TERMINAL_PROMPT=0 \
    git -C "${GIT_ROOT:-.}" --no-pager --literal-pathspecs \
    -c core.fsmonitor=false -c log.showSignature=false "$@"
}
