/// The result of a read.
package struct ReadResult<Data: GeneratedCode.SelectionSet>: Sendable {
    let outcome: RowResult

    /// The data; nil if a non-null field has no value and no nullable field encloses it.
    package var data: Data? { outcome.row.map { Data(__row: $0) } }
    /// True if a selected field is not in the store.
    package var isMissingData: Bool { outcome.isMissingData }
    /// The reason why there is no data, and the errors to log; nil for nearly every read.
    package var problems: ReadProblems? { outcome.problems }
    /// The dependencies of the read; subscribe to them to be notified of changes.
    package var dependencies: Dependencies { outcome.dependencies }
    /// The version of the store that was read.
    package var epoch: Epoch { outcome.dependencies.epoch }
}

/// The problems of a whole read.
package struct ReadProblems: Sendable {
    /// The reason why there is no data.
    package let failure: RelayError?
    /// The missing fields with `@required(action: LOG)`, which are to be logged.
    package let logged: [FieldError]
}
