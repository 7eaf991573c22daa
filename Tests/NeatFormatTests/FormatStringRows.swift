import NeatFormat
import NeatStyle
import Testing

/// A format string, the expression that it becomes, and what that gives for some features.
struct FormatRow: Sendable, CustomTestStringConvertible {
  var format: String
  var arguments: String
  var expected: String
  var kind: FormatString.Kind
  /// Feature and globals in one object, and the value.
  var values: [(String, String)]

  init(_ format: String, _ arguments: String, _ expected: String, _ values: (String, String)...) {
    self.format = format
    self.arguments = arguments
    self.expected = expected
    self.values = values
    kind = .expression
  }

  init(_ format: String, _ expected: String, _ values: (String, String)...) {
    self.init(format, "[]", expected)
    self.values = values
  }

  static func predicate(
    _ format: String, _ arguments: String, _ expected: String, _ values: (String, String)...
  ) -> FormatRow {
    var row = FormatRow(format, arguments, expected)
    row.kind = .predicate
    row.values = values
    return row
  }

  static func predicate(_ format: String, _ expected: String, _ values: (String, String)...) -> FormatRow {
    var row = predicate(format, "[]", expected)
    row.values = values
    return row
  }

  var testDescription: String { format }
}

/// Every form of the notation, by the sections of docs/format-strings.md.
enum FormatRows {
  static let comparisons: [FormatRow] = [
    .predicate(
      "key = 5", #"["==",["get","key"],5]"#, (#"{"key":5}"#, "true"), (#"{"key":"5"}"#, "false"),
      ("{}", "false")),
    .predicate(
      "key == 'a'", #"["==",["get","key"],"a"]"#, (#"{"key":"a"}"#, "true"), (#"{"key":"b"}"#, "false")),
    .predicate(
      "key >= 5", #"[">=",["get","key"],5]"#, (#"{"key":5}"#, "true"), (#"{"key":4}"#, "false"),
      (#"{"key":"9"}"#, "false")),
    .predicate("key => 5", #"[">=",["get","key"],5]"#, (#"{"key":6}"#, "true")),
    .predicate("key <= 5", #"["<=",["get","key"],5]"#, (#"{"key":5}"#, "true"), (#"{"key":6}"#, "false")),
    .predicate("key =< 5", #"["<=",["get","key"],5]"#, (#"{"key":4}"#, "true")),
    .predicate("key > 5", #"[">",["get","key"],5]"#, (#"{"key":6}"#, "true"), (#"{"key":5}"#, "false")),
    .predicate("key < 5", #"["<",["get","key"],5]"#, (#"{"key":4}"#, "true"), (#"{"key":5}"#, "false")),
    .predicate("key != 5", #"["!=",["get","key"],5]"#, (#"{"key":4}"#, "true"), (#"{"key":5}"#, "false")),
    .predicate("key <> 5", #"["!=",["get","key"],5]"#, (#"{"key":4}"#, "true"), (#"{"key":5}"#, "false")),
    .predicate(
      "key BETWEEN { 32, 212 }", #"["all",["<=",32,["get","key"]],["<=",["get","key"],212]]"#,
      (#"{"key":32}"#, "true"),
      (#"{"key":212}"#, "true"), (#"{"key":31}"#, "false"), (#"{"key":213}"#, "false"), ("{}", "false")),
    .predicate(
      "key between %@", "[[1, 2]]", #"["all",["<=",1,["get","key"]],["<=",["get","key"],2]]"#,
      (#"{"key":1.5}"#, "true")),
    .predicate(
      "a + b BETWEEN {1, c}",
      #"["let","neatline_1",["+",["get","a"],["get","b"]],["all",["<=",1,["var","neatline_1"]],["<=",["var","neatline_1"],["get","c"]]]]"#,
      (#"{"a":1,"b":1,"c":2}"#, "true"), (#"{"a":1,"b":2,"c":2}"#, "false")),
    .predicate(
      "key BETWEEN range",
      #"["all",["<=",["at",0,["get","range"]],["get","key"]],["<=",["get","key"],["at",1,["get","range"]]]]"#,
      (#"{"key":2,"range":[1,3]}"#, "true"), (#"{"key":4,"range":[1,3]}"#, "false")),
    .predicate("key != NULL", #"["has","key"]"#, (#"{"key":1}"#, "true"), ("{}", "false")),
    .predicate("key != nil", #"["has","key"]"#),
    .predicate("key == NIL", #"["!",["has","key"]]"#, (#"{"key":1}"#, "false"), ("{}", "true")),
    .predicate("NULL = key", #"["!",["has","key"]]"#),
    .predicate(
      "burger.cheese != NIL", #"["has","cheese",["get","burger"]]"#, (#"{"burger":{"cheese":1}}"#, "true")),
    .predicate("key != %@", "[null]", #"["has","key"]"#),
    .predicate("%@['a'] != NIL", #"[{"a": 1}]"#, #"["has","a",["literal",{"a":1}]]"#, ("{}", "true")),
    .predicate(
      "%@[key] == NIL", #"[{"a": 1}]"#, #"["!",["has",["get","key"],["literal",{"a":1}]]]"#,
      (#"{"key":"b"}"#, "true")),
    .predicate(
      "list[0] != nil", #"["!=",["at",0,["get","list"]],null]"#, (#"{"list":[1]}"#, "true"),
      (#"{"list":[null]}"#, "false")),
    .predicate("$featureIdentifier != nil", #"["!=",["id"],null]"#, (#"{"id":4}"#, "true"), ("{}", "false")),
    .predicate("$featureAttributes.a = nil", #"["!",["has","a"]]"#, ("{}", "true")),
    .predicate("SELF['a'] != nil", #"["has","a"]"#),
    .predicate("SELF.a != nil", #"["has","a"]"#),
    .predicate("nil = nil", "true", ("{}", "true")),
    .predicate("TRUEPREDICATE", "true", ("{}", "true")),
    .predicate("FALSEPREDICATE", "false", ("{}", "false")),
    .predicate(
      "key = YES", #"["==",["get","key"],true]"#, (#"{"key":true}"#, "true"), (#"{"key":1}"#, "false")),
    .predicate("key == false", #"["==",["get","key"],false]"#, (#"{"key":false}"#, "true")),
    // Two constants in a filter must not look like a filter of the legacy form.
    .predicate(
      "'QUEBEC' = 'Quebec'", #"["==",["literal","QUEBEC"],"Quebec"]"#, (#"{"QUEBEC":"Quebec"}"#, "false")),
    .predicate(
      "1 = 1 AND 'a' IN 'abc'", #"["all",["==",["literal",1],1],["in",["literal","a"],"abc"]]"#,
      ("{}", "true")),
    .predicate(
      "%K = 'Point'", #"["$type"]"#, #"["==",["geometry-type"],"Point"]"#, (#"{"geometry":"Point"}"#, "true")),
    .predicate("a.b = 1", #"["==",["get","b",["get","a"]],1]"#, (#"{"a":{"b":1}}"#, "true")),
  ]

  static let compounds: [FormatRow] = [
    .predicate(
      "a = 1 AND b = 2", #"["all",["==",["get","a"],1],["==",["get","b"],2]]"#, (#"{"a":1,"b":2}"#, "true"),
      (#"{"a":1}"#, "false")),
    .predicate("a = 1 && b = 2", #"["all",["==",["get","a"],1],["==",["get","b"],2]]"#),
    .predicate(
      "a = 1 OR b = 2", #"["any",["==",["get","a"],1],["==",["get","b"],2]]"#, (#"{"a":1}"#, "true"),
      (#"{"b":2}"#, "true"), ("{}", "false")
    ),
    .predicate("a = 1 || b = 2", #"["any",["==",["get","a"],1],["==",["get","b"],2]]"#),
    .predicate("NOT a = 1", #"["!",["==",["get","a"],1]]"#, (#"{"a":1}"#, "false"), ("{}", "true")),
    .predicate("!a = 1", #"["!",["==",["get","a"],1]]"#),
    .predicate("not (a = 1)", #"["!",["==",["get","a"],1]]"#),
    .predicate(
      "a = 1 OR b = 2 AND c = 3",
      #"["any",["==",["get","a"],1],["all",["==",["get","b"],2],["==",["get","c"],3]]]"#,
      (#"{"a":1}"#, "true"), (#"{"b":2}"#, "false")),
    .predicate(
      "(a = 1 OR b = 2) AND c = 3",
      #"["all",["any",["==",["get","a"],1],["==",["get","b"],2]],["==",["get","c"],3]]"#),
    .predicate(
      "a = 1 AND b = 2 AND c = 3", #"["all",["==",["get","a"],1],["==",["get","b"],2],["==",["get","c"],3]]"#),
    .predicate(
      "NOT (a = 1 OR b = 2)", #"["!",["any",["==",["get","a"],1],["==",["get","b"],2]]]"#, ("{}", "true"),
      (#"{"b":2}"#, "false")),
    .predicate("NOT a = 1 AND b = 2", #"["all",["!",["==",["get","a"],1]],["==",["get","b"],2]]"#),
  ]

  private static let box = #"{"type":"Polygon","coordinates":[[[0,0],[10,0],[10,10],[0,10],[0,0]]]}"#

  static let aggregates: [FormatRow] = [
    .predicate(
      "key IN { 'iOS', 'macOS', 'tvOS', 'watchOS' }",
      #"["in",["get","key"],["literal",["iOS","macOS","tvOS","watchOS"]]]"#,
      (#"{"key":"tvOS"}"#, "true"), (#"{"key":"beOS"}"#, "false"), ("{}", "false")),
    .predicate(
      "{ 'iOS', 'macOS', 'tvOS', 'watchOS' } CONTAINS key",
      #"["in",["get","key"],["literal",["iOS","macOS","tvOS","watchOS"]]]"#,
      (#"{"key":"iOS"}"#, "true")),
    .predicate(
      "key IN %@", "[[1, 2]]", #"["in",["get","key"],["literal",[1,2]]]"#, (#"{"key":2}"#, "true"),
      (#"{"key":3}"#, "false")),
    .predicate(
      "NOT key IN {1, 2}", #"["!",["in",["get","key"],["literal",[1,2]]]]"#, (#"{"key":2}"#, "false"),
      (#"{"key":3}"#, "true")),
    .predicate("key IN {}", #"["in",["get","key"],["literal",[]]]"#, (#"{"key":2}"#, "false")),
    .predicate(
      "name CONTAINS 'Izzy'", #"["in","Izzy",["get","name"]]"#, (#"{"name":"Izzy's"}"#, "true"),
      ("{}", "false")),
    .predicate("'Izzy' IN name", #"["in","Izzy",["get","name"]]"#),
    .predicate(
      "needle IN haystack", #"["in",["get","needle"],["get","haystack"]]"#,
      (#"{"needle":2,"haystack":[1,2]}"#, "true")),
    .predicate("haystack CONTAINS needle", #"["in",["get","needle"],["get","haystack"]]"#),
    .predicate(
      "a IN {b, 'x'}", #"["any",["==",["get","a"],["get","b"]],["==",["get","a"],"x"]]"#,
      (#"{"a":"x"}"#, "true"),
      (#"{"a":1,"b":1}"#, "true"), (#"{"a":1,"b":2}"#, "false")),
    .predicate(
      "SELF IN %@", "[\(box)]", #"["within",\#(box)]"#,
      (#"{"geometry":"Point","coordinates":[5,5]}"#, "true"),
      (#"{"geometry":"Point","coordinates":[15,5]}"#, "false")),
    .predicate("%@ CONTAINS SELF", "[\(box)]", #"["within",\#(box)]"#),
    .predicate(
      "class = 'food_and_drink' AND name CONTAINS 'Izzy' AND SELF IN %@", "[\(box)]",
      #"["all",["==",["get","class"],"food_and_drink"],["in","Izzy",["get","name"]],["within",\#(box)]]"#),
    .predicate(
      "ANY haystack = needle", #"["in",["get","needle"],["get","haystack"]]"#,
      (#"{"needle":2,"haystack":[1,2]}"#, "true")),
    .predicate("SOME haystack = needle", #"["in",["get","needle"],["get","haystack"]]"#),
    .predicate("any {1, 2} == a", #"["in",["get","a"],["literal",[1,2]]]"#, (#"{"a":2}"#, "true")),
    .predicate(
      "ALL haystack != needle", #"["!",["in",["get","needle"],["get","haystack"]]]"#,
      (#"{"needle":3,"haystack":[1,2]}"#, "true"),
      (#"{"needle":2,"haystack":[1,2]}"#, "false")),
    .predicate("NONE haystack = needle", #"["!",["in",["get","needle"],["get","haystack"]]]"#),
    .predicate(
      "ANY {a, b} > 3", #"["any",[">",["get","a"],3],[">",["get","b"],3]]"#, (#"{"a":1,"b":4}"#, "true")),
    .predicate(
      "ALL {a, b} > c + 1",
      #"["let","neatline_1",["+",["get","c"],1],["all",[">",["get","a"],["var","neatline_1"]],[">",["get","b"],["var","neatline_1"]]]]"#,
      (#"{"a":5,"b":4,"c":1}"#, "true"), (#"{"a":5,"b":1,"c":1}"#, "false")),
  ]

  private static let c = #"["collator",{"case-sensitive":false,"diacritic-sensitive":true}]"#
  private static let d = #"["collator",{"case-sensitive":true,"diacritic-sensitive":false}]"#
  private static let cd = #"["collator",{"case-sensitive":false,"diacritic-sensitive":false}]"#

  static let options: [FormatRow] = [
    .predicate("'QUEBEC' =[c] 'Quebec'", #"["==","QUEBEC","Quebec",\#(c)]"#, ("{}", "true")),
    .predicate("'Québec' =[d] 'Quebec'", #"["==","Québec","Quebec",\#(d)]"#, ("{}", "true")),
    .predicate("'Québec' =[cd] 'QUEBEC'", #"["==","Québec","QUEBEC",\#(cd)]"#, ("{}", "true")),
    .predicate(
      "name ==[c] 'quebec'", #"["==",["get","name"],"quebec",\#(c)]"#, (#"{"name":"QueBec"}"#, "true"),
      (#"{"name":"Québec"}"#, "false")),
    .predicate(
      "name !=[d] 'Quebec'", #"["!=",["get","name"],"Quebec",\#(d)]"#, (#"{"name":"Québec"}"#, "false")),
    .predicate(
      "name <[c] 'b'", #"["<",["get","name"],"b",\#(c)]"#, (#"{"name":"A"}"#, "true"),
      (#"{"name":"C"}"#, "false")),
    .predicate(
      "name BETWEEN[c] {'a', 'c'}",
      #"["all",["<=","a",["get","name"],\#(c)],["<=",["get","name"],"c",\#(c)]]"#, (#"{"name":"B"}"#, "true")),
    .predicate(
      "name IN[cd] {'A', 'é'}", #"["any",["==",["get","name"],"A",\#(cd)],["==",["get","name"],"é",\#(cd)]]"#,
      (#"{"name":"E"}"#, "true"),
      (#"{"name":"o"}"#, "false")),
    .predicate(
      "name CONTAINS[c] 'IZZY'", #"["in",["downcase","IZZY"],["downcase",["to-string",["get","name"]]]]"#,
      (#"{"name":"izzy's"}"#, "true"),
      ("{}", "false")),
    .predicate(
      "ANY {a, b} =[c] 'x'", #"["any",["==",["get","a"],"x",\#(c)],["==",["get","b"],"x",\#(c)]]"#,
      (#"{"a":"y","b":"X"}"#, "true")),
  ]

  static let strings: [FormatRow] = [
    .predicate(
      "name BEGINSWITH 'Bad'", #"["==",["slice",["to-string",["get","name"]],0,3],"Bad"]"#,
      (#"{"name":"Bad Tölz"}"#, "true"),
      (#"{"name":"Ba"}"#, "false"), ("{}", "false")),
    .predicate(
      "NOT name BEGINSWITH[c] 'bad'", #"["!",["==",["slice",["to-string",["get","name"]],0,3],"bad",\#(c)]]"#,
      (#"{"name":"BAD"}"#, "false"),
      ("{}", "true")),
    .predicate(
      "name BEGINSWITH prefix",
      #"["let","neatline_1",["to-string",["get","prefix"]],["==",["slice",["to-string",["get","name"]],0,["length",["var","neatline_1"]]],["var","neatline_1"]]]"#,
      (#"{"name":"abc","prefix":"ab"}"#, "true"), (#"{"name":"abc","prefix":"b"}"#, "false")),
    .predicate(
      "name ENDSWITH 'burg'", #"["==",["slice",["to-string",["get","name"]],-4],"burg"]"#,
      (#"{"name":"Hamburg"}"#, "true"),
      (#"{"name":"rg"}"#, "false"), ("{}", "false")),
    .predicate(
      "name ENDSWITH[d] 'kà'", #"["==",["slice",["to-string",["get","name"]],-2],"kà",\#(d)]"#,
      (#"{"name":"aka"}"#, "true")),
    .predicate("name ENDSWITH ''", "true", ("{}", "true")),
    .predicate(
      "lowercase(name) ENDSWITH suffix",
      #"["let","neatline_1",["downcase",["get","name"]],["let","neatline_2",["to-string",["get","suffix"]],["==",["slice",["var","neatline_1"],["-",["length",["var","neatline_1"]],["length",["var","neatline_2"]]]],["var","neatline_2"]]]]"#,
      (#"{"name":"HAMBURG","suffix":"burg"}"#, "true"), (#"{"name":"rg","suffix":"burg"}"#, "false"),
      (#"{"name":"","suffix":"b"}"#, "false")),
    .predicate(
      "name LIKE 'abc'", #"["==",["to-string",["get","name"]],"abc"]"#, (#"{"name":"abc"}"#, "true")),
    .predicate(
      "name LIKE 'ab*'", #"["==",["slice",["to-string",["get","name"]],0,2],"ab"]"#,
      (#"{"name":"abc"}"#, "true")),
    .predicate(
      "name LIKE[c] '*BC'", #"["==",["slice",["to-string",["get","name"]],-2],"BC",\#(c)]"#,
      (#"{"name":"abc"}"#, "true")),
    .predicate(
      "name LIKE '*b*'", #"["in","b",["to-string",["get","name"]]]"#, (#"{"name":"abc"}"#, "true"),
      (#"{"name":"ac"}"#, "false")),
    .predicate("name LIKE '*'", "true"),
    .predicate(
      #"name LIKE 'a\*'"#, #"["==",["to-string",["get","name"]],"a*"]"#, (#"{"name":"a*"}"#, "true"),
      (#"{"name":"ab"}"#, "false")),
    .predicate(
      "uppercase(name) LIKE 'A*C'",
      #"["let","neatline_1",["upcase",["get","name"]],["all",[">=",["length",["var","neatline_1"]],2],["==",["slice",["var","neatline_1"],0,1],"A"],["==",["slice",["var","neatline_1"],-1],"C"]]]"#,
      (#"{"name":"abc"}"#, "true"), (#"{"name":"ac"}"#, "true"), (#"{"name":"abd"}"#, "false")),
  ]
}
