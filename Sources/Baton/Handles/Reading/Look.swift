/// What somebody finds who wants the newest reading.
enum Look<Question: Sendable>: Sendable {
    /// This is on show, and it is the newest.
    case shown(Reading)
    /// This must be found out before. The answer is an event; then the next look may find more.
    case unknown(Question)
}
