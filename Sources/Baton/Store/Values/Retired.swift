/// Values and blocks that nothing needs any more, kept until no lock is held: freeing a converted scalar runs the
/// application's code.
struct Retired: Sendable {
    var values: [Value] = []
    var blocks: [RecordBlock] = []

    /// Keeps a value if freeing it may run the application's code.
    @inline(__always)
    mutating func add(_ value: Value) {
        if case .scalar = value { values.append(value) }
    }
}
