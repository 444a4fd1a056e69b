import Baton
import BatonDiagnostics

/// An error of a request or of a field, before it is written as JSON.
struct RequestProblem: Error {
    var message: String
    var spans: [Span]
    var path: [JSONValue.PathComponent]?
    var extensions: [JSONValue.Member] = []

    init(
        _ message: String, at spans: [Span], path: [JSONValue.PathComponent]? = nil, extensions: [JSONValue.Member] = []
    ) {
        self.message = message
        self.spans = spans
        self.path = path
        self.extensions = extensions
    }

    /// The error in the form of the response, without empty entries.
    ///
    /// Specification: https://spec.graphql.org/September2025/#sec-Errors
    func json(_ lines: LineTable) -> JSONValue {
        var members = [JSONValue.Member("message", .string(message))]
        let locations = spans.filter { $0 != .none }.map { span -> JSONValue in
            let location = lines.location(ofOffset: Int(span.start))
            return ["line": .int(location.line), "column": .int(location.column)]
        }
        if !locations.isEmpty { members.append(.init("locations", .array(locations))) }
        if let path { members.append(.init("path", .array(path.map(\.json)))) }
        if !extensions.isEmpty { members.append(.init("extensions", .object(extensions))) }
        return .object(members)
    }
}

extension JSONValue.PathComponent {
    var json: JSONValue {
        switch self {
        case .key(let key): .string(key)
        case .index(let index): .int(index)
        }
    }
}

/// The errors that prevent the execution of a request.
struct RequestProblems: Error {
    let problems: [RequestProblem]

    init(_ problems: [RequestProblem]) {
        self.problems = problems
    }

    init(_ message: String, at spans: [Span] = []) {
        problems = [RequestProblem(message, at: spans)]
    }
}
