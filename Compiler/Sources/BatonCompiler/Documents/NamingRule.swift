import BatonDiagnostics
import BatonSyntax
import BatonValidation

/// The rule for names in Swift sources: a name begins with the name of its file.
///
/// A name therefore shows the place of its definition, and generated types of two components never collide. In
/// `FilmList.swift` and `FilmList+Row.swift`, operations are named `FilmListQuery`, `FilmList...Query`,
/// `FilmList...Mutation` and `FilmList...Subscription`, and fragments `FilmList_film`. Names in `.graphql` files are
/// free.
struct NamingRule {
    /// The required beginning of names.
    let prefix: String
    /// The name of the file, for messages.
    let fileName: String

    /// The rule for a file; nil for a file whose names are free.
    init?(path: String) {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        guard FileFinder.isSwift(name) else { return nil }
        fileName = name
        prefix = Self.prefix(ofPath: path)
    }

    /// The part of the file name before the extension and the first `+`, as a GraphQL name.
    private static func prefix(ofPath path: String) -> String {
        let name = path.split(separator: "/").last ?? path[...]
        let base = name.lastIndex(of: ".").map { name[..<$0] } ?? name
        return prefix(ofBaseName: base.prefix { $0 != "+" })
    }

    /// Keeps letters, digits and underscores, drops other characters and capitalizes the letter after them.
    private static func prefix(ofBaseName base: Substring) -> String {
        var result = ""
        var isStart = false
        for character in base {
            guard character.isASCII, character.isLetter || character.isNumber || character == "_" else {
                isStart = true
                continue
            }
            result += isStart && !result.isEmpty ? character.uppercased() : String(character)
            isStart = false
        }
        if result.first?.isNumber ?? true { result = "_" + result }
        return result
    }

    /// Reports all names in Swift sources that break the rule. A proposed name is not used by another definition.
    static func check(_ documents: [LoadedDocument]) -> [Diagnostic] {
        var taken = TakenNames(documents)
        var diagnostics: [Diagnostic] = []
        for loaded in documents where loaded.isInSwift {
            guard let rule = NamingRule(path: loaded.source.path) else { continue }
            diagnostics += rule.check(loaded.document, &taken)
        }
        return diagnostics
    }

    /// Adds a proposed name to the diagnostic of each operation without a name. The proposal is made from the name of
    /// the file.
    static func naming(_ diagnostics: [Diagnostic], in documents: [LoadedDocument]) -> [Diagnostic] {
        guard diagnostics.contains(where: { $0.id == .anonymousOperation }) else { return diagnostics }
        var taken = TakenNames(documents)
        var proposals: [Span: String] = [:]
        for loaded in documents {
            for case .operation(let operation) in loaded.document.definitions where operation.name == nil {
                let prefix = capitalized(prefix(ofPath: loaded.source.path))
                let suffix = capitalized(operation.kind.rawValue)
                let name = taken.propose([prefix + suffix], among: \.operations) { "\(prefix)\($0)\(suffix)" }
                proposals[operation.keywordSpan] = "write '\(operation.kind.rawValue) \(name)'"
            }
        }
        return diagnostics.map { diagnostic in
            guard diagnostic.id == .anonymousOperation, let proposal = proposals[diagnostic.span] else {
                return diagnostic
            }
            var diagnostic = diagnostic
            diagnostic.suggestion = proposal
            return diagnostic
        }
    }

    private func check(_ document: Document, _ taken: inout TakenNames) -> [Diagnostic] {
        var diagnostics: [Diagnostic] = []
        for definition in document.definitions {
            switch definition {
            case .operation(let operation):
                if let name = operation.name, let problem = checkOperation(name, operation.kind, &taken) {
                    diagnostics.append(problem)
                }
            case .fragment(let fragment):
                if let problem = checkFragment(fragment, &taken) { diagnostics.append(problem) }
                diagnostics += checkRefetchQuery(of: fragment, &taken)
            case .schema, .type, .directive: break
            }
        }
        return diagnostics
    }

    private func checkOperation(_ name: Name, _ kind: OperationKind, _ taken: inout TakenNames) -> Diagnostic? {
        let suffix = Self.capitalized(kind.rawValue)
        let start = starts(name.text)
        if start != nil, name.text.hasSuffix(suffix) { return nil }
        // The proposal keeps the given name if that is possible: 'FilmListTop' becomes 'FilmListTopQuery', and 'Films'
        // becomes 'FilmListQuery', or 'FilmListFilmsQuery' if 'FilmListQuery' is taken.
        let stem = Self.dropSuffix(of: name.text)
        let stems = start == nil ? [prefix, prefix + Self.capitalized(stem)] : [stem]
        let proposed = taken.propose(stems.map { $0 + suffix }, among: \.operations) { number in
            "\(stems[stems.count - 1])\(number)\(suffix)"
        }
        return Diagnostic(
            .operationName,
            "the \(kind.rawValue) '\(name.text)' in '\(fileName)' must begin with '\(prefix)' and end with '\(suffix)'",
            at: name.span,
            suggestion: "call it '\(proposed)'" + (start == nil ? ", or '\(prefix)...\(suffix)'" : "")
        )
    }

    private func checkFragment(_ fragment: FragmentDefinition, _ taken: inout TakenNames) -> Diagnostic? {
        let name = fragment.name.text
        if let tail = starts(name), tail.hasPrefix("_"), tail.count > 1 { return nil }
        let type = fragment.typeCondition.text
        let typeWord = type.prefix(1).lowercased() + type.dropFirst()
        let ownWord = name.split(separator: "_").count > 1 ? name.split(separator: "_").last.map(String.init) : nil
        let words = [ownWord, typeWord].compactMap(\.self)
        let proposed = taken.propose(words.map { "\(prefix)_\($0)" }, among: \.fragments) { number in
            "\(prefix)_\(words[0])\(number)"
        }
        return Diagnostic(
            .fragmentName,
            "the fragment '\(name)' in '\(fileName)' must be named '\(prefix)_' and something more",
            at: fragment.name.span,
            suggestion: "call it '\(proposed)'"
        )
    }

    /// Checks the name of the generated query in `@refetchable(queryName: "FilmListRefetchQuery")`.
    private func checkRefetchQuery(of fragment: FragmentDefinition, _ taken: inout TakenNames) -> [Diagnostic] {
        var diagnostics: [Diagnostic] = []
        for directive in fragment.directives where directive.name.text == "refetchable" {
            guard let argument = directive.arguments.first(where: { $0.name.text == "queryName" }),
                case .string(let value) = argument.value,
                let problem = checkOperation(Name(value.text, span: argument.value.span), .query, &taken)
            else { continue }
            diagnostics.append(problem)
        }
        return diagnostics
    }

    /// The part of a name after the prefix; nil if the name does not begin with the prefix. A prefix in lower case, as
    /// in `main.swift`, also matches with a capital letter.
    private func starts(_ name: String) -> Substring? {
        if name.hasPrefix(prefix) { return name.dropFirst(prefix.count) }
        let capitalized = prefix.prefix(1).uppercased() + prefix.dropFirst()
        return name.hasPrefix(capitalized) ? name.dropFirst(capitalized.count) : nil
    }

    private static func dropSuffix(of name: String) -> String {
        for suffix in ["Query", "Mutation", "Subscription"] where name.hasSuffix(suffix) {
            return String(name.dropLast(suffix.count))
        }
        return name
    }

    private static func capitalized(_ word: String) -> String {
        word.prefix(1).uppercased() + word.dropFirst()
    }
}

/// The names that a proposal must not use: those of all definitions, and earlier proposals.
///
/// The names are in lower case, because fragment names may not differ in case alone.
struct TakenNames {
    var operations: Set<String> = []
    var fragments: Set<String> = []

    init(_ documents: [LoadedDocument]) {
        for loaded in documents {
            for definition in loaded.document.definitions {
                switch definition {
                case .operation(let operation): operation.name.map { _ = operations.insert($0.text.lowercased()) }
                case .fragment(let fragment): fragments.insert(fragment.name.text.lowercased())
                case .schema, .type, .directive: break
                }
            }
        }
    }

    /// Takes the first free candidate, or else the first free numbered name.
    mutating func propose(
        _ candidates: [String],
        among names: WritableKeyPath<TakenNames, Set<String>>,
        numbered: (Int) -> String
    ) -> String {
        for candidate in candidates where self[keyPath: names].insert(candidate.lowercased()).inserted {
            return candidate
        }
        var number = 2
        while !self[keyPath: names].insert(numbered(number).lowercased()).inserted { number += 1 }
        return numbered(number)
    }
}
