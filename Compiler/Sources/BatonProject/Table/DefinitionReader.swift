import BatonCompiler
import BatonDiagnostics
import BatonIR
import BatonSchema
import BatonSyntax

/// Reads the records of definitions from their syntax.
package struct DefinitionReader: Sendable {
    /// The directives that are Relay's alone.
    private let relayDirectives: Set<String>

    package init(schema: Schema) {
        relayDirectives = Compilation.relayDirectives(in: schema)
    }

    /// The record of a definition in a text; nil if it cannot be told apart: it has no name, is broken, or is neither
    /// operation nor fragment.
    package func record(of definition: Definition, in source: SourceFile) -> DefinitionRecord? {
        switch definition {
        case .operation(let operation):
            guard let name = operation.name, !operation.isBroken else { return nil }
            var record = record(name, Self.kind(of: operation.kind), operation.span, in: source)
            (record.spreads, record.unmasked) = Self.spreads(in: operation.selectionSet)
            record.isPreloadable =
                operation.kind == .query && operation.directives.contains { $0.name.text == "preloadable" }
            record.usesRelay = Compilation.uses(relayDirectives, in: definition)
            return record
        case .fragment(let fragment):
            guard !fragment.isBroken else { return nil }
            var record = record(fragment.name, .fragment, fragment.span, in: source)
            (record.spreads, record.unmasked) = Self.spreads(in: fragment.selectionSet)
            record.refetchQuery = Fragment.refetchQueryName(of: fragment.name.text, fragment.directives)
            record.providers = Self.providers(of: fragment)
            record.usesRelay = Compilation.uses(relayDirectives, in: definition)
            return record
        case .schema, .type, .directive: return nil
        }
    }

    private func record(
        _ name: Name, _ kind: DefinitionRecord.Kind, _ span: Span, in source: SourceFile
    ) -> DefinitionRecord {
        func offset(_ position: UInt32) -> UInt32 {
            UInt32(truncatingIfNeeded: source.originalOffset(of: Int(position)))
        }
        let range = span.range.clamped(to: source.bytes.indices)
        let (start, end) = (offset(name.span.start), offset(name.span.end))
        return DefinitionRecord(
            kind: kind, name: name.text, nameRange: start..<max(start, end), digest: ContentHash.of(source.bytes[range])
        )
    }

    package static func kind(of operation: OperationKind) -> DefinitionRecord.Kind {
        switch operation {
        case .query: .query
        case .mutation: .mutation
        case .subscription: .subscription
        }
    }

    /// The fragments that a selection set spreads, each once. A stack instead of recursion keeps no order of depth, so
    /// selections are pushed in reverse.
    package static func spreads(in set: SelectionSet) -> (all: [String], unmasked: [String]) {
        var names: [String] = []
        var unmasked: Set<String> = []
        var seen: Set<String> = []
        var pending = Array(set.selections.reversed())
        while let selection = pending.popLast() {
            switch selection {
            case .field(let field): pending += (field.selectionSet?.selections ?? []).reversed()
            case .inlineFragment(let inline): pending += inline.selectionSet.selections.reversed()
            case .fragmentSpread(let spread):
                if seen.insert(spread.name.text).inserted { names.append(spread.name.text) }
                if spread.directives.contains(where: { $0.name.text == "relay" }) { unmasked.insert(spread.name.text) }
            }
        }
        return (names, unmasked.sorted())
    }

    private static func providers(of fragment: FragmentDefinition) -> [String] {
        let declarations = fragment.directives.first { $0.name.text == "argumentDefinitions" }?.arguments ?? []
        return declarations.compactMap { declaration in
            guard case .object(let object) = declaration.value,
                case .string(let name)? = object.fields.first(where: { $0.name.text == "provider" })?.value
            else { return nil }
            return name.text
        }
    }
}
