import Baton
import Dispatch
import Foundation
import RandomCases
import Synchronization
import Testing

@testable import BatonSQLite

/// A file that is suspended: nothing of it is open or locked, whatever was under way.
@Suite(.needsSQLite) struct SQLiteSuspensionTests {
    private let file: SQLiteFile

    init() throws { file = try SQLiteFile() }

    private func disk() -> SQLiteDisk {
        var options = SQLiteDiskOptions(path: file.path)
        options.wait = .seconds(5)
        return SQLiteDisk(options)
    }

    private func identity(_ number: Int) -> DiskIdentity { DiskIdentity(Array("id\(number)".utf8)) }

    private func put(_ count: Int, _ byte: UInt8, into disk: SQLiteDisk) throws(PersistenceError) {
        try disk.write { (transaction) throws(PersistenceError) in
            for number in 0..<count { try transaction.put([byte], at: identity(number)) }
        }
    }

    private func failure(_ body: () throws(PersistenceError) -> Void) -> PersistenceError.Kind? {
        do throws(PersistenceError) {
            try body()
            return nil
        } catch { return error.kind }
    }

    #if os(Linux)
        /// The files below the folder that this process has open or holds a lock of.
        private func held() throws -> [String] {
            let files = FileManager.default
            var open: [String] = []
            for name in try files.contentsOfDirectory(atPath: "/proc/self/fd") {
                // A descriptor may be gone by now.
                guard let target = try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)") else {
                    continue
                }
                if target.hasPrefix(file.folder.path) { open.append(target) }
            }
            let locks = try String(contentsOfFile: "/proc/locks", encoding: .utf8)
            for name in try files.contentsOfDirectory(atPath: file.folder.path) {
                let attributes = try files.attributesOfItem(atPath: file.folder.appending(path: name).path)
                let number = try #require(attributes[.systemFileNumber] as? Int)
                if locks.contains(":\(number) ") { open.append("lock of \(name)") }
            }
            return open
        }

        @Test func nothingIsOpenOrLocked() throws {
            let disk = disk()
            _ = try disk.open()
            try put(3, 1, into: disk)
            _ = try disk.read([identity(0)])
            #expect(try held().contains("lock of store.sqlite"))
            disk.suspend()
            #expect(try held() == [])
            #expect(failure { () throws(PersistenceError) in _ = try disk.read([identity(0)]) } == .suspended)
            #expect(failure { () throws(PersistenceError) in _ = try disk.form(1) } == .suspended)
            #expect(failure { () throws(PersistenceError) in try put(1, 2, into: disk) } == .suspended)
            #expect(failure { () throws(PersistenceError) in try disk.sync() } == .suspended)
            #expect(failure { () throws(PersistenceError) in try disk.moveLog() } == .suspended)
            #expect(failure { () throws(PersistenceError) in _ = try disk.open() } == .suspended)
            #expect(try held() == [])
            disk.resume()
            _ = try disk.open()
            #expect(try disk.read([identity(0), identity(2)]) == [[1], [1]])
            try put(1, 2, into: disk)
            #expect(try disk.read([identity(0), identity(2)]) == [[2], [1]])
        }
    #endif

    /// A transaction that is under way is rolled back, however large it is.
    @Test func aTransactionUnderWayIsRolledBack() throws {
        let disk = disk()
        _ = try disk.open()
        try put(1, 1, into: disk)
        let (begun, group) = (DispatchSemaphore(value: 0), DispatchGroup())
        let ended = Guarded<(kind: PersistenceError.Kind?, count: Int)>((nil, 0))
        DispatchQueue(label: "writer").async(group: group) {
            var count = 0
            let kind = failure { () throws(PersistenceError) in
                try disk.write { (transaction) throws(PersistenceError) in
                    for number in 0..<60_000 {
                        try transaction.put([2], at: identity(number))
                        if number == 1000 { begun.signal() }
                        count = number
                    }
                }
            }
            ended.withLock { $0 = (kind, count) }
        }
        begun.wait()
        let clock = ContinuousClock()
        let time = clock.measure { disk.suspend() }
        group.wait()
        let (kind, count) = ended.withLock { $0 }
        #expect(kind == .suspended && count < 59_999)
        print("suspended after \(time), with a transaction of \(count) records under way")
        disk.resume()
        _ = try disk.open()
        #expect(try disk.read([identity(0), identity(1), identity(1000)]) == [[1], nil, nil])
    }

    /// A thread that waits for a lock of others ends its wait.
    @Test func aWaitForOthersIsEnded() throws {
        let (disk, other) = (disk(), disk())
        _ = try (disk.open(), other.open())
        try put(1, 1, into: other)
        let group = DispatchGroup()
        let ended = Guarded<PersistenceError.Kind?>(nil)
        try other.write { (transaction) throws(PersistenceError) in
            try transaction.put([2], at: identity(0))
            let begun = DispatchSemaphore(value: 0)
            DispatchQueue(label: "waiting").async(group: group) {
                begun.signal()
                let kind = failure { () throws(PersistenceError) in try put(1, 3, into: disk) }
                ended.withLock { $0 = kind }
            }
            begun.wait()
            Thread.sleep(forTimeInterval: 0.05)
            DispatchQueue(label: "suspending").async(group: group) { disk.suspend() }
            group.wait()
        }
        #expect(ended.withLock { $0 } == .suspended)
        #expect(try other.read([identity(0)]) == [[2]])
        disk.resume()
        _ = try disk.open()
        try put(1, 3, into: disk)
        #expect(try other.read([identity(0)]) == [[3]])
    }

    /// Suspensions at any moment, while threads read and write: a transaction is there as a whole or not at all.
    @Test(arguments: RandomCases.seeds(4, from: UInt64(0))) func suspensionsAtAnyMoment(_ seed: UInt64) throws {
        let disk = disk()
        _ = try disk.open()
        try put(50, 0, into: disk)
        let isDone = Atomic(false)
        let mixed = Atomic(0)
        let wrong = Atomic(0)
        let group = DispatchGroup()
        for thread in 0..<3 {
            DispatchQueue(label: "thread \(thread)").async(group: group) {
                var generator = SeededGenerator(seed: seed &* 8 &+ UInt64(thread))
                while !isDone.load(ordering: .relaxed) {
                    let kind = failure { () throws(PersistenceError) in
                        if thread == 0 {
                            try put(50, UInt8.random(in: 0...255, using: &generator), into: disk)
                            if generator.chance(20) { try disk.sync() }
                        } else if Set(try disk.read((0..<50).map(identity))).count != 1 {
                            mixed.add(1, ordering: .relaxed)
                        }
                    }
                    switch kind {
                    case nil, .suspended?: break
                    // The writer is closed from the suspension to the next opening.
                    case .other? where thread == 0: break
                    default: wrong.add(1, ordering: .relaxed)
                    }
                }
            }
        }
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<40 {
            Thread.sleep(forTimeInterval: Double.random(in: 0...0.01, using: &generator))
            disk.suspend()
            #if os(Linux)
                #expect(try held() == [])
            #endif
            disk.resume()
            #expect(throws: Never.self) { _ = try disk.open() }
        }
        isDone.store(true, ordering: .relaxed)
        group.wait()
        #expect(mixed.load(ordering: .relaxed) == 0 && wrong.load(ordering: .relaxed) == 0)
        #expect(Set(try disk.read((0..<50).map(identity))).count == 1)
    }
}
