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
/// The arguments that the fragment declares become arguments of the fragment around the spread. A fragment that
/// declares others under the same names cannot be around it, and neither can an operation, which has no arguments. A
/// spread that passes arguments cannot be unmasked, because they would have no place.
///
/// Runs before all transforms of single definitions.
struct Unmask {
    private let program: Program
    private(set) var diagnostics: [Diagnostic] = []
    /// The fragments without masks so far.
    private var known: [String: Fragment] = [:]
    private var sizes: [String: TypedSelection.Extent] = [:]
    /// The number of selections that were put in places so far.
    private var size = 0
    private var isTooLarge = false

    /// The largest number of selections that are put in places, in all definitions.
    private static let sizeLimit = 2_000_000

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
            var arguments: [FragmentArgument]? = fragment.arguments
            fragment.selections = transform.unmask(fragment.selections, &arguments, depth: 0)
            fragment.arguments = arguments ?? []
            transform.known[name] = fragment
            transform.sizes[name] = TypedSelection.extent(of: fragment.selections)
        }
        let operations = program.operations.map { operation in
            var operation = operation
            var arguments: [FragmentArgument]?
            operation.selections = transform.unmask(operation.selections, &arguments, depth: 0)
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

    /// Unmasks selections; `arguments` are those of the fragment, nil in an operation. The parser's nesting limit
    /// bounds the recursion, because what is put in a place is unmasked already.
    private mutating func unmask(
        _ selections: [TypedSelection], _ arguments: inout [FragmentArgument]?, depth: Int
    ) -> [TypedSelection] {
        selections.map { selection in
            switch selection {
            case .field(var field):
                field.selections = unmask(field.selections, &arguments, depth: depth + 1)
                return .field(field)
            case .inlineFragment(var inline):
                inline.selections = unmask(inline.selections, &arguments, depth: depth + 1)
                return .inlineFragment(inline)
            case .spread(let spread):
                guard spread.isUnmasked, let fragment = known[spread.fragment],
                    fits(sizes[fragment.name], depth: depth, at: spread)
                else { return selection }
                lift(fragment, spread, to: &arguments)
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

    private mutating func fits(_ extent: TypedSelection.Extent?, depth: Int, at spread: TypedSpread) -> Bool {
        guard let extent, !isTooLarge else { return false }
        size += extent.count
        if depth + extent.depth >= Flatten.depthLimit {
            let message = "selections nest deeper than \(Flatten.depthLimit) levels when masks are taken off"
            diagnostics.append(Diagnostic(.selectionDepth, message, at: spread.span))
            return false
        }
        isTooLarge = size > Self.sizeLimit
        if isTooLarge {
            let message =
                "spreads with '@relay(mask: false)' put more than \(Self.sizeLimit) selections in their places"
            diagnostics.append(Diagnostic(.selectionSize, message, at: spread.span))
        }
        return !isTooLarge
    }

    /// Makes the arguments of an unmasked fragment those of the fragment around it.
    private mutating func lift(
        _ fragment: Fragment, _ spread: TypedSpread, to arguments: inout [FragmentArgument]?
    ) {
        let suggestion = "leave out '@relay(mask: false)', or use variables of the operation"
        func report(_ message: String) {
            diagnostics.append(Diagnostic(.unmaskedArguments, message, at: spread.span, suggestion: suggestion))
        }
        if !spread.arguments.isEmpty {
            report("a spread with '@relay(mask: false)' cannot pass arguments")
        } else if arguments == nil, !fragment.arguments.isEmpty {
            report("'\(fragment.name)' declares arguments, which an operation cannot have")
        }
        for argument in fragment.arguments {
            guard let own = arguments?.first(where: { $0.name == argument.name }) else {
                arguments?.append(argument)
                continue
            }
            let isSame =
                own.type == argument.type && own.defaultValue == argument.defaultValue
                && own.provider == argument.provider
            if !isSame { report("the argument '\(argument.name)' of '\(fragment.name)' is declared otherwise here") }
        }
    }
}

extension TypedSpread {
    /// Whether `@relay(mask: false)` stands at the spread.
    var isUnmasked: Bool {
        if case .boolean(let mask)? = directives.named("relay")?.argument("mask") { !mask.isTrue } else { false }
    }
}
