import BatonDiagnostics

extension DiagnosticID {
    // Lexer
    package static let invalidCharacter = DiagnosticID(rawValue: "invalid-character")
    package static let invalidEscape = DiagnosticID(rawValue: "invalid-escape")
    package static let invalidNumber = DiagnosticID(rawValue: "invalid-number")
    package static let invalidUTF8 = DiagnosticID(rawValue: "invalid-utf8")
    package static let unterminatedString = DiagnosticID(rawValue: "unterminated-string")

    // Parser
    package static let emptyDocument = DiagnosticID(rawValue: "empty-document")
    package static let emptyList = DiagnosticID(rawValue: "empty-list")
    package static let mistakeLimit = DiagnosticID(rawValue: "mistake-limit")
    package static let nestingLimit = DiagnosticID(rawValue: "nesting-limit")
    package static let obsoleteSyntax = DiagnosticID(rawValue: "obsolete-syntax")
    package static let reservedName = DiagnosticID(rawValue: "reserved-name")
    package static let syntax = DiagnosticID(rawValue: "syntax")
    package static let tokenLimit = DiagnosticID(rawValue: "token-limit")
    package static let unexpectedDescription = DiagnosticID(rawValue: "unexpected-description")

    /// All ids of this module.
    package static let syntaxIDs: [DiagnosticID] = [
        .invalidCharacter, .invalidEscape, .invalidNumber, .invalidUTF8, .unterminatedString, .emptyDocument,
        .emptyList, .mistakeLimit, .nestingLimit, .obsoleteSyntax, .reservedName, .syntax, .tokenLimit,
        .unexpectedDescription,
    ]

    /// The ids that this module reports as warnings, always or in some cases.
    package static let syntaxWarningIDs: [DiagnosticID] = []
}
