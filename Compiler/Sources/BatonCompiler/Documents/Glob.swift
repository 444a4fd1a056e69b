/// A pattern for paths: `*` and `?` inside a component, `**` for any number of components, `[a-z]`, and `{a,b}`.
package struct Glob: Sendable {
    /// The pattern with its braces written out, each split into components.
    private let alternatives: [[String]]

    package init(_ pattern: String) {
        alternatives = Self.expand(FilePath.normalized(pattern)).map { alternative in
            alternative.split(separator: "/").map(String.init)
        }
    }

    /// Whether a text has any of the characters that make it a pattern.
    package static func isPattern(_ text: String) -> Bool {
        text.contains { "*?[{".contains($0) }
    }

    /// Whether the pattern matches the whole path.
    package func matches(_ path: String) -> Bool {
        let parts = path.split(separator: "/").map { Array($0.unicodeScalars) }
        return alternatives.contains { Self.matches(pattern: $0, parts) }
    }

    /// The components before the first one with a pattern: nothing outside that folder can match.
    package static func root(of pattern: String) -> String {
        let isAbsolute = pattern.hasPrefix("/")
        let parts = FilePath.normalized(pattern).split(separator: "/")
        let fixed = parts.dropLast().prefix { !isPattern(String($0)) }
        if fixed.isEmpty { return isAbsolute ? "/" : "." }
        return (isAbsolute ? "/" : "") + fixed.joined(separator: "/")
    }

    /// Writes out the first pair of braces and goes on; at most 256 alternatives.
    private static func expand(_ pattern: String) -> [String] {
        var done: [String] = []
        var pending = [pattern]
        while let next = pending.popLast() {
            guard done.count + pending.count < 256, let open = next.firstIndex(of: "{"),
                let close = next[open...].firstIndex(of: "}")
            else {
                done.append(next)
                continue
            }
            let options = next[next.index(after: open)..<close].split(separator: ",", omittingEmptySubsequences: false)
            pending += options.map { String(next[..<open] + $0 + next[next.index(after: close)...]) }
        }
        return done
    }

    /// Goes back to the last `**` when a component does not fit, as one does for `*` inside a component.
    private static func matches(pattern: [String], _ parts: [[Unicode.Scalar]]) -> Bool {
        var patternIndex = 0
        var partIndex = 0
        var retry: (pattern: Int, part: Int)?
        while partIndex < parts.count {
            if patternIndex < pattern.count, pattern[patternIndex] == "**" {
                retry = (patternIndex, partIndex)
                patternIndex += 1
            } else if patternIndex < pattern.count,
                matches(Array(pattern[patternIndex].unicodeScalars), parts[partIndex])
            {
                patternIndex += 1
                partIndex += 1
            } else if let again = retry {
                retry = (again.pattern, again.part + 1)
                patternIndex = again.pattern + 1
                partIndex = again.part + 1
            } else {
                return false
            }
        }
        return pattern[patternIndex...].allSatisfy { $0 == "**" }
    }

    private static func matches(_ pattern: [Unicode.Scalar], _ text: [Unicode.Scalar]) -> Bool {
        var patternIndex = 0
        var textIndex = 0
        var retry: (pattern: Int, text: Int)?
        while textIndex < text.count {
            if patternIndex < pattern.count, pattern[patternIndex] == "*" {
                retry = (patternIndex, textIndex)
                patternIndex += 1
            } else if patternIndex < pattern.count,
                let next = step(pattern, patternIndex, text[textIndex])
            {
                patternIndex = next
                textIndex += 1
            } else if let again = retry {
                retry = (again.pattern, again.text + 1)
                patternIndex = again.pattern + 1
                textIndex = again.text + 1
            } else {
                return false
            }
        }
        return pattern[patternIndex...].allSatisfy { $0 == "*" }
    }

    /// Matches one scalar; gives the position in the pattern behind it.
    private static func step(_ pattern: [Unicode.Scalar], _ index: Int, _ scalar: Unicode.Scalar) -> Int? {
        switch pattern[index] {
        case "?": return index + 1
        case "[":
            guard let close = pattern[index...].firstIndex(of: "]"), close > index + 1 else { break }
            var members = pattern[(index + 1)..<close]
            let isNegated = members.first == "!"
            if isNegated { members = members.dropFirst() }
            var isMember = false
            while let first = members.popFirst() {
                if members.first == "-", let last = members.dropFirst().first {
                    members = members.dropFirst(2)
                    if first <= last, (first...last).contains(scalar) { isMember = true }
                } else if first == scalar {
                    isMember = true
                }
            }
            return isMember != isNegated ? close + 1 : nil
        default: break
        }
        return pattern[index] == scalar ? index + 1 : nil
    }
}
