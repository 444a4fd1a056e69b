import BatonIR
import BatonSyntax

/// What `@catch` and `@throwOnFieldError` say about a whole operation or fragment.
package struct ErrorTreatment: Hashable, Sendable {
    package let catches: CatchTarget?
    package let throwsOnFieldError: Bool

    init(_ directives: [Directive] = []) {
        catches = directives.catchTarget
        // An error that is caught is not thrown.
        throwsOnFieldError = directives.named("throwOnFieldError") != nil && catches == nil
    }

    /// Whether errors are dealt with, so that `@semanticNonNull` counts.
    var isStrict: Bool { catches != nil || throwsOnFieldError }
}
