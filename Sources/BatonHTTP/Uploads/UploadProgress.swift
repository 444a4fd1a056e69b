public import Baton

/// Receives the number of bytes of a request with files that have been sent.
///
///     configuration.context[UploadProgress.self] = UploadProgress { sent, total in ... }
///
/// The closure is called on any thread, in order, after each piece has gone to the transport. A request that is sent
/// again, for example after a redirect, begins again at zero. Two values are equal if they are one object, so that
/// requests with different receivers are never shared.
public final class UploadProgress: RequestContextKey, Sendable, Hashable {
    /// Nil: by default there is no receiver.
    public static let defaultValue: UploadProgress? = nil
    /// False: the receiver of a request does not affect its response.
    public static var affectsResponse: Bool { false }

    private let report: @Sendable (_ sent: Int, _ total: Int) -> Void

    /// Makes a receiver from a closure that takes the numbers of sent and of all bytes.
    public init(_ report: @escaping @Sendable (_ sent: Int, _ total: Int) -> Void) {
        self.report = report
    }

    func callAsFunction(_ sent: Int, _ total: Int) { report(sent, total) }

    /// Returns true for the same object.
    public static func == (left: UploadProgress, right: UploadProgress) -> Bool { left === right }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
