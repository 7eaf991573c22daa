import Neatline

/// `neatline pyramid`: pyramids of tiles on one machine or many. The work is the Python package's, whose
/// executors and targets it needs; this hands its arguments over.
enum PyramidCommand {
  static let entry = CommandEntry(
    name: "pyramid", summary: "pyramids of tiles, drawn on any number of machines",
    forms: ["plan|render|shard|merge|verify ..."], options: [],
    example: "neatline pyramid plan style.json -o plan.json --zoom 0-14",
    notes: """
      plan    say what the tiles are, count them, and cut them into shards
      render  draw all shards that are not there yet, and put them together
      shard   draw some shards, as one of many jobs
      merge   put the parts of a folder together
      verify  look through parts or a finished pyramid

      neatline pyramid plan --help, and so on, has the options; docs/pyramids.md has the whole of it. Needs
      Python 3.9 or later with the package neatline; NEATLINE_PYTHON names the interpreter [python3].
      """,
    run: { _ in
      throw UsageError(
        message: "plan, render, shard, merge or verify is missing; neatline help pyramid has what they do")
    })
}
