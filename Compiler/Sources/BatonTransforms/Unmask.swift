import BatonDiagnostics
import BatonIR
import BatonSchema
import BatonSyntax

/// Puts the selections of a fragment in the place of a spread with `@relay(mask: false)`.
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
/// The arguments that the fragment declares become arguments of the fragment around the spread. A spread that passes
/// arguments cannot be unmasked, because they would have no place.
///
/// Runs before all transforms of single definitions.
struct Unmask {
    private let program: Program
    private(set) var diagnostics: [Diagnostic] = []
    /// The fragments without masks so far.
    private var known: [String: Fragment] = [:]
    private var sizes: [String: Int] = [:]
    /// The number of selections that were put in places so far.
    private var size = 0

    private init(_ program: Program) {
        self.program = program
    }

    static func apply(to program: Program) -> (program: Program, diagnostics: [Diagnostic]) {
        let isUsed = { (selections: [TypedSelection]) in
            TypedSelection.spreads(in: selections).contains { $0.isUnmasked }
        }
        guard
            program.operations.contains(where: { isUsed($0.selections) })
                || program.fragments.contains(where: { isUsed($0.selections) })
        else { return (program, []) }
        var transform = Unmask(program)
        // Fragments that are unmasked in others come first, so that long chains do not nest calls.
        for name in transform.order() {
            guard var fragment = program.fragment(named: name) else { continue }
            var arguments = fragment.arguments
            fragment.selections = transform.unmask(fragment.selections, &arguments)
            fragment.arguments = arguments
            transform.known[name] = fragment
            transform.sizes[name] = TypedSelection.count(in: fragment.selections)
        }
        let operations = program.operations.map { operation in
            var operation = operation
            var arguments: [FragmentArgument] = []
            operation.selections = transform.unmask(operation.selections, &arguments)
            return operation
        }
        let fragments = program.fragments.map { transform.known[$0.name] ?? $0 }
        return (
            Program(schema: program.schema, operations: operations, fragments: fragments), transform.diagnostics
        )
    }

    /// The fragments, each after those that are unmasked in it.
    private func order() -> [String] {
        var order: [String] = []
        var seen: Set<String> = []
        for fragment in program.fragments {
            var stack: [(name: String, isEntered: Bool)] = [(fragment.name, false)]
            while let top = stack.popLast() {
                if top.isEntered {
                    order.append(top.name)
                    continue
                }
                guard seen.insert(top.name).inserted else { continue }
                stack.append((top.name, true))
                for spread in TypedSelection.spreads(in: program.fragment(named: top.name)?.selections ?? [])
                where spread.isUnmasked {
                    stack.append((spread.fragment, false))
                }
            }
        }
        return order
    }

    /// The parser's nesting limit bounds the recursion.
    private mutating func unmask(
        _ selections: [TypedSelection], _ arguments: inout [FragmentArgument]
    ) -> [TypedSelection] {
        selections.map { selection in
            switch selection {
            case .field(var field):
                field.selections = unmask(field.selections, &arguments)
                return .field(field)
            case .inlineFragment(var inline):
                inline.selections = unmask(inline.selections, &arguments)
                return .inlineFragment(inline)
            case .spread(let spread):
                guard spread.isUnmasked, let fragment = known[spread.fragment] else { return selection }
                size += sizes[spread.fragment] ?? 0
                guard size <= Flatten.sizeLimit * 10 else {
                    let message = "spreads with '@relay(mask: false)' put too many selections in their places"
                    if size <= .max / 2 { diagnostics.append(Diagnostic(.selectionSize, message, at: spread.span)) }
                    size = .max / 2 + 1
                    return selection
                }
                if !spread.arguments.isEmpty {
                    let message = "a spread with '@relay(mask: false)' cannot pass arguments"
                    let suggestion = "leave out '@relay(mask: false)', or use variables of the operation"
                    diagnostics.append(
                        Diagnostic(.unmaskedArguments, message, at: spread.span, suggestion: suggestion))
                }
                for argument in fragment.arguments where !arguments.contains(where: { $0.name == argument.name }) {
                    arguments.append(argument)
                }
                var directives = spread.directives
                directives.removeAll {
                    $0.name.text == "relay" || TypedSpread.argumentDirectives.contains($0.name.text)
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
