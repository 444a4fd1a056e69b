import Foundation

/// Reads which values of a document are secret, and strikes them out.
///
/// A value is secret if its argument or its input field has a secret name, or if it is the default of a variable with
/// such a name. A variable is secret if it is given to such an argument, and a response's member if the field has a
/// secret name and an alias.
struct SecretDocument {
    private let bytes: [UInt8]
    private let tokens: [Range<Int>]
    private let secrets: Secrets
    /// The tokens that are struck out.
    private var marked: Set<Int> = []
    /// Where the last secret value ends. What is in it is not looked at again, so that a token is read twice at most.
    private var end = 0
    /// The variables and the aliases that are secret.
    private(set) var names: Set<String> = []
    /// The texts that were struck out.
    private(set) var texts: [String] = []

    init(_ text: String, _ secrets: Secrets) {
        bytes = Array(text.utf8)
        tokens = DocumentTokens(bytes).ranges
        self.secrets = secrets
    }

    mutating func read() {
        for index in tokens.indices {
            if text(index) == "$", text(index + 2) == ":" {
                readDefinition(at: index)
            } else if text(index) == ":", index > 0 {
                // An argument, an input field or an alias; not the type of a variable.
                guard index < 2 || text(index - 2) != "$" else { continue }
                let name = text(index - 1)
                if secrets.isSecret(name) { readValue(at: index + 1) }
                if secrets.isSecret(text(index + 1)), isWord(index - 1) { names.insert(name) }
            }
        }
    }

    /// The document with the secrets struck out.
    var struck: String { String(decoding: written(from: nil), as: UTF8.self) }

    /// The tokens with one space between two of them.
    var key: String { String(decoding: written(from: UInt8(ascii: " ")), as: UTF8.self) }

    private func written(from separator: UInt8?) -> [UInt8] {
        var result: [UInt8] = []
        var end = 0
        for (index, token) in tokens.enumerated() {
            if let separator {
                if index > 0 { result.append(separator) }
            } else {
                result += bytes[end..<token.lowerBound]
            }
            end = token.upperBound
            if marked.contains(index) {
                result += (bytes[token.lowerBound] == UInt8(ascii: "\"") ? "\"\(Secrets.mark)\"" : "0").utf8
            } else {
                result += bytes[token]
            }
        }
        return separator == nil ? result + bytes[end...] : result
    }

    private func text(_ index: Int) -> String {
        tokens.indices.contains(index) ? String(decoding: bytes[tokens[index]], as: UTF8.self) : ""
    }

    private func isWord(_ index: Int) -> Bool { text(index).first.map { $0.isLetter || $0 == "_" } ?? false }

    /// `$password: String! = "..."`
    private mutating func readDefinition(at index: Int) {
        guard secrets.isSecret(text(index + 1)) else { return }
        var place = index + 3
        while isWord(place) || ["[", "]", "!"].contains(text(place)) { place += 1 }
        if text(place) == "=" { readValue(at: place + 1) }
    }

    /// A value with everything in it.
    private mutating func readValue(at start: Int) {
        guard start >= end else { return }
        var depth = 0
        var index = start
        defer { end = index }
        repeat {
            let word = text(index)
            switch word {
            case "[", "{": depth += 1
            case "]", "}": depth -= 1
            case "$":
                names.insert(text(index + 1))
                index += 1
            case "": return
            default:
                if word.hasPrefix("\"") {
                    marked.insert(index)
                    texts.append(word.trimmingCharacters(in: CharacterSet(charactersIn: "\"")))
                } else if word.first?.isNumber == true || word.hasPrefix("-") {
                    marked.insert(index)
                }
            }
            index += 1
        } while depth > 0
    }
}
