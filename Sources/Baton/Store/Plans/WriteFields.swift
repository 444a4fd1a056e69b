/// The fields of `WriteSelections`, valid as long as the selections live.
///
/// The fields lie in memory of their own. If they were in an array or an object, each use of a field would count
/// references (benchmark `ingest.vs-foundation`).
struct WriteFields: @unchecked Sendable {
    static let none = WriteFields([])

    let count: Int
    private let base: UnsafeMutablePointer<WriteField>

    init(_ fields: [WriteField]) {
        count = fields.count
        base = .allocate(capacity: max(count, 1))
        base.initialize(from: fields, count: count)
    }

    func free() {
        base.deinitialize(count: count)
        base.deallocate()
    }

    /// Returns a field; the index is checked.
    @inline(__always)
    subscript(index: Int) -> UnsafePointer<WriteField> {
        precondition(index >= 0 && index < count)
        return UnsafePointer(base + index)
    }

    /// Returns the position of a field. The search starts at the expected position and then goes on with the earlier
    /// fields, because a response leaves out the fields of conditions that do not hold.
    func index(of key: UnsafeRawBufferPointer, from expected: Int) -> Int? {
        let start = min(expected, count)
        return (start..<count).first { base[$0].isNamed(key) } ?? (0..<start).first { base[$0].isNamed(key) }
    }

    /// Returns the position of the field with a response key.
    func index(of key: String) -> Int? { (0..<count).first { base[$0].isNamed(key) } }
}
