import BatonSyntax

/// The reaction to a required field without a value, from mild to severe.
package enum RequiredAction: String, Sendable, Comparable, CaseIterable {
    case none = "NONE"
    case log = "LOG"
    case `throw` = "THROW"

    /// An action that also throws. The author knows that the field may be null for good reasons.
    static let throwOnSemanticNull = "DANGEROUSLY_THROW_ON_SEMANTICALLY_NULLABLE_FIELD"

    init?(_ directive: Directive) {
        guard case .enum(let name)? = directive.argument("action") else { return nil }
        self.init(rawValue: name.text == Self.throwOnSemanticNull ? RequiredAction.throw.rawValue : name.text)
    }

    package static func < (left: RequiredAction, right: RequiredAction) -> Bool {
        let order = allCases
        return order.firstIndex(of: left) ?? 0 < order.firstIndex(of: right) ?? 0
    }
}
