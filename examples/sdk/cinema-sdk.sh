#!/usr/bin/env bash
# The box office of ../cinema.sh, laid out as the bash MCP server SDK wants it: paths to two JSON
# files, the SDK's core, tool functions, and a start at the end. candor serves it unchanged:
#
#   candor call examples/sdk/cinema-sdk.sh book_ticket movieId=1 showTime=13:30 numTickets=2
#
# assets/tools.json says what the model reads about the tools, so comments here are for people only.

MCP_CONFIG_FILE="$(dirname "${BASH_SOURCE[0]}")/assets/config.json"
MCP_TOOLS_LIST_FILE="$(dirname "${BASH_SOURCE[0]}")/assets/tools.json"
MCP_LOG_FILE="$(dirname "${BASH_SOURCE[0]}")/cinema-sdk.log"

# Under candor this file need not be there. To run the script by itself, put the SDK's core here.
source "$(dirname "${BASH_SOURCE[0]}")/mcpserver_core.sh"

tool_get_movies() {
  local id title rating cents times before='['
  for id in 1 2 3 4; do
    find_film "$id"
    printf '%s{"id":%d,"title":"%s","rating":"%s","price":%s,"showTimes":[%s]}' \
      "$before" "$id" "$title" "$rating" "$(money "$cents")" "$times"
    before=$',\n '
  done
  echo ']'
  return 0
}

tool_book_ticket() {
  local movie_id show_time seats title rating cents times
  movie_id=$(field movieId "$1")
  show_time=$(field showTime "$1")
  seats=$(field numTickets "$1")

  if ! find_film "$movie_id"; then
    echo "movieId: must be one of 1, 2, 3, 4. Send 1, for example."
    return 1
  fi
  if [[ -z $show_time || ", $times, " != *", $show_time, "* ]]; then
    echo "showTime: must be one of ${times//\"/} for $title. Send ${times%%,*}, for example."
    return 1
  fi
  if ! [[ $seats =~ ^([1-9]|10)$ ]]; then
    echo "numTickets: must be an integer from 1 to 10. Send 2, for example."
    return 1
  fi

  printf '{"bookingId":"BK-%d-%s-%d","movie":"%s","showTime":%s,"numTickets":%d,"total":%s}\n' \
    "$movie_id" "${show_time//[\":]/}" "$seats" \
    "$title" "$show_time" "$seats" "$(money $(( cents * seats )))"
  return 0
}

tool_validate_age() {
  local age rating least
  age=$(field age "$1")
  rating=$(field movieRating "$1")

  if ! [[ $age =~ ^(0|[1-9][0-9]?|1[01][0-9]|120)$ ]]; then
    echo "age: must be an integer from 0 to 120. Send 21, for example."
    return 1
  fi
  case $rating in
    '"U"') least=0 ;;
    '"PG-13"') least=13 ;;
    '"A"') least=18 ;;
    *)
      echo "movieRating: must be one of U, PG-13, A. Send \"U\", for example."
      return 1
      ;;
  esac
  if (( age < least )); then
    echo "age: must be at least $least for a film rated ${rating//\"/}. Got $age." \
      "A film rated U is open to every age."
    return 1
  fi
  echo "A guest of $age may see a film rated ${rating//\"/}."
  return 0
}

# find_film ID: sets title, rating, cents and times, or fails.
find_film() {
  case $1 in
    1) title='The Long Tide' rating=PG-13 cents=1250 times='"10:00", "13:30", "17:00", "20:30"' ;;
    2) title='Night Train North' rating=A cents=1150 times='"18:30", "21:00"' ;;
    3) title='Paper Lanterns' rating=U cents=900 times='"10:30", "13:00", "16:30"' ;;
    4) title='The Clockmaker' rating=PG-13 cents=1050 times='"11:30", "15:00", "18:00"' ;;
    *) return 1 ;;
  esac
}

# money CENTS: 1250 is 12.50.
money() { printf '%d.%02d' $(( $1 / 100 )) $(( $1 % 100 )); }

# field NAME JSON: prints one member as it was sent, a string with its quotes. For flat objects,
# which is all that the schemas in assets/tools.json allow.
field() {
  local string='"[^"\]*(\\.[^"\]*)*"'
  local member="[{,][[:space:]]*\"$1\"[[:space:]]*:[[:space:]]*($string|[^],}[:space:]]+)"
  [[ $2 =~ $member ]] && printf %s "${BASH_REMATCH[1]%.0}"
}

case "${1:-}" in
  -h | --help) echo "usage: ${0##*/}    serves three tools over stdin and stdout" ;;
  *) run_mcp_server "$@" ;;
esac
