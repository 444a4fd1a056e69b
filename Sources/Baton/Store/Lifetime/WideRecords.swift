/// Finds the records that have so many fields with arguments that a search for their unreached fields is worth its
/// cost.
struct WideRecords: Sendable {
    /// The number of fields with arguments up to which a record is not examined.
    static let arguments = 16
    /// The greatest number of records that one collection examines. Only stores with many wide records exceed it.
    static let limit = 4096

    /// The number of fields with arguments of each wide shape. The shapes are held, because another shape might
    /// otherwise get the same address.
    private var shapes: [ObjectIdentifier: (shape: Shape, arguments: Int)] = [:]
    private var found: [(record: RecordID, arguments: Int)] = []
    /// The least number of fields with arguments. Records with fewer fields are examined by another collection.
    private var fewest = Self.arguments + 1

    var records: [RecordID] { found.map(\.record) }

    /// Counts the fields with arguments of a version's shapes; returns false if only the root may be wide.
    mutating func begin(_ records: borrowing Records, _ names: NameTable) -> Bool {
        let root = records.shape(of: .root)
        for block in records.blocks where block.width > Self.arguments && block.shape !== root {
            let shape = block.shape
            guard shapes[ObjectIdentifier(shape)] == nil else { continue }
            shapes[ObjectIdentifier(shape)] = (shape, names.haveArguments(shape.keys).count { $0 })
        }
        return shapes.values.contains { $0.arguments >= fewest }
    }

    /// Examines the records of some pages.
    mutating func look(at pages: Range<Int>, of records: borrowing Records) {
        for page in pages {
            for (index, slot) in records.pages[page].enumerated() where slot.state == .existing {
                let block = records.block(at: slot)
                guard block.width > Self.arguments, let known = shapes[ObjectIdentifier(block.shape)],
                    known.arguments >= fewest
                else { continue }
                let record = RecordID(UInt32(truncatingIfNeeded: page * RecordPages.pageSize + index))
                found.append((record, known.arguments))
            }
        }
        while found.count > Self.limit {
            fewest *= 2
            found.removeAll { $0.arguments < fewest }
        }
    }
}

extension NameTable {
    /// Returns, for each key, true if it has arguments.
    func haveArguments(_ keys: [StorageKeyID]) -> [Bool] {
        access { names in keys.map(names.keys.hasArguments) }
    }
}
