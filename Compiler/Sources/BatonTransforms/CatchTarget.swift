import BatonIR
import BatonSyntax

/// The replacement for a value with errors.
package enum CatchTarget: String, Sendable {
    case result = "RESULT"
    case null = "NULL"
}

extension [Directive] {
    var catchTarget: CatchTarget? {
        guard let directive = named("catch") else { return nil }
        guard case .enum(let name)? = directive.argument("to") else { return .result }
        return CatchTarget(rawValue: name.text)
    }
}
