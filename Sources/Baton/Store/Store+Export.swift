extension Store {
    /// What the store holds of an operation, as JSON.
    package func json(of operation: BoundOperation) -> JSONValue {
        JSONExport(records: records, plan: operation.plans.write, names: names).data(at: operation.root)
    }
}
