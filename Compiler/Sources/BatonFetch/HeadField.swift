import BatonDiagnostics

/// A field of the head of requests, as a command line gives it.
package struct HeadField: Hashable, Sendable {
    package let name: String
    let value: String

    /// What the program says itself.
    private static let own: Set<String> = [
        "accept-encoding", "connection", "content-length", "content-type", "expect", "transfer-encoding",
    ]

    /// Reads `Name: value`. In the value, `$NAME` and `${NAME}` stand for variables of the environment, and `$$` for a
    /// dollar sign.
    package init(_ text: String, environment: [String: String]) throws(FetchFailure) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts[0]
        guard parts.count == 2, !name.isEmpty, name.utf8.allSatisfy(Self.isToken) else {
            // The text may be a secret without its name.
            throw FetchFailure("a header must be 'NAME: VALUE'")
        }
        guard !Self.own.contains(name.lowercased()) else {
            throw FetchFailure("the header '\(name)' is set by this program")
        }
        self.name = String(name)
        var value = ""
        var rest = parts[1].drop { $0 == " " || $0 == "\t" }
        while let next = rest.popFirst() {
            guard next == "$", let variable = Self.takeVariable(&rest) else {
                value.append(next)
                continue
            }
            if variable == "$" {
                value += "$"
            } else if let found = environment[variable] {
                value += found
            } else {
                throw FetchFailure(
                    "the header '\(name)' names the variable '\(variable)', which is not set in the environment")
            }
        }
        while value.last == " " || value.last == "\t" { value.removeLast() }
        guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
            throw FetchFailure("the value of the header '\(name)' has a line break or another control character")
        }
        self.value = value
    }

    /// Takes what follows a dollar sign: the name of a variable, or another dollar sign. Nil if it is something else.
    private static func takeVariable(_ rest: inout Substring) -> String? {
        if rest.first == "$" {
            rest = rest.dropFirst()
            return "$"
        }
        let isBraced = rest.first == "{"
        let name = (isBraced ? rest.dropFirst() : rest).prefix { character in
            character == "_" || character.isASCII && (character.isLetter || character.isNumber)
        }
        guard let first = name.first, !first.isNumber else { return nil }
        let after = rest[name.endIndex...]
        if !isBraced {
            rest = after
            return String(name)
        }
        guard after.first == "}" else { return nil }
        rest = after.dropFirst()
        return String(name)
    }

    /// Whether a byte may be in a name: https://www.rfc-editor.org/rfc/rfc9110#section-5.6.2
    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    /// The line of the head.
    var line: String { value.isEmpty ? "\(name);" : "\(name): \(value)" }
}
