#!/usr/bin/env python3
# Summarise numbers: how many there are, the least, the greatest, their mean and their median.
# @arg  numbers:number[](1..10000)                  The numbers
# @arg  mean:arithmetic|geometric=arithmetic        Which mean to take
# @arg  picture:boolean=false                       Draw how they are spread, too
# @out  count:integer least:number greatest:number mean:number median:number
# @does read

# A program as a tool, here in Python. In a folder that candor serves, each executable file is a
# tool with the name of the file. The arguments come as one JSON object on standard input, checked
# by what stands above; what is printed is the answer, and the exit status says whether it worked.
#
#   candor call examples/programs summarise 'numbers:=[1, 2, 4]'
#   echo '{"numbers": [1, 2, 4]}' | examples/programs/summarise.py

import json
import statistics
import subprocess
import sys
from pathlib import Path


def main():
    arguments = json.load(sys.stdin)
    numbers = arguments["numbers"]
    # What was not sent is not there.
    if arguments.get("mean", "arithmetic") == "arithmetic":
        mean = statistics.fmean(numbers)
    elif min(numbers) > 0:
        mean = statistics.geometric_mean(numbers)
    else:
        print(f"numbers: must all be above 0 for a geometric mean. Got {min(numbers)}. "
              "Leave it out, or take the arithmetic mean.")
        return 1

    if arguments.get("picture", False):
        # `candor` is found by every program that candor runs. The picture goes with the answer.
        folder = subprocess.run(["candor", "temp"], check=True, capture_output=True, text=True)
        picture = Path(folder.stdout.strip()) / "spread.svg"
        picture.write_text(drawn(numbers))
        subprocess.run(["candor", "attach", picture, "image/svg+xml"], check=True)

    print(json.dumps({
        "count": len(numbers),
        "least": min(numbers),
        "greatest": max(numbers),
        "mean": mean,
        "median": statistics.median(numbers),
    }))
    return 0


def drawn(numbers, bars=10):
    """An SVG with a bar for each tenth of the range."""
    least, greatest = min(numbers), max(numbers)
    width = (greatest - least) / bars or 1
    counts = [0] * bars
    for number in numbers:
        counts[min(int((number - least) / width), bars - 1)] += 1
    highest = max(counts)
    shapes = "".join(
        f'<rect x="{at * 20}" y="{100 - 100 * count // highest}" width="18" '
        f'height="{100 * count // highest}"/>'
        for at, count in enumerate(counts)
    )
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {bars * 20} 100">'
            f"{shapes}</svg>\n")


sys.exit(main())
