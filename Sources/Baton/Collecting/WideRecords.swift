/// Finds the records with so many fields with arguments that it pays to see which of them are reached.
struct WideRecords: Sendable {
    /// How many fields with arguments a record may have without being looked at.
    static let arguments = 16
    /// The most records that are looked at in a collection; there are more only where wide records are the rule.
    static let limit = 4096

    /// The number of fields with arguments by shape, of those with many fields. The shapes are held, or another might
    /// come to stand at the same place.
    private var shapes: [ObjectIdentifier: (shape: Shape, arguments: Int)] = [:]
    private var found: [(record: RecordID, arguments: Int)] = []
    /// Records with fewer are left for another time.
    private var fewest = Self.arguments + 1

    var records: [RecordID] { found.map(\.record) }

    /// Counts the arguments of the shapes of a version; false if it has no wide record but the root.
    mutating func begin(_ records: borrowing Records, _ names: NameTable) -> Bool {
        let root = records.shape(of: .root)
        for block in records.blocks where block.width > Self.arguments && block.shape !== root {
            let shape = block.shape
            guard shapes[ObjectIdentifier(shape)] == nil else { continue }
            shapes[ObjectIdentifier(shape)] = (shape, names.haveArguments(shape.keys).count { $0 })
        }
        return shapes.values.contains { $0.arguments >= fewest }
    }

    /// Looks at the records of some pages.
    mutating func look(at pages: Range<Int>, of records: borrowing Records) {
        for page in pages {
            for (index, slot) in records.pages[page].enumerated() where slot.state == .existing {
                let block = records.block(at: slot)
                guard block.width > Self.arguments, let known = shapes[ObjectIdentifier(block.shape)],
                    known.arguments >= fewest
                else { continue }
                let record = RecordID(UInt32(truncatingIfNeeded: page * Records.pageSize + index))
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
    /// Says of each key whether it has arguments.
    func haveArguments(_ keys: [StorageKeyID]) -> [Bool] {
        access { names in keys.map(names.keys.hasArguments) }
    }
}
