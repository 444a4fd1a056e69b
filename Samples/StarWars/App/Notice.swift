/// What the program tells a person, for some seconds in place of the line about the last publish. Two notices of the
/// same text are not the same.
final class Notice: Sendable {
    let text: String
    let isFailure: Bool
    /// The last publish before the notice, if the next one ends it; 0 if there was none.
    let publishBefore: Int?

    init(_ text: String, isFailure: Bool, publishBefore: Int?) {
        (self.text, self.isFailure, self.publishBefore) = (text, isFailure, publishBefore)
    }

    var lifetime: Duration { isFailure ? .seconds(8) : .seconds(3) }
}
