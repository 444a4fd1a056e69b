extension DataID {
    /// Chooses the identity of an object from its type and its scalar fields.
    ///
    /// The function gets the fields that the response brought, by field name, and can read them only while it runs. A
    /// result of nil leaves the decision to the rule described at ``DataID``.
    ///
    /// The function runs while no lock is held, and at most once for each object in a response. It must return the same
    /// identity for the same object, however the object was reached. If the function read only the `id` of an object
    /// and returned a prefix followed by that `id`, the store reuses the prefix. The function then need not run again
    /// for the same type and `id`.
    public typealias Function = @Sendable (_ type: TypeName, _ fields: DataID.Fields) -> DataID?
}
