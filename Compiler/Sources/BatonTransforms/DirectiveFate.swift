/// The treatment of a directive that the compiler knows.
package enum DirectiveFate: Sendable {
    /// The compiler implements the directive.
    case carriedOut
    /// The compiler needs no action for the directive.
    case needsNothing
    /// The directive is not supported yet. The text proposes an alternative, if there is one.
    case refused(String?)
    /// The directive will never be supported, for this reason, with this alternative.
    case refusedForGood(String, advice: String)
    /// The directive has no effect, with a warning that has the reason and an alternative.
    case ignored(String, advice: String)
    /// The directive is implemented, except if one of these arguments has the given value. A value of nil stands for
    /// any value.
    case refusedArguments([(name: String, value: Bool?, advice: String)])
}
