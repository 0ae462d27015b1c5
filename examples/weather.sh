#!/usr/bin/env bash
# The weather: how to wrap a service on the network. Needs curl.
#
#   export WEATHER_URL=https://weather.example.com WEATHER_KEY=secret
#   candor call --env WEATHER_URL --env WEATHER_KEY examples/weather.sh forecast city=Lima hours=3
#
# The service is asked with GET $WEATHER_URL/forecast?city=Lima, and answers with a line of text for
# each hour, or with an HTTP status that says what is wrong. A model reads neither as it comes: it
# gets no more than it asked for, and of a failure what it can do about it.

# Tell the weather of the coming hours in a city, one line for each hour.
# @arg  city:string(1..80)      Its name, such as Lima or New York
# @arg  hours:integer(1..48)=6  How many hours ahead
# @does read, outside
# @limit time=20s rate=30/m
tool_forecast() {
  local status answer line known=0
  if [[ -z ${WEATHER_URL-} || -z ${WEATHER_KEY-} ]]; then
    echo "This tool has not been told its service, or has no key for it. $no_help"
    echo "pass on WEATHER_URL and WEATHER_KEY with --env" >&2
    return 1
  fi

  fetch forecast "city=$arg_city" || {
    echo "The weather service cannot be reached. $no_help"
    return 75 # The same call may work later.
  }
  case $status in
    200) ;;
    404)
      echo "city: the weather service knows no \"$arg_city\". Send another spelling," \
        "or a larger city nearby."
      return 1
      ;;
    401 | 403)
      echo "The weather service does not accept the key of this tool. $no_help"
      echo "WEATHER_KEY was refused with status $status" >&2 # For the log: the model has no key.
      return 1
      ;;
    429)
      echo "The weather service has been asked too often. Wait a minute before the next call."
      return 75
      ;;
    *)
      echo "The weather service is out of order. $no_help"
      echo "status $status: ${answer:0:200}" >&2
      return 75
      ;;
  esac

  while IFS= read -r line; do
    (( known += 1 ))
    (( known > arg_hours )) || echo "$line"
  done <<<"$answer"
  (( known <= arg_hours )) ||
    echo "($(( known - arg_hours )) more hours are known: hours takes up to 48.)"
}

no_help='Changing the arguments will not help.'

# fetch PATH NAME=VALUE...: sets status and answer, and fails if there is no answer.
fetch() {
  local path=$1 pair pairs=()
  shift
  for pair; do pairs+=(--data-urlencode "$pair"); done
  # -q: nothing that the user has set for curl changes what is asked. The key comes in a file that is
  # a pipe: on the command line, every user of this machine could read it.
  answer=$(
    curl -q --silent --max-time 15 --proto =http,https --get "${pairs[@]}" \
      --config <(printf 'header = "Authorization: Bearer %s"\n' "$WEATHER_KEY") \
      --write-out '\n%{http_code}' --url "$WEATHER_URL/$path"
  ) || return
  status=${answer##*$'\n'} answer=${answer%$'\n'*}
  answer=${answer%$'\n'} # Lines end, and here they only stand between each other.
}
