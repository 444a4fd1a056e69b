/// What a handle has read of one place, without the type of the data.
struct Sight: Sendable {
    /// A `ReadData`; nil if there is none.
    let data: (any AnyObject & Sendable)?
    let isMissingData: Bool
    /// Why there is no data, if a field that is needed has no value.
    let failure: RelayError?
    /// What was read; the next read takes over what has not changed.
    let dependencies: Dependencies

    var content: Reading.Content { failure.map { .failure($0) } ?? .data(data) }
}

/// What comes of a read.
struct Look: Sendable {
    let sight: Sight
    /// What was read is not what was read before.
    let isDifferent: Bool
    /// What is to be logged.
    let problems: ReadProblems?
}

extension GeneratedCode.Selections {
    /// Reads a place, and compares with what was read before. All that a handle does for any type of data is here.
    ///
    /// Outside every lock, since it runs code of the user's: conversions, and `==` of their values.
    static func look(at place: BoundFragment, in store: Store, after last: Sight?) -> Look {
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
        let sight = Sight(
            data: kept, isMissingData: outcome.isMissingData, failure: failure, dependencies: outcome.dependencies)
        return Look(sight: sight, isDifferent: isDifferent, problems: outcome.problems)
    }

    // Apart, so that a first read does not ask for the metadata of what it does not need.
    @inline(never)
    private static func isSame(_ data: Self?, as last: (any AnyObject & Sendable)?) -> Bool {
        guard let data, let last = last as? ReadData<Self> else { return data == nil && last == nil }
        return last.data == data
    }
}
