/// The target of an invalidation.
enum InvalidationTarget: Sendable {
    /// Every record of an object type, or of the known object types of an abstract type.
    case type(TypeID)
    /// A query with these variables.
    case operation(OperationKey)
    /// A query with all variables.
    case query(ObjectIdentifier)
}
