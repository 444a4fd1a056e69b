import Testing

@testable import Baton

/// What an error says of itself: its kind, its code and its details.
@Suite struct RelayErrorTests {
    private typealias Wrong = RelayError.InvalidResponse

    private struct Refused: TransportError {
        var kind: RelayError.Kind { .misuse }
        var advice: String { "Ask for less." }
    }

    private static let down = GraphQLError(message: "down", path: ["film"])
    private static let wrong = Wrong(.unexpectedNull(expected: "Int!"), path: ["total"], offset: 1)
    private static let field = FieldError(.server(down), path: ["film"], component: "Row")

    /// One error of each reason, with its kind and its code.
    static let errors: [(error: RelayError, kind: RelayError.Kind, code: RelayError.Code)] = [
        (.transport(Unreachable()), .network, .transport), (.httpStatus(503, body: ""), .network, .httpStatus),
        (.contentType("text/html", body: ""), .network, .contentType),
        (.invalidResponse(wrong), .data, .invalidResponse), (.noData([down]), .server, .noData),
        (.hasErrors([down]), .server, .hasErrors), (.noResponse, .network, .noResponse),
        (.timedOut(after: .seconds(2)), .network, .timedOut), (.configuration("why"), .misuse, .configuration),
        (.updater(Unreachable()), .misuse, .updater), (.optimisticResponse(wrong), .misuse, .optimisticResponse),
        (.cancelled, .cancelled, .cancelled),
        (.variableTooDeep(operationName: "Q", variable: "v", limit: 9), .misuse, .variableTooDeep),
        (.foreignReference(fragment: "F"), .misuse, .foreignReference),
        (.noReference(fragment: "F"), .misuse, .noReference), (.notAsked(component: "F"), .misuse, .notAsked),
        (.notInStore(component: "F"), .data, .notInStore),
        (.missingNonNullField(path: ["a"], component: "M"), .data, .missingNonNullField),
        (.missingRequiredField(path: ["a"], component: "F"), .data, .missingRequiredField),
        (.fieldErrors([field]), .data, .fieldErrors),
        (.resultTooLarge(component: "F", limit: 9), .data, .resultTooLarge),
    ]

    /// The position of a reason in the list above. A new reason does not compile before it has one.
    private static func position(_ error: RelayError) -> Int {
        switch error.reason {
        case .transport: 0
        case .httpStatus: 1
        case .contentType: 2
        case .invalidResponse: 3
        case .noData: 4
        case .hasErrors: 5
        case .noResponse: 6
        case .timedOut: 7
        case .configuration: 8
        case .updater: 9
        case .optimisticResponse: 10
        case .cancelled: 11
        case .variableTooDeep: 12
        case .foreignReference: 13
        case .noReference: 14
        case .notAsked: 15
        case .notInStore: 16
        case .missingNonNullField: 17
        case .missingRequiredField: 18
        case .fieldErrors: 19
        case .resultTooLarge: 20
        }
    }

    @Test func eachReasonHasAKindAndACode() {
        #expect(Self.errors.map { Self.position($0.error) } == Array(0..<21))
        for (error, kind, code) in Self.errors {
            #expect(error.kind == kind && error.code == code, "\(error)")
        }
        let kinds = Set(Self.errors.map(\.kind))
        #expect(kinds == [.network, .server, .data, .misuse, .cancelled])
        #expect(Set(kinds.map(\.description)) == ["network", "server", "data", "misuse", "cancelled"])
        #expect(Set(Self.errors.map(\.code)).count == 21 && Set(Self.errors.map(\.code.description)).count == 21)
        #expect("\(RelayError.notInStore(component: "F").code)" == "notInStore")
    }

    @Test func errorsAreEqualToThemselvesOnly() {
        for (index, left) in Self.errors.enumerated() {
            for (other, right) in Self.errors.enumerated() {
                #expect((left.error == right.error) == (index == other), "\(left.error), \(right.error)")
            }
        }
        #expect(RelayError.httpStatus(503, body: "") != .httpStatus(503, body: "", retryAfter: .seconds(1)))
        #expect(RelayError.missingRequiredField(path: ["b"], component: "F") != Self.errors[18].error)
    }

    @Test func anErrorOfATransportMaySayItsKind() {
        #expect(RelayError.transport(Refused()).kind == .misuse)
        #expect(RelayError.transport(Refused()).advice == "Ask for less.")
        let kinds: [(RelayError.StreamError, RelayError.Kind)] = [
            (.closedEarly(responses: 0, bytes: 0), .network), (.refused([Self.down]), .server),
            (.partTooLarge(limit: 1), .data), (.malformedPart(1, ""), .data), (.readerTooSlow(waiting: 1), .misuse),
        ]
        for (error, kind) in kinds { #expect(RelayError.transport(error).kind == kind, "\(error)") }
        let refused = RelayError.transport(RelayError.StreamError.refused([Self.down]))
        #expect(refused.graphQLErrors == [Self.down])
    }

    /// The details of an error by name, without those that it says nothing about.
    private static func details(_ error: RelayError) -> [String: String] {
        let details: [(String, String?)] = [
            ("status", error.status?.description), ("retryAfter", error.retryAfter?.description), ("body", error.body),
            ("contentType", error.contentType), ("component", error.component), ("variable", error.variable),
            ("limit", error.limit?.description), ("timeout", error.timeout?.description),
            ("path", error.path.isEmpty ? nil : error.path.map(\.description).joined(separator: ".")),
            ("graphQLErrors", error.graphQLErrors.isEmpty ? nil : error.graphQLErrors.text),
            ("fieldErrors", error.fieldErrors.isEmpty ? nil : error.fieldErrors.text),
            ("invalidResponse", error.invalidResponse?.description),
            ("underlying", error.underlying.map { "\(type(of: $0))" }),
        ]
        return Dictionary(uniqueKeysWithValues: details.compactMap { name, value in value.map { (name, $0) } })
    }

    @Test func theDetailsAreProperties() {
        var quoting = Self.wrong
        quoting.body = "{"
        let details: [(RelayError, [String: String])] = [
            (.transport(Unreachable()), ["underlying": "Unreachable"]),
            (
                .httpStatus(503, body: "busy", retryAfter: .seconds(7)),
                ["status": "503", "body": "busy", "retryAfter": "7.0 seconds"]
            ),
            (.httpStatus(404, body: ""), ["status": "404"]),
            (.contentType("text/html", body: "<p>"), ["contentType": "text/html", "body": "<p>"]),
            (
                .invalidResponse(quoting),
                [
                    "invalidResponse": quoting.description, "underlying": "InvalidResponse", "path": "total",
                    "body": "{",
                ]
            ),
            (
                .optimisticResponse(Self.wrong),
                ["invalidResponse": Self.wrong.description, "underlying": "InvalidResponse", "path": "total"]
            ),
            (.noData([Self.down]), ["graphQLErrors": "down (at film)", "underlying": "GraphQLError"]),
            (.hasErrors([Self.down]), ["graphQLErrors": "down (at film)", "underlying": "GraphQLError"]),
            (.noResponse, [:]), (.timedOut(after: .seconds(2)), ["timeout": "2.0 seconds"]),
            (.configuration("why"), [:]), (.updater(Unreachable()), ["underlying": "Unreachable"]),
            (.cancelled, ["underlying": "CancellationError"]),
            (
                .variableTooDeep(operationName: "Q", variable: "v", limit: 9),
                ["component": "Q", "variable": "v", "limit": "9"]
            ),
            (.foreignReference(fragment: "F"), ["component": "F"]),
            (.noReference(fragment: "F"), ["component": "F"]), (.notAsked(component: "F"), ["component": "F"]),
            (.notInStore(component: "F"), ["component": "F"]),
            (.missingNonNullField(path: ["a", 0], component: "M"), ["path": "a.0", "component": "M"]),
            (.missingRequiredField(path: ["a"], component: "F"), ["path": "a", "component": "F"]),
            (
                .fieldErrors([Self.field]),
                [
                    "fieldErrors": Self.field.description, "graphQLErrors": "down (at film)", "path": "film",
                    "component": "Row", "underlying": "FieldError",
                ]
            ),
            (.resultTooLarge(component: "F", limit: 9), ["component": "F", "limit": "9"]),
        ]
        #expect(Set(details.map { Self.position($0.0) }).count == 21)
        for (error, expected) in details { #expect(Self.details(error) == expected, "\(error)") }
    }

    @Test func theAdviceIsInTheDescriptionAndQuotesNobody() {
        var quoting = Wrong(.notAResponse)
        quoting.body = "secret"
        quoting.serverMessages = ["secret"]
        let quotes: [RelayError] = [
            .httpStatus(404, body: "secret"), .contentType("text/html", body: "secret"), .invalidResponse(quoting),
        ]
        for error in quotes {
            #expect(!error.advice.isEmpty && !error.advice.contains("secret"))
            #expect(error.description.contains(error.advice) && error.description.hasSuffix("secret"))
        }
        for (error, _, _) in Self.errors { #expect(error.description.hasSuffix(error.advice), "\(error)") }
        #expect(RelayError.noResponse.advice == "Try again." && RelayError.cancelled.advice.isEmpty)
    }

    /// Each function that throws the type would otherwise keep room for the largest of its reasons.
    @Test func anErrorIsOneReference() {
        #expect(MemoryLayout<RelayError>.size == MemoryLayout<Int>.size)
    }
}
