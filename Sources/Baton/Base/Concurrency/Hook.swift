/// A function in an object of its own, so that it can be kept under a lock. A bare function is wrapped once more at
/// each access through generic state, which makes every call slower (seen after some thousand releases).
final class Hook<Argument>: Sendable {
    let body: @Sendable (Argument) -> Void

    init(_ body: @escaping @Sendable (Argument) -> Void) { self.body = body }
}
