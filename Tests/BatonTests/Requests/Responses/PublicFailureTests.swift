import Testing

@testable import Baton

@Suite struct PublicFailureTests {
    private struct Late: TransportError {
        var advice: String { "Ask 10.0.0.7." }
        var gatewayStatus: Int { 504 }
    }

    private static let secret = "SQL: table users at 10.0.0.7"

    private static let failures: [(RelayError, Int)] = [
        (.transport(Unreachable()), 502), (.transport(Late()), 504),
        (.httpStatus(500, body: secret), 502), (.httpStatus(404, body: secret), 502),
        (.httpStatus(503, body: secret, retryAfter: .seconds(7)), 503), (.httpStatus(429, body: secret), 503),
        (.httpStatus(504, body: secret), 504), (.contentType("text/html", body: secret), 502),
        (.noData([GraphQLError(message: secret)]), 502), (.hasErrors([GraphQLError(message: secret)]), 502),
        (.noResponse, 502), (.timedOut(after: .seconds(2)), 504), (.cancelled, 503),
        (.variableTooDeep(operationName: secret, variable: secret, limit: 1), 400),
        (.configuration(secret), 500), (.notInStore(component: secret), 500),
    ]

    @Test(arguments: failures.indices) func aFailureHasAStatusAndNoWordOfTheServer(index: Int) {
        let (error, status) = Self.failures[index]
        let failure = error.publicFailure
        #expect(failure.status == status)
        for word in ["SQL", "10.0.0.7", "Unreachable", "route", "HTTP", "GraphQL"] {
            #expect(!failure.text.contains(word))
        }
    }

    @Test func theTimeToWaitIsPassedOn() {
        #expect(RelayError.httpStatus(503, body: "", retryAfter: .seconds(7)).publicFailure.retryAfter == .seconds(7))
        #expect(RelayError.noResponse.publicFailure.retryAfter == nil)
    }
}
