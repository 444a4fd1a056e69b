import BatonDiagnostics
import BatonIR

extension DocumentCheck {
    static let extent = DocumentCheck(
        .limit, "CheckExtent", [.selectionDepth, .selectionSize],
        .written { CheckExtent.check(unmasking: $0.program) },
        .copied { CheckExtent.check($0) },
        .plan { CheckExtent.check($0, of: $1) })
}

/// Checks the sizes of the results when fragments replace their spreads. Fragments that spread two others each can
/// double the size with each level.
///
/// - Spreads without masks: the size is computed without replacing the spreads.
/// - Copies for arguments, and plans: the transforms stop at their limits.
struct CheckExtent {
    private let program: Program
    private var diagnostics: [Diagnostic] = []
    /// The extents of the fragments so far, without masks.
    private var known: [String: TypedSelection.Extent] = [:]
    /// The number of selections that have replaced spreads so far.
    private var size = 0
    private var isTooLarge = false

    /// The largest number of selections that may replace spreads without masks, in all definitions.
    private static let unmaskedLimit = 2_000_000

    private init(program: Program) {
        self.program = program
    }

    // MARK: - Spreads without masks

    fileprivate static func check(unmasking program: Program) -> [Diagnostic] {
        guard program.takesMasksOff else { return [] }
        var check = CheckExtent(program: program)
        for name in program.fragmentsInOrderOfUnmasking() {
            guard let fragment = program.fragment(named: name) else { continue }
            check.known[name] = check.extent(of: fragment.selections, depth: 0)
        }
        for operation in program.operations { _ = check.extent(of: operation.selections, depth: 0) }
        return check.diagnostics
    }

    /// The extent of selections without masks. The parser's nesting limit bounds the recursion.
    private mutating func extent(of selections: [TypedSelection], depth: Int) -> TypedSelection.Extent {
        var extent = TypedSelection.Extent()
        for selection in selections {
            extent.count += 1
            let inner: TypedSelection.Extent
            switch selection {
            case .field(let field):
                if field.selections.isEmpty { continue }
                inner = self.extent(of: field.selections, depth: depth + 1)
            case .inlineFragment(let inline):
                if inline.selections.isEmpty { continue }
                inner = self.extent(of: inline.selections, depth: depth + 1)
            case .spread(let spread):
                guard spread.isUnmasked, let unmasked = known[spread.fragment],
                    fits(unmasked, depth: depth, at: spread)
                else { continue }
                inner = unmasked
            }
            extent.count += inner.count
            extent.depth = max(extent.depth, inner.depth + 1)
        }
        return extent
    }

    private mutating func fits(_ extent: TypedSelection.Extent, depth: Int, at spread: TypedSpread) -> Bool {
        if isTooLarge { return false }
        size += extent.count
        if depth + extent.depth >= Flatten.depthLimit {
            let message = "selections nest deeper than \(Flatten.depthLimit) levels when masks are taken off"
            diagnostics.append(Diagnostic(.selectionDepth, message, at: spread.span))
            return false
        }
        isTooLarge = size > Self.unmaskedLimit
        if isTooLarge {
            let message =
                "spreads with '@relay(mask: false)' put more than \(Self.unmaskedLimit) selections in their places"
            diagnostics.append(Diagnostic(.selectionSize, message, at: spread.span))
        }
        return !isTooLarge
    }

    // MARK: - Copies and plans

    fileprivate static func check(_ copies: ApplyFragmentArguments.Result) -> [Diagnostic] {
        guard let excess = copies.excess else { return [] }
        let message =
            switch excess.kind {
            case .copies: "the copies for arguments have more than \(ApplyFragmentArguments.sizeLimit) selections"
            case .value(let name): "what is passed as '\(name)' grows too large"
            }
        return [Diagnostic(.selectionSize, message, at: excess.span)]
    }

    fileprivate static func check(_ plan: Flatten, of definition: Span) -> [Diagnostic] {
        var found: [Diagnostic] = []
        if let span = plan.tooDeep {
            let message = "selections nest deeper than \(Flatten.depthLimit) levels when fragments are followed"
            found.append(Diagnostic(.selectionDepth, message, at: span == .none ? definition : span))
        }
        if plan.isTooLarge {
            let message = "this selects more than \(Flatten.sizeLimit) fields when fragments are followed"
            found.append(Diagnostic(.selectionSize, message, at: definition))
        }
        return found
    }
}
