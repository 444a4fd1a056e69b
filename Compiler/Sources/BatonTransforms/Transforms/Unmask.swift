import BatonIR
import BatonSchema
import BatonSyntax

/// Replaces a spread with `@relay(mask: false)` by the selections of its fragment.
///
/// Before:
///
///     { hero { ...Name @relay(mask: false) @include(if: $a) } }
///     fragment Name on Hero { name }
///
/// After:
///
///     { hero { ... on Hero @include(if: $a) { name } } }
///
/// `CheckMasks` ensures that the fragment declares no arguments, and that its variables are not arguments of the
/// fragment around the spread. `CheckExtent` refuses fragments that would grow too large.
///
/// Runs before all transforms of single definitions.
struct Unmask {
    private let program: Program
    /// The fragments that have been unmasked.
    private var known: [String: Fragment] = [:]

    private init(_ program: Program) {
        self.program = program
    }

    static func apply(to program: Program) -> Program {
        guard program.takesMasksOff else { return program }
        var transform = Unmask(program)
        for name in program.fragmentsInOrderOfUnmasking() {
            guard var fragment = program.fragment(named: name) else { continue }
            fragment.selections = transform.unmask(fragment.selections)
            transform.known[name] = fragment
        }
        let operations = program.operations.map { operation in
            var operation = operation
            operation.selections = transform.unmask(operation.selections)
            return operation
        }
        let fragments = program.fragments.map { transform.known[$0.name] ?? $0 }
        return Program(schema: program.schema, operations: operations, fragments: fragments)
    }

    /// Unmasks selections. The inserted selections are unmasked already, so that the parser's nesting limit bounds the
    /// recursion.
    private func unmask(_ selections: [TypedSelection]) -> [TypedSelection] {
        selections.map { selection in
            switch selection {
            case .field(var field):
                field.selections = unmask(field.selections)
                return .field(field)
            case .inlineFragment(var inline):
                inline.selections = unmask(inline.selections)
                return .inlineFragment(inline)
            case .spread(let spread):
                guard spread.isUnmasked, let fragment = known[spread.fragment] else { return selection }
                var directives = spread.directives
                directives.removeAll {
                    $0.name.text == "relay" || TypedSpread.argumentDirectives.contains($0.name.text)
                }
                // Without a name, the alias of a spread is the name of the fragment, and that of an inline fragment is
                // the name of the type.
                if let index = directives.firstIndex(where: { $0.name.text == "alias" }), spread.alias == nil {
                    directives[index].arguments = [
                        Argument(name: Name("as"), value: .string(StringValue(fragment.name)))
                    ]
                }
                return .inlineFragment(
                    TypedInlineFragment(
                        type: fragment.type, directives: directives, selections: fragment.selections,
                        span: spread.span))
            }
        }
    }
}

extension TypedSpread {
    /// Whether `@relay(mask: false)` stands at the spread.
    var isUnmasked: Bool {
        if case .boolean(let mask)? = directives.named("relay")?.argument("mask") { !mask.isTrue } else { false }
    }
}

extension Program {
    /// Whether `@relay(mask: false)` stands at any spread.
    var takesMasksOff: Bool {
        operations.contains { TypedSelection.hasSpread(in: $0.selections, where: \.isUnmasked) }
            || fragments.contains { TypedSelection.hasSpread(in: $0.selections, where: \.isUnmasked) }
    }

    /// The names of the fragments, each after the fragments that are unmasked in it, so that long chains need no
    /// recursion.
    func fragmentsInOrderOfUnmasking() -> [String] {
        var order: [String] = []
        var seen: Set<String> = []
        for fragment in fragments {
            var stack: [(name: String, isEntered: Bool)] = [(fragment.name, false)]
            while let top = stack.popLast() {
                if top.isEntered {
                    order.append(top.name)
                    continue
                }
                guard seen.insert(top.name).inserted else { continue }
                stack.append((top.name, true))
                for spread in TypedSelection.spreads(in: self.fragment(named: top.name)?.selections ?? [])
                where spread.isUnmasked {
                    stack.append((spread.fragment, false))
                }
            }
        }
        return order
    }
}
