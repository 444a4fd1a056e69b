extension Records {
    /// The number of rows of a block that are examined; all rows of small blocks are.
    private static let sample = 4

    /// An estimate of the memory of this version in bytes, as if it shared nothing. Texts and lists are counted in a
    /// few rows of each block, and estimated for the other rows. Rows without a record count as long as they have
    /// values.
    var memoryUse: Int {
        let bytesOfPage = RecordPages.pageSize * MemoryLayout<Slot>.stride + Heap.arrayHeader
        var bytes = pages.count * bytesOfPage + stamps.memoryUse
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
    /// The memory of a value in bytes besides its place in a row. A converted scalar counts as twice its JSON.
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
        // The memory of a converted value is unknown. It is usually no larger than its JSON.
        case .scalar(let scalar): return Heap.rounded(Heap.scalar) + 2 * scalar.json.heapBytes
        default: return 0
        }
    }
}

extension JSONValue {
    /// The memory of a value in bytes besides its own place. The recursion is bounded by the depth of the response.
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
