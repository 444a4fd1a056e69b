import Foundation
import RandomCases
import StoreModel
import Testing

@testable import Baton

/// The store agrees with the naive model for random steps; `.ci/run models` runs the same comparison for longer.
@Suite struct StoreModelTests {
    @Test(arguments: RandomCases.seeds(2, from: 1 as UInt64)) func randomStepsAgreeWithTheModel(_ seed: UInt64) {
        let failure = Script(seed: seed, count: 150).run()
        #expect(failure == nil, "swift run -c release store-model --seed \(seed) --steps 150 --seconds 1")
    }

    @Test(arguments: [Script.Kind.connections, .ages, .alike, .disk], RandomCases.seeds(1, from: 1 as UInt64))
    func sidesAgreeWithTheirModels(
        _ kind: Script.Kind, _ seed: UInt64
    ) {
        let failure = Script(kind, seed: seed, count: 120).run()
        #expect(
            failure == nil,
            "swift run -c release store-model --about \(kind.rawValue) --seed \(seed) --steps 120 --seconds 1")
    }

    /// Runs the kept scripts: each is the shortest script that once failed.
    @Test(arguments: try Self.kept()) func whatFailedOnceDoesNotFailAgain(_ name: String) throws {
        let text = try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
        let script = try #require(Script(text), "\(name) is no script")
        #expect(script.steps.count > 0)
        if let failure = script.run() { Issue.record("\(name), step \(failure.step): \(failure.message)") }
    }

    @Test func scriptsAreWrittenAndReadBack() throws {
        let script = Script(seed: 17, count: 40)
        let again = try #require(Script(script.text))
        #expect(again.text == script.text)
        #expect(again.steps == script.steps)
        #expect(Script("world 1\nupdate 2 # a remark\n")?.steps.count == 1)
        #expect(Script("world 1\njump 2\n") == nil)
        #expect(Script("world\n") == nil)
    }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../StoreModel/Failures").standardized

    private static func kept() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".steps") }.sorted()
    }
}

/// The check of the store's structures finds broken structures.
@Suite struct InvariantTests {
    private static func filled() throws -> Store {
        let store = Store()
        try store.write(HeroQuery.answer, for: store.bind(HeroQuery()))
        return store
    }

    @Test func aStoreThatIsUsedIsInOrder() throws {
        let store = try Self.filled()
        let snapshot = store.read(HeroQuery())
        let id = store.subscribe(Subscriber(), to: snapshot.dependencies)
        try store.update { try $0.delete("1000") }
        store.operations.retain(store.bind(HeroQuery()))
        #expect(store.checkInvariants() == [])
        store.unsubscribe(id)
        store.invalidate()
        #expect(store.checkInvariants() == [])
    }

    @Test func aRowThatTwoRecordsShareIsSeen() throws {
        let store = try Self.filled()
        store.queue.newest.change { records in
            let known = records.known.filter { records.state(of: $0) == .existing }
            records.setSlot(known[1], records.slot(of: known[0]))
        }
        #expect(store.checkInvariants().contains { $0.contains("are in the same row") })
    }

    @Test func aLostRowIsSeen() throws {
        let store = try Self.filled()
        store.queue.newest.change { records in
            let known = records.known.filter { records.state(of: $0) == .existing }
            records.setSlot(known[1], Records.Slot(state: .deleted, changed: records.epoch))
        }
        #expect(store.checkInvariants().contains { $0.contains("belongs to nobody") })
    }

    @Test func aRecordInAFreedRowIsSeen() throws {
        for isHeld in [false, true] {
            let store = Store()
            try store.write(Films.list(3), for: store.bind(Films.ListQuery()))
            let held = isHeld ? store.records.blocks : []
            store.queue.newest.change { records in
                var retired = Retired()
                let slots = records.known.map { records.slot(of: $0) }.filter { $0.state == .existing }
                let shared = slots.first { slot in slots.count { $0.block == slot.block } > 1 }
                if let shared { records.freeRow(shared, &retired) }
                #expect(records.directory.deadRows == (isHeld ? 1 : 0))
            }
            withExtendedLifetime(held) {}
            #expect(store.checkInvariants().contains { $0.contains("is unused and that of a record") })
        }
    }

    @Test func aLinkToNothingIsSeen() throws {
        let store = try Self.filled()
        let key = store.names.key("stray")
        store.queue.newest.change { records in
            let shape = store.names.shape([key])
            let (type, epoch) = (records.type(of: .root), records.epoch)
            var retired = Retired()
            records.replace(.root, type, shape, [.link(RecordID(99_999))], changed: epoch, &retired)
        }
        #expect(store.checkInvariants().contains { $0.contains("links to what has no name") })
    }

    @Test func aChangeInTheFutureIsSeen() throws {
        let store = try Self.filled()
        store.queue.newest.change { records in
            var slot = records.slot(of: .root)
            slot.changed = records.epoch + 1
            records.setSlot(.root, slot)
        }
        #expect(store.checkInvariants().contains { $0.contains("after the newest version") })
    }

    final class Subscriber: StoreSubscriber {
        func storeDidChange(at epoch: Epoch) {}
    }
}
