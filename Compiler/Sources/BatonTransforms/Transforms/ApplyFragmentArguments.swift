import BatonDiagnostics
import BatonIR
import BatonSchema
import BatonSyntax

/// Makes a copy of a fragment for each list of arguments that spreads pass to the fragment. Only variables of
/// operations are left then.
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
/// The name of a copy consists of the fragment's name and a hash of the arguments, so that it does not change unless
/// the spread changes. Two spreads with the same arguments share their copy. Without arguments the name stays.
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

    /// A copy of a fragment that must still be made.
    private struct Pending {
        let fragment: Fragment
        let name: String
        let bindings: FragmentBindings
        /// The place of the spread that needs the copy.
        let span: Span
    }

    /// The number of selections in copies for arguments so far.
    private var size = 0

    /// The largest number of selections in copies for arguments. Fragments that pass on two literals each could double
    /// the number of copies with each level.
    static let sizeLimit = 2_000_000
    /// The largest number of values in one argument, and the deepest nesting. Fragments that pass on a list with their
    /// argument twice could double the argument with each level.
    private static let valueLimits = (count: 20_000, depth: 200)

    /// The program with its copies, and the mistakes that show only in copies.
    package struct Result {
        package let program: Program
        let emptyConditions: [EmptyCondition]
        /// The first limit that is exceeded; the copies are incomplete then.
        let excess: Excess?
    }

    /// A condition in a copy whose spread passes no value for the condition.
    struct EmptyCondition: Hashable {
        let directive: String
        let variable: String
        let span: Span
    }

    /// An exceeded limit, with the spread that exceeds it.
    struct Excess {
        let kind: Kind
        let span: Span

        enum Kind {
            /// The copies have more selections than `sizeLimit`.
            case copies
            /// The argument with this name has more values than `valueLimits`.
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
        // Fragments that no operation spreads are not needed any more.
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

    /// Copies selections. `isReached` is false for selections under a condition that is never true, which
    /// `SkipUnreachable` removes. Fragments that only such selections spread are not copied. The parser's nesting limit
    /// bounds the recursion.
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

    /// Notes the first exceeded limit, and makes no more copies.
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
            // A directive that the value of an argument switches off is left out.
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
