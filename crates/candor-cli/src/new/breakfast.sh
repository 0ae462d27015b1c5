#!/usr/bin/env bash
# Tools for AI agents. A tool is a function named tool_NAME; the comment that touches it is what a
# model reads about it. See what a model sees, and call a tool as a model would:
#
#   candor list breakfast.sh
#   candor call breakfast.sh shopping_list dish=pancakes guests=4

# Write the shopping list for a breakfast.
# @arg  dish:pancakes|waffles|porridge  What there will be
# @arg  guests:integer(1..40)           How many will eat
# @arg  vegan:boolean=false             With nothing that is from animals
# @arg  note?:string(1..80)             What else to remember
# @does read
tool_shopping_list() {
  local milk=milk
  # Arguments arrive checked, in $arg_NAME. What they mean together is for the tool to judge.
  if [[ $arg_vegan == true ]]; then
    if [[ $arg_dish == waffles ]]; then
      echo 'vegan: must be false for waffles. Got true. Send false, or ask for pancakes.'
      return 1 # It failed, and the model reads why.
    fi
    milk='oat milk'
  fi
  case $arg_dish in
    porridge) echo "$(( arg_guests * 50 )) g oats" ;;
    waffles) echo "$(( arg_guests * 70 )) g flour, $arg_guests eggs" ;;
    pancakes) echo "$(( arg_guests * 60 )) g flour" ;;
  esac
  echo "$(( arg_guests * 150 )) ml $milk"
  [[ -z ${arg_note-} ]] || echo "and: $arg_note" # Without a note, the variable is unset.
}

# Tell the date and the time on this machine.
# @does read
tool_now() {
  date # What a command prints is the answer.
}
