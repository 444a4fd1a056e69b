public import Baton

/// The answer to a request of a ``MockEnvironment``.
///
///     mock.queue(.data(["film": nil]), for: FilmQuery.self)
///     mock.queue(.failure(RelayError.noResponse).after(.seconds(2)), for: FilmQuery.self)
///     mock.queue(.world, for: FilmListQuery.self, times: nil)
public struct MockAnswer: Sendable {
    enum Content: Sendable {
        case data(JSONValue, errors: [JSONValue])
        case errors([JSONValue])
        case failure(any Error)
        case body(String)
        case world
        case never
        case each(@Sendable (NetworkRequest) -> MockAnswer)
    }

    let content: Content
    var delay: Duration = .zero

    /// A response with data and errors. The data has the fields that the operation selects.
    public static func data(_ data: JSONValue, errors: [JSONValue] = []) -> MockAnswer {
        MockAnswer(content: .data(data, errors: errors))
    }

    /// A response with errors and without data.
    public static func errors(_ errors: [JSONValue]) -> MockAnswer { MockAnswer(content: .errors(errors)) }

    /// No response: the request fails with an error.
    public static func failure(_ error: any Error) -> MockAnswer { MockAnswer(content: .failure(error)) }

    /// A response with this body, which may be malformed.
    public static func body(_ body: String) -> MockAnswer { MockAnswer(content: .body(body)) }

    /// The response of the environment's world. Without a world the request fails.
    public static let world = MockAnswer(content: .world)

    /// No response at all: the request waits until its task is cancelled.
    public static let never = MockAnswer(content: .never)

    /// The answer that a closure chooses for each request.
    public static func each(_ choose: @escaping @Sendable (NetworkRequest) -> MockAnswer) -> MockAnswer {
        MockAnswer(content: .each(choose))
    }

    /// The same answer after a time on the environment's clock.
    public func after(_ delay: Duration) -> MockAnswer {
        var answer = self
        answer.delay = delay
        return answer
    }
}
