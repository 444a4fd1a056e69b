import Baton
import BatonSQLiteLibrary
import Foundation
import RandomCases
import Synchronization
import Testing

@testable import BatonSQLite

/// A file with limits loses what was not used for the longest time, and nothing that is needed.
@Suite(.needsSQLite) struct SQLiteLimitsTests {
    private let file: SQLiteFile
    private let clock = Clock()

    private final class Clock: Sendable {
        private let seconds = Atomic<Int64>(1_790_000_000)
        var now: Int64 { seconds.load(ordering: .relaxed) }
        func advance(_ count: Int64) { seconds.add(count, ordering: .relaxed) }
    }

    init() throws { file = try SQLiteFile() }

    private func disk(size: Int64? = nil, age: Int64? = nil) throws -> SQLiteDisk {
        var options = SQLiteDiskOptions(path: file.path)
        options.limits = SQLiteLimits(size: size, age: age)
        options.now = { [clock] in clock.now }
        options.longLog = 0
        let disk = SQLiteDisk(options)
        _ = try disk.open()
        return disk
    }

    private func identity(_ number: Int) -> DiskIdentity { DiskIdentity(Array("id\(number)".utf8)) }

    private func put(_ numbers: Range<Int>, into disk: SQLiteDisk) throws {
        try disk.write { (transaction) throws(PersistenceError) in
            for number in numbers {
                try transaction.put(Array(repeating: UInt8(number & 255), count: 1000), at: identity(number))
            }
        }
    }

    private func kept(_ numbers: Range<Int>, in disk: SQLiteDisk) throws -> Set<Int> {
        let found = try disk.read(numbers.map(identity))
        return Set(zip(numbers, found).compactMap { $1 == nil ? nil : $0 })
    }

    @Test func whatWasWrittenFirstGoesFirst() throws {
        let disk = try disk(size: 1 << 20)
        var evicted = 0
        for round in 0..<40 {
            try put(round * 100..<(round + 1) * 100, into: disk)
            clock.advance(1)
            if disk.isOverLimits { evicted += try disk.evict(keeping: []) }
        }
        #expect(evicted > 2000)
        let kept = try kept(0..<4000, in: disk).sorted()
        // The newest ones, and no hole among them.
        #expect(kept.last == 3999 && kept.first == 4000 - kept.count && kept.count > 600 && kept.count < 1100)
        #expect(try file.open().integer("SELECT count(*) FROM ids") == Int64(kept.count))
        #expect(try file.open().integer("SELECT count(*) FROM rows") == Int64(kept.count))
        // The file does not grow any more: its space is used again.
        let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int ?? 0
        #expect(size < 3 << 20, "\(size)")
    }

    @Test func whatWasReadStays() throws {
        let disk = try disk(size: 1 << 20)
        try put(0..<900, into: disk)
        clock.advance(7200)
        _ = try disk.read((0..<50).map(identity))
        try put(900..<1200, into: disk)
        #expect(disk.isOverLimits)
        #expect(try disk.evict(keeping: []) > 0)
        let kept = try kept(0..<1200, in: disk)
        #expect(kept.isSuperset(of: 0..<50) && kept.isSuperset(of: 900..<1200) && kept.count < 900)
    }

    /// A read is noted with the next write, so it counts in later runs.
    @Test func whatWasReadInAnEarlierRunStays() throws {
        let first = try disk(size: 1 << 20)
        try put(0..<900, into: first)
        clock.advance(7200)
        _ = try first.read((0..<50).map(identity))
        try put(900..<910, into: first)
        first.close()
        let disk = try disk(size: 1 << 20)
        clock.advance(1)
        try put(910..<1200, into: disk)
        #expect(disk.isOverLimits)
        #expect(try disk.evict(keeping: []) > 0)
        let kept = try kept(0..<1200, in: disk)
        #expect(kept.isSuperset(of: 0..<50) && kept.isSuperset(of: 900..<1200) && kept.count < 900)
    }

    /// Rows of any size, and rows between which others go: the file stays near its limit, and what is used stays.
    @Test(arguments: [20, 300, 3000, 30_000]) func theLimitHoldsForRowsOfEachSize(_ size: Int) throws {
        let limit: Int64 = 2 << 20
        let disk = try disk(size: limit)
        let count = Int(limit) / (size + 60)
        func put(_ numbers: some Sequence<Int>) throws {
            try disk.write { (transaction) throws(PersistenceError) in
                for number in numbers {
                    try transaction.put(Array(repeating: UInt8(number & 255), count: size), at: identity(number))
                }
            }
        }
        var largest: Int64 = 0
        for round in 0..<12 {
            try put(stride(from: round * count / 4, to: (round + 1) * count / 4, by: 1))
            // Every fourth one of the last rounds is used again, so that what goes lies between what stays.
            try put(stride(from: max(0, (round - 2) * count / 4), to: round * count / 4, by: 4))
            clock.advance(1)
            if disk.isOverLimits { _ = try disk.evict(keeping: []) }
            largest = max(largest, try disk.reading { (tables) throws(SQLiteError) in try tables.size() })
        }
        #expect(largest < limit * 5 / 4, "\(largest)")
        let newest = (11 * count / 4)..<(12 * count / 4)
        #expect(try kept(newest, in: disk).count == newest.count)
    }

    @Test func whatIsNeededStays() throws {
        let disk = try disk(size: 1 << 20)
        try put(0..<1200, into: disk)
        clock.advance(1)
        let needed = (0..<300).map(identity) + [DiskIdentity(Array("unknown".utf8))]
        #expect(disk.isOverLimits)
        #expect(try disk.evict(keeping: needed) > 0)
        #expect(try kept(0..<300, in: disk).count == 300)
        // All of it is needed, so nothing goes, and nobody looks again soon.
        try put(0..<1200, into: disk)
        #expect(disk.isOverLimits)
        #expect(try disk.evict(keeping: (0..<1200).map(identity)) == 0)
        try put(0..<20, into: disk)
        #expect(!disk.isOverLimits)
        #expect(try kept(0..<1200, in: disk).count == 1200)
    }

    @Test func whatIsTooOldGoes() throws {
        let disk = try disk(age: 86_400)
        try put(0..<100, into: disk)
        clock.advance(50_000)
        try put(100..<200, into: disk)
        _ = try disk.read((0..<10).map(identity))
        #expect(disk.isOverLimits)
        #expect(try disk.evict(keeping: []) == 0)
        clock.advance(50_000)
        #expect(disk.isOverLimits)
        #expect(try disk.evict(keeping: [identity(50)]) == 89)
        #expect(try kept(0..<200, in: disk) == Set(0..<10).union([50]).union(100..<200))
        // Once an hour is enough.
        #expect(!disk.isOverLimits)
    }

    /// What was written while the clock was wrong goes first, and does not keep the file full for years.
    @Test func aTimeThatIsFarAheadSaysNothing() throws {
        let disk = try disk(size: 1 << 20)
        clock.advance(70 * 366 * 86_400)
        try put(0..<1000, into: disk)
        clock.advance(-70 * 366 * 86_400)
        try put(1000..<1300, into: disk)
        #expect(disk.isOverLimits)
        #expect(try disk.evict(keeping: [identity(5)]) == 999)
        #expect(try kept(0..<1300, in: disk) == Set(1000..<1300).union([5]))
    }

    /// An owner whose rows are gone gets another number, so that what is old cannot be taken for it.
    @Test func whatWasEvictedCanComeBack() throws {
        let disk = try disk(size: 1 << 20)
        // Owners that are written again are looked up, and their numbers are remembered.
        for _ in 0..<2 { try put(0..<1200, into: disk) }
        clock.advance(1)
        #expect(disk.isOverLimits)
        _ = try disk.evict(keeping: [identity(7)])
        try put(0..<5, into: disk)
        #expect(try kept(0..<8, in: disk) == [0, 1, 2, 3, 4, 7])
        disk.close()
        let again = try self.disk(size: 1 << 20)
        #expect(try kept(0..<8, in: again) == [0, 1, 2, 3, 4, 7])
    }

    /// Readers see each record as it was, or not at all, and what others write meanwhile stays.
    @Test func othersReadAndWriteMeanwhile() throws {
        let (disk, other) = (try disk(size: 1 << 20), try disk())
        try put(0..<4000, into: disk)
        clock.advance(1)
        let isDone = Atomic(false)
        let wrong = Atomic(0)
        let group = DispatchGroup()
        DispatchQueue(label: "reader").async(group: group) {
            while !isDone.load(ordering: .relaxed) {
                guard let found = try? other.read((0..<4000).map(identity)) else { continue }
                for (number, bytes) in found.enumerated() where bytes != nil && bytes?.first != UInt8(number & 255) {
                    wrong.add(1, ordering: .relaxed)
                }
            }
        }
        DispatchQueue(label: "writer").async(group: group) {
            for number in 4000..<4100 { try? put(number..<number + 1, into: other) }
        }
        #expect(disk.isOverLimits)
        #expect(try disk.evict(keeping: []) > 2000)
        isDone.store(true, ordering: .relaxed)
        group.wait()
        #expect(wrong.load(ordering: .relaxed) == 0)
        #expect(try kept(4000..<4100, in: disk).count == 100)
        #expect(try file.open().text("PRAGMA integrity_check") == "ok")
    }

    /// A file of the first format has no times of uses. It is made one of this format, and keeps what it has.
    @Test func aFileOfTheFirstFormatIsMigrated() throws {
        let first = try disk()
        try put(0..<10, into: first)
        first.close()
        let connection = try file.open()
        try connection.run("ALTER TABLE rows DROP COLUMN used; PRAGMA user_version = 1")
        connection.close()
        let disk = try disk(age: 86_400)
        #expect(try kept(0..<10, in: disk).count == 10)
        try put(10..<20, into: disk)
        #expect(disk.isOverLimits)
        #expect(try disk.evict(keeping: []) == 0)
        clock.advance(90_000)
        try put(20..<30, into: disk)
        #expect(disk.isOverLimits)
        #expect(try disk.evict(keeping: [identity(3)]) == 19)
        #expect(try kept(0..<30, in: disk) == Set(20..<30).union([3]))
        #expect(try file.open().integer("PRAGMA user_version") == DiskTables.format)
    }
}
