extension Store {
    /// Reads the body of a response without changing the store.
    ///
    /// `fetch` has the time of the fetch. `generation` is the store's generation at the time of the request; nil means
    /// the current one. `isMadeByHand` is true for data that may have client fields.
    package func normalize(
        _ body: [UInt8], for operation: BoundOperation, fetch: FetchMark? = nil, generation: Int? = nil,
        isMadeByHand: Bool = false
    ) throws(RelayError.InvalidResponse) -> StagedResponse {
        try normalize(
            body, for: operation, fetch, generation: generation, base: records, isMadeByHand: isMadeByHand)
    }

    /// Reads an optimistic response. All of it is staged, whatever the store holds.
    package func normalizeExpected(
        _ body: [UInt8], for operation: BoundOperation
    ) throws(RelayError.InvalidResponse) -> StagedResponse {
        try normalize(body, for: operation, nil, generation: version.generation, base: Records(), isMadeByHand: true)
    }

    private func normalize(
        _ body: [UInt8], for operation: BoundOperation, _ fetch: FetchMark?, generation: Int?, base: consuming Records,
        isMadeByHand: Bool
    ) throws(RelayError.InvalidResponse) -> StagedResponse {
        if let failure = operation.failure { throw failure }
        let hold = NumberHold(names)
        let root = operation.root
        let generation = generation ?? base.generation
        var reader = ResponseReader(
            normalizer: Normalizer(
                plan: operation.plans.write, scalars: operation.artifact.scalars, customDataID: customDataID,
                base: consume base, isMadeByHand: isMadeByHand),
            root: root)
        try reader.read(body)
        let response = StagedResponse(
            records: reader.takeStaged(fetch.map { marked($0, by: operation) }),
            handled: LaterWorks.distinct(reader.normalizer.handled), generation: generation,
            presence: reader.presence, errors: reader.errors,
            extensions: reader.extensions, irregularities: reader.irregularities, root: root, hold: hold)
        try checkHandlers(of: response)
        return response
    }

    /// Reads a payload without changing the store. The delivery has the earlier payloads and changes in place. It
    /// cannot be used any more after an error, because the response has ended.
    ///
    /// - Parameter isLast: True if the network says that no other payload follows.
    package func normalize(
        _ body: [UInt8], into delivery: inout IncrementalDelivery, fetch: FetchMark? = nil, generation: Int? = nil,
        isLast: Bool = false
    ) throws(RelayError.InvalidResponse) -> (response: StagedResponse, isFirst: Bool, isLast: Bool) {
        let payload = try IncrementalPayload(body)
        if let failure = delivery.operation.failure { throw failure }
        let response = try delivery.read(
            payload, body, in: self, customDataID, fetch: fetch.map { marked($0, by: delivery.operation) },
            generation: generation, isLast: isLast,
            limits: options.incrementalLimits)
        try checkHandlers(of: response)
        return (response, payload.hasData, payload.hasNext == false)
    }

    /// Returns a fetch with a mark if the file leaves out what the operation brings.
    private func marked(_ fetch: FetchMark, by operation: BoundOperation) -> FetchMark {
        guard let disk = queue.disk, disk.unstored.operations.contains(operation.artifact.name) else { return fetch }
        var fetch = fetch
        fetch.isUnstored = true
        return fetch
    }

    /// Throws if a response brought a field whose handler is missing.
    private func checkHandlers(of response: StagedResponse) throws(RelayError.InvalidResponse) {
        for call in response.handled where !call.isPage {
            guard let handle = call.handle else { continue }
            if options.fieldHandlers.contains(where: { $0.name == handle.name }) { continue }
            throw RelayError.InvalidResponse(.noHandler(name: handle.name, field: names.name(of: handle.source)))
        }
    }
}
