/// A kind of mistake in a program. An environment without a log writes one mistake of each kind.
enum Mistake: Sendable, Hashable {
    case typeChanged
    case irregularResponse
    case unknownName
    case updateFailed
    case staleGeneratedCode
    case changeDropped
    /// A misuse is written once for each place.
    case misuse(LogEvent.Misuse)
}
