extension Records {
    /// Rows of a block that are looked at; all rows of small ones are.
    private static let sample = 4

    /// The bytes of this version, were it alone. Texts and lists are counted in a few rows of each block, and taken to
    /// be alike in the others.
    var memoryUse: Int {
        var bytes = pages.count * (Self.pageSize * MemoryLayout<Slot>.stride + Heap.arrayHeader) + stamps.memoryUse
        for block in blocks {
            bytes += Heap.block + Heap.rounded(block.rowBytes)
            guard block.count > 0, block.width > 0 else { continue }
            let step = max(1, block.count / Self.sample)
            var sum = 0
            var count = 0
            for row in stride(from: step / 2, to: block.count, by: step) {
                count += 1
                for value in block.row(row) { sum += value.heapBytes }
            }
            if count > 0 { bytes += sum * block.count / count }
        }
        return bytes
    }
}

extension Value {
    /// The bytes that a value needs beside its place in a row; of a converted scalar those of its JSON, twice.
    fileprivate var heapBytes: Int {
        switch self {
        case .string(let text):
            let count = text.utf8.count
            return count > 15 ? Heap.rounded(Heap.arrayHeader + count + 1) : 0
        case .links(let records):
            return records.isEmpty
                ? 0 : Heap.rounded(Heap.arrayHeader + records.capacity * MemoryLayout<RecordID>.stride)
        case .list(let values):
            return values.isEmpty
                ? 0
                : values.reduce(Heap.rounded(Heap.arrayHeader + values.capacity * MemoryLayout<Value>.stride)) {
                    $0 + $1.heapBytes
                }
        // What a conversion makes is not known; mostly it is no larger than what it was made of.
        case .scalar(let scalar): return Heap.rounded(Heap.scalar) + 2 * scalar.json.heapBytes
        default: return 0
        }
    }
}

extension JSONValue {
    /// The bytes that a value needs beside its own place. Recursion is bounded by the depth of what was read.
    fileprivate var heapBytes: Int {
        switch self {
        case .string(let text):
            let count = text.utf8.count
            return count > 15 ? Heap.rounded(Heap.arrayHeader + count + 1) : 0
        case .array(let values):
            return values.reduce(Heap.rounded(Heap.arrayHeader + values.count * MemoryLayout<JSONValue>.stride)) {
                $0 + $1.heapBytes
            }
        case .object(let members):
            return members.reduce(Heap.rounded(Heap.arrayHeader + members.count * MemoryLayout<Member>.stride)) {
                $0 + JSONValue.string($1.name).heapBytes + $1.value.heapBytes
            }
        default: return 0
        }
    }
}
