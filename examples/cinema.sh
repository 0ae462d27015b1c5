#!/usr/bin/env bash
# A cinema box office: three tools in plain bash (3.2 or newer), and nothing else to install.
#
#   candor list examples/cinema.sh
#   candor call examples/cinema.sh book_ticket movieId=1 showTime=13:30 numTickets=2
#
# A tool is a function named tool_<name>. Its arguments arrive in $1 as one JSON object. It prints
# its answer and returns 0, or it prints what should change and returns 1. The comment that touches
# the function is what the model reads about it.

# List the films showing today, each with its id, rating, price and show times.
tool_get_movies() {
  local id title rating price times before='['
  for id in ${film_ids//,/}; do
    find_film "$id"
    printf '%s{"id":%d,"title":"%s","rating":"%s","price":%s,"showTimes":[%s]}' \
      "$before" "$id" "$title" "$rating" "$(money "$price")" "$times"
    before=$',\n '
  done
  echo ']'
}

# Book seats for one showing. Takes movieId (the id of a film, from get_movies),
# showTime (a time that film is shown, such as "13:30") and numTickets (1 to 10).
tool_book_ticket() {
  local movieId showTime numTickets title rating price times mistakes=0
  movieId=$(argument movieId "$1")
  showTime=$(argument showTime "$1")
  numTickets=$(argument numTickets "$1")

  expect movieId "$movieId" "one of $film_ids" 1 find_film &&
    expect showTime "$showTime" "one of ${times//\"/} for $title" "${times%%,*}" is_one_of "$times"
  expect numTickets "$numTickets" 'an integer from 1 to 10' 2 is_integer 1 10
  (( mistakes == 0 )) || return 1

  # Every call is a new fork of this shell, so a counter in a variable would start again each time.
  # The booking is named after what it holds: the same call twice is the same booking.
  printf '{"bookingId":"BK-%d-%s-%d","movie":"%s","showTime":%s,"numTickets":%d,"total":%s}\n' \
    "$movieId" "${showTime//[\":]/}" "$numTickets" \
    "$title" "$showTime" "$numTickets" "$(money $(( price * numTickets )))"
}

# Tell whether a guest may see a film. Takes age (in whole years) and movieRating
# ("U", "PG-13" or "A"). Fails if the guest is too young for that rating.
tool_validate_age() {
  local age movieRating least mistakes=0
  age=$(argument age "$1")
  movieRating=$(argument movieRating "$1")

  expect age "$age" 'an integer from 0 to 120' 21 is_integer 0 120
  expect movieRating "$movieRating" 'one of U, PG-13, A' '"U"' is_one_of '"U", "PG-13", "A"'
  (( mistakes == 0 )) || return 1

  case $movieRating in
    '"A"') least=18 ;;
    '"PG-13"') least=13 ;;
    *) least=0 ;;
  esac
  if (( age < least )); then
    echo "age: must be at least $least for a film rated ${movieRating//\"/}. Got $age." \
      "A film rated U is open to every age."
    return 1
  fi
  echo "A guest of $age may see a film rated ${movieRating//\"/}."
}

# ---- What is on --------------------------------------------------------------------------------

film_ids='1, 2, 3, 4'

# find_film ID: sets title, rating, price (in cents) and times, or fails.
find_film() {
  case $1 in
    1) title='The Long Tide' rating=PG-13 price=1250 times='"10:00", "13:30", "17:00", "20:30"' ;;
    2) title='Night Train North' rating=A price=1150 times='"18:30", "21:00"' ;;
    3) title='Paper Lanterns' rating=U price=900 times='"10:30", "13:00", "16:30"' ;;
    4) title='The Clockmaker' rating=PG-13 price=1050 times='"11:30", "15:00", "18:00"' ;;
    *) return 1 ;;
  esac
}

# money CENTS: 1250 is 12.50.
money() { printf '%d.%02d' $(( $1 / 100 )) $(( $1 % 100 )); }

# ---- Arguments ---------------------------------------------------------------------------------

# argument NAME JSON: prints one member of the object JSON as it was sent: 2, or "two" with its
# quotes and escapes, or nothing if there is none. That keeps 2 and "2" apart, and a value that is
# repeated in an answer cannot break it. JSON is valid: no call with anything else gets this far.
argument() {
  local wanted="\"$1\"" json=$2 word depth=0 key='' value=''
  local string='"[^"\]*(\\.[^"\]*)*"'
  local token="^($string|[][{}:,]|[^][{}:,\"]+)"
  while [[ $json =~ $token ]]; do
    word=${BASH_REMATCH[0]}
    json=${json:${#word}}
    case $word in
      '{' | '[') (( depth += 1 )) ;;
      '}' | ']') (( depth -= 1 )) ;;
      [^\":,]*) word=${word//[[:space:]]/} word=${word%.0} ;; # 2.0 is the number 2
    esac
    case $depth$word in # depth 1 is inside the outer braces
      '1{') ;;
      '1:') key=$value value='' ;;
      '1,' | '0}')
        if [[ $key == "$wanted" ]]; then
          printf %s "$value"
          return
        fi
        value=''
        ;;
      *) value+=$word ;;
    esac
  done
}

# expect NAME VALUE WHAT EXAMPLE CHECK...: succeeds if CHECK... VALUE does. If not, says which
# argument to change, what it must be, what came and what would work, and counts a mistake.
expect() {
  local name=$1 value=$2 what=$3 example=$4 got=$2 fix="Send $4, for example."
  shift 4
  "$@" "$value" && return

  (( mistakes += 1 ))
  case $value in
    '')
      echo "$name: is missing. Add $what, for example \"$name\": $example."
      return 1
      ;;
    '{'*) got='an object' ;;
    '['*) got='an array' ;;
    *) (( ${#value} <= 42 )) || got='more than 40 characters' ;;
  esac
  if [[ $value == \"* && $example != \"* ]]; then
    [[ $got == \"* ]] && got="the string $got"
    fix="Send a number, for example $example."
    "$@" "${value//\"/}" && fix="Send ${value//\"/} without quotes."
  fi
  echo "$name: must be $what. Got $got. $fix"
  return 1
}

# is_integer LOWEST HIGHEST VALUE. The pattern comes first: bash would run code hidden in a number.
is_integer() { [[ $3 =~ ^(0|[1-9][0-9]{0,3})$ ]] && (( $1 <= $3 && $3 <= $2 )); }

# is_one_of LIST VALUE: LIST holds JSON values, with a comma and a space between them.
is_one_of() { [[ -n $2 && ", $1, " == *", $2, "* ]]; }
