import CNeatline

extension Exp {
  /// The expression of a format string, as NSExpression took it in the older iOS SDKs:
  ///
  ///     try Exp(format: "mgl_interpolate:withCurveType:parameters:stops:(mag, 'linear', nil, %@)", [0: StyleColor(.yellow), 10: StyleColor(.red)])
  ///
  /// `arguments` are the values for the placeholders: `%K` takes a key path, `%d` and its like integers, `%f`
  /// and its like numbers, `%@` any value. A predicate is taken as well and gives a boolean.
  /// docs/format-strings.md has every form.
  ///
  /// Throws, with the byte of the format string in the message: `expression` for text that cannot be read and
  /// operands of the wrong type or number, `unsupported` for a form that style expressions have nothing for,
  /// `invalidArgument` where a placeholder and its argument do not fit, `limitExceeded` past 1 MiB of text,
  /// 100 levels, 100000 operands and operators, 10000 in one place, 16 MiB of arguments or of result.
  @_disfavoredOverload
  public init(format: String, _ arguments: any FormatArgument...) throws(NeatlineError) {
    try self.init(format: format, arguments: arguments)
  }

  /// As `init(format:_:)`, the arguments in an array.
  @_disfavoredOverload
  public init(format: String, arguments: [any FormatArgument]) throws(NeatlineError) {
    json = try convert(format, arguments, NEAT_FORMAT_KIND_EXPRESSION)
  }
}

extension Exp where Result == JSONValue {
  /// As `init(format:_:)`, where nothing else gives the type.
  public init(format: String, _ arguments: any FormatArgument...) throws(NeatlineError) {
    try self.init(format: format, arguments: arguments)
  }

  /// As `init(format:arguments:)`, where nothing else gives the type.
  public init(format: String, arguments: [any FormatArgument]) throws(NeatlineError) {
    json = try convert(format, arguments, NEAT_FORMAT_KIND_EXPRESSION)
  }
}

extension Exp where Result == Bool {
  /// The filter of a predicate format string, as NSPredicate took it in the older iOS SDKs:
  ///
  ///     layer.filter = try Exp(predicateFormat: "class = 'food' AND %K >= %d", "rank", 5)
  ///
  /// Arguments and errors as those of `init(format:_:)`.
  public init(predicateFormat: String, _ arguments: any FormatArgument...) throws(NeatlineError) {
    try self.init(predicateFormat: predicateFormat, arguments: arguments)
  }

  /// As `init(predicateFormat:_:)`, the arguments in an array.
  public init(predicateFormat: String, arguments: [any FormatArgument]) throws(NeatlineError) {
    json = try convert(predicateFormat, arguments, NEAT_FORMAT_KIND_PREDICATE)
  }
}

private func convert(
  _ format: String, _ arguments: [any FormatArgument], _ kind: neat_format_kind
) throws(NeatlineError) -> JSONValue {
  let values = JSONValue.array(arguments.map(\.formatArgument)).text
  return try jsonValue { out in
    format.withText { format, size in
      values.withText { neat_expression_from_format(format, size, $0, $1, kind, out) }
    }
  }
}
