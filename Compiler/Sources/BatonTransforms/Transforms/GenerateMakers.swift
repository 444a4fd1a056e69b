import BatonDiagnostics
import BatonIR
import BatonSchema
import BatonSyntax

/// Generates an operation for each fragment, by which builders make an object for it.
///
/// Before:
///
///     fragment Film_film on Film @argumentDefinitions(size: {type: "Int", defaultValue: 3}) { actors(first: $size) }
///
/// After:
///
///     query make_Film_film($__id: ID, $size: Int = 3) {
///       made: make_Film(id: $__id) { ...Film_film @arguments(size: $size) }
///     }
///
/// No server has the field `make_Film`. The table of the schema for builders has it.
package struct GenerateMakers {
    private let schema: Schema
    private var types: VariableTypes

    private init(_ program: Program) {
        schema = program.schema
        types = VariableTypes(program)
    }

    /// The name of the operation of a fragment.
    package static func name(of fragment: String) -> String { "make_" + fragment }

    /// A program with these operations alone. Fragments without data have none.
    package static func apply(to program: Program) -> Program {
        var transform = GenerateMakers(program)
        let operations = program.fragments.compactMap { transform.operation(of: $0) }
        return Program(schema: program.schema, operations: operations, fragments: program.fragments)
    }

    private mutating func operation(of fragment: Fragment) -> Operation? {
        guard !fragment.isUpdatable, let queryType = schema.queryType,
            let identifier = schema.type(named: "ID").map({ TypeReference($0.id) }),
            let type = TypeReference(fragment.type.id).required
        else { return nil }
        let own = fragment.arguments.filter { $0.provider == nil }
        var variables = types.variables(of: fragment).map { name, type in
            OperationVariable(
                name: name, type: type, defaultValue: nil, directives: [], description: nil, span: fragment.span)
        }
        variables += own.map { argument in
            OperationVariable(
                name: argument.name, type: argument.type, defaultValue: argument.defaultValue, directives: [],
                description: nil, span: argument.span)
        }
        variables.append(
            OperationVariable(
                name: "__id", type: identifier, defaultValue: nil, directives: [], description: nil,
                span: fragment.span))
        variables.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        let passed = own.map { Argument(name: Name($0.name), value: .variable(Variable($0.name))) }
        let spread = TypedSpread(
            fragment: fragment.name,
            directives: passed.isEmpty ? [] : [Directive(name: Name("arguments"), arguments: passed)],
            span: fragment.span)
        let field = TypedField(
            responseKey: "made",
            definition: SchemaField(
                name: "make_" + fragment.type.name, type: type,
                arguments: [SchemaInputValue(name: "id", type: identifier)]),
            arguments: [Argument(name: Name("id"), value: .variable(Variable("__id")))],
            selections: [.spread(spread)], span: fragment.span)
        return Operation(
            name: Self.name(of: fragment.name), kind: .query, type: queryType, variables: variables, directives: [],
            selections: [.field(field)], description: nil, path: fragment.path, span: fragment.span)
    }
}
