import BatonIR
import BatonSchema

/// Replaces the spread of an updatable fragment by `__typename`, because fields that only updates write are not
/// fetched.
///
/// Before:
///
///     { film { ...FilmEdit_film } }
///
/// After:
///
///     { film { __typename } }
///
/// Runs only for the program that is sent, after `ApplyFragmentArguments`. Readers keep the spread, which is a
/// reference.
struct ReplaceUpdatableSpreads {
    private let schema: Schema
    private let updatable: Set<String>

    static func apply(to program: Program) -> Program {
        let updatable = program.fragments.filter { $0.directives.named("updatable") != nil }.map(\.name)
        if updatable.isEmpty { return program }
        let transform = ReplaceUpdatableSpreads(schema: program.schema, updatable: Set(updatable))
        return Program(
            schema: program.schema,
            operations: program.operations.map { operation in
                var operation = operation
                operation.selections = transform.transform(operation.selections, on: operation.type)
                return operation
            },
            fragments: program.fragments.map { fragment in
                var fragment = fragment
                fragment.selections = transform.transform(fragment.selections, on: fragment.type)
                return fragment
            })
    }

    /// The parser's nesting limit bounds the recursion.
    private func transform(_ selections: [TypedSelection], on type: SchemaType) -> [TypedSelection] {
        selections.map { selection in
            switch selection {
            case .field(var field):
                field.selections = transform(field.selections, on: schema.namedType(of: field.definition.type))
                return .field(field)
            case .inlineFragment(var inline):
                inline.selections = transform(inline.selections, on: inline.type ?? type)
                return .inlineFragment(inline)
            case .spread(let spread):
                guard updatable.contains(spread.fragment), let typename = schema.field(named: "__typename", on: type)
                else { return selection }
                return .field(TypedField(responseKey: "__typename", definition: typename))
            }
        }
    }
}
