import BatonDiagnostics
import BatonIR
import BatonSchema
import BatonSyntax

extension DocumentCheck {
    static let masks = DocumentCheck(.mistake, "CheckMasks", [.invalidMask], .written { CheckMasks.check($0.program) })
}

/// Checks spreads without masks, with `@relay(mask: false)`, and spreads of fragments with `@inline`.
///
/// - A fragment that replaces its spread has no directives except `@relay`, since they would have no place. It
///   therefore declares no arguments.
/// - The variables that the fragment takes from the operation are not arguments of the fragment around the spread.
///   Their types fit the uses in the fragment around the spread.
/// - `@relay(mask: false)` stands on spreads. On a fragment it has no effect, which is a warning.
/// - A spread of a fragment with `@inline` may pass arguments, have an alias, be deferred, and stand under a condition.
///   It has no other directives.
///
/// Reference: https://relay.dev/docs/api-reference/graphql/graphql-directives/#relaymask-boolean
struct CheckMasks {
    private let program: Program
    private var types: VariableTypes
    private var diagnostics: [Diagnostic] = []

    static func check(_ program: Program) -> [Diagnostic] {
        var check = CheckMasks(program)
        for operation in program.operations { check.visit(operation.selections) }
        for fragment in program.fragments { check.visit(fragment) }
        return check.diagnostics
    }

    private init(_ program: Program) {
        self.program = program
        types = VariableTypes(program)
    }

    /// Checks the spreads of a selection set.
    private mutating func visit(_ selections: [TypedSelection]) {
        for spread in TypedSelection.spreads(in: selections) where !spread.directives.isEmpty {
            guard let fragment = program.fragment(named: spread.fragment) else { continue }
            if spread.isUnmasked { visit(spread, unmasking: fragment) }
            if fragment.directives.named("inline") != nil { visit(spread, ofInline: fragment) }
        }
    }

    private mutating func visit(_ spread: TypedSpread, unmasking fragment: Fragment) {
        guard let directive = fragment.directives.first(where: { $0.name.text != "relay" }) else { return }
        let name = "@" + directive.name.text
        diagnostics.append(
            Diagnostic(
                .invalidMask,
                "'\(fragment.name)' has '\(name)', which has no effect where the mask is taken off", at: spread.span,
                notes: [.init("'\(name)' stands here", at: directive.name.span)],
                suggestion: "leave out '@relay(mask: false)', or '\(name)'"))
    }

    private static let allowedOfInline: Set<String> = TypedSpread.argumentDirectives.union([
        "alias", "dangerously_unaliased_fixme", "defer", "include", "skip",
    ])

    private mutating func visit(_ spread: TypedSpread, ofInline fragment: Fragment) {
        for directive in spread.directives where !Self.allowedOfInline.contains(directive.name.text) {
            // Another rule reports this directive.
            if directive.name.text == "relay", spread.isUnmasked { continue }
            diagnostics.append(
                Diagnostic(
                    .invalidMask,
                    "a spread of '\(fragment.name)' cannot have '@\(directive.name.text)', because the fragment has '@inline'",
                    at: directive.name.span))
        }
    }

    // MARK: - Variables

    /// Checks the spreads of a fragment, and the variables of those without a mask.
    private mutating func visit(_ fragment: Fragment) {
        visit(fragment.selections)
        if case .boolean(let mask)? = fragment.directives.named("relay")?.argument("mask"), !mask.isTrue {
            diagnostics.append(
                Diagnostic(
                    .invalidMask, severity: .warning,
                    "'mask: false' on the fragment '\(fragment.name)' has no effect: each spread decides",
                    at: mask.span, suggestion: "write '@relay(mask: false)' at the spreads"))
        }
        var pending = unmasked(in: fragment)
        if pending.isEmpty { return }
        var taken = types.ownVariables(of: fragment)
        var seen: Set<String> = [fragment.name]
        while let (spread, inner) = pending.popLast() {
            guard seen.insert(inner.name).inserted else { continue }
            for (name, type) in types.ownVariables(of: inner).sorted(by: { $0.key < $1.key }) {
                if let own = fragment.arguments.first(where: { $0.name == name }) {
                    report(
                        "'\(inner.name)' takes '$\(name)' from the operation, and '\(fragment.name)' declares it as an argument",
                        at: spread.span, "declared here", own.span)
                } else if let known = taken[name], !areCompatible(known, type) {
                    let (left, right) = (program.schema.describe(known), program.schema.describe(type))
                    report(
                        "'\(inner.name)' uses '$\(name)' where '\(right)' is expected, and '\(fragment.name)' where '\(left)' is",
                        at: spread.span, "the fragment is here", inner.span)
                } else {
                    taken[name] = type
                }
            }
            pending += unmasked(in: inner).map { (spread, $0.1) }
        }
    }

    /// The spreads without a mask, each with its fragment, in reverse order.
    private func unmasked(in fragment: Fragment) -> [(TypedSpread, Fragment)] {
        TypedSelection.spreads(in: fragment.selections).reversed().compactMap { spread in
            guard spread.isUnmasked else { return nil }
            return program.fragment(named: spread.fragment).map { (spread, $0) }
        }
    }

    private func areCompatible(_ type: TypeReference, _ other: TypeReference) -> Bool {
        program.schema.isSubtype(type, of: other) || program.schema.isSubtype(other, of: type)
    }

    private mutating func report(_ message: String, at span: Span, _ note: String, _ noted: Span) {
        diagnostics.append(
            Diagnostic(
                .invalidMask, message, at: span, notes: [.init(note, at: noted)],
                suggestion: "leave out '@relay(mask: false)', or choose another name"))
    }
}
