import Testing

@testable import Baton

/// The common decisions of query and fragment handles, and the retains of a fragment handle.
@Suite struct ReaderMachineTests {
    typealias Change = ReaderMachine.Change
    typealias Parting = FragmentMachine.Parting

    @Test func whatIsReadIsCurrentUntilSomethingIsCounted() {
        var machine = ReaderMachine(isOutdated: true)
        #expect(machine.mustRead(at: 0))
        let moves = machine.moves
        #expect(machine.read(since: moves, at: 0) == true)
        #expect(!machine.mustRead(at: 0))
        #expect(machine.mustRead(at: 1))
        #expect(machine.read(since: moves, at: 1) == false)
        machine.targetChanged()
        #expect(machine.mustRead(at: 0))
        machine.close()
        #expect(!machine.mustRead(at: 1))
        #expect(machine.read(since: machine.moves, at: 1) == false)
    }

    @Test func aPublishIsTheReasonOfWhatItChangesAlone() {
        var machine = ReaderMachine(isOutdated: true)
        #expect(machine.show(.data, isDifferent: true, publish: 1, arrival: nil) == Change(publish: nil))
        #expect(machine.show(.data, isDifferent: false, publish: 2, arrival: nil) == nil)
        #expect(machine.show(.data, isDifferent: true, publish: 3, arrival: nil) == Change(publish: 3))
        #expect(machine.show(.loading, isDifferent: true, publish: 4, arrival: nil) == Change(publish: nil))
        #expect(machine.show(.loading, isDifferent: true, publish: 5, arrival: nil) == nil)
        #expect(machine.show(.data, isDifferent: false, publish: 6, arrival: 7) == Change(publish: 7))
    }

    @Test func turningToTheSameShowsNothingNew() {
        var machine = ReaderMachine(isOutdated: true)
        _ = machine.show(.data, isDifferent: true, publish: 1, arrival: nil)
        machine.targetChanged()
        #expect(machine.show(.data, isDifferent: false, publish: 2, arrival: nil) == nil)
        machine.targetChanged()
        #expect(machine.show(.data, isDifferent: true, publish: 3, arrival: nil) == Change(publish: nil))
    }

    @Test func oneFailureIsToldFromAnother() {
        var machine = ReaderMachine(isOutdated: false)
        #expect(machine.show(.failure(1), isDifferent: false, publish: nil, arrival: nil) == Change(publish: nil))
        #expect(machine.show(.failure(1), isDifferent: false, publish: nil, arrival: nil) == nil)
        #expect(machine.show(.failure(2), isDifferent: false, publish: nil, arrival: nil) == Change(publish: nil))
    }

    @Test func aRefusedTargetIsReplacedByTheNext() {
        var machine = FragmentMachine(isRetaining: false)
        #expect(machine.refused(since: 0, at: 0) == true)
        #expect(!machine.reader.mustRead(at: 0))
        #expect(machine.targetChanged(isOwn: true, isSameOwner: false) == Parting())
        #expect(machine.reader.mustRead(at: 0))
        #expect(machine.refused(since: 0, at: 0) == false)
    }

    /// Every retain is released once, and every watch is ended.
    @Test func walk() {
        var random = SeededGenerator(seed: 5)
        for _ in 0..<40 {
            // For each owner, the number of its retains, and whether it is watched.
            var (retained, watched) = ([Int: Int](), Set<Int>())
            var target = (owner: 0, isOwn: Bool.random(using: &random))
            if target.isOwn { retained[0] = 1 }
            var machine = FragmentMachine(isRetaining: target.isOwn)

            func part(from owner: Int, _ parting: Parting) {
                guard parting.releases else { return }
                if parting.unwatches { watched.remove(owner) }
                retained[owner, default: 0] -= 1
            }

            for step in 0..<40 {
                switch Int.random(in: 0..<4, using: &random) {
                case 0:
                    let next = (owner: Int.random(in: 0..<3, using: &random), isOwn: Bool.random(using: &random))
                    if next.isOwn { retained[next.owner, default: 0] += 1 }
                    part(
                        from: target.owner,
                        machine.targetChanged(isOwn: next.isOwn, isSameOwner: next.owner == target.owner))
                    target = next
                case 1 where !target.isOwn:
                    #expect(machine.refused(since: machine.reader.moves, at: step) == true)
                case _ where target.isOwn:
                    let isMissingData = Bool.random(using: &random)
                    if isMissingData { watched.insert(target.owner) }
                    if Int.random(in: 0..<4, using: &random) == 0 {
                        let isWatching = machine.isWatching
                        let drops = machine.dropped(isMissingData: isMissingData, isSameOwner: true)
                        #expect(drops == (isMissingData && !isWatching))
                        if drops { watched.remove(target.owner) }
                        continue
                    }
                    #expect(machine.read(since: machine.reader.moves, at: step) == true)
                    let taken = machine.took(
                        isMissingData: isMissingData, shown: .data, isDifferent: true, publish: step)
                    if taken.unwatches { watched.remove(target.owner) }
                default: break
                }
                let isRetained = retained.values.reduce(0, +)
                #expect(isRetained == (target.isOwn ? 1 : 0))
                #expect(watched == (target.isOwn && machine.isWatching ? [target.owner] : []))
            }
            part(from: target.owner, machine.closed())
            #expect(retained.values.allSatisfy { $0 == 0 } && watched.isEmpty)
            #expect(machine.targetChanged(isOwn: true, isSameOwner: true) == Parting(releases: true))
            #expect(machine.read(since: machine.reader.moves, at: 99) == false)
        }
    }
}
