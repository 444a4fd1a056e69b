/// Escapes and derives names of Swift.
package enum SwiftName {
    /// Words that need backticks in declarations and references.
    private static let keywords: Set<String> = [
        "Any", "Protocol", "Self", "Type", "any", "as", "associatedtype", "async", "await", "break", "case", "catch",
        "class", "continue", "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false",
        "fileprivate", "for", "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil",
        "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "self", "some",
        "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var",
        "where", "while",
    ]

    /// The name, with backticks if it needs them.
    package static func escaped(_ name: String) -> String { isKeyword(name) ? "`\(name)`" : name }

    /// Whether a name needs backticks.
    static func isKeyword(_ name: String) -> Bool {
        // No keyword is longer, and few begin with the same byte, which excludes most names.
        guard name.utf8.count <= 15, let first = name.utf8.first, first < 128 else { return false }
        return keywordStarts[Int(first)] && keywords.contains(name)
    }

    /// Whether a keyword begins with a byte of ASCII.
    private static let keywordStarts: [Bool] = {
        var starts = [Bool](repeating: false, count: 128)
        for first in keywords.compactMap(\.utf8.first) { starts[Int(first)] = true }
        return starts
    }()

    /// The name as an argument label. One word needs backticks there.
    package static func label(_ name: String) -> String { name == "inout" ? "`inout`" : name }

    /// `heroDetails` for `HeroDetails`.
    package static func lowercasingFirst(_ name: String) -> String {
        guard let first = name.first else { return name }
        return first.lowercased() + name.dropFirst()
    }

    /// `HeroDetails` for `heroDetails`; leading underscores stay.
    package static func uppercasingFirst(_ name: String) -> String {
        let underscores = name.prefix { $0 == "_" }
        let rest = name.dropFirst(underscores.count)
        guard let first = rest.first else { return name }
        return underscores + first.uppercased() + rest.dropFirst()
    }

    /// The name of the case for an enum value: `newHope` for `NEW_HOPE`, `empire` for `EMPIRE`, `newHope` for
    /// `NewHope`.
    package static func enumCase(_ value: String) -> String {
        let words = value.split(separator: "_")
        guard let first = words.first else { return value }
        let isUpper = !value.contains(where: \.isLowercase)
        let rest = words.dropFirst().map { word in
            word.prefix(1).uppercased() + (isUpper ? word.dropFirst().lowercased() : String(word.dropFirst()))
        }
        let name = (isUpper ? first.lowercased() : loweringHead(of: String(first))) + rest.joined()
        return name.first?.isNumber == true ? "_" + name : name
    }

    /// `usDollar` for `USDollar`, `newHope` for `NewHope`.
    private static func loweringHead(of word: String) -> String {
        let capitals = word.prefix { $0.isUppercase }.count
        if capitals == 0 { return word }
        let head = capitals == 1 || capitals == word.count ? capitals : capitals - 1
        return word.prefix(head).lowercased() + word.dropFirst(head)
    }
}
