/// The stamps of a record that has a stamp for each field.
///
/// The root of a large app has thousands of fields, and the stamps of one version may be shared with other versions.
/// From some hundred fields on, the stamps are therefore in pages that copy on write, by the numbers of the keys.
struct FieldStamps: Sendable {
    private static let mostOfFew = 256
    private static let pageSize = 256

    private var few: [StorageKeyID: FetchStamps.Stamp] = [:]
    /// The stamps by the numbers of their keys, in pages; 0 for keys without a stamp. A page without stamps is empty.
    private var pages: [[FetchStamps.Stamp]] = []
    private var isPaged = false

    /// The stamp of a field; nil if there is none.
    subscript(key: StorageKeyID) -> FetchStamps.Stamp? {
        get {
            guard isPaged else { return few[key] }
            let (page, place) = (Int(key.index) / Self.pageSize, Int(key.index) % Self.pageSize)
            guard page < pages.count, !pages[page].isEmpty, pages[page][place] != FetchStamps.none else { return nil }
            return pages[page][place]
        }
        set {
            guard isPaged else {
                few[key] = newValue
                if few.count > Self.mostOfFew { turnIntoPages() }
                return
            }
            let (page, place) = (Int(key.index) / Self.pageSize, Int(key.index) % Self.pageSize)
            while pages.count <= page { pages.append([]) }
            if pages[page].isEmpty { pages[page] = Array(repeating: FetchStamps.none, count: Self.pageSize) }
            pages[page][place] = newValue ?? FetchStamps.none
        }
    }

    private mutating func turnIntoPages() {
        let fields = few
        few = [:]
        isPaged = true
        for (key, stamp) in fields { self[key] = stamp }
    }

    /// Calls `body` for each field.
    func forEachField(_ body: (StorageKeyID, FetchStamps.Stamp) -> Void) {
        for (key, stamp) in few { body(key, stamp) }
        for (number, page) in pages.enumerated() {
            for (place, stamp) in page.enumerated() where stamp != FetchStamps.none {
                body(StorageKeyID(index: UInt32(truncatingIfNeeded: number * Self.pageSize + place)), stamp)
            }
        }
    }

    /// The fields.
    var keys: [StorageKeyID] {
        var keys: [StorageKeyID] = []
        forEachField { key, _ in keys.append(key) }
        return keys
    }

    /// The stamps of the fields, in the order of `keys`.
    var stamps: [FetchStamps.Stamp] {
        var stamps: [FetchStamps.Stamp] = []
        forEachField { _, stamp in stamps.append(stamp) }
        return stamps
    }

    /// The same fields with other stamps.
    func mapped(_ stamp: (FetchStamps.Stamp) -> FetchStamps.Stamp) -> FieldStamps {
        var result = FieldStamps()
        forEachField { result[$0] = stamp($1) }
        return result
    }

    /// The memory in bytes.
    var memoryUse: Int {
        guard isPaged else { return Heap.block + few.capacity * Heap.entry }
        let size = Heap.arrayHeader + Self.pageSize * MemoryLayout<FetchStamps.Stamp>.stride
        return Heap.block + pages.reduce(0) { $0 + ($1.isEmpty ? 8 : size) }
    }
}
