/// The treatment of a directive that the compiler knows.
package enum DirectiveFate: Sendable {
    /// The compiler implements the directive.
    case carriedOut
    /// The directive has no effect on what the compiler does.
    case needsNothing
    /// The directive is not supported yet; the text proposes an alternative, if there is one.
    case refused(String?)
    /// The directive is never supported: the reason, and an alternative.
    case refusedForGood(String, advice: String)
    /// The directive has no effect, with a warning: the reason, and an alternative.
    case ignored(String, advice: String)
    /// The directive is not supported yet if an argument has the given value, or any value without one; otherwise it is
    /// implemented.
    case refusedArguments([(name: String, value: Bool?, advice: String)])
}
