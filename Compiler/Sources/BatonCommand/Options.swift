import BatonDiagnostics

/// The words of a command line behind the name of the command.
struct Options {
    /// What a command takes.
    struct Grammar {
        /// Options without a value.
        var flags: Set<String> = []
        /// Options with one value.
        var values: Set<String> = []
        /// Options with all words up to the next option, which may occur again.
        var lists: Set<String> = []
        var takesWords = false

        var names: [String] { (flags.union(values).union(lists)).sorted() }
    }

    private(set) var flags: Set<String> = []
    private(set) var values: [String: String] = [:]
    private(set) var lists: [String: [String]] = [:]
    private(set) var words: [String] = []

    /// Says what is wrong with a command line.
    struct Problem: Error {
        let message: String
        var suggestion: String?
    }

    /// Reads the words; `--name=value` is `--name value`, and `--` ends the options.
    init(_ arguments: [String], _ grammar: Grammar) throws(Problem) {
        var rest = arguments[...]
        var list: String?
        while let argument = rest.popFirst() {
            guard argument.hasPrefix("--"), argument != "--" else {
                if argument == "--" {
                    list = nil
                    continue
                }
                if argument.hasPrefix("-"), argument.count > 1 { throw Self.unknown(argument, grammar) }
                if let list {
                    lists[list, default: []].append(argument)
                } else if grammar.takesWords {
                    words.append(argument)
                } else {
                    throw Problem(message: "unexpected argument '\(argument)'")
                }
                continue
            }
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let name = parts[0]
            let attached = parts.count > 1 ? parts[1] : nil
            list = nil
            if grammar.flags.contains(name) {
                if attached != nil { throw Problem(message: "'\(name)' takes no value") }
                flags.insert(name)
            } else if grammar.values.contains(name) {
                if values[name] != nil { throw Problem(message: "'\(name)' is given twice") }
                guard let value = attached ?? rest.popFirst(), !value.hasPrefix("--") else {
                    throw Problem(message: "'\(name)' needs a value")
                }
                values[name] = value
            } else if grammar.lists.contains(name) {
                if let attached {
                    lists[name, default: []].append(attached)
                } else {
                    guard let next = rest.first, !next.hasPrefix("--") else {
                        throw Problem(message: "'\(name)' needs a value")
                    }
                    list = name
                }
            } else {
                throw Self.unknown(name, grammar)
            }
        }
    }

    private static func unknown(_ name: String, _ grammar: Grammar) -> Problem {
        Problem(
            message: "unknown option '\(name)'",
            suggestion: Spelling.question(for: name, among: grammar.names)
        )
    }
}
