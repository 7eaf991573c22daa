extension FormatRows {
  static let operands: [FormatRow] = [
    FormatRow(
      "CAST(key, 'NSNumber')", #"["to-number",["get","key"]]"#, (#"{"key":"5"}"#, "5"),
      (#"{"key":true}"#, "1")),
    FormatRow(
      "CAST(key, 'NSString')", #"["to-string",["get","key"]]"#, (#"{"key":5}"#, #""5""#), ("{}", #""""#)),
    FormatRow("CAST(key, 'UIColor')", #"["to-color",["get","key"]]"#, (#"{"key":"red"}"#, "[1,0,0,1]")),
    FormatRow("CAST(key, 'NSColor')", #"["to-color",["get","key"]]"#),
    FormatRow(
      "CAST(noindex(color), 'NSArray')", #"["to-rgba",["get","color"]]"#,
      (##"{"color":"#ff8000"}"##, "[255,128,0,1]")),
    FormatRow("castObject:toType:(ele, 'NSString')", #"["to-string",["get","ele"]]"#),
    FormatRow("'text'", #""text""#, ("{}", #""text""#)),
    FormatRow("\"it's\"", #""it's""#),
    FormatRow(#"'it\'s \u00e9 \x41 \101 \n \\'"#, #""it's é A A \n \\""#),
    FormatRow(#"'\ud83e\uddc0 \U0001F354'"#, #""🧀 🍔""#),
    FormatRow("YES", "true", ("{}", "true")), FormatRow("FALSE", "false"),
    FormatRow("NULL", "null", ("{}", "null")),
    FormatRow("42", "42", ("{}", "42")), FormatRow("-42", "-42"), FormatRow(".5", "0.5"),
    FormatRow("1.5e3", "1500"),
    FormatRow("6.02E+23", "6.02e+23"), FormatRow("0x1F", "31"), FormatRow("0o17", "15"),
    FormatRow("0b101", "5"), FormatRow("017", "17"),
    FormatRow("{1, 2}", #"["literal",[1,2]]"#, ("{}", "[1,2]")),
    FormatRow("{'a', 'b'}", #"["literal",["a","b"]]"#),
    FormatRow("{1, x}", #"["semiliteral",[1,["get","x"]]]"#, (#"{"x":7}"#, "[1,7]")),
    FormatRow("{}", #"["literal",[]]"#),
    FormatRow("{{1, 2}, {3, 4}}", #"["literal",[[1,2],[3,4]]]"#),
    FormatRow("%@", "[[1, 2]]", #"["literal",[1,2]]"#),
    FormatRow("%@", #"[{"a": [1]}]"#, #"["literal",{"a":[1]}]"#),
    FormatRow("%@", #"["red"]"#, #""red""#), FormatRow("%@", "[true]", "true"),
    FormatRow("%@", "[null]", "null"),
    FormatRow("%@", ##"[{"$color": "#ff8000"}]"##, #"["rgb",255,128,0]"#),
    FormatRow("%@", #"[{"$color": [1, 0, 0, 0.5]}]"#, #"["rgba",255,0,0,0.5]"#, ("{}", "[0.5,0,0,0.5]")),
    FormatRow("%@ + 1", #"[{"$expression": ["get", "x"]}]"#, #"["+",["get","x"],1]"#, (#"{"x":2}"#, "3")),
    FormatRow("%@", "[3.141592653589793]", #"["pi"]"#, ("{}", "3.141592653589793")),
    FormatRow("%@", "[2.718281828459045]", #"["e"]"#, ("{}", "2.718281828459045")),
    FormatRow("%@", "[0.6931471805599453]", #"["ln2"]"#, ("{}", "0.6931471805599453")),
    FormatRow("%d + %i + %ld + %lu + %lld + %u", "[1, 2, 3, 4, 5, 6]", #"["+",1,2,3,4,5,6]"#, ("{}", "21")),
    FormatRow("%f * %g", "[0.5, 4]", #"["*",0.5,4]"#, ("{}", "2")),
    FormatRow("%2$@ - %1$@", "[1, 5]", #"["-",5,1]"#, ("{}", "4")),
    FormatRow("%s", #"["x"]"#, #""x""#), FormatRow("%c", #"["x"]"#, #""x""#),
    FormatRow("%d", "[true]", "true"),
    FormatRow("'%@ $a'", #""%@ $a""#),
    FormatRow("floorCount", #"["get","floorCount"]"#, (#"{"floorCount":3}"#, "3"), ("{}", "null")),
    FormatRow("a.b.c", #"["get","c",["get","b",["get","a"]]]"#, (#"{"a":{"b":{"c":1}}}"#, "1")),
    FormatRow(
      "lowercase(%K)", #"["ISO 3166-1:2006"]"#, #"["downcase",["get","ISO 3166-1:2006"]]"#,
      (#"{"ISO 3166-1:2006":"US"}"#, #""us""#)),
    FormatRow("%K", #"["a.b"]"#, #"["get","b",["get","a"]]"#),
    FormatRow("a.%K", #"["b"]"#, #"["get","b",["get","a"]]"#),
    FormatRow("#in + #size", #"["+",["get","in"],["get","size"]]"#, (#"{"in":1,"size":2}"#, "3")),
    FormatRow("名前", #"["get","名前"]"#, (#"{"名前":1}"#, "1")),
    FormatRow("array[1]", #"["at",1,["get","array"]]"#, (#"{"array":[1,2]}"#, "2")),
    FormatRow("array[n]", #"["at",["get","n"],["get","array"]]"#, (#"{"array":[1,2],"n":0}"#, "1")),
    FormatRow("objectFrom:withIndex:(array, n)", #"["at",["get","n"],["get","array"]]"#),
    FormatRow("array[FIRST]", #"["at",0,["get","array"]]"#, (#"{"array":[1,2]}"#, "1")),
    FormatRow(
      "array[LAST]", #"["at",["-",["length",["get","array"]],1],["get","array"]]"#, (#"{"array":[1,2]}"#, "2")
    ),
    FormatRow("array[SIZE]", #"["length",["get","array"]]"#, (#"{"array":[1,2]}"#, "2")),
    FormatRow("dictionary['a']", #"["get","a",["get","dictionary"]]"#, (#"{"dictionary":{"a":4}}"#, "4")),
    FormatRow(
      "%@[key]", #"[{"a": 4}]"#, #"["get",["get","key"],["literal",{"a":4}]]"#, (#"{"key":"a"}"#, "4")),
    FormatRow("SELF.a", #"["get","a"]"#), FormatRow("self['a']", #"["get","a"]"#),
    FormatRow("values.@count", #"["length",["get","values"]]"#, (#"{"values":[1,2]}"#, "2")),
    FormatRow("{1, x}.@avg", #"["/",["+",1,["get","x"]],2]"#, (#"{"x":2}"#, "1.5")),
    FormatRow("a = 1", #"["==",["get","a"],1]"#, (#"{"a":1}"#, "true")),
  ]

  static let variables: [FormatRow] = [
    FormatRow("$featureIdentifier", #"["id"]"#, (#"{"id":12}"#, "12")),
    FormatRow(
      "$geometryType", #"["geometry-type"]"#,
      (#"{"geometry":"LineString","coordinates":[[0,0],[1,1]]}"#, #""LineString""#)),
    FormatRow("$heatmapDensity", #"["heatmap-density"]"#, (#"{"heatmapDensity":0.25}"#, "0.25")),
    FormatRow("$zoomLevel", #"["zoom"]"#),
    FormatRow("$lineProgress", #"["line-progress"]"#, (#"{"lineProgress":0.5}"#, "0.5")),
    FormatRow("$featureAttributes", #"["properties"]"#, (#"{"a":1}"#, #"{"a":1}"#)),
    FormatRow(
      "$featureAttributes.a + $featureAttributes['b']", #"["+",["get","a"],["get","b"]]"#,
      (#"{"a":1,"b":2}"#, "3")),
    FormatRow("$featureAccumulated", #"["accumulated"]"#, (#"{"accumulated":3}"#, "3")),
    FormatRow(
      "MGL_LET('floorCount', 2, $floorCount + 1)", #"["let","floorCount",2,["+",["var","floorCount"],1]]"#,
      ("{}", "3")),
    FormatRow(
      "MGL_LET(floorCount, 2, $floorCount + 1)", #"["let","floorCount",2,["+",["var","floorCount"],1]]"#,
      ("{}", "3")),
    FormatRow(
      "MGL_LET('a', x, $a.b)", #"["let","a",["get","x"],["get","b",["var","a"]]]"#, (#"{"x":{"b":1}}"#, "1")),
    .predicate("$id == 5", #"["==",["id"],5]"#, (#"{"id":5}"#, "true")),
    .predicate(
      "$type = 'Point'", #"["==",["geometry-type"],"Point"]"#,
      (#"{"geometry":"Point","coordinates":[0,0]}"#, "true")),
  ]

  static let functions: [FormatRow] = [
    FormatRow("average({1, 2, 2, 3, 4, 7, 9})", #"["/",["+",1,2,2,3,4,7,9],7]"#, ("{}", "4")),
    FormatRow("sum({1, 2, 2, 3, 4, 7, 9})", #"["+",1,2,2,3,4,7,9]"#, ("{}", "28")),
    FormatRow("count({1, 2, 2, 3, 4, 7, 9})", #"["length",["literal",[1,2,2,3,4,7,9]]]"#, ("{}", "7")),
    FormatRow("min({1, 2, 2, 3, 4, 7, 9})", #"["min",1,2,2,3,4,7,9]"#, ("{}", "1")),
    FormatRow("max({1, 2, 2, 3, 4, 7, 9})", #"["max",1,2,2,3,4,7,9]"#, ("{}", "9")),
    FormatRow("sum(%@)", "[[1, 2]]", #"["+",1,2]"#), FormatRow("sum({})", "0", ("{}", "0")),
    FormatRow("max({a, 2})", #"["max",["get","a"],2]"#, (#"{"a":3}"#, "3")), FormatRow("count({a, 2})", "2"),
    FormatRow("count(values)", #"["length",["get","values"]]"#, (#"{"values":[1,2]}"#, "2")),
    FormatRow("1 + 2", #"["+",1,2]"#, ("{}", "3")), FormatRow("add:to:(1, 2)", #"["+",1,2]"#),
    FormatRow("2 - 1", #"["-",2,1]"#, ("{}", "1")), FormatRow("from:subtract:(2, 1)", #"["-",2,1]"#),
    FormatRow("1 * 2", #"["*",1,2]"#, ("{}", "2")), FormatRow("multiply:by:(1, 2)", #"["*",1,2]"#),
    FormatRow("1 / 2", #"["/",1,2]"#, ("{}", "0.5")), FormatRow("divide:by:(1, 2)", #"["/",1,2]"#),
    FormatRow("modulus:by:(1, 2)", #"["%",1,2]"#, ("{}", "1")),
    FormatRow("2 ** 2", #"["^",2,2]"#, ("{}", "4")),
    FormatRow("raise:toPower:(2, 3)", #"["^",2,3]"#, ("{}", "8")),
    FormatRow("1 + 2 + 3 - 4 - 5", #"["-",["-",["+",1,2,3],4],5]"#, ("{}", "-3")),
    FormatRow("1 + 2 * 3 ** 2", #"["+",1,["*",2,["^",3,2]]]"#, ("{}", "19")),
    FormatRow("(1 + 2) * 3", #"["*",["+",1,2],3]"#, ("{}", "9")),
    FormatRow("2 ** 3 ** 2", #"["^",["^",2,3],2]"#, ("{}", "64")),
    FormatRow("-2 ** 2", #"["^",-2,2]"#, ("{}", "4")),
    FormatRow("-x", #"["-",["get","x"]]"#, (#"{"x":2}"#, "-2")),
    FormatRow("3 - -x", #"["-",3,["-",["get","x"]]]"#),
    FormatRow("sqrt(2)", #"["sqrt",2]"#, ("{}", "1.4142135623730951")),
    FormatRow("log(10)", #"["log10",10]"#, ("{}", "1")),
    FormatRow("ln(2)", #"["ln",2]"#, ("{}", "0.6931471805599453")),
    FormatRow("exp(0)", #"["^",["e"],0]"#, ("{}", "1")),
    FormatRow("ceiling(0.99999)", #"["ceil",0.99999]"#, ("{}", "1")),
    FormatRow("abs(-1)", #"["abs",-1]"#, ("{}", "1")),
    FormatRow("trunc(6378.1370)", #"["-",6378.137,["%",6378.137,1]]"#, ("{}", "6378")),
    FormatRow("trunc(-1.5)", #"["-",-1.5,["%",-1.5,1]]"#, ("{}", "-1")),
    FormatRow(
      "trunc(a + b)",
      #"["let","neatline_1",["+",["get","a"],["get","b"]],["-",["var","neatline_1"],["%",["var","neatline_1"],1]]]"#,
      (#"{"a":1,"b":1.5}"#, "2")),
    FormatRow("floor(-0.99999)", #"["floor",-0.99999]"#, ("{}", "-1")),
    FormatRow("uppercase('Elysian Fields')", #"["upcase","Elysian Fields"]"#, ("{}", #""ELYSIAN FIELDS""#)),
    FormatRow("lowercase('DOWNTOWN')", #"["downcase","DOWNTOWN"]"#, ("{}", #""downtown""#)),
    FormatRow("noindex(0 + 2 + c)", #"["+",0,2,["get","c"]]"#, (#"{"c":1}"#, "3")),
    FormatRow("length('Wapakoneta')", #"["length","Wapakoneta"]"#, ("{}", "10")),
    FormatRow("CAST(ele, 'NSString')", #"["to-string",["get","ele"]]"#),
    FormatRow("CAST(ele, 'NSNumber')", #"["to-number",["get","ele"]]"#),
    FormatRow("TERNARY(1 = 2, YES, NO)", #"["case",["==",1,2],true,false]"#, ("{}", "false")),
    FormatRow(
      "TERNARY(a > 1, 'x', TERNARY(b > 1, 'y', 'z'))",
      #"["case",[">",["get","a"],1],"x",["case",[">",["get","b"],1],"y","z"]]"#,
      (#"{"a":1,"b":2}"#, #""y""#)),
  ]

  private static let square = #"{"type":"Point","coordinates":[0,0]}"#

  static let mapFunctions: [FormatRow] = [
    FormatRow("mgl_does:have:(SELF, '🧀🍔')", #"["has","🧀🍔"]"#, (#"{"🧀🍔":1}"#, "true"), ("{}", "false")),
    FormatRow("mgl_does:have:(self, 'key')", #"["has","key"]"#),
    FormatRow(
      "mgl_does:have:(%@, '🧀🍔')", #"[{"🧀🍔": 1}]"#, #"["has","🧀🍔",["literal",{"🧀🍔":1}]]"#, ("{}", "true")),
    FormatRow(
      "mgl_interpolate:withCurveType:parameters:stops:(x, 'linear', nil, %@)",
      #"[{"10": 5, "0": 0, "2.5": 1}]"#,
      #"["interpolate",["linear"],["get","x"],0,0,2.5,1,10,5]"#, (#"{"x":2.5}"#, "1"),
      (#"{"x":1.25}"#, "0.5"), (#"{"x":99}"#, "5")),
    FormatRow(
      "mgl_interpolate:withCurveType:parameters:stops:($zoomLevel, 'exponential', 1.5, %@)",
      "[[[12, 0.5], [14, 2], [18, 18]]]",
      #"["interpolate",["exponential",1.5],["zoom"],12,0.5,14,2,18,18]"#, (#"{"zoom":12}"#, "0.5"),
      (#"{"zoom":13}"#, "1.1")),
    FormatRow(
      "mgl_interpolate:withCurveType:parameters:stops:(x, 'cubic-bezier', {0, 0, 1, 1}, {{0, 0}, {1, y}})",
      #"["interpolate",["cubic-bezier",0,0,1,1],["get","x"],0,0,1,["get","y"]]"#),
    FormatRow(
      "mgl_interpolate:withCurveType:parameters:stops:(mag, 'linear', nil, %@)",
      #"[{"0": {"$color": "yellow"}, "10": {"$expression": ["to-color", ["get", "c"]]}}]"#,
      #"["interpolate",["linear"],["get","mag"],0,["rgb",255,255,0],10,["to-color",["get","c"]]]"#,
      (#"{"mag":5,"c":"yellow"}"#, "[1,1,0,1]")),
    FormatRow(
      "mgl_step:from:stops:(x, 11, %@)", #"[{"0": 111, "1": 1111}]"#,
      #"["step",["get","x"],11,0,111,1,1111]"#, (#"{"x":-1}"#, "11"),
      (#"{"x":0.5}"#, "111")),
    FormatRow("mgl_join({'Old', 'MacDonald'})", #"["concat","Old","MacDonald"]"#, ("{}", #""OldMacDonald""#)),
    FormatRow("mgl_join({'Old', ' ', 'MacDonald'})", #"["concat","Old"," ","MacDonald"]"#),
    FormatRow("mgl_join(parts)", #"["join",["get","parts"],""]"#, (#"{"parts":["a","b"]}"#, #""ab""#)),
    FormatRow("mgl_join({})", #""""#),
    FormatRow("mgl_acos(1)", #"["acos",1]"#, ("{}", "0")),
    FormatRow("mgl_asin(0)", #"["asin",0]"#, ("{}", "0")),
    FormatRow("mgl_atan(20)", #"["atan",20]"#, ("{}", "1.5208379310729538")),
    FormatRow("mgl_cos(0)", #"["cos",0]"#, ("{}", "1")),
    FormatRow("mgl_log2(1024)", #"["log2",1024]"#, ("{}", "10")),
    FormatRow("mgl_round(1.5)", #"["round",1.5]"#, ("{}", "2")),
    FormatRow("mgl_round(-1.5)", #"["round",-1.5]"#, ("{}", "-2")),
    FormatRow("mgl_sin(0)", #"["sin",0]"#, ("{}", "0")),
    FormatRow("mgl_tan(0)", #"["tan",0]"#, ("{}", "0")),
    FormatRow(
      "mgl_distanceFrom(%@)", "[\(square)]", #"["distance",\#(square)]"#,
      (#"{"geometry":"Point","coordinates":[0,0]}"#, "0")),
    FormatRow(
      "mgl_coalesce({x, y, z})", #"["coalesce",["get","x"],["get","y"],["get","z"]]"#,
      (#"{"y":2,"z":3}"#, "2")),
    FormatRow("mgl_attributed({x, y, z})", #"["format",["get","x"],["get","y"],["get","z"]]"#),
    FormatRow(
      "mgl_attributed({%@, ' ', %@})",
      #"[{"expression": "a", "attributes": {"MGLFontScaleAttribute": 1.5, "MGLFontNamesAttribute": ["Bold"], "MGLFontColorAttribute": {"$color": "red"}}}, {"expression": {"$expression": ["get", "x"]}}]"#,
      #"["format","a",{"font-scale":1.5,"text-font":["literal",["Bold"]],"text-color":["rgb",255,0,0]}," ",["get","x"]]"#
    ),
    FormatRow(
      "MGL_LET('age', uppercase('old'), 'name', uppercase('MacDonald'), mgl_join({$age, $name}))",
      #"["let","age",["upcase","old"],"name",["upcase","MacDonald"],["concat",["var","age"],["var","name"]]]"#,
      ("{}", #""OLDMACDONALD""#)),
    FormatRow(
      "MGL_LET('ios', 11, 'macos', 10.13, $ios + $macos)",
      #"["let","ios",11,"macos",10.13,["+",["var","ios"],["var","macos"]]]"#,
      ("{}", "21.130000000000003")),
    FormatRow(
      "MGL_MATCH(x, 0, 'zero match', 1, 'one match', 2, 'two match', 'default')",
      #"["match",["get","x"],0,"zero match",1,"one match",2,"two match","default"]"#,
      (#"{"x":1}"#, #""one match""#), ("{}", #""default""#)),
    FormatRow(
      "MGL_MATCH(x, {'a', 'b'}, 1, %@, 2, 3)", #"[["c", "d"]]"#,
      #"["match",["get","x"],["a","b"],1,["c","d"],2,3]"#, (#"{"x":"b"}"#, "1"),
      (#"{"x":"d"}"#, "2")),
    FormatRow(
      "MGL_MATCH(x, YES, 1, 0.5, 2, {'a', nil}, 3, 4)",
      #"["case",["==",["get","x"],true],1,["==",["get","x"],0.5],2,["any",["==",["get","x"],"a"],["==",["get","x"],null]],3,4]"#,
      (#"{"x":true}"#, "1"), (#"{"x":0.5}"#, "2"), ("{}", "3"), (#"{"x":7}"#, "4")),
    FormatRow(
      "MGL_IF(1 = 2, YES, 2 = 2, YES, NO)", #"["case",["==",1,2],true,["==",2,2],true,false]"#, ("{}", "true")
    ),
    FormatRow(
      "MGL_FUNCTION('typeof', mystery)", #"["typeof",["get","mystery"]]"#, (#"{"mystery":1}"#, #""number""#)),
    FormatRow("MGL_FUNCTION('zoomLevel')", #"["zoom"]"#), FormatRow("MGL_FUNCTION('pi')", #"["pi"]"#),
    FormatRow(
      "MGL_FUNCTION('number-format', x, %@)", #"[{"locale": "en", "min-fraction-digits": 1}]"#,
      #"["number-format",["get","x"],{"locale":"en","min-fraction-digits":1}]"#, (#"{"x":2}"#, #""2.0""#)),
    FormatRow(
      "MGL_FUNCTION('interpolate', {'linear'}, x, 0, 0, 1, y)",
      #"["interpolate",["linear"],["get","x"],0,0,1,["get","y"]]"#),
    FormatRow(
      "MGL_FUNCTION('match', x, {1, 2}, 'a', 'b')", #"["match",["get","x"],[1,2],"a","b"]"#,
      (#"{"x":2}"#, #""a""#)),
    FormatRow("MGL_FUNCTION('literal', {1, 2})", #"["literal",[1,2]]"#),
    FormatRow("MGL_FUNCTION('let', 'a', 1, $a + 1)", #"["let","a",1,["+",["var","a"],1]]"#, ("{}", "2")),
    FormatRow(
      "MGL_FUNCTION('array', 'number', 2, x)", #"["array","number",2,["get","x"]]"#,
      (#"{"x":[1,2]}"#, "[1,2]")),
    FormatRow("MGL_FUNCTION('boolean', x)", #"["boolean",["get","x"]]"#),
    FormatRow("MGL_FUNCTION('number', x)", #"["number",["get","x"]]"#),
    FormatRow("MGL_FUNCTION('string', x)", #"["string",["get","x"]]"#),
  ]

  static let customFunctions: [FormatRow] = [
    FormatRow("FUNCTION(1, 'boolValue')", #"["to-boolean",1]"#, ("{}", "true")),
    FormatRow("FUNCTION('', 'boolValue')", #"["to-boolean",""]"#, ("{}", "false")),
    FormatRow(
      "FUNCTION($featureAttributes, 'mgl_has:', '🧀🍔')", #"["has","🧀🍔"]"#, (#"{"🧀🍔":1}"#, "true"),
      ("{}", "false")),
    FormatRow(
      "FUNCTION(%@, 'mgl_has:', 'a')", #"[{"a": 1}]"#, #"["has","a",["literal",{"a":1}]]"#, ("{}", "true")),
    FormatRow(
      "FUNCTION($ios + $macos, 'mgl_expressionWithContext:', %@)", #"[{"ios": 11, "macos": 10.5}]"#,
      #"["let","ios",11,"macos",10.5,["+",["var","ios"],["var","macos"]]]"#, ("{}", "21.5")),
    FormatRow(
      "FUNCTION($zoomLevel, 'mgl_interpolateWithCurveType:parameters:stops:', 'linear', NIL, %@)",
      #"[{"0": 0, "10": 5}]"#,
      #"["interpolate",["linear"],["zoom"],0,0,10,5]"#, (#"{"zoom":4}"#, "2")),
    FormatRow(
      "FUNCTION(ele, 'mgl_numberWithFallbackValues:', 0)", #"["to-number",["get","ele"],0]"#,
      (#"{"ele":"x"}"#, "0"), (#"{"ele":"5"}"#, "5")
    ),
    FormatRow("FUNCTION(ele, 'mgl_numberWithFallbackValues:')", #"["to-number",["get","ele"]]"#),
    FormatRow("FUNCTION(ele, 'doubleValue')", #"["to-number",["get","ele"]]"#),
    FormatRow("FUNCTION(ele, 'floatValue')", #"["to-number",["get","ele"]]"#),
    FormatRow("FUNCTION(ele, 'decimalValue')", #"["to-number",["get","ele"]]"#),
    FormatRow(
      "FUNCTION($zoomLevel, 'mgl_stepWithMinimum:stops:', 0, %@)", #"[{"3": 1, "5": 2}]"#,
      #"["step",["zoom"],0,3,1,5,2]"#,
      (#"{"zoom":4}"#, "1")),
    FormatRow(
      "FUNCTION('Old', 'stringByAppendingString:', 'MacDonald')", #"["concat","Old","MacDonald"]"#,
      ("{}", #""OldMacDonald""#)),
    FormatRow("FUNCTION(ele, 'stringValue')", #"["to-string",["get","ele"]]"#, (#"{"ele":1.5}"#, #""1.5""#)),
    FormatRow("FUNCTION(SELF, 'valueForKeyPath:', 'a.b')", #"["get","b",["get","a"]]"#),
    FormatRow("FUNCTION({x, y}, 'mgl_coalesce')", #"["coalesce",["get","x"],["get","y"]]"#),
    FormatRow("FUNCTION(1, 'mgl_acos')", #"["acos",1]"#),
  ]
}
