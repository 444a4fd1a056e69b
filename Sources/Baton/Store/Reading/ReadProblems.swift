/// The problems of a whole read.
package struct ReadProblems: Sendable {
    /// The reason why there is no data.
    package let failure: RelayError?
    /// The missing fields with `@required(action: LOG)`, which are to be logged.
    package let logged: [FieldError]
}
