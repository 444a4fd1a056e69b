/// A kind of mistake in a program, of which an environment without a log writes one.
enum Mistake: Sendable, Hashable {
    case typeChanged
    case irregularAnswer
    case unknownName
    case updateFailed
    case staleGeneratedCode
    case changeDropped
}
