/// A function that is kept under a lock, in an object of its own: a bare one is wrapped once more with each look at
/// generic state, so that a call takes longer each time (seen after some thousand releases).
final class Hook<Argument>: Sendable {
    let body: @Sendable (Argument) -> Void

    init(_ body: @escaping @Sendable (Argument) -> Void) { self.body = body }
}
