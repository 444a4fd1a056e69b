extension String {
    /// Returns the names that are spelled most like this one, the nearest first; at most five.
    func nearest(in names: some Sequence<String>) -> [String] {
        let wanted = Array(utf8)
        // Two swapped letters count as two changes.
        let limit = wanted.count < 4 ? 1 : max(2, wanted.count / 3)
        return Set(names).map { (name: $0, distance: Array($0.utf8).distance(to: wanted, limit: limit)) }
            .filter { $0.distance <= limit }
            // Two changes of four letters make another word, unless letters were swapped.
            .filter { $0.distance < 2 || wanted.count > 4 || $0.name.utf8.sorted() == wanted.sorted() }
            .sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }
            .prefix(5).map(\.name)
    }
}

extension [UInt8] {
    /// Returns the number of letters to insert, remove or replace to turn one text into the other; a number greater
    /// than `limit` if it exceeds the limit.
    fileprivate func distance(to other: [UInt8], limit: Int) -> Int {
        guard abs(count - other.count) <= limit, Swift.max(count, other.count) <= 128 else { return limit + 1 }
        var row = [Int](0...other.count)
        for (index, byte) in enumerated() {
            var corner = row[0]
            row[0] = index + 1
            for (position, candidate) in other.enumerated() {
                let changed = corner + (byte == candidate ? 0 : 1)
                corner = row[position + 1]
                row[position + 1] = Swift.min(changed, row[position] + 1, corner + 1)
            }
        }
        return row[other.count]
    }
}
