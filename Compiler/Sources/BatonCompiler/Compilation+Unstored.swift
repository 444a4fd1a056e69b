import BatonCodegen
import BatonDiagnostics
import BatonIR
import BatonSchema
import BatonSyntax
import BatonTransforms

extension Compilation {
    /// Resolves the names of what no file on disk is to have to types, fields and operations. An unknown name is an
    /// error, and so is a name of what a file cannot leave out. `others` are the definitions of the project that are
    /// not among the documents.
    ///
    /// An abstract type stands for itself and its object types, and a field of an interface for the fields of these.
    /// The documents need not be valid. If there are names, the cost is linear in the documents.
    package func unstored(
        _ configured: [Configuration.Entry], others: StandingDefinitions = StandingDefinitions()
    ) -> (names: UnstoredNames, diagnostics: [Diagnostic]) {
        if configured.isEmpty { return (UnstoredNames(), []) }
        var resolver = UnstoredResolver(schema, documents, others)
        for entry in configured { resolver.add(entry) }
        return (resolver.names, resolver.diagnostics + resolver.misnamedConnections)
    }
}

/// Resolves names of `unstored` one after the other.
private struct UnstoredResolver {
    private(set) var names = UnstoredNames()
    private(set) var diagnostics: [Diagnostic] = []
    private let schema: Schema
    private let keys: KeyFields
    private let connections: UnstoredConnections
    private var operations: [String: Known] = [:]
    /// The names in the configuration by the fields for which they stand.
    private var entries: [String: Configuration.Entry] = [:]

    /// What is known of an operation.
    private struct Known {
        let kind: OperationKind
        var isUpdatable = false
        /// Nil if the operation is not among the documents.
        var selections: SelectionSet?
    }

    private struct Mistake {
        let message: String
        var notes: [Diagnostic.Note] = []
        var suggestion: String?
    }

    init(_ schema: Schema, _ documents: [LoadedDocument], _ others: StandingDefinitions) {
        self.schema = schema
        keys = KeyFields(schema)
        connections = UnstoredConnections(schema, documents)
        for operation in others.operations { operations[operation.name] = Known(kind: operation.kind) }
        for query in others.refetchQueries { operations[query] = Known(kind: .query) }
        for definition in documents.flatMap(\.document.definitions) {
            switch definition {
            case .operation(let operation):
                guard let name = operation.name?.text else { continue }
                operations[name] = Known(
                    kind: operation.kind, isUpdatable: operation.directives.named("updatable") != nil,
                    selections: operation.selectionSet)
            case .fragment(let fragment):
                guard let query = Fragment.refetchQueryName(of: fragment.name.text, fragment.directives) else {
                    continue
                }
                operations[query] = Known(kind: .query, selections: fragment.selectionSet)
            case .schema, .type, .directive: continue
            }
        }
    }

    var misnamedConnections: [Diagnostic] { connections.misnamed(among: entries) }

    mutating func add(_ entry: Configuration.Entry) {
        guard let mistake = resolve(entry) else { return }
        diagnostics.append(
            Diagnostic(
                .unstored, mistake.message, at: entry.span, notes: mistake.notes, suggestion: mistake.suggestion))
    }

    private mutating func resolve(_ entry: Configuration.Entry) -> Mistake? {
        let parts = entry.text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let type = schema.type(named: parts[0])
        if parts.count == 2 {
            guard let type, type.isComposite else { return unknown(parts[0], type, []) }
            return addField(parts[1], of: type, entry)
        }
        return addTypeOrOperation(entry.text, type)
    }

    /// Adds a name that is that of a type, of an operation or of both.
    private mutating func addTypeOrOperation(_ name: String, _ type: SchemaType?) -> Mistake? {
        var isType = false
        if let type, type.isComposite {
            if [schema.queryType, schema.mutationType, schema.subscriptionType].contains(where: { $0?.name == name }) {
                return Mistake(
                    message: "'\(name)' is the type of a root, which every file has", suggestion: "name its fields")
            }
            isType = true
            names.types.insert(name)
            names.types.formUnion(schema.possibleTypes(of: type).map(\.name))
        }
        guard let operation = operations[name] else {
            return isType ? nil : unknown(name, type, operations.keys.sorted())
        }
        if operation.isUpdatable, !isType {
            return Mistake(
                message: "the \(operation.kind.rawValue) '\(name)' is never fetched, because it has '@updatable'",
                suggestion: "name the types or fields that it changes")
        }
        // A part of a project does not know whether a query of the rest is updatable. Its name does no harm.
        names.operations.insert(name)
        guard !operation.isUpdatable, let selections = operation.selections,
            let directive = connections.directive(reachedFrom: selections)
        else { return nil }
        let verb = UnstoredConnections.makes(directive) ? "has" : "changes"
        return Mistake(
            message: "'\(name)' is in 'unstored' and \(verb) a connection, whose list no file could leave out",
            notes: [Diagnostic.Note("the connection is here", at: directive.name.span)],
            suggestion: "name the field of the connection or the type of its nodes instead")
    }

    private mutating func addField(_ field: String, of type: SchemaType, _ entry: Configuration.Entry) -> Mistake? {
        if field == "__typename" {
            return Mistake(
                message: "'\(entry.text)' says of which type an object is, so no file can leave it out",
                suggestion: "name another field, or the type")
        }
        guard type.field(named: field) != nil else {
            return Mistake(
                message: "unknown field '\(field)' on type '\(type.name)'",
                suggestion: Spelling.question(for: field, among: type.fields.map(\.name)))
        }
        let objects = schema.possibleTypes(of: type).filter { $0.field(named: field) != nil }
        if field == "id" || objects.contains(where: { keys.key(of: $0)?.fields.contains(field) == true }) {
            return Mistake(
                message: "'\(entry.text)' is what identifies an object, so no file can leave it out",
                suggestion: "name another field, or the type")
        }
        for owner in [type] + objects {
            let name = "\(owner.name).\(field)"
            names.fields.insert(name)
            entries[name] = entry
        }
        return nil
    }

    private func unknown(_ name: String, _ type: SchemaType?, _ operations: [String]) -> Mistake {
        if type != nil {
            return Mistake(
                message: "'\(name)' has no records that a file could leave out",
                suggestion: "only object types, interfaces, unions, their fields, and operations can be named")
        }
        let types = schema.types.filter { $0.isComposite && !$0.name.hasPrefix("__") }.map(\.name)
        return Mistake(
            message: operations.isEmpty ? "there is no type '\(name)'" : "there is no operation and no type '\(name)'",
            suggestion: Spelling.question(for: name, among: types + operations))
    }
}
