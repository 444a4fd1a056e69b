import BatonCodegen
import BatonDiagnostics
import BatonSchema
import BatonSyntax
import BatonTransforms

extension Compilation {
    /// Resolves the names of the configured age limits to queries, types and fields; an unknown name is an error.
    /// `others` are operations of the project that are not among the documents.
    package func ageLimits(
        _ configured: [String: Configuration.AgeLimit], others: [StandingDefinitions.Operation] = []
    ) -> (limits: AgeLimits, diagnostics: [Diagnostic]) {
        var limits = AgeLimits()
        var diagnostics: [Diagnostic] = []
        guard !configured.isEmpty else { return (limits, []) }
        var operations: [String: OperationKind] = [:]
        for operation in others { operations[operation.name] = operation.kind }
        for operation in documents.flatMap(\.document.operations) {
            if let name = operation.name?.text { operations[name] = operation.kind }
        }
        for (name, limit) in configured.sorted(by: { $0.key < $1.key }) {
            guard let mistake = add(limit.seconds, name, operations, to: &limits) else { continue }
            diagnostics.append(
                Diagnostic(.ageLimit, mistake.message, at: limit.span, suggestion: mistake.suggestion))
        }
        return (limits, diagnostics)
    }

    private struct Mistake {
        let message: String
        var suggestion: String?
    }

    /// Adds a limit. A name that is both a query and a type limits both.
    private func add(
        _ seconds: Int, _ name: String, _ operations: [String: OperationKind], to limits: inout AgeLimits
    ) -> Mistake? {
        let parts = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let type = schema.type(named: parts[0])
        if parts.count == 2 {
            guard let type, type.isComposite else { return unknownType(parts[0], type, []) }
            guard type.fields.contains(where: { $0.name == parts[1] }) else {
                let names = type.fields.map(\.name)
                return Mistake(
                    message: "unknown field '\(parts[1])' on type '\(parts[0])'",
                    suggestion: Spelling.question(for: parts[1], among: names))
            }
            guard parts[1] != "id" else {
                return Mistake(
                    message: "'\(name)' is what identifies an object, and has no age",
                    suggestion: "limit another field, or the type")
            }
            limits.fields[parts[0], default: [:]][parts[1]] = seconds
            return nil
        }
        if operations[name] == .query { limits.queries[name] = seconds }
        if let type, type.isComposite { limits.types[name] = seconds }
        if limits.queries[name] != nil || limits.types[name] != nil { return nil }
        if let kind = operations[name] {
            return Mistake(
                message: "the \(kind.rawValue) '\(name)' has no age",
                suggestion: "only queries, types and fields have one")
        }
        return unknownType(name, type, operations.filter { $0.value == .query }.map(\.key))
    }

    private func unknownType(_ name: String, _ type: SchemaType?, _ queries: [String]) -> Mistake {
        if type != nil {
            return Mistake(
                message: "'\(name)' has no fields that could become old",
                suggestion: "only queries, object types, interfaces, unions and their fields have an age")
        }
        let types = schema.types.filter { $0.isComposite && !$0.name.hasPrefix("__") }.map(\.name)
        return Mistake(
            message: queries.isEmpty ? "there is no type '\(name)'" : "there is no query and no type '\(name)'",
            suggestion: Spelling.question(for: name, among: types + queries.sorted()))
    }
}
