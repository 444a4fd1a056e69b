import BatonDiagnostics
import BatonSyntax

/// The rule for names of what is written in Swift sources: they begin with the name of the file, so that a name says where
/// it stands, and generated types of two components never collide.
///
/// In `FilmList.swift` and `FilmList+Row.swift` operations are `FilmListQuery`, `FilmList...Query`, `FilmList...Mutation` and
/// `FilmList...Subscription`, fragments `FilmList_film`. Names in `.graphql` files are free.
struct NamingRule {
    /// What names begin with.
    let prefix: String
    /// The file, as it is called in messages.
    let fileName: String

    /// The rule for a file, or nil where names are free.
    init?(path: String) {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        guard name.hasSuffix(".swift") else { return nil }
        fileName = name
        prefix = Self.prefix(ofBaseName: name.dropLast(6).prefix { $0 != "+" })
    }

    /// Letters, digits and underscores are kept; what follows another character gets a capital.
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

    /// What is wrong with the names of a document.
    func check(_ document: Document) -> [Diagnostic] {
        var diagnostics: [Diagnostic] = []
        for definition in document.definitions {
            switch definition {
            case .operation(let operation):
                if let name = operation.name, let problem = checkOperation(name, operation.kind) {
                    diagnostics.append(problem)
                }
            case .fragment(let fragment):
                if let problem = checkFragment(fragment) { diagnostics.append(problem) }
                diagnostics += checkRefetchQuery(of: fragment)
            case .schema, .type, .directive: break
            }
        }
        return diagnostics
    }

    private func checkOperation(_ name: Name, _ kind: OperationKind) -> Diagnostic? {
        let suffix = kind.rawValue.prefix(1).uppercased() + kind.rawValue.dropFirst()
        let start = starts(name.text)
        if start != nil, name.text.hasSuffix(suffix) { return nil }
        // What was meant stays recognizable: 'FilmListTop' becomes 'FilmListTopQuery', 'Films' becomes 'FilmListQuery'.
        let stem = start.map { _ in Self.dropSuffix(of: name.text) } ?? prefix
        return Diagnostic(
            .operationName,
            "the \(kind.rawValue) '\(name.text)' in '\(fileName)' must begin with '\(prefix)' and end with '\(suffix)'",
            at: name.span,
            suggestion: "call it '\(stem)\(suffix)'" + (start == nil ? ", or '\(prefix)...\(suffix)'" : "")
        )
    }

    private func checkFragment(_ fragment: FragmentDefinition) -> Diagnostic? {
        let name = fragment.name.text
        if let tail = starts(name), tail.hasPrefix("_"), tail.count > 1 { return nil }
        let type = fragment.typeCondition.text
        let word = name.split(separator: "_").count > 1 ? name.split(separator: "_").last.map(String.init) : nil
        let proposed = word ?? type.prefix(1).lowercased() + type.dropFirst()
        return Diagnostic(
            .fragmentName,
            "the fragment '\(name)' in '\(fileName)' must be named '\(prefix)_' and something more",
            at: fragment.name.span,
            suggestion: "call it '\(prefix)_\(proposed)'"
        )
    }

    /// `@refetchable(queryName: "FilmListRefetchQuery")` names a query that is generated.
    private func checkRefetchQuery(of fragment: FragmentDefinition) -> [Diagnostic] {
        fragment.directives.filter { $0.name.text == "refetchable" }.compactMap { directive in
            guard let argument = directive.arguments.first(where: { $0.name.text == "queryName" }),
                case .string(let value) = argument.value
            else { return nil }
            return checkOperation(Name(value.text, span: argument.value.span), .query)
        }
    }

    /// What follows the prefix, or nil if the name does not begin with it. A prefix in lower case, as in `main.swift`, may
    /// have a capital letter in the name.
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
}
