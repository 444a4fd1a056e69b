import BatonHTTP
import RandomCases
import Testing

@testable import BatonMock

@Suite("RequestParser")
struct RequestParserTests {
    /// What a parser made of some bytes.
    private struct Outcome: Equatable {
        var requests: [ReceivedRequest] = []
        var problem: HTTPProblem?
        var rest: [UInt8] = []
    }

    /// Gives the bytes to a parser in pieces.
    private static func read(
        _ bytes: [UInt8], _ limits: RequestParser.Limits = .init(), piece: () -> Int = { .max }
    ) -> Outcome {
        var parser = RequestParser(limits)
        var outcome = Outcome()
        var position = 0
        do throws(HTTPProblem) {
            while position < bytes.count {
                let end = position + min(max(piece(), 1), bytes.count - position)
                parser.append(bytes[position..<end])
                position = end
                while let event = try parser.next() {
                    if case .request(let request) = event { outcome.requests.append(request) }
                }
            }
        } catch {
            outcome.problem = error
        }
        outcome.rest = outcome.problem == nil ? parser.takeRest() : []
        return outcome
    }

    private static func status(_ text: String, _ limits: RequestParser.Limits = .init()) -> Int? {
        read(Array(text.utf8), limits).problem?.status
    }

    private static let several = """
        POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nX-A:  one \r\n\r\nhello\
        \r\nGET /graphql?query=%7Ba%7D&b=1+2&c HTTP/1.1\nHost: a\n\n\
        PUT /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3;a=b\r\nabc\r\n0A\r\n0123456789\r\n0\r\nX: y\r\n\r\n\
        POST http://host/graphql?d=e HTTP/1.0\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\n{}\
        GET / HTTP/1.1\r\nHost: a\r\nConnection: x, Close\r\n\r\nrest
        """

    @Test func requestsAreReadOneBehindTheOther() throws {
        let outcome = Self.read(Array(Self.several.utf8))
        #expect(outcome.problem == nil)
        try #require(outcome.requests.count == 5)
        let requests = outcome.requests
        #expect(requests.map(\.method) == ["POST", "GET", "PUT", "POST", "GET"])
        #expect(requests.map(\.path) == ["/graphql", "/graphql", "/x", "/graphql", "/"])
        #expect(requests.map { String(decoding: $0.body, as: UTF8.self) } == ["hello", "", "abc0123456789", "{}", ""])
        #expect(requests.map(\.keepsConnection) == [true, true, true, true, false])
        #expect(requests[0].headers["x-a"] == "one")
        #expect(requests[1].parameter("query") == "{a}")
        #expect(requests[1].parameter("b") == "1 2")
        #expect(requests[1].parameter("c") == "")
        #expect(requests[3].parameter("d") == "e")
        #expect(String(decoding: outcome.rest, as: UTF8.self) == "rest")
    }

    @Test func thePiecesMayBeCutAnywhere() {
        let bytes = Array(Self.several.utf8)
        let whole = Self.read(bytes)
        #expect(Self.read(bytes, piece: { 1 }) == whole)
        for seed in RandomCases.seeds(200, from: UInt64(1)) {
            var random = SeededGenerator(seed: seed)
            #expect(Self.read(bytes, piece: { Int.random(in: 1...40, using: &random) }) == whole, "seed \(seed)")
        }
    }

    @Test func damagedRequestsEndInAStatusWhereverTheyAreCut() {
        let bytes = Array(Self.several.utf8)
        let limits = RequestParser.Limits(line: 60, head: 120, fields: 4, body: 20)
        for seed in RandomCases.seeds(3_000, from: UInt64(1)) {
            var random = SeededGenerator(seed: seed)
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let place = Int.random(in: 0..<damaged.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: damaged[place] = UInt8.random(in: 0...255, using: &random)
                case 1: damaged.remove(at: place)
                case 2: damaged.insert(contentsOf: damaged[place...].prefix(30), at: place)
                default: damaged.insert(contentsOf: [13, 10, 13, 10], at: place)
                }
            }
            let whole = Self.read(damaged, limits)
            let pieces = Self.read(damaged, limits, piece: { Int.random(in: 1...9, using: &random) })
            #expect(whole == pieces, "seed \(seed)")
            if let problem = whole.problem { #expect((400...505).contains(problem.status), "seed \(seed)") }
        }
    }

    @Test(arguments: [
        ("no request\r\n\r\n", 400), ("GET /\r\n\r\n", 400), ("GET / HTTP/2.0\r\n\r\n", 505),
        ("GET / FTP/1.1\r\n\r\n", 400), ("G\u{0}T / HTTP/1.1\r\n\r\n", 400), ("GET  / HTTP/1.1\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: a\r\n b\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\rb\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: a\r\nX\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\n\r\n", 411),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1, 1\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999999\r\n\r\n", 413),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501),
        ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFF\r\n", 413),
        ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nExpect: more\r\n\r\n", 417),
    ])
    func mistakesHaveAStatus(text: String, status: Int) {
        #expect(Self.status(text) == status)
    }

    @Test func theLimitsHoldToTheByte() {
        let limits = RequestParser.Limits(line: 40, head: 60, fields: 3, body: 10)
        func line(_ count: Int) -> String { "GET /" + String(repeating: "a", count: count - 15) + " HTTP/1.1\r\n" }
        // The end of the line counts but for its last byte.
        #expect(Self.read(Array((line(40) + "Host: a\r\n\r\n").utf8), limits).requests.count == 1)
        #expect(Self.status(line(41) + "Host: a\r\n\r\n", limits) == 414)
        #expect(Self.status(String(repeating: "a", count: 41), limits) == 414)
        func fields(_ count: Int) -> String {
            "GET / HTTP/1.1\r\nHost: a\r\n" + String(repeating: "X:\r\n", count: count)
        }
        #expect(Self.read(Array((fields(2) + "\r\n").utf8), limits).requests.count == 1)
        #expect(Self.status(fields(3) + "\r\n", limits) == 431)
        #expect(Self.status("GET / HTTP/1.1\r\nX: " + String(repeating: "a", count: 58), limits) == 431)
        func body(_ count: Int) -> String { "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(count)\r\n\r\n" }
        #expect(Self.read(Array((body(10) + "0123456789").utf8), limits).requests.first?.body.count == 10)
        #expect(Self.status(body(11), limits) == 413)
        let chunks = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n6\r\n012345\r\n"
        #expect(Self.read(Array((chunks + "4\r\n6789\r\n0\r\n\r\n").utf8), .init(body: 10)).requests.count == 1)
        #expect(Self.status(chunks + "5\r\n", .init(body: 10)) == 413)
    }

    @Test func largeBodiesShareABudget() throws {
        let budget = MemoryBudget(150 << 10)
        let size = 100 << 10
        let head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(size)\r\n\r\n"
        let chunked = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n19000\r\n"
        var first = RequestParser(.init(body: size), budget)
        first.append(Array(head.utf8) + [UInt8](repeating: 32, count: size))
        #expect(try first.next() != nil)
        #expect(budget.heldBytes == size)
        for text in [head, chunked] {
            var second = RequestParser(.init(body: size), budget)
            second.append(Array(text.utf8))
            let problem = #expect(throws: HTTPProblem.self) { try second.next() }
            #expect(problem?.status == 503)
        }
        first.release()
        #expect(budget.heldBytes == 0)
        var third = RequestParser(.init(body: size), budget)
        third.append(Array(chunked.utf8))
        #expect(try third.next() == nil)
        #expect(budget.heldBytes == size)
    }

    @Test func aClientThatWaitsIsToldToGoOn() throws {
        var parser = RequestParser()
        let head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n"
        parser.append(Array(head.utf8))
        #expect(try parser.next() == .expectsContinue)
        #expect(try parser.next() == nil)
        parser.append(Array("{}".utf8))
        guard case .request(let request)? = try parser.next() else { throw HTTPProblem(0, "no request") }
        #expect(request.body == Array("{}".utf8))
        #expect(parser.isIdle)
    }
}
