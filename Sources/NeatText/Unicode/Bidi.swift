/// Placeholder of what follows.
func presentationForms(of text: String) -> [UInt32] { [] }
func isArabicJoining(_ codepoint: UInt32) -> Bool { false }
func verticalForm(_ codepoint: UInt32) -> UInt32 { 0 }
