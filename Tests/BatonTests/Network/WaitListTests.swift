import RandomCases
import Testing

@testable import Baton

@Suite struct WaitListTests {
    @Test func theEarliestWaitIsFirstWhateverTheOrder() {
        var list = WaitList<Int>()
        for end in [3, 1, 2, 2, 0] { _ = list.add(end, until: .seconds(end)) }
        var taken: [Int] = []
        while let (id, element) = list.takeFirst(endedAt: .seconds(2)) {
            taken.append(element)
            list.remove(id)
        }
        #expect(taken == [0, 1, 2, 2])
        #expect(list.firstEnd == .seconds(3))
    }

    /// A plain dictionary says what is to happen.
    @Test(arguments: RandomCases.seeds(20)) func randomSchedulesAgreeWithADictionary(_ seed: Int) {
        var random = SeededGenerator(seed: seed)
        var list = WaitList<Int>()
        var ids: [Int: WaitList<Int>.ID] = [:]
        var ends: [Int: Duration] = [:]
        var gone: [WaitList<Int>.ID] = []
        var most = 0
        var now = Duration.zero
        for number in 0..<1000 {
            switch random.below(4) {
            case 0, 1:
                let end = now + .seconds(random.below(20))
                ids[number] = list.add(number, until: end)
                ends[number] = end
            case 2:
                // An id that was removed names nothing, though its place is in use again.
                if let id = gone.randomElement(using: &random) { list.remove(id) }
                guard let key = ids.keys.sorted().randomElement(using: &random), let id = ids[key] else { break }
                list.remove(id)
                gone.append(id)
                ids[key] = nil
                ends[key] = nil
            default:
                now += .seconds(random.below(6))
                let due = ends.filter { $0.value <= now }
                var times: [Duration] = []
                var taken: Set<Int> = []
                while let (id, key) = list.takeFirst(endedAt: now) {
                    #expect(id == ids[key])
                    if let end = ends[key] { times.append(end) }
                    taken.insert(key)
                }
                #expect(times == times.sorted())
                #expect(taken == Set(due.keys))
                for key in taken.sorted() {
                    guard let id = ids[key] else { continue }
                    if random.below(2) == 0 {
                        ends[key] = now + .seconds(10)
                        list.repeat(id, until: now + .seconds(10))
                    } else {
                        list.remove(id)
                        list.repeat(id, until: now + .seconds(10))
                        gone.append(id)
                        ids[key] = nil
                        ends[key] = nil
                    }
                }
            }
            most = max(most, ids.count)
            #expect(list.firstEnd == ends.values.min())
        }
        #expect(list.capacity == most)
    }
}
