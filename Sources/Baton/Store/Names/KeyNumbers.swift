/// Gives every storage key a small number.
///
/// A key with arguments contains a user's input, so there may be any number of them. The number of such a key is freed
/// when nothing uses it, and is given to another key. The number of keys without arguments is bounded by the fields of
/// the schema.
struct KeyNumbers: Sendable {
    /// A reference to the number of a key with arguments. The number stays as long as anything besides the table has a
    /// reference.
    ///
    /// Shapes and bound plans have references for their keys. Code that keeps a number without a reference must have a
    /// ``NumberHold``.
    final class Use: Sendable {}

    /// The texts by number; empty for free numbers.
    private(set) var texts: [String] = []
    private var numbers: [ExactText: StorageKeyID] = [:]
    /// The references by number; nil for keys without arguments.
    private var uses: [Use?] = []
    private var freeNumbers = NumberPool()
    /// The number of keys with arguments.
    private(set) var argumentCount = 0
    /// The number of keys with arguments after numbers were last freed.
    private var kept = 0
    /// The memory of the texts in bytes.
    private var bytes = 0

    private static let bytesOfUse = 32
    /// The least number of keys with arguments for which a search for unused keys is worth its cost.
    private static let few = 256

    /// Returns the number of a text, which is added if it is unknown.
    mutating func number(of text: String) -> StorageKeyID {
        if let known = numbers[ExactText(text)] { return known }
        let hasArguments = text.utf8.contains(UInt8(ascii: "("))
        let key: StorageKeyID
        if let free = freeNumbers.popFirst() {
            key = StorageKeyID(index: free)
            texts[Int(free)] = text
            uses[Int(free)] = hasArguments ? Use() : nil
        } else {
            key = StorageKeyID(index: UInt32(truncatingIfNeeded: texts.count))
            texts.append(text)
            uses.append(hasArguments ? Use() : nil)
        }
        if hasArguments { argumentCount += 1 }
        bytes += Self.bytes(of: text)
        numbers[ExactText(text)] = key
        return key
    }

    /// Returns the number of a text; nil if it is unknown.
    func known(_ text: String) -> StorageKeyID? { numbers[ExactText(text)] }

    /// Returns the text of a number; empty if the number is free.
    func text(of key: StorageKeyID) -> String { Int(key.index) < texts.count ? texts[Int(key.index)] : "" }

    func hasArguments(_ key: StorageKeyID) -> Bool { Int(key.index) < uses.count && uses[Int(key.index)] != nil }

    /// Returns references to the keys that have arguments.
    func uses(of keys: some Sequence<StorageKeyID>) -> [Use] {
        keys.compactMap { Int($0.index) < uses.count ? uses[Int($0.index)] : nil }
    }

    /// The memory of the table in bytes. Each text is in the array and in the dictionary.
    var memoryUse: Int {
        bytes + texts.capacity * 16 + numbers.capacity * 24 + uses.capacity * 8 + argumentCount * Self.bytesOfUse
    }

    private static func bytes(of text: String) -> Int {
        text.utf8.count > 15 ? Heap.rounded(Heap.arrayHeader + text.utf8.count + 1) : 0
    }

    // MARK: - Freeing

    /// True if the number of keys with arguments has doubled since numbers were last freed, so that a search is worth
    /// its cost.
    var isWorthFreeing: Bool { argumentCount > max(Self.few, 2 * kept) }

    /// Examines some numbers and frees the keys that nothing uses. `isInUse` returns true for a number that is used
    /// without a reference.
    ///
    /// - Returns: The next number to examine, nil at the end; and the freed numbers.
    mutating func free(
        from first: Int, count: Int, unless isInUse: (StorageKeyID) -> Bool
    ) -> (next: Int?, freed: [StorageKeyID]) {
        var freed: [StorageKeyID] = []
        let end = max(first, min(first + count, texts.count))
        for index in first..<end where uses[index] != nil {
            let key = StorageKeyID(index: UInt32(truncatingIfNeeded: index))
            guard isKnownUniquelyReferenced(&uses[index]), !isInUse(key) else { continue }
            numbers[ExactText(texts[index])] = nil
            bytes -= Self.bytes(of: texts[index])
            texts[index] = ""
            uses[index] = nil
            argumentCount -= 1
            freeNumbers.insert(key.index)
            freed.append(key)
        }
        guard end >= texts.count else { return (end, freed) }
        trim()
        kept = argumentCount
        return (nil, freed)
    }

    /// Frees memory. A key without arguments may have an empty text and keeps its number.
    private mutating func trim() {
        while !texts.isEmpty, isFree(StorageKeyID(index: UInt32(truncatingIfNeeded: texts.count - 1))) {
            texts.removeLast()
            uses.removeLast()
            freeNumbers.remove(UInt32(truncatingIfNeeded: texts.count))
        }
        freeNumbers.trim(to: texts.count)
        guard texts.capacity > 256, texts.count * 4 < texts.capacity else { return }
        // These are copies of the right size.
        texts = texts.map { $0 }
        uses = uses.map { $0 }
        numbers = Dictionary(uniqueKeysWithValues: numbers.map { ($0, $1) })
    }

    /// Returns true if a number is free.
    func isFree(_ key: StorageKeyID) -> Bool {
        Int(key.index) >= texts.count || texts[Int(key.index)].isEmpty && numbers[ExactText("")] != key
    }

    /// The inconsistencies of the table.
    var violations: [String] {
        var found: [String] = []
        for index in texts.indices {
            let key = StorageKeyID(index: UInt32(truncatingIfNeeded: index))
            if isFree(key) { continue }
            if numbers[ExactText(texts[index])] != key { found.append("key \(index) is not found under its text") }
        }
        let used = texts.count - freeNumbers.count
        if numbers.count != used { found.append("\(numbers.count) keys have \(used) numbers") }
        if argumentCount != uses.count(where: { $0 != nil }) { found.append("keys with arguments are miscounted") }
        return found
    }
}
