import BatonIR
import BatonSyntax

/// The treatment of errors in a whole operation or fragment, by `@catch` and `@throwOnFieldError`.
package struct ErrorTreatment: Hashable, Sendable {
    package let catches: CatchTarget?
    package let throwsOnFieldError: Bool

    init(_ directives: [Directive] = []) {
        catches = directives.catchTarget
        // An error that is caught is not thrown.
        throwsOnFieldError = directives.named("throwOnFieldError") != nil && catches == nil
    }

    /// Whether errors are caught or thrown, so that `@semanticNonNull` counts.
    var isStrict: Bool { catches != nil || throwsOnFieldError }
}
