/// A pattern for paths: `*` and `?` within a component, `**` for any number of components, `{a,b}` for alternatives.
///
/// `*`, `?` and `**` match neither components that begin with a dot nor folders of package managers and build systems.
/// A pattern can only reach these by their names. `a/**` matches everything below `a`. There are no character classes
/// and no escapes.
package struct Glob: Hashable, Sendable {
    /// The segments of the pattern, once for each combination of alternatives.
    let alternatives: [[Segment]]
    /// Whether the pattern starts at the root of the file system.
    let isAbsolute: Bool

    enum Segment: Hashable, Sendable {
        /// A component without special characters.
        case literal(String)
        case wildcard([Character])
        /// `**`
        case anyDepth
    }

    package enum Mistake: Error, Hashable {
        case unbalancedBraces
        case tooManyAlternatives
        case empty
        case tooLong
        /// The file system ends a path at its first NUL, so that the pattern would name another file.
        case nul

        package var message: String {
            switch self {
            case .unbalancedBraces: "this pattern has a brace without its counterpart"
            case .tooManyAlternatives: "this pattern has more than \(Glob.alternativesLimit) alternatives"
            case .empty: "this path is empty"
            case .tooLong: "this path is longer than \(Glob.lengthLimit) bytes"
            case .nul: "a path cannot hold the character U+0000"
            }
        }
    }

    static let alternativesLimit = 256
    static let lengthLimit = 4096

    /// Parses a pattern; `.` components are dropped.
    package init(_ pattern: String) throws(Mistake) {
        if pattern.isEmpty { throw .empty }
        if pattern.utf8.count > Self.lengthLimit { throw .tooLong }
        if pattern.utf8.contains(0) { throw .nul }
        isAbsolute = pattern.hasPrefix("/")
        alternatives = try Self.expand(Array(pattern)).map { text in
            var segments = String(text).split(separator: "/").filter { $0 != "." }.map { component -> Segment in
                if component == "**" { return .anyDepth }
                let isWildcard = component.contains { $0 == "*" || $0 == "?" }
                return isWildcard ? .wildcard(Array(component)) : .literal(String(component))
            }
            if segments.last == .anyDepth { segments.append(.wildcard(["*"])) }
            return segments
        }
    }

    /// Whether a text is a pattern; other texts are paths of one file or folder.
    package static func isPattern(_ text: String) -> Bool {
        text.contains { $0 == "*" || $0 == "?" || $0 == "{" || $0 == "}" }
    }

    /// The extensions that the pattern writes out at its end, in lower case.
    var writtenExtensions: Set<String> {
        Set(
            alternatives.compactMap { segments in
                let name: String
                switch segments.last {
                case .literal(let text): name = text
                case .wildcard(let characters): name = String(characters)
                case .anyDepth, nil: return nil
                }
                let ending = FileFinder.fileExtension(of: name)
                return ending.isEmpty || Self.isPattern(ending) ? nil : ending
            })
    }

    /// Expands braces: replaces the first group by each of its alternatives, until no group is left.
    private static func expand(_ pattern: [Character]) throws(Mistake) -> [[Character]] {
        var finished: [[Character]] = []
        var pending = [pattern]
        while let next = pending.popLast() {
            guard let open = next.firstIndex(of: "{") else {
                if next.contains("}") { throw .unbalancedBraces }
                finished.append(next)
                continue
            }
            var depth = 0
            var start = open + 1
            var parts: [ArraySlice<Character>] = []
            var close: Int?
            scan: for index in open..<next.count {
                switch next[index] {
                case "{": depth += 1
                case "," where depth == 1:
                    parts.append(next[start..<index])
                    start = index + 1
                case "}":
                    depth -= 1
                    if depth == 0 {
                        parts.append(next[start..<index])
                        close = index
                        break scan
                    }
                default: break
                }
            }
            guard let close else { throw .unbalancedBraces }
            for part in parts.reversed() { pending.append(Array(next[..<open] + part + next[(close + 1)...])) }
            if pending.count + finished.count > alternativesLimit { throw .tooManyAlternatives }
        }
        return finished
    }

    // MARK: - Matching

    /// Whether the pattern matches the path or a folder that contains it. A relative pattern starts at `base`.
    package func matches(_ path: AbsolutePath, relativeTo base: AbsolutePath) -> Bool {
        let components = path.components
        return alternatives.contains { written in
            var segments = isAbsolute ? [] : base.components.map { Segment.literal(String($0)) }
            for segment in written {
                if segment == .literal("..") { _ = segments.popLast() } else { segments.append(segment) }
            }
            var states: Set<Int> = Self.closure([0], in: segments)
            if states.contains(segments.count) { return true }
            for component in components {
                states = Self.advance(states, over: component, in: segments)
                if states.isEmpty { return false }
                if states.contains(segments.count) { return true }
            }
            return false
        }
    }

    /// Advances positions in the segments by one component; the position `segments.count` means a match.
    ///
    /// Neither `**` nor a component with wildcards crosses a folder that is a symbolic link, so that links cannot make
    /// a walk endless, and no file is found in two places. A component without wildcards names the link, and crosses
    /// it.
    static func advance(
        _ states: Set<Int>,
        over component: Substring,
        in segments: [Segment],
        isLink: Bool = false
    ) -> Set<Int> {
        var next: Set<Int> = []
        for state in states where state < segments.count {
            switch segments[state] {
            case .literal(let text): if component == text { next.insert(state + 1) }
            case .wildcard(let pattern):
                if !isLink, wildcard(pattern, matches: component) { next.insert(state + 1) }
            case .anyDepth: if !isLink, !isSkipped(component) { next.insert(state) }
            }
        }
        return closure(next, in: segments)
    }

    /// Adds the positions behind each `**`, because `**` may match no component at all.
    static func closure(_ states: Set<Int>, in segments: [Segment]) -> Set<Int> {
        var result = states
        for state in states {
            var index = state
            while index < segments.count, segments[index] == .anyDepth {
                index += 1
                result.insert(index)
            }
        }
        return result
    }

    /// Folders that a pattern reaches only by their names, like names that begin with a dot.
    private static let skippedFolders: Set<Substring> = ["Carthage", "DerivedData", "Pods", "node_modules"]

    static func isSkipped(_ component: Substring) -> Bool {
        component.hasPrefix(".") || skippedFolders.contains(component)
    }

    private static func wildcard(_ pattern: [Character], matches component: Substring) -> Bool {
        if isSkipped(component), !(component.hasPrefix(".") && pattern.first == ".") { return false }
        if pattern.count == 1, pattern[0] == "*" { return true }
        let text = Array(component)
        var textIndex = 0
        var patternIndex = 0
        var retry: (text: Int, pattern: Int)?
        while textIndex < text.count {
            if patternIndex < pattern.count, pattern[patternIndex] == "*" {
                retry = (textIndex, patternIndex + 1)
                patternIndex += 1
            } else if patternIndex < pattern.count,
                pattern[patternIndex] == "?" || pattern[patternIndex] == text[textIndex]
            {
                textIndex += 1
                patternIndex += 1
            } else if let last = retry {
                textIndex = last.text + 1
                patternIndex = last.pattern
                retry?.text = textIndex
            } else {
                return false
            }
        }
        return pattern[patternIndex...].allSatisfy { $0 == "*" }
    }
}
