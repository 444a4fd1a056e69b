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
/// The fragment declares no arguments, and the variables that it takes from the operation are no arguments of the
/// fragment around the spread: `CheckMasks` refuses that before.
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
            fragment.selections = transform.unmask(fragment.selections, depth: 0)
            transform.known[name] = fragment
            transform.sizes[name] = TypedSelection.extent(of: fragment.selections)
        }
        let operations = program.operations.map { operation in
            var operation = operation
            operation.selections = transform.unmask(operation.selections, depth: 0)
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

    /// Unmasks selections. The parser's nesting limit bounds the recursion, because what is put in a place is unmasked
    /// already.
    private mutating func unmask(_ selections: [TypedSelection], depth: Int) -> [TypedSelection] {
        selections.map { selection in
            switch selection {
            case .field(var field):
                field.selections = unmask(field.selections, depth: depth + 1)
                return .field(field)
            case .inlineFragment(var inline):
                inline.selections = unmask(inline.selections, depth: depth + 1)
                return .inlineFragment(inline)
            case .spread(let spread):
                guard spread.isUnmasked, let fragment = known[spread.fragment],
                    fits(sizes[fragment.name], depth: depth, at: spread)
                else { return selection }
                var directives = spread.directives
                directives.removeAll {
                    $0.name.text == "relay" || TypedSpread.argumentDirectives.contains($0.name.text)
                }
                // Without a name the alias of a spread is that of the fragment, and not that of the type.
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
}

extension TypedSpread {
    /// Whether `@relay(mask: false)` stands at the spread.
    var isUnmasked: Bool {
        if case .boolean(let mask)? = directives.named("relay")?.argument("mask") { !mask.isTrue } else { false }
    }
}
