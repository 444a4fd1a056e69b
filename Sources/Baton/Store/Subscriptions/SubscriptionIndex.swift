/// An index from records to the subscriptions that read them, with the selection sets.
///
/// Each record has a list of entries, threaded through one array. The cost of a publish depends only on the readers of
/// the records that it changed. A subscription has its entries in parts, one for each shelf of its result. So a new
/// read costs only the parts that it did not reuse.
struct SubscriptionIndex {
    struct Entry {
        var subscription: UInt32
        var node: UInt32
        /// The neighbours in the record's list, and the next entry of the subscription; -1 at the end.
        var next: Int32
        var previous: Int32
        var nextOfPart: Int32
        var record: RecordID
        /// The number of the part. After four billion parts the numbers are given again; at worst one entry is then
        /// missing.
        var part: UInt32
    }

    /// The entries of one shelf.
    struct Part {
        var shelf: Shelf
        var firstEntry: Int32
    }

    /// The entries of a section's shelves, and of all shelves below them, in order.
    struct SectionParts {
        var section: Section
        var parts: [Part]
    }

    /// The part of a subscription that a publish reads. It is kept apart so that it fits into a cache line.
    struct Slot {
        /// A strong reference. A weak reference would add a second piece of memory to each subscriber, and reading it
        /// would be most of the cost of a publish with very many subscribers (benchmark `notify.growth`).
        var subscriber: (any StoreSubscriber)?
        var plan: BoundPlan?
        /// The number of the last pass that found the subscription.
        var pass: UInt64 = 0

        // Each mutating method makes several changes in one call, which checks only once whether the array is shared.
        mutating func begin(_ subscriber: any StoreSubscriber, _ plan: BoundPlan) {
            self.subscriber = subscriber
            self.plan = plan
        }
    }

    /// The part of a subscription that a publish does not need.
    struct Detail {
        /// The shelf of the root, and the visited records without a row in the result. Their entries are one part.
        var root: Shelf?
        var others: [Dependencies.Pair] = []
        var firstEntry: Int32 = -1
        /// The parts of the root's long lists, in order.
        var sections: [SectionParts] = []
        /// The number of earlier subscriptions in the slot.
        var use: UInt32 = 0
        /// The subscription's place in the order in which subscriptions were made.
        var order: UInt64 = 0
        var usesFacts = false

        /// Begins a subscription; returns the number of earlier subscriptions in the slot.
        mutating func begin(order: UInt64) -> UInt32 {
            self.order = order
            return use
        }

        mutating func note(_ dependencies: Dependencies, firstEntry: Int32) {
            root = dependencies.shelf
            if !dependencies.others.isEmpty { others = dependencies.others }
            self.firstEntry = firstEntry
        }

        /// Forgets the records that were read.
        mutating func forget() {
            root = nil
            if !others.isEmpty { others = [] }
            if !sections.isEmpty { sections = [] }
            firstEntry = -1
        }
    }

    private(set) var heads: [Int32] = []
    private(set) var entries: [Entry] = []
    private(set) var freeEntry: Int32 = -1
    private(set) var slots: [Slot] = []
    private(set) var details: [Detail] = []
    private(set) var freeSlots: [UInt32] = []
    private(set) var usingFacts: Set<UInt32> = []
    private var made: UInt64 = 0
    private var pass: UInt64 = 0
    private var lastPart: UInt32 = 0
    /// The records that got their first reader since this was emptied; nil if they are not noted.
    var firstRead: [RecordID]?
    /// The number of entries that the last pass examined.
    private(set) var checked = 0
    /// The number of live subscriptions.
    private(set) var count = 0

    // MARK: - Subscribing

    mutating func add(
        _ subscriber: any StoreSubscriber, _ dependencies: Dependencies, replacing old: SubscriptionID?
    ) -> SubscriptionID {
        if let old, let slot = position(of: old) {
            if slots[slot].plan === dependencies.selections.plan {
                change(slot, to: dependencies)
            } else {
                removeEntries(slot)
                slots[slot].plan = dependencies.selections.plan
                fill(slot, dependencies)
            }
            return old
        }
        let slot: Int
        if let free = freeSlots.popLast() {
            slot = Int(free)
        } else {
            slot = slots.count
            slots.append(Slot())
            details.append(Detail())
        }
        made += 1
        count += 1
        slots[slot].begin(subscriber, dependencies.selections.plan)
        let use = details[slot].begin(order: made)
        fill(slot, dependencies)
        return SubscriptionID(slot: UInt32(truncatingIfNeeded: slot), use: use)
    }

    /// Forgets the records that the subscriber has read. The subscriber is not notified until the subscription is
    /// replaced, and keeps its place in the order.
    mutating func clear(_ id: SubscriptionID) {
        guard let slot = position(of: id) else { return }
        removeEntries(slot)
    }

    /// Removes a subscription and returns its subscriber, whose last reference must not be released while the lock is
    /// held.
    mutating func remove(_ id: SubscriptionID) -> (any StoreSubscriber)? {
        guard let slot = position(of: id) else { return nil }
        removeEntries(slot)
        let subscriber = slots[slot].subscriber
        slots[slot].subscriber = nil
        slots[slot].plan = nil
        details[slot].use &+= 1
        freeSlots.append(id.slot)
        count -= 1
        return subscriber
    }

    private func position(of id: SubscriptionID) -> Int? {
        let slot = Int(id.slot)
        guard slot < slots.count, details[slot].use == id.use, slots[slot].plan != nil else { return nil }
        return slot
    }

    private mutating func fill(_ slot: Int, _ dependencies: Dependencies) {
        setFacts(slot, dependencies.usesTypeFacts)
        let entry =
            dependencies.others.isEmpty && dependencies.shelf?.isOfOneObject == true
            ? addEntry(slot, dependencies.shelf) : addEntries(slot, dependencies.others, dependencies.shelf)
        details[slot].note(dependencies, firstEntry: entry)
        guard let root = dependencies.shelf, !root.spines.isEmpty else { return }
        details[slot].sections = root.sections.map { section in
            let parts = section.parts.map { Part(shelf: $0, firstEntry: addEntries(slot, [], $0)) }
            return SectionParts(section: section, parts: parts)
        }
    }

    /// Replaces the entries of a subscription by those of a new read. Parts that both reads share cost nothing.
    private mutating func change(_ slot: Int, to dependencies: Dependencies) {
        setFacts(slot, dependencies.usesTypeFacts)
        let (old, new) = (details[slot].root, dependencies.shelf)
        if old !== new || details[slot].others != dependencies.others {
            var isSame = false
            if let old, let new, details[slot].others == dependencies.others { isSame = new.hasSameRecords(as: old) }
            details[slot].root = new
            if !isSame {
                removeEntries(from: details[slot].firstEntry)
                details[slot].others = dependencies.others
                details[slot].firstEntry = addEntries(slot, dependencies.others, new)
            }
        }
        let next = new.map { $0.spines.isEmpty ? [] : $0.sections } ?? []
        if next.isEmpty, details[slot].sections.isEmpty { return }
        changeSections(slot, to: next)
    }

    private mutating func changeSections(_ slot: Int, to next: [Section]) {
        var kept: [ObjectIdentifier: [Part]] = [:]
        let (leaving, coming) = Self.difference(details[slot].sections, next) { $0.section === $1 }
        for known in details[slot].sections[leaving] { kept[ObjectIdentifier(known.section)] = known.parts }
        var made = next[coming].map { section in
            SectionParts(section: section, parts: kept.removeValue(forKey: ObjectIdentifier(section)) ?? [])
        }
        // The remaining parts of the old sections become parts of the new sections, in order.
        let old = details[slot].sections[leaving].flatMap { kept[ObjectIdentifier($0.section)] ?? [] }
        let new = made.filter(\.parts.isEmpty).flatMap(\.section.parts)
        let parts = changedParts(slot, old, to: new)
        var taken = 0
        for index in made.indices where made[index].parts.isEmpty {
            let count = made[index].section.parts.count
            made[index].parts = Array(parts[taken..<taken + count])
            taken += count
        }
        details[slot].sections.replaceSubrange(leaving, with: made)
    }

    /// Replaces the entries of some parts by those of other shelves. Shelves that both share cost nothing.
    private mutating func changedParts(_ slot: Int, _ old: [Part], to next: [Shelf]) -> [Part] {
        let (leaving, coming) = Self.difference(old, next) { $0.shelf === $1 }
        var kept: [ObjectIdentifier: Int32] = [:]
        for part in old[leaving] { kept[ObjectIdentifier(part.shelf)] = part.firstEntry }
        var made: [Part] = []
        made.reserveCapacity(coming.count)
        for index in coming {
            let shelf = next[index]
            if let entry = kept.removeValue(forKey: ObjectIdentifier(shelf)) {
                made.append(Part(shelf: shelf, firstEntry: entry))
            } else if leaving.contains(index), let entry = kept[ObjectIdentifier(old[index].shelf)],
                shelf.hasSameRecords(as: old[index].shelf)
            {
                // The new shelf has the same records.
                kept[ObjectIdentifier(old[index].shelf)] = nil
                made.append(Part(shelf: shelf, firstEntry: entry))
            } else {
                made.append(Part(shelf: shelf, firstEntry: addEntries(slot, [], shelf)))
            }
        }
        for entry in kept.values { removeEntries(from: entry) }
        return old[..<leaving.lowerBound] + made + old[leaving.upperBound...]
    }

    /// Returns the ranges of two sequences without their common beginning and their common end.
    private static func difference<Old, New>(
        _ old: [Old], _ new: [New], _ areSame: (Old, New) -> Bool
    ) -> (leaving: Range<Int>, coming: Range<Int>) {
        let shorter = min(old.count, new.count)
        var first = 0
        while first < shorter, areSame(old[first], new[first]) { first += 1 }
        var last = 0
        while last < shorter - first, areSame(old[old.count - 1 - last], new[new.count - 1 - last]) { last += 1 }
        return (first..<old.count - last, first..<new.count - last)
    }

    private mutating func setFacts(_ slot: Int, _ usesFacts: Bool) {
        guard details[slot].usesFacts != usesFacts else { return }
        details[slot].usesFacts = usesFacts
        let number = UInt32(truncatingIfNeeded: slot)
        if usesFacts { usingFacts.insert(number) } else { usingFacts.remove(number) }
    }

    /// Adds a part for a shelf with one object; returns the part's only entry. Most subscriptions have such a shelf.
    private mutating func addEntry(_ slot: Int, _ shelf: Shelf?) -> Int32 {
        guard let shelf else { return -1 }
        lastPart &+= 1
        let record = shelf.record(at: 1)
        if record == .none { return -1 }
        return addEntry(
            Dependencies.Pair(record: record, node: UInt32(truncatingIfNeeded: shelf.node)), slot, lastPart, after: -1)
    }

    /// Adds an entry to the list of its record and to its part.
    @inline(__always)
    private mutating func addEntry(_ pair: Dependencies.Pair, _ slot: Int, _ part: UInt32, after last: Int32) -> Int32 {
        let record = Int(pair.record.index)
        if record >= heads.count { makeHeads(upTo: record) }
        let head = heads[record]
        if isPresent(pair, part, from: head) { return last }
        let entry = newEntry(
            Entry(
                subscription: UInt32(truncatingIfNeeded: slot), node: pair.node, next: head, previous: -1,
                nextOfPart: last, record: pair.record, part: part))
        if head >= 0 { entries[Int(head)].previous = entry } else { firstRead?.append(pair.record) }
        heads[record] = entry
        return entry
    }

    @inline(never)
    private mutating func makeHeads(upTo record: Int) {
        heads.append(contentsOf: repeatElement(-1, count: max(record + 1 - heads.count, heads.count)))
    }

    /// Adds a part with the entries of some records and of a shelf; returns its first entry.
    private mutating func addEntries(_ slot: Int, _ others: [Dependencies.Pair], _ shelf: Shelf?) -> Int32 {
        lastPart &+= 1
        let part = lastPart
        var first: Int32 = -1
        for pair in others { first = addEntry(pair, slot, part, after: first) }
        shelf?.forEachPair { first = addEntry($0, slot, part, after: first) }
        return first
    }

    /// Returns true if the part has the pair. The entries of the part are at the front of the list, because the part is
    /// still being built.
    private func isPresent(_ pair: Dependencies.Pair, _ part: UInt32, from head: Int32) -> Bool {
        var entry = head
        while entry >= 0, entries[Int(entry)].part == part {
            if entries[Int(entry)].node == pair.node { return true }
            entry = entries[Int(entry)].next
        }
        return false
    }

    private mutating func newEntry(_ entry: Entry) -> Int32 {
        guard freeEntry >= 0 else {
            entries.append(entry)
            return Int32(truncatingIfNeeded: entries.count - 1)
        }
        let index = freeEntry
        freeEntry = entries[Int(index)].next
        entries[Int(index)] = entry
        return index
    }

    private mutating func removeEntries(_ slot: Int) {
        removeEntries(from: details[slot].firstEntry)
        for section in details[slot].sections {
            for part in section.parts { removeEntries(from: part.firstEntry) }
        }
        details[slot].forget()
        setFacts(slot, false)
    }

    private mutating func removeEntries(from first: Int32) {
        var index = first
        while index >= 0 {
            let entry = entries[Int(index)]
            if entry.previous >= 0 {
                entries[Int(entry.previous)].next = entry.next
            } else {
                heads[Int(entry.record.index)] = entry.next
            }
            if entry.next >= 0 { entries[Int(entry.next)].previous = entry.previous }
            entries[Int(index)].next = freeEntry
            freeEntry = index
            index = entry.nextOfPart
        }
    }

    /// The memory of the index in bytes.
    var memoryUse: Int {
        heads.capacity * 4 + entries.capacity * MemoryLayout<Entry>.stride + slots.capacity * MemoryLayout<Slot>.stride
            + details.capacity * MemoryLayout<Detail>.stride
    }

    /// Returns true if a live subscription has read a record.
    func hasReaders(_ record: RecordID) -> Bool {
        let record = Int(record.index)
        return record < heads.count && heads[record] >= 0
    }

    /// Returns true if a live subscription has read one of `count` records from `first` on.
    func hasReaders(in first: Int, _ count: Int) -> Bool {
        let end = min(first + count, heads.count)
        return first < end && heads[first..<end].contains { $0 >= 0 }
    }

    /// The record with the greatest number that a live subscription has read.
    var lastRead: RecordID? {
        heads.lastIndex { $0 >= 0 }.map { RecordID(UInt32(truncatingIfNeeded: $0)) }
    }

    /// Returns the fields of a record that live subscriptions have read.
    func keys(readFrom record: RecordID) -> Set<StorageKeyID> {
        var keys: Set<StorageKeyID> = []
        guard hasReaders(record) else { return keys }
        var index = heads[Int(record.index)]
        while index >= 0 {
            let entry = entries[Int(index)]
            if let plan = slots[Int(entry.subscription)].plan { keys.formUnion(plan.nodes[Int(entry.node)].keys) }
            index = entry.next
        }
        return keys
    }

    // MARK: - Publishing

    /// Returns every live subscriber, in the order in which they subscribed.
    func all() -> [any StoreSubscriber] {
        slots.indices.filter { slots[$0].plan != nil }.sorted { details[$0].order < details[$1].order }
            .compactMap { slots[$0].subscriber }
    }

    /// Returns the subscribers that read changed fields, in the order in which they subscribed.
    mutating func affected(by changes: ChangeSet) -> [any StoreSubscriber] {
        checked = 0
        guard count > 0 else { return [] }
        pass += 1
        var found: [UInt32] = []
        for change in changes.changes {
            let record = Int(change.record.index)
            guard record < heads.count else { continue }
            var index = heads[record]
            while index >= 0 {
                let entry = entries[Int(index)]
                index = entry.next
                checked &+= 1
                let slot = Int(entry.subscription)
                guard slots[slot].pass != pass else { continue }
                let keys = changes.keys[change.first..<change.first + change.count]
                guard
                    change.isWhole
                        || slots[slot].plan?.node(Int(entry.node), hasAnyOf: keys, bits: change.bits) == true
                else { continue }
                slots[slot].pass = pass
                found.append(entry.subscription)
            }
        }
        if changes.hasNewFacts {
            for slot in usingFacts where slots[Int(slot)].pass != pass {
                slots[Int(slot)].pass = pass
                found.append(slot)
            }
        }
        if found.count > 1 { found.sort { details[Int($0)].order < details[Int($1)].order } }
        return found.compactMap { slots[Int($0)].subscriber }
    }
}
