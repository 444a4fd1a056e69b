import BatonDiagnostics
import BatonSchema
import BatonSyntax
import BatonTransforms

/// Finds the connections in documents whose lists a file would have, although `unstored` of the configuration names
/// where they come from.
///
/// The store merges the pages of a connection into one list. The list belongs to no operation, and its key alone tells
/// of which field it is.
///
/// The documents need not be valid. A name that cannot be resolved leads nowhere.
struct UnstoredConnections {
    private let schema: Schema
    private let documents: [LoadedDocument]
    private let fragments: [String: FragmentDefinition]

    /// The directives that make a connection of a field.
    private static let making: Set<String> = ["connection", "stream_connection"]
    private static let names = making.union(FieldMutation.connectionNames)

    init(_ schema: Schema, _ documents: [LoadedDocument]) {
        self.schema = schema
        self.documents = documents
        fragments = Dictionary(
            documents.flatMap(\.document.fragments).map { ($0.name.text, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Whether a directive makes a connection, and does not change one.
    static func makes(_ directive: Directive) -> Bool { making.contains(directive.name.text) }

    /// The first directive by which selections have or change a connection, themselves or through fragments; nil if
    /// there is none.
    func directive(reachedFrom set: SelectionSet) -> Directive? {
        var seen: Set<String> = []
        // A stack instead of recursion, which the number of fragments would bound.
        var pending = Array(set.selections.reversed())
        while let selection = pending.popLast() {
            switch selection {
            case .field(let field):
                if let found = field.directives.first(where: { Self.names.contains($0.name.text) }) { return found }
                pending += (field.selectionSet?.selections ?? []).reversed()
            case .inlineFragment(let inline): pending += inline.selectionSet.selections.reversed()
            case .fragmentSpread(let spread):
                let name = spread.name.text
                guard seen.insert(name).inserted, let fragment = fragments[name] else { continue }
                pending += fragment.selectionSet.selections.reversed()
            }
        }
        return nil
    }

    /// The connections of fields whose keys do not end with the name of the field, as an alias makes them. `fields` has
    /// the name in the configuration for each `Type.field`.
    func misnamed(among fields: [String: Configuration.Entry]) -> [Diagnostic] {
        if fields.isEmpty { return [] }
        var found: [Diagnostic] = []
        for definition in documents.flatMap(\.document.definitions) {
            guard let start = start(of: definition) else { continue }
            var pending = [start]
            while let (set, type) = pending.popLast() {
                for selection in set.selections {
                    switch selection {
                    case .field(let field):
                        guard let selected = schema.field(named: field.name.text, on: type) else { continue }
                        if let mistake = mistake(of: field, on: type, fields) { found.append(mistake) }
                        if let inner = field.selectionSet {
                            pending.append((inner, schema.namedType(of: selected.type)))
                        }
                    case .inlineFragment(let inline):
                        let condition = inline.typeCondition.flatMap { schema.type(named: $0.text) }
                        pending.append((inline.selectionSet, condition ?? type))
                    case .fragmentSpread: break
                    }
                }
            }
        }
        return found
    }

    /// The selections of an operation or fragment, and their type.
    private func start(of definition: Definition) -> (SelectionSet, SchemaType)? {
        switch definition {
        case .operation(let operation):
            guard let type = schema.rootType(for: operation.kind) else { return nil }
            return (operation.selectionSet, type)
        case .fragment(let fragment):
            guard let type = schema.type(named: fragment.typeCondition.text) else { return nil }
            return (fragment.selectionSet, type)
        case .schema, .type, .directive: return nil
        }
    }

    /// The mistake of a field that is selected on a type. An object of an abstract type may be of each possible type.
    private func mistake(
        of field: Field, on type: SchemaType, _ fields: [String: Configuration.Entry]
    ) -> Diagnostic? {
        let name = field.name.text
        guard let directive = field.directives.first(where: Self.makes),
            case .string(let key)? = directive.argument("key"), !key.text.hasSuffix("_" + name)
        else { return nil }
        let owners = [type] + schema.possibleTypes(of: type)
        guard let entry = owners.compactMap({ fields["\($0.name).\(name)"] }).first else { return nil }
        return Diagnostic(
            .unstored, "'\(entry.text)' is in 'unstored', so the key of its connection must end with '_\(name)'",
            at: key.span, notes: [Diagnostic.Note("it is named here", at: entry.span)],
            suggestion: "leave out the alias, or name the type of the nodes in 'unstored' instead")
    }
}
