/// A response to an operation that does not come from a request, for ``RelayEnvironment/publish(_:for:)``.
public struct GraphQLPayload<Operation: GraphQLOperation>: Sendable {
    private enum Content: Sendable {
        case data(JSONValue)
        case dataText([UInt8])
        case response([UInt8])
    }

    private let content: Content

    /// The object under `data`, with the response keys of the operation, including the fields of its fragments.
    ///
    /// Fields of a client schema extension can be given too, unlike in a `response`.
    public static func data(_ data: JSONValue) -> GraphQLPayload { .init(content: .data(data)) }

    /// The data as a value.
    public static func data(_ data: some GeneratedCode.RawResponse<Operation>) -> GraphQLPayload {
        .init(content: .data(data.jsonValue))
    }

    /// The object under `data`, as JSON in UTF-8.
    public static func data(json: [UInt8]) -> GraphQLPayload { .init(content: .dataText(json)) }

    /// The object under `data`, as JSON.
    public static func data(json: String) -> GraphQLPayload { .init(content: .dataText(Array(json.utf8))) }

    /// A whole response with `data` and possibly `errors`, as JSON in UTF-8.
    public static func response(json: [UInt8]) -> GraphQLPayload { .init(content: .response(json)) }

    /// A whole response with `data` and possibly `errors`, as JSON.
    public static func response(json: String) -> GraphQLPayload { .init(content: .response(Array(json.utf8))) }

    /// True if the data may have client fields.
    var isMadeByHand: Bool { if case .response = content { false } else { true } }

    /// Returns the body of the response.
    func body() throws(RelayError.InvalidResponse) -> [UInt8] {
        switch content {
        case .response(let bytes): return bytes
        case .data(let data): return Self.body(around: data.jsonBytes)
        case .dataText(let bytes):
            // A text with more than one value could end the `data` member and add other members.
            do { try JSONValue.check(bytes) } catch {
                throw RelayError.InvalidResponse(.notJSON(error.detail), offset: error.offset)
            }
            return Self.body(around: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes)
        }
    }

    private static func body(around data: [UInt8]) -> [UInt8] {
        Array(#"{"data":"#.utf8) + data + Array("}".utf8)
    }
}

extension GraphQLPayload where Operation: GeneratedCode.OperationWithRawResponse {
    /// The data as a value of the type that `@raw_response_type` asks for.
    public static func data(_ data: Operation.RawResponse) -> GraphQLPayload { .init(content: .data(data.jsonValue)) }
}

extension RelayEnvironment {
    /// Writes a payload into the store; returns the record of its root fields.
    func land<Operation: GraphQLOperation>(
        _ payload: GraphQLPayload<Operation>, for operation: BoundOperation
    ) throws(RelayError) -> RecordID {
        let staged = try landed(payload, for: operation).staged
        guard staged.presence == .object else { throw .noData(staged.errors) }
        return staged.root
    }

    /// Writes a payload into the store, if it has data; returns it with its bytes.
    func landed<Operation: GraphQLOperation>(
        _ payload: GraphQLPayload<Operation>, for operation: BoundOperation
    ) throws(RelayError) -> (staged: StagedResponse, body: [UInt8]) {
        if let refusal = operation.refusal { throw refusal }
        let body: [UInt8]
        do throws(RelayError.InvalidResponse) {
            body = try payload.body()
        } catch {
            throw .invalidResponse(error)
        }
        return (try landed(body, for: operation, isMadeByHand: payload.isMadeByHand), body)
    }

    /// Writes the body of a response into the store, if it has data.
    func landed(
        _ body: [UInt8], for operation: BoundOperation, isMadeByHand: Bool
    ) throws(RelayError) -> StagedResponse {
        let fetch = FetchMark(time: now(), began: store.epoch)
        let staged: StagedResponse
        do throws(RelayError.InvalidResponse) {
            staged = try store.normalize(body, for: operation, fetch: fetch, isMadeByHand: isMadeByHand)
            if staged.presence == .absent, staged.errors.isEmpty { throw RelayError.InvalidResponse(.notAResponse) }
        } catch {
            throw .invalidResponse(error)
        }
        let normalizing = isLogging ? now() - fetch.time : nil
        if !staged.irregularities.isEmpty { log.report(staged.irregularities, of: operation, nil) }
        guard staged.presence == .object else { return staged }
        let source = LogEvent.Publish.Source.response(operationName: operation.artifact.name, request: 0)
        let report = report(of: source, normalizing: normalizing)
        guard staged.needsUpdate else {
            store.publish(staged, for: operation, isNewer: true, report: report)
            return staged
        }
        do {
            try store.publish(staged, for: operation, isNewer: true, report: report) { _ in }
        } catch {
            emit(.updateFailed(LogEvent.UpdateFailure(source: source, error: error)))
            throw .updater(error)
        }
        return staged
    }
}
