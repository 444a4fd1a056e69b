import Baton
import BatonSchema
import BatonSyntax

/// Gives values to the required variables of an operation that nobody has given any.
///
/// The values are those with which an answer shows much: an `ID` names an entity of the type whose field takes it, and
/// a condition includes.
struct ExampleVariables {
    private let prepared: PreparedDocument
    private let schema: Schema

    init(_ prepared: PreparedDocument, _ schema: Schema) {
        self.prepared = prepared
        self.schema = schema
    }

    /// The given variables, and the required ones that are not among them.
    func complete(
        _ given: [JSONValue.Member], of operation: OperationDefinition, on root: SchemaType
    ) -> [JSONValue.Member] {
        let left = operation.variables.filter { variable in
            guard variable.defaultValue == nil, case .nonNull = variable.type else { return false }
            return !given.contains { $0.name == variable.name.text }
        }
        guard !left.isEmpty else { return given }
        var uses = Uses()
        var seen: Set<String> = []
        note(operation.selectionSet, on: root, &uses, &seen)
        return given
            + left.compactMap { variable in
                guard let type = schema.resolve(variable.type) else { return nil }
                return JSONValue.Member(variable.name.text, value(of: type, for: variable.name.text, uses))
            }
    }

    // MARK: - Uses

    /// What the document uses variables for.
    private struct Uses {
        /// The types of the fields that take a variable as `id`.
        var identified: [String: SchemaType] = [:]
        var including: Set<String> = []
        var skipping: Set<String> = []
    }

    /// Notes the uses of variables; the parser's nesting limit bounds the recursion.
    private func note(_ set: SelectionSet, on type: SchemaType, _ uses: inout Uses, _ seen: inout Set<String>) {
        for selection in set.selections {
            for directive in selection.directives {
                guard case .variable(let variable)? = directive.argument("if") else { continue }
                if directive.name.text == "skip" { uses.skipping.insert(variable.name) }
                if directive.name.text == "include" { uses.including.insert(variable.name) }
            }
            switch selection {
            case .field(let field):
                guard let definition = schema.field(named: field.name.text, on: type) else { continue }
                let named = schema.namedType(of: definition.type)
                for argument in field.arguments where ["id", "ids"].contains(argument.name.text) {
                    if case .variable(let variable) = argument.value, uses.identified[variable.name] == nil {
                        uses.identified[variable.name] = named
                    }
                }
                if let inner = field.selectionSet { note(inner, on: named, &uses, &seen) }
            case .inlineFragment(let inline):
                let condition = inline.typeCondition.flatMap { schema.type(named: $0.text) } ?? type
                note(inline.selectionSet, on: condition, &uses, &seen)
            case .fragmentSpread(let spread):
                guard seen.insert(spread.name.text).inserted, let fragment = prepared.fragments[spread.name.text],
                    let condition = schema.type(named: fragment.typeCondition.text)
                else { continue }
                note(fragment.selectionSet, on: condition, &uses, &seen)
            }
        }
    }

    // MARK: - Values

    /// A value of an input type. Required fields of input objects cannot refer to themselves without end.
    private func value(of type: TypeReference, for name: String, _ uses: Uses, depth: Int = 0) -> JSONValue {
        if let item = type.item { return .array([value(of: item, for: name, uses, depth: depth + 1)]) }
        let named = schema.namedType(of: type)
        switch named.kind {
        case .enum: return named.enumValues.first.map { .string($0.name) } ?? .null
        case .inputObject:
            guard depth < InputCoercion.maximumDepth else { return .null }
            let fields = named.isOneOf ? Array(named.inputFields.prefix(1)) : named.inputFields.filter(\.isRequired)
            return .object(
                fields.map { field in
                    let type = field.type.required ?? field.type
                    return .init(field.name, value(of: type, for: field.name, uses, depth: depth + 1))
                })
        default: return scalar(named.name, for: name, uses)
        }
    }

    private func scalar(_ type: String, for name: String, _ uses: Uses) -> JSONValue {
        switch type {
        case "Int", "Float": return .int(1)
        case "Boolean": return .bool(uses.including.contains(name) || !uses.skipping.contains(name))
        case "ID", "String":
            guard let owner = uses.identified[name] else { return .string("1") }
            let objects = owner.isAbstract ? schema.possibleTypes(of: owner) : [owner]
            return .string(objects.first.map { "\($0.name):1" } ?? "1")
        default:
            return LeafTable.value(of: type, World.Draw(typeName: "", fieldName: name, number: 1))
        }
    }
}
