/// The reason why a local update was refused.
public enum UpdateError: Error, Sendable, Hashable {
    /// The proxy's update has returned.
    case ended
    /// The record was deleted, by this update or before it.
    case deleted(DataID)
    /// A record with that ID exists already.
    case exists(DataID)
    /// The root record cannot be deleted.
    case root
    /// A record to link to belongs to another update.
    case foreignRecord(DataID)
    /// A value is nested deeper than the limit.
    case tooDeep(limit: Int)
    /// A field that was assigned through a typed struct cannot be written. A condition excludes the field, given by its
    /// position in the plan, or the plan has no such field.
    case unusableField(DataID, position: Int)
    /// A field that cannot be null was set to null through a typed struct.
    case nonNullField(DataID, name: String)
    /// No reader could take the value. `field` is the storage key of the field, `type` its type in the schema, and
    /// `value` the beginning of the value as JSON; a link is the identity of its record.
    ///
    /// The types are known from the operations and fragments that the program has used so far.
    case wrongType(DataID, field: String, type: String, value: String)
}

extension UpdateError: CustomStringConvertible {
    /// The reason with the record, in one line for a person.
    public var description: String {
        switch self {
        case .ended: "the update has ended; a record proxy cannot be used afterwards"
        case .deleted(let id): "the record '\(id)' is deleted"
        case .exists(let id): "there is a record '\(id)' already"
        case .root: "the root record cannot be deleted"
        case .foreignRecord(let id): "the record '\(id)' belongs to another update"
        case .tooDeep(let limit): "the value is nested deeper than \(limit) levels"
        case .nonNullField(let id, let name): "the field '\(name)' of the record '\(id)' cannot be null"
        case .wrongType(let id, let field, let type, let value):
            "the field '\(field)' of the record '\(id)' is of type '\(type)', so it cannot be set to \(value)"
        case .unusableField(let id, let position):
            "field \(position) of the fragment is excluded by a condition, so it cannot be assigned in the record '\(id)'"
        }
    }
}
