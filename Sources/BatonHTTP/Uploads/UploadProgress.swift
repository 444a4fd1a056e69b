public import Baton

/// Is told how much of a request with files was sent.
///
///     configuration.context[UploadProgress.self] = UploadProgress { sent, total in ... }
///
/// The closure is called on no particular thread, in order, whenever a piece has gone to the transport. A request that
/// is sent again, after a redirect for example, begins again at zero. Two values are equal if they are one object, so
/// requests with different receivers are never shared.
public final class UploadProgress: RequestContextKey, Sendable, Hashable {
    /// Nobody is told.
    public static let defaultValue: UploadProgress? = nil
    /// False: the answer is the same.
    public static var affectsAnswer: Bool { false }

    private let report: @Sendable (_ sent: Int, _ total: Int) -> Void

    /// Makes a receiver of numbers of bytes.
    public init(_ report: @escaping @Sendable (_ sent: Int, _ total: Int) -> Void) {
        self.report = report
    }

    func callAsFunction(_ sent: Int, _ total: Int) { report(sent, total) }

    /// Returns true for the same object.
    public static func == (left: UploadProgress, right: UploadProgress) -> Bool { left === right }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
