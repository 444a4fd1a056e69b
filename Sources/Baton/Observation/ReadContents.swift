/// The result of a handle's read, without the type of the data.
struct ReadContents: Sendable {
    /// The data as a `ReadData`; nil if there is none.
    let data: (any AnyObject & Sendable)?
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

extension GeneratedCode.Selections {
    /// Reads a place and compares the data with that of the last read. This is the only generic part of a handle's
    /// work.
    ///
    /// No lock may be held, because code of the application runs: conversions, and `==` of their values.
    static func read(at place: BoundFragment, in store: Store, after last: ReadContents?) -> HandleRead {
        var data: Self?
        let outcome = store.records.read(at: place.record, place.selections, tracking: true, after: last?.dependencies)
        { data = Self(&$0) }
        if outcome.isVoid { data = nil }
        let failure = outcome.problems?.failure
        var isDifferent = true
        var kept: (any AnyObject & Sendable)?
        if let last {
            let isSame = Self.isSame(data, as: last.data)
            if isSame { kept = last.data }
            isDifferent = !isSame || last.isMissingData != outcome.isMissingData || last.failure != failure
        }
        if kept == nil, let data { kept = ReadData(data) }
        let contents = ReadContents(
            data: kept, isMissingData: outcome.isMissingData, failure: failure, dependencies: outcome.dependencies)
        return HandleRead(contents: contents, isDifferent: isDifferent, problems: outcome.problems)
    }

    // The comparison is a function of its own, so that a first read does not ask for the metadata that only it needs.
    @inline(never)
    private static func isSame(_ data: Self?, as last: (any AnyObject & Sendable)?) -> Bool {
        guard let data, let last = last as? ReadData<Self> else { return data == nil && last == nil }
        return last.data == data
    }
}
