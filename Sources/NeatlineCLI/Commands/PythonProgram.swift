import Neatline

/// Commands whose work is the Python package's: this program hands its arguments over.
enum PythonProgram {
  /// What Python runs: the package, or what to install where it is not there.
  private static func text(_ command: String) -> String {
    """
    import sys
    try:
        from neatline.__main__ import main
    except ImportError as error:
        sys.stderr.write("error: neatline \(command) needs the Python package neatline in %s (%s): "
                         "pip install bindings/python of neatline's checkout, or its wheel\\n"
                         % (sys.executable, error))
        sys.exit(1)
    sys.exit(main())
    """
  }

  /// Becomes the Python program; returns only where that cannot be done.
  static func run(_ command: String, _ arguments: [String]) throws {
    let python = Platform.environment("NEATLINE_PYTHON") ?? "python3"
    let reason = Platform.become([python, "-c", text(command), command] + arguments)
    throw FileError(
      path: python,
      reason: """
        \(reason); neatline \(command) needs Python 3.9 or later with the package neatline (apt install \
        python3, then pip install its wheel), and NEATLINE_PYTHON may name the interpreter
        """)
  }
}
