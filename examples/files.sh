#!/usr/bin/env bash
# The files of one folder, to look at and never to change.
#
#   candor call examples/files.sh list_files path=docs
#   FILES_ROOT=/srv/notes candor call --env FILES_ROOT examples/files.sh search_files text=lunch
#
# The folder is FILES_ROOT, or the one in which candor runs. A path that a model sends stays within
# it, whatever dots and links are on the way.

root=$(cd -P -- "${FILES_ROOT:-.}" && pwd) || exit
root=${root%/}

# List what is in a folder. Names of folders end with a slash.
# @arg  path:string(1..1000)=.  A folder, such as docs or docs/images
# @does read
tool_list_files() {
  local real entry shown=0
  find_inside "$arg_path" || return
  if [[ ! -d $real ]]; then
    echo "path: is a file. Send a folder, or call read_file."
    return 1
  fi
  shopt -s nullglob dotglob
  for entry in "$real"/*; do
    if (( (shown += 1) > 200 )); then
      echo "(There are more. Send a folder within this one.)"
      return
    fi
    [[ ! -d $entry ]] || entry+=/
    echo "${entry#"$real"/}"
  done
  (( shown > 0 )) || echo "(The folder is empty.)"
}

# Read a text file, or some lines of it.
# @arg  path:string(1..1000)      A file, such as docs/serve.md
# @arg  from:integer(1..)=1       The first line to read
# @arg  lines:integer(1..500)=200 How many lines
# @does read
# @limit output=100K
tool_read_file() {
  local real
  find_inside "$arg_path" || return
  if [[ ! -f $real ]]; then
    echo "path: is not a file. Send a file, or call list_files."
    return 1
  fi
  if [[ -s $real ]] && ! LC_ALL=C grep -qI '' "$real"; then
    echo "path: is not a text. Send another file."
    return 1
  fi
  awk -v from="$arg_from" -v lines="$arg_lines" '
    from <= NR && NR < from + lines
    END {
      last = from + lines - 1
      if (NR > last) printf "(These are lines %d to %d of %d.)\n", from, last, NR
      if (from > NR && from > 1) {
        printf "from: must be at most %d, which is how many lines there are. Got %d.\n", NR, from
        exit 1
      }
    }' <"$real"
}

# Find the lines in which a text stands, with file and line number.
# @arg  text:string(1..200)     What to look for; upper and lower case count
# @arg  path:string(1..1000)=.  The folder, or the file, to look in
# @does read
# @limit time=20s
tool_search_files() {
  local real hit found=0
  find_inside "$arg_path" || return
  while IFS= read -r hit; do
    if (( (found += 1) > 50 )); then
      echo "(There are more. Send a longer text, or a folder within this one.)"
      return
    fi
    hit=${hit#"$root"/}
    echo "${hit:0:300}"
  done < <(grep -rHnIF -e "$arg_text" -- "$real")
  (( found > 0 )) || echo "Nowhere."
}

# find_inside PATH: sets real to where PATH leads once all links are followed. Fails, and says why,
# if that is nowhere, or outside.
find_inside() {
  local folder name link links=0
  if [[ /$1/ == */../* ]]; then
    echo "path: must not have .. in it. Paths start in the folder of this tool, like docs/serve.md."
    return 1
  fi
  real=$root/$1
  while true; do
    if [[ -d $real ]]; then
      folder=$real name=
    else
      folder=${real%/*} name=/${real##*/}
    fi
    folder=$(cd -P -- "$folder/" 2>/dev/null && pwd) || break
    real=${folder%/}$name
    if [[ ! -L $real ]]; then
      [[ -e $real ]] || break
      [[ $real/ == "$root"/* ]] && return
      echo "path: leads out of the folder of this tool. Send another one."
      return 1
    fi
    (( (links += 1) <= 20 )) || break
    link=$(readlink "$real")
    real=$folder/$link
    [[ $link != /* ]] || real=$link
  done
  echo "path: there is no such file or folder. Call list_files to see what there is."
  return 1
}
