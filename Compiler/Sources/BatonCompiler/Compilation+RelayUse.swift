import BatonSchema
import BatonSyntax
import BatonTransforms

extension Compilation {
    /// Whether a document uses a directive that only Relay has.
    ///
    /// `@include`, `@skip`, `@defer` and `@stream` belong to the specification, and directives that the server's schema
    /// declares belong to the server. Documents without a directive of Relay are plain GraphQL, to which Relay's rules
    /// do not apply.
    package var usesRelay: Bool {
        let names = Self.relayDirectives(in: schema)
        return documents.contains { loaded in
            loaded.document.definitions.contains { Self.uses(names, in: $0) }
        }
    }

    /// The names of the directives that are Relay's alone.
    package static func relayDirectives(in schema: Schema) -> Set<String> {
        Set(
            KnownDirectives.names.filter { name in
                if ["defer", "include", "skip", "stream"].contains(name) { return false }
                return schema.directive(named: name)?.origin != .schema
            })
    }

    /// Whether a definition uses one of the directives.
    package static func uses(_ names: Set<String>, in definition: Definition) -> Bool {
        func isUsed(in directives: [Directive]) -> Bool {
            directives.contains { names.contains($0.name.text) }
        }
        // The parser's nesting limit bounds the recursion.
        func isUsed(in set: SelectionSet) -> Bool {
            set.selections.contains { selection in
                switch selection {
                case .field(let field): isUsed(in: field.directives) || field.selectionSet.map(isUsed) ?? false
                case .inlineFragment(let inline): isUsed(in: inline.directives) || isUsed(in: inline.selectionSet)
                case .fragmentSpread(let spread): isUsed(in: spread.directives)
                }
            }
        }
        return switch definition {
        case .operation(let operation): isUsed(in: operation.directives) || isUsed(in: operation.selectionSet)
        case .fragment(let fragment): isUsed(in: fragment.directives) || isUsed(in: fragment.selectionSet)
        case .schema, .type, .directive: false
        }
    }
}
