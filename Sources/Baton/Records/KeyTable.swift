/// Gives every storage key a small number.
///
/// A key with arguments holds what people have typed, and there may be any number of them: its number is taken back
/// when nothing uses it, and given to another. Those without are no more than the schema has fields.
struct KeyTable: Sendable {
    /// A reference to the number of a key with arguments; while anybody but the table has one, the number stays.
    ///
    /// Shapes and bound plans have them for their keys. Whoever has a number and none of these holds a ``NumberHold``.
    final class Use: Sendable {}

    /// The texts by number; empty where there is no key any more.
    private(set) var texts: [String] = []
    private var numbers: [ExactText: StorageKeyID] = [:]
    /// Nil for keys without arguments.
    private var uses: [Use?] = []
    private var freeNumbers = NumberPool()
    /// The number of keys with arguments.
    private(set) var argumentCount = 0
    /// How many there were when numbers were last taken back.
    private var kept = 0
    /// The bytes of the texts.
    private var bytes = 0

    private static let bytesOfUse = 32
    /// With fewer it is not worth while to look for those that nothing uses.
    private static let few = 256

    /// The number of a text; a new one if it is not known.
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

    /// The number of a text; nil if it is not known.
    func known(_ text: String) -> StorageKeyID? { numbers[ExactText(text)] }

    /// The text of a number; empty if it stands for nothing.
    func text(of key: StorageKeyID) -> String { Int(key.index) < texts.count ? texts[Int(key.index)] : "" }

    func hasArguments(_ key: StorageKeyID) -> Bool { Int(key.index) < uses.count && uses[Int(key.index)] != nil }

    /// References to those of the keys that have arguments.
    func uses(of keys: some Sequence<StorageKeyID>) -> [Use] {
        keys.compactMap { Int($0.index) < uses.count ? uses[Int($0.index)] : nil }
    }

    /// A key stands in the list and in the dictionary.
    var memoryUse: Int {
        bytes + texts.capacity * 16 + numbers.capacity * 24 + uses.capacity * 8 + argumentCount * Self.bytesOfUse
    }

    private static func bytes(of text: String) -> Int {
        text.utf8.count > 15 ? Heap.rounded(Heap.arrayHeader + text.utf8.count + 1) : 0
    }

    // MARK: - Forgetting

    /// There are so many more than the last time that it pays to find those that nothing uses.
    var isWorthFreeing: Bool { argumentCount > max(Self.few, 2 * kept) }

    /// Looks at some numbers and forgets those keys that nothing uses; `isInUse` knows of uses without a reference.
    ///
    /// - Returns: the next number to look at, nil at the end, and the numbers that are free now.
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

    /// Gives memory back. A key without arguments may have an empty text, and keeps its number.
    private mutating func trim() {
        while !texts.isEmpty, isFree(StorageKeyID(index: UInt32(truncatingIfNeeded: texts.count - 1))) {
            texts.removeLast()
            uses.removeLast()
            freeNumbers.remove(UInt32(truncatingIfNeeded: texts.count))
        }
        freeNumbers.trim(to: texts.count)
        guard texts.capacity > 256, texts.count * 4 < texts.capacity else { return }
        // Copies of the right size.
        texts = texts.map { $0 }
        uses = uses.map { $0 }
        numbers = Dictionary(uniqueKeysWithValues: numbers.map { ($0, $1) })
    }

    /// Says whether a number stands for nothing.
    func isFree(_ key: StorageKeyID) -> Bool {
        Int(key.index) >= texts.count || texts[Int(key.index)].isEmpty && numbers[ExactText("")] != key
    }

    /// What is wrong with the table.
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
