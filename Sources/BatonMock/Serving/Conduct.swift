import BatonHTTP

/// What is to go wrong with an answer, by the header fields of its request or by a rule.
struct Conduct: Sendable, Equatable {
    /// The pause before each message, in milliseconds.
    var delay: Int?
    /// The message of an error that takes the place of the answer.
    var error: String?
    /// The status of an answer in one piece.
    var status: Int?
    /// The number of the message in whose place the connection is cut.
    var drop: Int?
    /// The number of events after which a subscription ends.
    var events: Int?

    static let delays = 0...60_000
    static let statuses = 200...599
    static let numbers = 1...1_000_000

    init() {}

    init(_ headers: HTTPHeaders) throws(HTTPProblem) {
        delay = try Self.number("X-Mock-Delay", headers, Self.delays)
        error = headers["X-Mock-Error"]
        status = try Self.number("X-Mock-Status", headers, Self.statuses)
        drop = try Self.number("X-Mock-Drop", headers, Self.numbers)
        events = try Self.number("X-Mock-Events", headers, Self.numbers)
    }

    var delayMilliseconds: Int { delay ?? 0 }

    /// The same, with what another says of the rest.
    func completed(by other: Conduct) -> Conduct {
        var conduct = self
        conduct.delay = delay ?? other.delay
        conduct.error = error ?? other.error
        conduct.status = status ?? other.status
        conduct.drop = drop ?? other.drop
        conduct.events = events ?? other.events
        return conduct
    }

    private static func number(
        _ name: String, _ headers: HTTPHeaders, _ range: ClosedRange<Int>
    ) throws(HTTPProblem) -> Int? {
        guard let text = headers[name] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw HTTPProblem(400, "'\(name)' is a number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }
}
