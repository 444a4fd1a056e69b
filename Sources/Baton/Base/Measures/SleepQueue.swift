/// Sleepers by the ends of their sleeps, and the timers that are set for them.
///
/// As long as anybody sleeps, one timer fires at the earliest end or before. The queue itself starts no timer: it says
/// which one must be started.
struct SleepQueue<Sleeper> {
    typealias Instant = ContinuousClock.Instant

    private struct End {
        let time: Instant
        let number: UInt64

        static func < (left: End, right: End) -> Bool {
            left.time == right.time ? left.number < right.number : left.time < right.time
        }
    }

    private var sleepers: [UInt64: Sleeper] = [:]
    /// The ends as a binary heap. Those of sleepers that were removed go when they are the larger half.
    private var ends: [End] = []
    /// The times at which timers fire. Each is earlier than the one before, because it would not be set otherwise.
    private(set) var timers: [Instant] = []

    /// The number of sleepers.
    var count: Int { sleepers.count }
    /// The number of ends that are kept.
    var endCount: Int { ends.count }

    /// Adds a sleeper under a number of its own. Returns the time of a timer that must be started; nil if one fires
    /// early enough.
    mutating func insert(_ sleeper: Sleeper, _ number: UInt64, until end: Instant) -> Instant? {
        sleepers[number] = sleeper
        ends.append(End(time: end, number: number))
        var index = ends.count - 1
        while index > 0, ends[index] < ends[(index - 1) / 2] {
            ends.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
        return nextTimer()
    }

    /// Removes a sleeper, if it is still there.
    mutating func remove(_ number: UInt64) {
        sleepers[number] = nil
        tidy()
    }

    /// Removes and returns the sleepers whose sleep is over, in order, after a timer has fired. Returns also the time
    /// of a timer that must be started.
    mutating func fire(_ timer: Instant, at now: Instant) -> (due: [Sleeper], next: Instant?) {
        if let index = timers.lastIndex(of: timer) { timers.remove(at: index) }
        var due: [Sleeper] = []
        while let end = ends.first, end.time <= now || sleepers[end.number] == nil {
            removeFirstEnd()
            if let sleeper = sleepers.removeValue(forKey: end.number) { due.append(sleeper) }
        }
        tidy()
        return (due, nextTimer())
    }

    private mutating func nextTimer() -> Instant? {
        guard let end = ends.first?.time, timers.last.map({ end < $0 }) ?? true else { return nil }
        timers.append(end)
        return end
    }

    private mutating func removeFirstEnd() {
        ends.swapAt(0, ends.count - 1)
        ends.removeLast()
        var index = 0
        while true {
            var least = index
            for child in [2 * index + 1, 2 * index + 2] where child < ends.count && ends[child] < ends[least] {
                least = child
            }
            if least == index { return }
            ends.swapAt(index, least)
            index = least
        }
    }

    /// Drops the ends of sleepers that are gone if they are many, and the memory of a crowd that is gone.
    private mutating func tidy() {
        if sleepers.isEmpty {
            ends.removeAll(keepingCapacity: ends.capacity <= 1_024)
            if sleepers.capacity > 1_024 { sleepers = [:] }
        } else if ends.count > 2 * sleepers.count + 64 {
            // What is sorted is a heap.
            ends = ends.filter { sleepers[$0.number] != nil }.sorted(by: <)
        }
    }
}
