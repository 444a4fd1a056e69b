/// The result of a read, without the type of the data.
///
/// The result is an object because a handle passes it on several times. Each copy of a struct would count half a dozen
/// references (benchmark `fragments.vs-foundation`).
final class RowResult: Sendable {
    /// True if a selected field is not in the store.
    let isMissingData: Bool
    /// The reason why there is no data, and the errors to log; nil for nearly every read.
    let problems: ReadProblems?
    /// The dependencies of the read; subscribe to them to be notified of changes. The next read reuses the unchanged
    /// parts.
    let dependencies: Dependencies
    /// The root of the result; nil if a non-null field has no value and no nullable field encloses it.
    let row: GeneratedCode.Row?

    init(isMissingData: Bool, problems: ReadProblems?, dependencies: consuming Dependencies, row: GeneratedCode.Row?) {
        self.isMissingData = isMissingData
        self.problems = problems
        self.dependencies = dependencies
        self.row = row
    }

    /// The reason why there is no data, if a required field has no value.
    var failure: RelayError? { problems?.failure }

    /// Compares the data, whether any is missing, and the failures. Unchanged parts that both share cost no time.
    ///
    /// No lock may be held, because values of the application are compared.
    func isEqual(to other: RowResult) -> Bool {
        guard isMissingData == other.isMissingData, failure == other.failure else { return false }
        switch (row, other.row) {
        case (nil, nil): return true
        case (let row?, let otherRow?): return row.isEqual(to: otherRow)
        default: return false
        }
    }
}
