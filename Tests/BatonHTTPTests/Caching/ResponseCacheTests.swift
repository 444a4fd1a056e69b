import Baton
import RandomCases
import Testing

@testable import BatonHTTP

@Suite struct ResponseCacheTests {
    static func key(_ request: NetworkRequest) -> CacheKey { CacheKey(request, partition: nil) }

    static func entry(
        _ request: NetworkRequest, size: Int = 10, _ metadata: [String: String] = [:]
    ) throws -> CacheEntry {
        let fields = metadata.merging(["cache-control": "max-age=60"]) { $1 }
        let freshness = try #require(CacheFreshness(fields, delay: .zero, receivedAt: 0, rules: .init()))
        return try #require(
            CacheEntry(
                NetworkResponse(body: [UInt8](repeating: 0x20, count: size), metadata: fields), to: request, freshness,
                at: .zero))
    }

    @Test func theLeastUsedIsDroppedFirst() throws {
        var cache = ResponseCache(maximumBytes: 40_000)
        let requests = (0..<4).map { NetworkRequest.make($0, name: "Op\($0)") }
        for request in requests.prefix(3) {
            cache.store(try Self.entry(request, size: 12_000), Self.key(request), for: request)
        }
        #expect(cache.entry(Self.key(requests[0]), for: requests[0]) != nil)
        cache.store(try Self.entry(requests[3], size: 12_000), Self.key(requests[3]), for: requests[3])
        #expect(requests.map { cache.entry(Self.key($0), for: $0) != nil } == [true, false, true, true])
        #expect(cache.bytes <= 40_000)
        cache.store(try Self.entry(requests[1], size: 50_000), Self.key(requests[1]), for: requests[1])
        #expect(cache.count == 3)
    }

    @Test(arguments: RandomCases.seeds(20)) func aCacheKeepsWhatAModelKeeps(_ seed: Int) throws {
        var random = SeededGenerator(seed: seed)
        var cache = ResponseCache(maximumBytes: 6000)
        // The model: names in the order of their last use, with their costs.
        var model: [(name: String, cost: Int)] = []
        for _ in 0..<500 {
            let request = NetworkRequest.make(name: "Op\(Int.random(in: 0..<12, using: &random))")
            let (key, name) = (Self.key(request), request.operationName)
            if Bool.random(using: &random) {
                let found = cache.entry(key, for: request) != nil
                #expect(found == model.contains { $0.name == name })
                if let index = model.firstIndex(where: { $0.name == name }) { model.append(model.remove(at: index)) }
            } else {
                let entry = try Self.entry(request, size: .random(in: 0..<1500, using: &random))
                cache.store(entry, key, for: request)
                model.removeAll { $0.name == name }
                model.append((name, key.cost + entry.cost))
                while model.reduce(0, { $0 + $1.cost }) > 6000 { model.removeFirst() }
            }
            #expect(cache.bytes == model.reduce(0) { $0 + $1.cost })
            #expect(cache.count == model.count)
        }
    }

    @Test func variantsServeTheirHeaders() throws {
        var cache = ResponseCache(maximumBytes: 1 << 20)
        let german = NetworkRequest.make(headers: ["Accept-Language": "de"])
        let english = NetworkRequest.make(headers: ["accept-language": "en"])
        #expect(Self.key(german) != Self.key(english))
        let key = Self.key(german).shared
        #expect(key == Self.key(english).shared)
        cache.store(try Self.entry(german, size: 1, ["vary": "Accept-Language"]), key, for: german)
        cache.store(try Self.entry(english, size: 2, ["vary": "accept-language, X"]), key, for: english)
        #expect(cache.entry(key, for: german)?.body.count == 1)
        #expect(cache.entry(key, for: english)?.body.count == 2)
        #expect(cache.entry(key, for: .make(headers: ["Accept-Language": "fr"])) == nil)
        #expect(cache.entry(key, for: .make()) == nil)
        let freshness = CacheFreshness(["cache-control": "max-age=60"], delay: .zero, receivedAt: 0, rules: .init())
        let never = NetworkResponse.text("{}", ["vary": "*"])
        #expect(CacheEntry(never, to: german, try #require(freshness), at: .zero) == nil)
    }

    @Test func theKeyIsTheOperationWithItsVariablesAndCredentials() {
        let key = Self.key(.make(variables: [.init("a", 1), .init("b", ["x": 1, "y": 2])]))
        #expect(key == Self.key(.make(2, variables: [.init("b", ["y": 2, "x": 1]), .init("a", 1)])))
        #expect(key != Self.key(.make(variables: [.init("a", 2), .init("b", ["x": 1, "y": 2])])))
        #expect(Self.key(.make(headers: ["authorization": "a"])) != Self.key(.make(headers: ["Authorization": "b"])))
        #expect(Self.key(.make(headers: ["authorization": "a"])).shared == Self.key(.make()))
        #expect(CacheKey(.make(), partition: "a") != CacheKey(.make(), partition: "b"))
        var text = ""
        dump(Self.key(.make(variables: [.init("p", "hunter2")], headers: ["authorization": "secret"])), to: &text)
        #expect(!text.contains("secret") && !text.contains("hunter2"))
    }
}
