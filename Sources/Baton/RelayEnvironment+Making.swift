extension RelayEnvironment {
    /// Writes data that was made for an operation, and reads it.
    ///
    /// Without an environment the data has records of its own. In an environment the operation stays retained, so that
    /// the records exist as long as the environment.
    ///
    /// - Parameters:
    ///   - data: The object under `data`.
    ///   - variables: An object with the variables.
    package static func row(
        of artifact: GeneratedCode.OperationArtifact, variables: JSONValue, data: JSONValue,
        in environment: RelayEnvironment?
    ) throws(RelayError) -> GeneratedCode.Row {
        let environment = environment ?? RelayEnvironment(.around(Store(options: StoreOptions())))
        let bound = environment.store.bind(artifact, variables: variables, retaining: true)
        let body = JSONValue.object([.init("data", data)]).jsonBytes
        let staged = try environment.reportingFrames { () throws(RelayError) in
            try environment.landed(body, for: bound, isMadeByHand: true)
        }
        guard staged.presence == .object else { throw .noData(staged.errors) }
        let outcome = environment.store.records.read(at: staged.root, bound.reader)
        if let failure = outcome.problems?.failure { throw failure }
        guard let row = outcome.row else {
            let hole = HoleSearch.fall(in: environment.store.records, at: staged.root, bound.reader.plan)
            throw .missingNonNullField(path: hole?.place.path ?? [], component: artifact.name)
        }
        return row
    }
}
