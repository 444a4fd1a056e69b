import Testing

@testable import BatonHTTP

/// The requests are numbers, and the tests say over which ports they go.
@Suite struct StreamQueueTests {
    private static func queue(_ count: Int, connections: Int = 5_000, mayShare: Bool = true) -> StreamQueue<Int> {
        var queue = StreamQueue<Int>(connections: connections, mayShare: mayShare)
        for number in 0..<count { queue.add(number) }
        return queue
    }

    private static func begin(_ queue: inout StreamQueue<Int>) -> Int {
        var count = 0
        while queue.next() != nil { count += 1 }
        return count
    }

    @Test func theFirstRequestMakesTheConnectionAlone() {
        var queue = Self.queue(100)
        #expect(Self.begin(&queue) == 1)
        queue.connected(1)
        #expect(Self.begin(&queue) == 1)
    }

    @Test func requestsThatShareNothingAllBegin() {
        var queue = Self.queue(100)
        for port in 1...2 {
            #expect(Self.begin(&queue) == 1)
            queue.connected(port)
        }
        #expect(Self.begin(&queue) == 98)
        var other = Self.queue(100)
        #expect(Self.begin(&other) == 1)
        other.connected(1)
        other.heard(sharesConnections: false)
        #expect(Self.begin(&other) == 99)
    }

    @Test func noMoreBeginThanThereMayBeConnections() {
        var queue = Self.queue(100, connections: 10, mayShare: false)
        #expect(Self.begin(&queue) == 10)
        queue.ended(nil)
        queue.ended(nil, hasFailed: true)
        #expect(queue.next() == 10 && queue.next() == 11 && queue.next() == nil)
        var other = Self.queue(100, connections: 10)
        #expect(Self.begin(&other) == 1)
        other.connected(1)
        other.heard(sharesConnections: false)
        #expect(Self.begin(&other) == 9)
        var shared = Self.queue(100, connections: 10)
        var count = 0
        while case let begun = Self.begin(&shared), begun > 0 {
            for _ in 0..<begun { shared.connected(1) }
            count += begun
        }
        #expect(count == 100)
    }

    @Test func whatNobodyWantsDoesNotStay() {
        var queue = Self.queue(2, connections: 1, mayShare: false)
        #expect(queue.next() == 0)
        var seen = 0
        for number in 2..<10_000 {
            queue.add(number)
            queue.abandon { other in
                seen += 1
                return other > 1
            }
        }
        #expect(seen < 20_000)
        queue.ended(nil)
        #expect(queue.next() == 1)
        var rest = 0
        queue.ended(nil)
        while queue.next() != nil {
            queue.ended(nil)
            rest += 1
        }
        #expect(rest < 40)
    }

    /// Goes through 1,000 requests that never end over connections with room for so many.
    @Test(arguments: [1, 2, 5, 100, 5_000])
    func onlyOneRequestWaitsForAConnection(_ limit: Int) {
        var queue = Self.queue(1_000)
        var (port, onPort, total) = (0, 0, 0)
        while case let count = Self.begin(&queue), count > 0 {
            // Requests that share nothing all begin; others do not if they would find no room.
            if limit > 1 { #expect(count == 1 || count <= limit - onPort) }
            total += count
            for _ in 0..<count {
                if onPort == limit { (port, onPort) = (port + 1, 0) }
                onPort += 1
                queue.connected(port)
            }
        }
        #expect(total == 1_000)
        #expect(port == (1_000 - 1) / limit)
    }

    @Test func whatEndsMakesRoom() {
        var queue = Self.queue(20)
        for port in [1, 1, 1, 2] {
            #expect(Self.begin(&queue) == 1)
            queue.connected(port)
        }
        // The first connection is full, and the second one has room for two more.
        #expect(Self.begin(&queue) == 2)
        queue.connected(2)
        queue.connected(2)
        #expect(Self.begin(&queue) == 1)
        queue.ended(1)
        queue.ended(1)
        // One of two places is for the request that has no connection yet.
        #expect(Self.begin(&queue) == 1)
        #expect(!queue.isEmpty)
    }

    @Test func whoGetsNoConnectionKeepsNobodyWaiting() {
        var queue = Self.queue(100)
        #expect(Self.begin(&queue) == 1)
        queue.ended(nil)
        #expect(Self.begin(&queue) == 1)
        queue.ended(nil, hasFailed: true)
        #expect(Self.begin(&queue) == 98)
        for _ in 0..<98 { queue.ended(nil, hasFailed: true) }
        #expect(queue.isEmpty)
        queue.add(1)
        queue.add(2)
        #expect(Self.begin(&queue) == 1)
    }

    /// A server that is about to close a connection takes no more requests on it.
    @Test func aConnectionThatWasFullTooEarlyIsNoLimitForOthers() {
        var queue = Self.queue(100)
        for port in [1, 2] {
            #expect(Self.begin(&queue) == 1)
            if port == 2 { queue.heard(sharesConnections: true) }
            queue.connected(port)
        }
        var total = 2
        while case let count = Self.begin(&queue), count > 0 {
            total += count
            for _ in 0..<count { queue.connected(2) }
        }
        #expect(total == 100)
        // Who comes later finds room for about as many again.
        for _ in 0..<99 { queue.ended(2) }
        for number in 0..<99 { queue.add(number) }
        #expect(Self.begin(&queue) >= 97)
    }
}
