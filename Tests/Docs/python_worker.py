"""Runs a page's Python in a process of its own, as a reader would: argument 1 is the descriptor for answers,
a line of JSON on standard input is a block."""

import json
import os
import sys
import traceback
import warnings


def main() -> None:
    """Answers each block with what went wrong, or null."""
    names = sys.modules["__main__"].__dict__
    with os.fdopen(int(sys.argv[1]), "w", encoding="utf-8") as answers:
        for line in sys.stdin:
            block = json.loads(line)
            os.chdir(block["folder"])
            error = None
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("error")
                    # Who draws in several threads forks at their own risk; the pages say which objects may.
                    warnings.filterwarnings("ignore", "This process .* is multi-threaded", DeprecationWarning)
                    exec(compile("\n" * (block["line"] - 1) + block["code"], block["page"], "exec"), names)
            except BaseException:  # noqa: B036 - whatever it is, the page is wrong
                error = traceback.format_exc()
            sys.stdout.flush()
            answers.write(json.dumps(error) + "\n")
            answers.flush()


if __name__ == "__main__":
    main()
