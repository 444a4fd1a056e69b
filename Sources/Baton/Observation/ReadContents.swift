/// The result of a handle's read, without the type of the data.
struct ReadContents: Sendable {
    /// The data; nil if there is none.
    let data: GeneratedCode.Row?
    let isMissingData: Bool
    /// The reason why there is no data, if a required field has no value.
    let failure: RelayError?
    /// The dependencies of the read. The next read reuses the unchanged parts.
    let dependencies: Dependencies

    var content: Reading.Content { failure.map { .failure($0) } ?? .data(data) }
}

/// A read with its comparison.
struct HandleRead: Sendable {
    let contents: ReadContents
    /// True if the data differs from that of the last read.
    let isDifferent: Bool
    /// The errors to log.
    let problems: ReadProblems?
}

extension HandleRead {
    /// Reads a place and compares the data with that of the last read.
    ///
    /// No lock may be held, because conversions of the application may run.
    init(at place: BoundFragment, in store: Store, after last: ReadContents?) {
        let outcome = store.records.read(at: place.record, place.selections, after: last?.dependencies)
        let failure = outcome.problems?.failure
        let data = outcome.row
        isDifferent =
            if let last {
                if Self.isSame(data, last.data) {
                    last.isMissingData != outcome.isMissingData || last.failure != failure
                } else {
                    true
                }
            } else {
                true
            }
        contents = ReadContents(
            data: data, isMissingData: outcome.isMissingData, failure: failure, dependencies: outcome.dependencies)
        problems = outcome.problems
    }

    private static func isSame(_ left: GeneratedCode.Row?, _ right: GeneratedCode.Row?) -> Bool {
        switch (left, right) {
        case (nil, nil): true
        case (let left?, let right?): left.isEqual(to: right)
        default: false
        }
    }
}
