extension SubscriptionIndex {
    /// Checks that the entries of the records and of the subscriptions are the same, and that no free entry is among
    /// them.
    func violations(recordCount: Int, _ names: NameTable) -> [String] {
        var found: [String] = []
        func expect(_ holds: Bool, _ text: @autoclosure () -> String) { if !holds { found.append(text()) } }
        var byRecord: Set<Int32> = []
        for (record, head) in heads.enumerated() where head >= 0 {
            expect(record < recordCount, "the readers of a record without a name are listed")
            var previous: Int32 = -1
            var index = head
            while index >= 0 {
                guard Int(index) < entries.count, byRecord.insert(index).inserted else {
                    return found + ["the readers of \(names.label(of: RecordID(UInt32(record)))) go in a circle"]
                }
                let entry = entries[Int(index)]
                expect(Int(entry.record.index) == record, "entry \(index) is in the list of another record")
                expect(entry.previous == previous, "entry \(index) does not know who is before it")
                (previous, index) = (index, entry.next)
            }
        }
        var bySubscription: Set<Int32> = []
        let free = Set(freeSlots)
        expect(free.count == freeSlots.count, "a place for a subscription is free twice")
        var live = 0
        for (number, slot) in slots.enumerated() {
            let detail = details[number]
            let number = UInt32(truncatingIfNeeded: number)
            if slot.plan == nil {
                expect(free.contains(number), "place \(number) is neither free nor used")
                expect(
                    detail.firstEntry < 0 && detail.root == nil && detail.others.isEmpty && detail.sections.isEmpty,
                    "place \(number) is free and has entries")
                expect(!usingFacts.contains(number), "place \(number) is free and hears of facts")
                continue
            }
            live += 1
            expect(!free.contains(number), "place \(number) is free and used")
            expect(usingFacts.contains(number) == detail.usesFacts, "subscription \(number) hears wrongly of facts")
            let own = detail.others + (detail.root?.ownPairs ?? [])
            let below = detail.sections.flatMap(\.parts)
            let parts = [(detail.firstEntry, own)] + below.map { ($0.firstEntry, $0.shelf.ownPairs) }
            for (first, read) in parts {
                var pairs: Set<Dependencies.Pair> = []
                var index = first
                while index >= 0 {
                    guard Int(index) < entries.count, bySubscription.insert(index).inserted else {
                        return found + ["the entries of subscription \(number) go in a circle"]
                    }
                    let entry = entries[Int(index)]
                    expect(entry.subscription == number, "entry \(index) is in the list of another subscription")
                    let pair = Dependencies.Pair(record: entry.record, node: entry.node)
                    expect(pairs.insert(pair).inserted, "subscription \(number) has an entry twice in a part")
                    index = entry.nextOfPart
                }
                expect(pairs == Set(read), "the entries of subscription \(number) are not what it read")
            }
            let sections = detail.root?.sections ?? []
            expect(
                sections.map(ObjectIdentifier.init) == detail.sections.map { ObjectIdentifier($0.section) },
                "subscription \(number) has other sections than its result")
            expect(
                sections.flatMap(\.parts).map(ObjectIdentifier.init) == below.map { ObjectIdentifier($0.shelf) },
                "subscription \(number) has other parts than its result")
        }
        expect(live == count, "\(live) subscriptions are counted as \(count)")
        expect(byRecord == bySubscription, "some entries are found only from one side")
        var unused = 0
        var index = freeEntry
        while index >= 0, unused <= entries.count {
            expect(!byRecord.contains(index), "entry \(index) is free and used")
            unused += 1
            index = entries[Int(index)].next
        }
        expect(unused + byRecord.count == entries.count, "some entries are neither free nor used")
        return found
    }
}

extension Shelf {
    /// The visited records outside of the long lists.
    fileprivate var ownPairs: [Dependencies.Pair] {
        var pairs: [Dependencies.Pair] = []
        forEachPair { pairs.append($0) }
        return pairs
    }
}
