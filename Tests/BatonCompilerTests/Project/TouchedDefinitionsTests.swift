import BatonProject
import RandomCases
import Testing

/// What an edit touches, against a search that follows every spread again.
struct TouchedDefinitionsTests {
    @Test func whatReachesAChangedFragmentIsTouched() {
        let before = [
            query("Q", ["A"]), query("Other", ["C"]), fragment("A", ["B"]), fragment("B", []), fragment("C", []),
        ]
        let touch = touch(from: before, to: before.map { $0.name == "B" ? fragment("B", ["C"], digest: 2) : $0 }, ["B"])
        #expect(touch.touched == [key("B"), key("A"), .init(isFragment: false, name: "Q")])
        #expect(touch.read == ["A", "B", "C"])
    }

    @Test func whatReachedAFragmentThatIsGoneIsTouched() {
        let before = [query("Q", ["A"]), fragment("A", ["B"]), fragment("B", [])]
        let touch = touch(from: before, to: Array(before.dropLast()), ["B"])
        #expect(touch.touched == [key("A"), .init(isFragment: false, name: "Q")])
        #expect(touch.readBefore == ["A", "B"])
    }

    @Test func whatWaitedForAFragmentIsTouched() {
        let before = [query("Q", ["A"]), query("Other", [])]
        let touch = touch(from: before, to: before + [fragment("A", [])], ["A"])
        #expect(touch.touched == [key("A"), .init(isFragment: false, name: "Q")])
    }

    @Test func anEditOfSpaceTouchesItsFileAlone() {
        let records = [query("Q", ["A"]), fragment("A", [])]
        #expect(touch(from: records, to: records, ["A"]).touched == [key("A")])
    }

    @Test(arguments: RandomCases.seeds(40, from: 0 as UInt64)) func randomEditsTouchWhatASearchFinds(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let before = records(&random)
        var after = before
        var edited: Set<String> = []
        for _ in 0..<(1 + random.below(3)) {
            let index = random.below(after.count)
            edited.insert(after[index].name)
            if random.chance(30) {
                after.remove(at: index)
            } else {
                after[index].digest &+= 1
                after[index].spreads = random.some(of: after.filter(\.isFragment).map(\.name), percent: 15)
            }
            if after.isEmpty { return }
        }
        let touch = touch(from: before, to: after, edited)
        for record in after {
            let isTouched =
                edited.contains(record.name)
                || !Self.reached(record, in: after).isDisjoint(with: edited)
                || before.contains { $0.key == record.key && !Self.reached($0, in: before).isDisjoint(with: edited) }
            #expect(touch.touched.contains(record.key) == isTouched, "\(record.name)")
            guard isTouched else { continue }
            let names = Set(after.filter(\.isFragment).map(\.name))
            #expect(touch.read.isSuperset(of: Self.reached(record, in: after).intersection(names)))
        }
    }

    // MARK: - Definitions, each in a file of its own

    private func touch(
        from before: [DefinitionRecord], to after: [DefinitionRecord], _ edited: Set<String>
    ) -> TouchedDefinitions {
        let edits = edited.map { name in
            TouchedDefinitions.Edit(
                before: before.filter { $0.name == name }, after: after.filter { $0.name == name })
        }
        return TouchedDefinitions(
            edits, from: DefinitionGraph(before), to: DefinitionGraph(after), together: after.map { [$0.key] })
    }

    /// The names that a definition spreads, directly or through others, also of fragments that do not exist.
    private static func reached(_ record: DefinitionRecord, in records: [DefinitionRecord]) -> Set<String> {
        var found: Set<String> = []
        var pending = record.spreads
        while let name = pending.popLast() {
            guard found.insert(name).inserted else { continue }
            pending += records.first { $0.isFragment && $0.name == name }?.spreads ?? []
        }
        return found
    }

    private func records(_ random: inout SeededGenerator) -> [DefinitionRecord] {
        let names = (0..<12).map { "F\($0)" }
        return names.map { fragment($0, random.some(of: names, percent: 12)) }
            + (0..<6).map { query("Q\($0)", random.some(of: names, percent: 15)) }
    }

    private func key(_ name: String) -> DefinitionRecord.Key { .init(isFragment: true, name: name) }

    private func fragment(_ name: String, _ spreads: [String], digest: UInt64 = 1) -> DefinitionRecord {
        var record = DefinitionRecord(kind: .fragment, name: name, digest: digest)
        record.spreads = spreads
        return record
    }

    private func query(_ name: String, _ spreads: [String]) -> DefinitionRecord {
        var record = DefinitionRecord(kind: .query, name: name, digest: 1)
        record.spreads = spreads
        return record
    }
}
