/// The identities that a text such as `client:1:friends(first:2):0` may stand for.
///
/// A process that has just opened its file knows no storage keys, so it cannot tell where a key begins and ends: keys
/// and identifiers may contain colons. The file is asked for every cut.
struct PlaceCuts {
    /// The greatest number of cuts. A text with more is taken for no place.
    private static let most = 256
    private let parts: [String]
    private var found: [DiskIdentity] = []
    private var steps: [(key: String, index: UInt32)] = []

    static func identities(of id: DataID) -> [DiskIdentity] {
        guard id.rawValue.hasPrefix("client:") else { return [] }
        let parts = id.rawValue.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard parts.count > 2, parts.count <= 12 else { return [] }
        var cuts = PlaceCuts(parts: parts)
        for end in 1..<parts.count - 1 {
            // A parent with a text of its own stands behind `client:`, unless its text begins so.
            for start in [0, 1] where start <= end {
                cuts.cut(from: end + 1, below: parts[start...end].joined(separator: ":"))
            }
        }
        return cuts.found
    }

    private init(parts: [String]) { self.parts = parts }

    private mutating func cut(from start: Int, below text: String) {
        guard found.count < Self.most else { return }
        guard start < parts.count else {
            found.append(DiskIdentity(text: text, steps))
            return
        }
        for end in start..<parts.count {
            let key = parts[start...end].joined(separator: ":")
            steps.append((key, RecordNumbers.noIndex))
            cut(from: end + 1, below: text)
            steps.removeLast()
            guard end + 1 < parts.count, let index = UInt32(parts[end + 1]), index != RecordNumbers.noIndex else {
                continue
            }
            steps.append((key, index))
            cut(from: end + 2, below: text)
            steps.removeLast()
        }
    }
}
