import Baton
import BatonTesting
import Foundation
import RandomCases
import Testing

@Suite("Limits of execution")
struct ExecutionLimitsTests {
    static func service(_ limits: LocalService.Limits = .init()) throws -> LocalService {
        var resolvers = LocalResolvers()
        resolvers.field("Query", "self") { _ in 0 }
        resolvers.field("Query", "selves") { _ in [0, 0] }
        resolvers.field("Query", "leaf") { _ in 1 }
        return try LocalService(
            schema: "type Query { self: Query selves: [Query] leaf: Int }",
            resolvers: resolvers,
            limits: limits
        )
    }

    private static func nested(_ depth: Int, _ field: String = "self") -> String {
        "{ " + String(repeating: "\(field) { ", count: depth) + "leaf" + String(repeating: " }", count: depth) + " }"
    }

    /// Runs a closure on a thread with the smallest stack that a platform gives to a secondary thread.
    private static func onSmallStack<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            let thread = Thread { continuation.resume(returning: body()) }
            #if BATON_TSAN
                // The thread sanitizer makes every frame several times as large.
                thread.stackSize = 4096 * 1024
            #else
                thread.stackSize = 512 * 1024
            #endif
            thread.start()
        }
    }

    @Test(
        "a response as deep as the limit is given, a deeper one is null with an error", arguments: ["self", "selves"])
    func anAnswerIsAsDeepAsTheLimit(_ field: String) async throws {
        let service = try Self.service(.init(depth: 10))
        #expect(service.execute(Self.nested(10, field))["errors"] == nil)
        let answer = service.execute(Self.nested(11, field))
        #expect(answer.description.contains("The response is nested more than 10 levels deep."))
        #expect(answer["data"] != nil)
    }

    @Test("the default depth fits a small stack, and so does any text", arguments: [64, 65, 79, 80, 100_000])
    func theDefaultDepthFitsASmallStack(_ depth: Int) async throws {
        let service = try Self.service()
        let answer = await Self.onSmallStack { service.execute(Self.nested(depth)) }
        #expect((answer["errors"] == nil) == (depth <= 64))
    }

    @Test("fragments that multiply end at the limit of fields")
    func multiplyingFragmentsEndAtTheLimit() async throws {
        var text = "{ ...F0 }"
        for index in 0..<60 {
            text += " fragment F\(index) on Query { a: self { ...F\(index + 1) } b: self { ...F\(index + 1) } }"
        }
        text += " fragment F60 on Query { leaf }"
        let service = try Self.service(.init(fields: 10_000))
        let document = text
        let answer = await Self.onSmallStack { service.execute(document) }
        #expect(answer["data"] == nil)
        #expect(answer.description.contains("The operation asks for more than 10000 fields."))
    }

    @Test("a chain of ten thousand fragments is followed", arguments: [false, true])
    func aChainOfTenThousandFragmentsIsFollowed(_ isCycle: Bool) async throws {
        var text = "{ ...F0 }"
        for index in 0..<10_000 { text += " fragment F\(index) on Query { ...F\(index + 1) }" }
        text += " fragment F10000 on Query { leaf \(isCycle ? "...F5" : "") }"
        let service = try Self.service()
        let document = text
        let answer = await Self.onSmallStack { service.execute(document) }
        if isCycle {
            #expect(answer["data"] == nil)
            #expect(answer.description.contains("Cannot spread fragment \\\"F5\\\" within itself."))
        } else {
            #expect(answer == ["data": ["leaf": 1]])
        }
    }

    @Test("random documents always end in a response of the right form", arguments: 0..<20)
    func randomDocumentsAlwaysGetAnAnswer(_ seed: Int) async throws {
        var generator = SeededGenerator(seed: seed + 1)
        let service = try Self.service(.init(depth: 12, fields: 2_000))
        for _ in 0..<20 {
            let text = Self.document(&generator)
            let answer = await Self.onSmallStack { service.execute(text) }
            #expect(answer["data"] != nil || answer["errors"] != nil, "\(text)")
            if answer["errors"] == nil { #expect(service.execute(text) == answer) }
        }
    }

    @Test("text that is broken anywhere gives a response of the right form", arguments: 0..<4)
    func brokenTextGetsAnAnswer(_ seed: Int) throws {
        var generator = SeededGenerator(seed: seed + 99)
        let service = try Self.service()
        let good = Array(
            "query Q($a: Int = 1, $b: [Int!]) { ...F x: self @skip(if: false) { leaf } } fragment F on Query { leaf }"
                .utf8)
        let alphabet = Array("{}()[]!$:@...|&=\"\\#,\u{0}\u{7F}\n\u{e9}aF1-.".utf8)
        for _ in 0..<300 {
            var bytes = good
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let position = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes.remove(at: position)
                case 1: bytes[position] = alphabet.randomElement(using: &generator) ?? 0
                default: bytes.insert(alphabet.randomElement(using: &generator) ?? 0, at: position)
                }
            }
            let answer = service.execute(String(decoding: bytes, as: UTF8.self), variables: ["b": 1])
            #expect(answer["data"] != nil || answer["errors"] != nil)
        }
    }

    private static func document(_ generator: inout SeededGenerator) -> String {
        let names = ["A", "B", "C"]
        func selections(_ depth: Int, _ generator: inout SeededGenerator) -> String {
            let count = Int.random(in: 1...3, using: &generator)
            var parts: [String] = []
            for _ in 0..<count {
                switch Int.random(in: 0..<(depth > 6 ? 1 : 6), using: &generator) {
                case 0: parts.append("leaf")
                case 1: parts.append("self { \(selections(depth + 1, &generator)) }")
                case 2: parts.append("x: self { \(selections(depth + 1, &generator)) }")
                case 3: parts.append("selves { \(selections(depth + 1, &generator)) }")
                case 4: parts.append("... on Query { \(selections(depth + 1, &generator)) }")
                default: parts.append("...\(names.randomElement(using: &generator) ?? "A")")
                }
            }
            return parts.joined(separator: " ")
        }
        var text = "{ \(selections(0, &generator)) }"
        for name in names { text += " fragment \(name) on Query { \(selections(0, &generator)) }" }
        return text
    }
}
