import BatonDiagnostics
import BatonIR
import BatonSchema
import BatonSyntax

/// Makes a copy of a fragment for each list of arguments that is passed to it, so that only variables of operations are
/// left.
///
/// Before:
///
///     query Q($size: Int) { hero { ...Rank ...Rank @arguments(first: $size) } }
///     fragment Rank on Hero @argumentDefinitions(first: {type: "Int", defaultValue: 3}) { ranks(first: $first) }
///
/// After:
///
///     query Q($size: Int) { hero { ...Rank ...Rank_4DhIHK } }
///     fragment Rank on Hero { ranks(first: 3) }
///     fragment Rank_4DhIHK on Hero { ranks(first: $size) }
///
/// `@defer(if: $later)` and `@stream(if: $later)` are left out of the copies in which `$later` is false.
///
/// The name of a copy is that of the fragment and a hash of what is passed, so it does not change as long as the
/// spread does not change. Two spreads that pass the same share their copy. Without arguments the name stays.
///
/// Runs after `GenerateIDs`, for texts and for normalization plans. Readers evaluate arguments at run time. The cost is
/// linear in the output.
package struct ApplyFragmentArguments {
    private let program: Program
    private var copies: [Fragment] = []
    private var known: Set<String> = []
    private var pending: [Pending] = []
    private var emptyConditions: [EmptyCondition] = []
    private var excess: Excess?

    /// A copy of a fragment that is still to be made.
    private struct Pending {
        let fragment: Fragment
        let name: String
        let bindings: FragmentBindings
        /// The place of the spread that asked for it.
        let span: Span
    }

    /// The number of selections in copies for arguments so far.
    private var size = 0

    /// The largest number of selections in copies for arguments. Fragments that pass on two literals each could double
    /// the number of copies with each level.
    static let sizeLimit = 2_000_000
    /// The largest number of values in what is passed to a fragment, and the deepest nesting. Fragments that pass on a
    /// list with their argument twice could double it with each level.
    private static let valueLimits = (count: 20_000, depth: 200)

    /// The program with its copies, and what shows in them alone.
    package struct Result {
        package let program: Program
        let emptyConditions: [EmptyCondition]
        /// The first limit that is exceeded; the copies are incomplete then.
        let excess: Excess?
    }

    /// A condition in a copy for which nothing is passed.
    struct EmptyCondition: Hashable {
        let directive: String
        let variable: String
        let span: Span
    }

    /// A limit that is exceeded, and the spread at which it is.
    struct Excess {
        let kind: Kind
        let span: Span

        enum Kind {
            /// The copies have more selections than `sizeLimit`.
            case copies
            /// What is passed as the argument of the name has more values than `valueLimits`.
            case value(String)
        }
    }

    package static func apply(to program: Program) -> Result {
        var transform = ApplyFragmentArguments(program)
        let operations = program.operations.map { operation in
            var operation = operation
            operation.selections = transform.copy(operation.selections, FragmentBindings.none)
            return operation
        }
        // Fragments that no operation spreads are of no use after this.
        while transform.excess == nil, let next = transform.pending.popLast() {
            var copy = next.fragment
            if next.name != copy.name {
                copy.writtenName = copy.name
                copy.copiedAt = next.span
            }
            copy.name = next.name
            copy.arguments = []
            copy.selections = transform.copy(next.fragment.selections, next.bindings)
            transform.copies.append(copy)
        }
        let copies = transform.copies.sorted { $0.name < $1.name }
        return Result(
            program: Program(schema: program.schema, operations: operations, fragments: copies),
            emptyConditions: transform.emptyConditions, excess: transform.excess)
    }

    private init(_ program: Program) {
        self.program = program
    }

    /// Copies selections. `isReached` is false where a condition never holds: `SkipUnreachable` removes such
    /// selections, and fragments that only they spread are not copied. The parser's nesting limit bounds the recursion.
    private mutating func copy(
        _ selections: [TypedSelection], _ bindings: FragmentBindings, isReached: Bool = true
    ) -> [TypedSelection] {
        selections.map { selection in
            switch selection {
            case .field(var field):
                field.arguments = bindings.apply(to: field.arguments)
                field.directives = copy(field.directives, bindings, at: field.span)
                let isReached = isReached && !field.directives.neverApply
                field.selections = copy(field.selections, bindings, isReached: isReached)
                return .field(field)
            case .inlineFragment(var inline):
                inline.directives = copy(inline.directives, bindings, at: inline.span)
                let isReached = isReached && !inline.directives.neverApply
                inline.selections = copy(inline.selections, bindings, isReached: isReached)
                return .inlineFragment(inline)
            case .spread(let spread): return .spread(copy(spread, bindings, isReached: isReached))
            }
        }
    }

    private mutating func copy(
        _ spread: TypedSpread, _ bindings: FragmentBindings, isReached: Bool
    ) -> TypedSpread {
        var result = spread
        let passed = spread.arguments.map { argument in
            var argument = argument
            argument.value = bindings.apply(to: argument.value)
            return argument
        }
        result.directives.removeAll { TypedSpread.argumentDirectives.contains($0.name.text) }
        result.directives = copy(result.directives, bindings, at: spread.span)
        if !isReached || result.directives.neverApply { return result }
        guard let fragment = program.fragment(named: spread.fragment) else { return result }
        for argument in passed {
            let extent = argument.value.extent
            if extent.count > Self.valueLimits.count || extent.depth > Self.valueLimits.depth {
                return stop(at: result, .value(argument.name.text))
            }
        }
        result.fragment += ArgumentHash.suffix(of: passed)
        if known.contains(result.fragment) { return result }
        if !passed.isEmpty { size += TypedSelection.extent(of: fragment.selections).count }
        if size > Self.sizeLimit {
            return stop(at: result, .copies)
        }
        known.insert(result.fragment)
        let bindings = FragmentBindings(fragment.arguments, passed: passed)
        pending.append(
            Pending(fragment: fragment, name: result.fragment, bindings: bindings, span: spread.span))
        return result
    }

    /// Notes the first limit that is exceeded, and makes no more copies.
    private mutating func stop(at spread: TypedSpread, _ kind: Excess.Kind) -> TypedSpread {
        excess = excess ?? Excess(kind: kind, span: spread.span)
        pending = []
        return spread
    }

    private mutating func copy(
        _ directives: [Directive], _ bindings: FragmentBindings, at span: Span
    ) -> [Directive] {
        if directives.isEmpty { return [] }
        return directives.compactMap { directive in
            var copy = directive
            copy.arguments = bindings.apply(to: directive.arguments)
            // What the value of an argument switches off is as if it were not written.
            if ["defer", "stream"].contains(directive.name.text), copy.isSwitchedOff { return nil }
            let isCondition = directive.name.text == "include" || directive.name.text == "skip"
            if isCondition, copy.argument("if") == nil, case .variable(let variable)? = directive.argument("if") {
                let found = EmptyCondition(
                    directive: directive.name.text, variable: variable.name, span: variable.span)
                if !emptyConditions.contains(found) { emptyConditions.append(found) }
            }
            return copy
        }
    }
}
