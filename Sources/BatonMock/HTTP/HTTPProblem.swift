import Baton
import BatonHTTP

/// What is wrong with a request, and the status that says so.
struct HTTPProblem: Error, Equatable {
    let status: Int
    /// A sentence for the client's author, which says what to do.
    let message: String
    /// Fields that belong to the status, such as `Allow`.
    let headers: HTTPHeaders

    init(_ status: Int, _ message: String, headers: HTTPHeaders = [:]) {
        self.status = status
        self.message = message
        self.headers = headers
    }

    /// The answer, in the form of a response of GraphQL.
    var response: MockResponse {
        var response = MockResponse(json: ["errors": [["message": .string(message)]]], status: status)
        for field in headers.fields { response.headers.add(field.name, field.value) }
        return response
    }
}
