// What results of expressions have in common; the compiler picks operators and arguments by it. Types of an
// application's own need none of it to be constants of a `Value`.

/// What may be an argument of any expression: all but colours.
public protocol ExpArgument: StyleConvertible {}

/// What expressions with colours among their arguments may yield.
public protocol ColorTakingResult: StyleConvertible {}

/// What `interpolate` may yield.
public protocol InterpolatableResult: StyleConvertible {}

/// What a text is taken for where it is due: names of a property's set, colours, names of images.
public protocol TextResult: StyleConvertible {}

/// Lists of colours, for which one colour may stand.
public protocol ColorListResult: StyleConvertible {}

/// Arrays.
public protocol ArrayResult: StyleConvertible {}

/// What `slice` cuts: arrays and strings.
public protocol SequenceResult: StyleConvertible {}

extension Double: ExpArgument, InterpolatableResult {}
extension Bool: ExpArgument {}
extension String: ExpArgument, ColorTakingResult, SequenceResult {}
extension StyleColor: ColorTakingResult, InterpolatableResult, TextResult {}
extension ResolvedImage: ExpArgument, TextResult {}
extension VariableAnchorOffset: ExpArgument, InterpolatableResult {}
extension FormatOptions: ExpArgument {}
extension JSONValue: ExpArgument, ColorTakingResult, InterpolatableResult, ArrayResult, SequenceResult {}
extension Array: ExpArgument where Element: ExpArgument {}
extension Array: ColorTakingResult where Element: StyleConvertible {}
extension Array: InterpolatableResult where Element: InterpolatableResult {}
extension Array: ColorListResult where Element == StyleColor {}
extension Array: ArrayResult where Element: StyleConvertible {}
extension Array: SequenceResult where Element: StyleConvertible {}
extension Exp: ExpArgument where Result: ExpArgument {}
extension Value: ExpArgument where T: ExpArgument {}
