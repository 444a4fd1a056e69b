/// Why a local update was refused.
public enum UpdateError: Error, Sendable, Hashable {
    /// The update that the proxy belongs to has returned.
    case ended
    /// The record was deleted, by this update or before it.
    case deleted(DataID)
    /// There is a record with that ID already.
    case exists(DataID)
    /// The root record cannot be deleted.
    case root
    /// A record to link to belongs to another update.
    case foreignRecord(DataID)
    /// A value is nested deeper than the limit.
    case tooDeep(limit: Int)
    /// A typed struct was asked to write what the field's type does not allow, or the plan in its generated code is malformed.
    case unusableField(DataID, field: String)
}

extension UpdateError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .ended: "the update has ended; a record proxy cannot be used afterwards"
        case .deleted(let id): "the record '\(id)' is deleted"
        case .exists(let id): "there is a record '\(id)' already"
        case .root: "the root record cannot be deleted"
        case .foreignRecord(let id): "the record '\(id)' belongs to another update"
        case .tooDeep(let limit): "the value is nested deeper than \(limit) levels"
        case .unusableField(let id, let field): "the field '\(field)' of the record '\(id)' cannot be written like this"
        }
    }
}
