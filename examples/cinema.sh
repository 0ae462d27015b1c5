#!/usr/bin/env bash
# A cinema box office: three tools in plain bash (3.2 or newer), and nothing else to install.
#
#   candor list examples/cinema.sh
#   candor call examples/cinema.sh book_ticket movieId=1 showTime=13:30 numTickets=2
#
# A tool is a function named tool_<name>. The comment that touches it is what the model reads about
# it. Its arguments arrive in $arg_<name>, checked against the lines that begin with @arg. It prints
# its answer and returns 0, or it prints what should change and returns 1.

# List the films showing today, each with its id, rating, price and show times.
# @out  films:object[]
# @does read
tool_get_movies() {
  local id title rating price times before='{"films":['
  for id in ${film_ids//,/}; do
    find_film "$id"
    printf '%s{"id":%d,"title":"%s","rating":"%s","price":%s,"showTimes":["%s"]}' \
      "$before" "$id" "$title" "$rating" "$(money "$price")" "${times//, /\",\"}"
    before=$',\n '
  done
  echo ']}'
}

# Book seats for one showing, and return the booking with its total price.
# @arg  movieId:integer(1..)            The id of a film, from get_movies
# @arg  showTime:string(/^\d\d:\d\d$/)  A time that film is shown, such as 13:30
# @arg  numTickets:integer(1..10)       How many seats
# @out  bookingId:string movie:string showTime:string numTickets:integer total:number
# @does write, idempotent
tool_book_ticket() {
  local title rating price times
  if ! find_film "$arg_movieId"; then
    echo "movieId: there is no film $arg_movieId. Send one of $film_ids, or call get_movies."
    return 1
  fi
  if [[ ", $times, " != *", $arg_showTime, "* ]]; then
    echo "showTime: must be one of $times for $title. Got $arg_showTime."
    return 1
  fi

  # Every call is a new fork of this shell, so a counter in a variable would start again each time.
  # The booking is named after what it holds: the same call twice is the same booking.
  printf '{"bookingId":"BK-%d-%s-%d","movie":"%s","showTime":"%s","numTickets":%d,"total":%s}\n' \
    "$arg_movieId" "${arg_showTime//:/}" "$arg_numTickets" \
    "$title" "$arg_showTime" "$arg_numTickets" "$(money $(( price * arg_numTickets )))"
}

# Tell whether a guest may see a film. Fails if the guest is too young for its rating.
# @arg  age:integer(0..120)       The guest's age in whole years
# @arg  movieRating:U|PG-13|A     The film's rating, from get_movies
# @does read
tool_validate_age() {
  local least=0
  case $arg_movieRating in
    A) least=18 ;;
    PG-13) least=13 ;;
  esac
  if (( arg_age < least )); then
    echo "age: must be at least $least for a film rated $arg_movieRating. Got $arg_age." \
      "A film rated U is open to every age."
    return 1
  fi
  echo "A guest of $arg_age may see a film rated $arg_movieRating."
}

# ---- What is on --------------------------------------------------------------------------------

film_ids='1, 2, 3, 4'

# find_film ID: sets title, rating, price (in cents) and times, or fails.
find_film() {
  case $1 in
    1) title='The Long Tide' rating=PG-13 price=1250 times='10:00, 13:30, 17:00, 20:30' ;;
    2) title='Night Train North' rating=A price=1150 times='18:30, 21:00' ;;
    3) title='Paper Lanterns' rating=U price=900 times='10:30, 13:00, 16:30' ;;
    4) title='The Clockmaker' rating=PG-13 price=1050 times='11:30, 15:00, 18:00' ;;
    *) return 1 ;;
  esac
}

# money CENTS: 1250 is 12.50.
money() { printf '%d.%02d' $(( $1 / 100 )) $(( $1 % 100 )); }
