#!/usr/bin/env bash
# A chart as a picture, drawn by bash alone: how an answer gets something to look at.
#
#   candor call examples/picture.sh draw_chart 'heights:=[3, 1, 4, 1, 5]'

# Without candor the functions below can be tried as well, and just attach nothing.
command -v candor >/dev/null || candor() { :; }

# Draw a bar chart, as a picture in PNG.
# @arg  heights:integer(0..100)[](1..32)  How high each bar is, from left to right
# @does read
# @limit time=20s
tool_draw_chart() {
  local folder heights height
  IFS=', ' read -r -a heights <<<"${arg_heights//[][]/}"
  for height in "${heights[@]}"; do
    if [[ ! $height =~ ^[0-9]{1,3}$ ]]; then
      echo "heights: must be written in digits. Got $height. Send 20, for example."
      return 1
    fi
  done
  folder=$(candor temp) || return
  draw "${heights[@]}" >"${folder:-.}/chart.png"
  candor attach "${folder:-.}/chart.png" image/png
  echo "A chart with ${#heights[@]} bars."
}

# draw HEIGHT...: a PNG with two colours, of which each pixel is one bit. A bar is as wide as a byte.
draw() {
  local rows='' row height line highest=1
  for height; do (( height <= highest )) || highest=$height; done
  for (( row = highest; row > 0; row-- )); do
    line='\x00' # This row is not filtered.
    for height; do
      if (( height >= row )); then line+='\x7e'; else line+='\x00'; fi
    done
    rows+=$line
  done
  printf '\x89PNG\r\n\x1a\n'
  chunk IHDR "$(number $(( $# * 8 )))$(number "$highest")"'\x01\x03\x00\x00\x00'
  chunk PLTE '\xff\xff\xff\x33\x66\x99'
  chunk IDAT "$(stored "$rows")"
  chunk IEND ''
}

# All that follows takes and prints bytes written as \xHH, so that variables can hold them.

# stored BYTES: a zlib stream that compresses nothing.
stored() {
  local bytes=$1 a=1 b=0 at size=$(( ${#1} / 4 ))
  for (( at = 0; at < size; at++ )); do
    (( a = (a + 16#${bytes:at * 4 + 2:2}) % 65521, b = (b + a) % 65521 ))
  done
  printf '\\x78\\x01\\x01\\x%02x\\x%02x' $(( size % 256 )) $(( size / 256 ))
  printf '\\x%02x\\x%02x' $(( 255 - size % 256 )) $(( 255 - size / 256 ))
  printf '%s%s' "$bytes" "$(number $(( b * 65536 + a )))"
}

# number N: four bytes, the highest first.
number() {
  printf '\\x%02x' $(( $1 >> 24 & 255 )) $(( $1 >> 16 & 255 )) $(( $1 >> 8 & 255 )) $(( $1 & 255 ))
}

# chunk TYPE BYTES: prints one part of a PNG, no longer as \xHH.
chunk() {
  local at byte bit sum=$(( 0xffffffff )) code type=''
  for (( at = 0; at < 4; at++ )); do
    printf -v code '\\x%02x' "'${1:at:1}"
    type+=$code
  done
  local bytes=$type$2
  for (( at = 2; at < ${#bytes}; at += 4 )); do
    (( sum ^= 16#${bytes:at:2} ))
    for bit in 1 2 3 4 5 6 7 8; do
      (( sum = sum & 1 ? sum >> 1 ^ 0xedb88320 : sum >> 1 ))
    done
  done
  printf '%b' "$(number $(( ${#2} / 4 )))$bytes$(number $(( sum ^ 0xffffffff )))"
}
