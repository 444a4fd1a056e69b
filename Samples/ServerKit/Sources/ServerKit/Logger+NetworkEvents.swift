public import BatonHTTP
public import Logging

extension Logger {
    /// Writes an event of a request. Variables and headers are written as far as the ``LoggingInterceptor`` shows them:
    /// by default the names of variables and no header.
    ///
    ///     network.intercepted(by: LoggingInterceptor { logger.log($0) })
    public func log(_ event: NetworkEvent) {
        var metadata: Metadata = [
            "graphql.operation.name": "\(event.operationName)",
            "graphql.operation.type": "\(event.operationKind.rawValue)", "request": "\(event.requestID)",
        ]
        if !event.variables.isEmpty { metadata["graphql.variables"] = "\(event.variables.joined(separator: ", "))" }
        for (name, value) in event.headers { metadata["http.request.header.\(name.lowercased())"] = "\(value)" }
        switch event.kind {
        case .began: log(level: .debug, "graphql request sent", metadata: metadata)
        case .response(let status, let bytes, _):
            metadata["http.response.status_code"] = status.map { "\($0)" }
            metadata["bytes"] = "\(bytes)"
            log(level: .debug, "graphql response", metadata: metadata)
        case .retry(let number, _, let error):
            metadata["retry"] = "\(number)"
            metadata["error"] = "\(error.label)"
            log(level: .notice, "graphql request is sent again", metadata: metadata)
        case .ended(let end, _, let bytes):
            metadata["bytes"] = "\(bytes)"
            metadata["duration"] = "\(event.time)"
            if case .failed(let error) = end { metadata["error"] = "\(error.label)" }
            log(level: metadata["error"] == nil ? .debug : .error, "graphql request ended", metadata: metadata)
        }
    }
}
