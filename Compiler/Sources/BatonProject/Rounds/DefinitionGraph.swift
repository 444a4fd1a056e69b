/// The definitions of a project and the spreads between them, to find what an edit touches.
///
/// Building it costs time linear in definitions and spreads; each question costs what it visits.
package struct DefinitionGraph: Sendable {
    package let records: [DefinitionRecord]
    private let numbers: [DefinitionRecord.Key: Int]
    /// For each definition, the numbers of the fragments that it spreads. A spread without a fragment is left out.
    private let spreads: [[Int]]
    /// For each definition, the numbers of those that spread it.
    private let users: [[Int]]
    /// The definitions that spread a fragment which does not exist, by its name.
    private let waiting: [String: [Int]]

    package init(_ records: [DefinitionRecord]) {
        self.records = records
        var numbers: [DefinitionRecord.Key: Int] = [:]
        numbers.reserveCapacity(records.count)
        for (number, record) in records.enumerated() where numbers[record.key] == nil { numbers[record.key] = number }
        var users = [[Int]](repeating: [], count: records.count)
        var waiting: [String: [Int]] = [:]
        spreads = records.indices.map { number in
            records[number].spreads.compactMap { name in
                guard let target = numbers[.init(isFragment: true, name: name)] else {
                    waiting[name, default: []].append(number)
                    return nil
                }
                users[target].append(number)
                return target
            }
        }
        (self.numbers, self.users, self.waiting) = (numbers, users, waiting)
    }

    package subscript(key: DefinitionRecord.Key) -> DefinitionRecord? { numbers[key].map { records[$0] } }

    /// All definitions that spread one of the fragments, directly or through others. A name may be that of a fragment
    /// that does not exist.
    package func reaching(_ fragments: Set<String>) -> Set<DefinitionRecord.Key> {
        var pending: [Int] = []
        for name in fragments {
            if let number = numbers[.init(isFragment: true, name: name)] { pending += users[number] }
            pending += waiting[name] ?? []
        }
        return Set(closure(pending, users).map { records[$0].key })
    }

    /// All fragments that the definitions spread, directly or through others.
    package func reached(from definitions: Set<DefinitionRecord.Key>) -> Set<String> {
        let start = definitions.compactMap { numbers[$0] }.flatMap { spreads[$0] }
        return Set(closure(start, spreads).map { records[$0].name })
    }

    /// The numbers of the fragments that no operation reaches, in order.
    package func unusedFragments() -> [Int] {
        let start = records.indices.filter { !records[$0].isFragment }.flatMap { spreads[$0] }
        let used = Set(closure(start, spreads))
        return records.indices.filter { records[$0].isFragment && !used.contains($0) }
    }

    private func closure(_ start: [Int], _ next: [[Int]]) -> [Int] {
        var isFound = [Bool](repeating: false, count: records.count)
        var found: [Int] = []
        var pending = start
        while let number = pending.popLast() {
            if isFound[number] { continue }
            isFound[number] = true
            found.append(number)
            pending += next[number]
        }
        return found
    }
}
