/// The reason why bytes could not be restored. The store stays as it was.
public enum SnapshotError: Error, Sendable, Hashable {
    /// The bytes are not JSON.
    case notJSON(JSONValue.ParseError)
    /// The bytes are JSON, but no snapshot of a store; the text gives the reason.
    case notASnapshot(String)
    /// The snapshot has a format that this version of Baton cannot read.
    case unknownFormat(Int)
    /// Optimistic changes are shown, which cannot be applied to other data. Restore after the mutations have ended and
    /// the optimistic updates have been reverted.
    case changesInFlight
}

extension SnapshotError: CustomStringConvertible {
    /// The reason and the advice, in one line for a person.
    public var description: String {
        switch self {
        case .notJSON(let error): "the snapshot is not JSON: \(error)"
        case .notASnapshot(let detail): "this is no snapshot of a store: \(detail)"
        case .unknownFormat(let format):
            "the snapshot has format \(format), and this version reads format \(SnapshotFormat.version); write it again"
        case .changesInFlight: "optimistic changes are in flight; restore when they have ended"
        }
    }
}
