/// The errors of a read, and the current place of the reader.
struct ReaderTrace: Sendable {
    /// A step from one place to the next.
    enum Step: Sendable {
        /// The position of a field among the items of the plan.
        case field(Int)
        case index(Int)
        case fragment(isDeferred: Bool)
    }

    var path: [Step] = []
    /// The errors that are not caught yet.
    var errors: [FieldError] = []
    /// The required fields without a value that are only logged.
    var logged: [FieldError] = []
    /// The number of open `@catch` scopes.
    var scopes = 0
    /// The number of times that errors were caught.
    var caught = 0
    /// The number of enclosing fragments and fields with `@defer`.
    var deferred = 0

    mutating func enterDeferred() {
        deferred += 1
        path.append(.fragment(isDeferred: true))
    }

    mutating func leave() {
        if case .fragment(isDeferred: true)? = path.popLast() { deferred -= 1 }
    }
}
