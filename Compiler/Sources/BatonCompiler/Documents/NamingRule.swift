import BatonDiagnostics
import BatonSyntax

/// Names in a Swift file begin with the file's base name, so that a definition is found by its name and no two clash.
///
/// In `FilmList.swift`, and in `FilmList+Row.swift`: `FilmListQuery`, `FilmListMoreQuery`, `FilmListAddMutation`,
/// `FilmListNewSubscription`, and the fragment `FilmList_film`. Files with GraphQL alone are free.
struct NamingRule {
    private let base: String

    init(path: String) {
        let name = FilePath.name(path)
        let stem = name.split(whereSeparator: { $0 == "." || $0 == "+" }).first.map(String.init) ?? name
        base = stem.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    }

    func check(_ document: Document) -> [Diagnostic] {
        document.definitions.flatMap { definition -> [Diagnostic] in
            switch definition {
            case .operation(let operation): check(operation)
            case .fragment(let fragment): check(fragment)
            case .schema, .type, .directive: []
            }
        }
    }

    private func check(_ operation: OperationDefinition) -> [Diagnostic] {
        guard let name = operation.name else { return [] }
        return check(name, kind: operation.kind.rawValue)
    }

    private func check(_ name: Name, kind: String) -> [Diagnostic] {
        let suffix = kind.prefix(1).uppercased() + kind.dropFirst()
        if hasBase(name.text), name.text.hasSuffix(suffix), name.text.count >= base.count + suffix.count { return [] }
        var middle = name.text
        if middle.lowercased().hasPrefix(base.lowercased()) { middle.removeFirst(base.count) }
        if middle.hasSuffix(suffix) { middle.removeLast(suffix.count) }
        let wanted = capitalized(base) + capitalized(middle) + suffix
        return [
            Diagnostic(
                .definitionName,
                "a \(kind) in this file is named '\(capitalized(base))\(suffix)' or '\(capitalized(base))...\(suffix)', "
                    + "not '\(name.text)'",
                at: name.span,
                suggestion: "rename it to '\(wanted)'"
            )
        ]
    }

    private func check(_ fragment: FragmentDefinition) -> [Diagnostic] {
        var diagnostics: [Diagnostic] = []
        let name = fragment.name
        let isRight =
            hasBase(name.text) && name.text.dropFirst(base.count).first == "_" && name.text.count > base.count + 1
        if !isRight {
            var rest = name.text
            if rest.lowercased().hasPrefix(base.lowercased()) { rest.removeFirst(base.count) }
            while rest.hasPrefix("_") { rest.removeFirst() }
            if rest.isEmpty { rest = fragment.typeCondition.text }
            rest = rest.prefix(1).lowercased() + rest.dropFirst()
            diagnostics.append(
                Diagnostic(
                    .definitionName,
                    "a fragment in this file is named '\(capitalized(base))_...', not '\(name.text)'",
                    at: name.span,
                    suggestion: "rename it to '\(capitalized(base))_\(rest)'"
                )
            )
        }
        for directive in fragment.directives where directive.name.text == "refetchable" {
            if case .string(let value) = directive.argument("queryName") {
                diagnostics += check(Name(value.text, span: value.span), kind: "query")
            }
        }
        return diagnostics
    }

    private func hasBase(_ name: String) -> Bool {
        name.hasPrefix(base) || name.hasPrefix(capitalized(base))
    }

    private func capitalized(_ text: String) -> String {
        text.prefix(1).uppercased() + text.dropFirst()
    }
}
