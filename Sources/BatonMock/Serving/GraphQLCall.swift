import Baton
import BatonHTTP

/// One operation that a client asks for.
struct GraphQLCall: Sendable, Equatable {
    /// The number of operations that may be sent together.
    static let mostTogether = 50

    let text: String
    let operationName: String?
    /// The id of the document, if the client has sent it.
    let documentID: String?
    let variables: JSONValue

    /// Reads the members of a request: `query`, `operationName`, `variables`.
    ///
    /// Specification: https://graphql.github.io/graphql-over-http/draft/#sec-Request-Parameters
    init(_ members: JSONValue, _ documents: KnownDocuments) throws(HTTPProblem) {
        guard members.objectValue != nil else {
            throw HTTPProblem(400, #"A request is an object, such as {"query": "{ __typename }"}."#)
        }
        text = try documents.text(of: members)
        documentID = KnownDocuments.id(in: members)
        switch members["operationName"] ?? .null {
        case .null: operationName = nil
        // Baton names every operation, and other clients send an empty name for those without one.
        case .string(let name): operationName = name.isEmpty ? nil : name
        default: throw HTTPProblem(400, "'operationName' is a string.")
        }
        switch members["variables"] ?? .null {
        case .null: variables = .object([])
        case .object(let variables): self.variables = .object(variables)
        default: throw HTTPProblem(400, "'variables' is an object.")
        }
    }

    /// Reads the parameters of a URL, where `variables` is JSON.
    init(parametersOf request: ReceivedRequest, _ documents: KnownDocuments) throws(HTTPProblem) {
        var members: [JSONValue.Member] = []
        for (name, value) in request.parameters {
            if name == "variables" || name == "extensions" {
                if !value.isEmpty { members.append(.init(name, try Self.json(Array(value.utf8), "'\(name)'"))) }
            } else {
                members.append(.init(name, .string(value)))
            }
        }
        try self.init(.object(members), documents)
    }

    /// Reads the body of a request: one operation, or an array of those that are sent together.
    static func read(
        bodyOf request: ReceivedRequest, _ documents: KnownDocuments
    ) throws(HTTPProblem) -> (calls: [GraphQLCall], isArray: Bool) {
        let name = typeName(request)
        let json: JSONValue
        if isForm(request) {
            json = try UploadForm(request).operations
        } else if name == "application/json" || name.hasSuffix("+json") {
            json = try Self.json(request.body, "The body")
        } else {
            throw HTTPProblem(415, "Send the operation as JSON, with 'Content-Type: application/json'.")
        }
        guard let elements = json.arrayValue else { return ([try GraphQLCall(json, documents)], false) }
        guard (1...mostTogether).contains(elements.count) else {
            throw HTTPProblem(400, "An array has from 1 to \(mostTogether) requests.")
        }
        var calls: [GraphQLCall] = []
        for element in elements { calls.append(try GraphQLCall(element, documents)) }
        return (calls, true)
    }

    /// Whether a request has files.
    static func isForm(_ request: ReceivedRequest) -> Bool { typeName(request) == "multipart/form-data" }

    private static func typeName(_ request: ReceivedRequest) -> String {
        (request.headers["Content-Type"] ?? "").prefix { $0 != ";" }.lowercased().filter { $0 != " " }
    }

    private static func json(_ bytes: [UInt8], _ what: String) throws(HTTPProblem) -> JSONValue {
        do throws(JSONValue.ParseError) {
            return try JSONValue.parse(bytes)
        } catch {
            throw HTTPProblem(400, "\(what) is no JSON: \(error.description).")
        }
    }
}
