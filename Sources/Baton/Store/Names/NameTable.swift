// The identity of a record has several owners, this one for a type with an `id`; ReadingTheDesign.md names the others.

/// The names of one store and their numbers: records, storage keys, types, shapes.
///
/// A collection that finds no use of a record's number removes the record's name, and the number is given to another
/// record. The same holds for storage keys with arguments. Other names are never removed.
///
/// One lock guards all names. It is innermost: no other lock is taken and no other code is called while it is held.
/// Code that holds the table can convert numbers to text even after the store is gone.
package final class NameTable: Sendable {
    struct Names: Sendable {
        var records: RecordNumbers
        var keys = KeyNumbers()
        fileprivate(set) var types: [String] = []
        fileprivate var typeIDs: [ExactText: TypeID] = [:]
        fileprivate var shapes: [[StorageKeyID]: Shape] = [:]
        /// The number of shapes that were made.
        fileprivate var shapesMade: UInt64 = 0
        /// The shapes with arguments in a key. They are kept apart because they are dropped more often.
        fileprivate var argumentShapes: [[StorageKeyID]: Shape] = [:]
        /// The number of shapes after the unused ones were last dropped.
        fileprivate var shapesKept = 0
        /// For each type, true if its objects are identified by `id` alone. The first object of a type decides for all
        /// later ones.
        fileprivate var implementsNode: [TypeID: Bool] = [:]
        fileprivate var places = 0
    }

    private let names: Guarded<Names>
    /// Counts the holders of numbers outside the store.
    let gate = NumberHold.Gate()
    let rootType: TypeID
    /// The key of the field that identifies objects.
    let idKey: StorageKeyID
    /// The keys of the fields of connections.
    let connections: ConnectionKeys
    /// The application's own rule for identities; called while no lock is held.
    let customDataID: DataID.Function?
    /// The greatest number of words of a result.
    let resultWords: Int
    /// The names that updates may use, and the unknown names that they have used.
    private let spelling = Guarded(Spelling())

    static let rootTypeName = "__Root"
    static let defaultResultWords = 64 << 20

    init(
        connections: StoreOptions.ConnectionNames = StoreOptions.ConnectionNames(), dataID: DataID.Function? = nil,
        resultWords: Int = defaultResultWords
    ) {
        customDataID = dataID
        self.resultWords = resultWords
        var names = Names(records: RecordNumbers(seed: UInt64.random(in: .min ... .max)))
        _ = names.records.intern(Array(DataID.root.rawValue.utf8))
        rootType = names.type(Self.rootTypeName)
        idKey = names.key("id")
        self.connections = ConnectionKeys(connections, &names)
        self.names = Guarded(names, .names)
    }

    /// Makes a table over the names of another store. The numbers of its records are shared; the rest copies on write.
    init(over base: NamesBase) {
        customDataID = base.customDataID
        resultWords = base.resultWords
        rootType = base.rootType
        idKey = base.idKey
        connections = base.connections
        var names = base.names
        names.records = RecordNumbers(over: base.records)
        self.names = Guarded(names, .names)
    }

    /// The current names, for tables over them. Takes constant time.
    var base: NamesBase {
        let names = names.withLock { $0 }
        return NamesBase(
            names: names, records: RecordNumbersBase(names.records), customDataID: customDataID,
            resultWords: resultWords, rootType: rootType, idKey: idKey, connections: connections)
    }

    /// Calls `body` with exclusive access to the names. `body` must not call other methods of the table.
    @inline(__always)
    func access<Result>(_ body: (inout sending Names) -> sending Result) -> sending Result { names.withLock(body) }

    /// Calls `body` with exclusive access to the spelling of names.
    func withSpelling<Result>(_ body: (inout sending Spelling) -> sending Result) -> sending Result {
        spelling.withLock(body)
    }

    /// Returns the name of the field of a key, without arguments.
    func fieldName(of key: StorageKeyID) -> String { String(StorageKey(name(of: key)).fieldName) }

    /// The number of types of fields that the documents in use tell. It grows when one is used for the first time.
    var fieldTypes: Int { withSpelling { $0.countTypes() } }

    /// Forgets the records and the shapes, because their store is gone. Results that are held keep the table for the
    /// names of types. Does nothing while numbers of records are held, because the holders ask for the texts of their
    /// records.
    func forgetRecords() {
        guard gate.isFree else { return }
        // The memory is freed while the lock is not held.
        _ = names.withLock { names in
            let old = names
            names.records = RecordNumbers(seed: 0)
            (names.shapes, names.argumentShapes) = ([:], [:])
            return old
        }
    }

    /// The memory of the names of records, storage keys and shapes in bytes.
    var memoryUse: Int {
        names.withLock { names in
            // The keys of a shape are in the shape and in the dictionary.
            names.records.memoryUse + names.keys.memoryUse
                + (names.shapes.count + names.argumentShapes.count) * Self.bytesOfShape
        }
    }

    /// An estimate for a shape of about ten fields.
    private static let bytesOfShape = 256
    /// The least number of shapes for which a search for unused shapes is worth its cost.
    private static let fewShapes = 1024

    /// Drops the shapes that no record and no plan uses, if the number of shapes has doubled since they were last
    /// dropped. A later record of such a shape makes the shape again. Must be called while nothing is merged.
    func dropUnusedShapes() {
        names.withLock { names in
            guard names.shapes.count > max(Self.fewShapes, 2 * names.shapesKept) else { return }
            Self.dropUnused(&names.shapes)
            names.shapesKept = names.shapes.count
        }
    }

    private static func dropUnused(_ shapes: inout [[StorageKeyID]: Shape]) {
        var index = shapes.startIndex
        var unused: [[StorageKeyID]] = []
        while index != shapes.endIndex {
            if isKnownUniquelyReferenced(&shapes.values[index]) { unused.append(shapes[index].key) }
            shapes.formIndex(after: &index)
        }
        for keys in unused { shapes[keys] = nil }
    }

    /// The number of known shapes.
    var shapeCount: Int { names.withLock { $0.shapes.count + $0.argumentShapes.count } }

    // MARK: - Types and keys

    func type(_ name: String) -> TypeID { names.withLock { $0.type(name) } }
    func key(_ name: String) -> StorageKeyID { names.withLock { $0.key(name) } }

    /// Returns the number of a type that plans or responses have named; nil for another name.
    func knownType(_ name: String) -> TypeID? { names.withLock { $0.typeIDs[ExactText(name)] } }

    /// The name of a type.
    func name(of type: TypeID) -> String {
        names.withLock { Int(type.index) < $0.types.count ? $0.types[Int(type.index)] : "" }
    }

    /// The text of a storage key.
    func name(of key: StorageKeyID) -> String {
        names.withLock { $0.keys.text(of: key) }
    }

    /// Every type name, by number.
    var typeNames: [String] { names.withLock { $0.types } }

    /// Every type name and every storage key, by number.
    var typesAndKeys: (types: [String], keys: [String]) { names.withLock { ($0.types, $0.keys.texts) } }

    /// Returns the shape with these keys; small shapes are shared.
    func shape(_ keys: [StorageKeyID]) -> Shape {
        let owner = ObjectIdentifier(self)
        return names.withLock { names in
            names.shapesMade += 1
            let number = names.shapesMade
            guard keys.count <= 64 else { return Shape(keys, names.keys.uses(of: keys), number: number, owner: owner) }
            guard keys.contains(where: names.keys.hasArguments) else {
                if let shape = names.shapes[keys] { return shape }
                let shape = Shape(keys, [], number: number, owner: owner)
                names.shapes[keys] = shape
                return shape
            }
            if let shape = names.argumentShapes[keys] { return shape }
            let shape = Shape(keys, names.keys.uses(of: keys), number: number, owner: owner)
            names.argumentShapes[keys] = shape
            return shape
        }
    }

    /// Returns a shape with further keys, which follow those of another one.
    func shape(_ shape: Shape, adding added: [StorageKeyID]) -> Shape {
        if shape.count >= Shape.growingFrom {
            let (number, uses) = names.withLock { names in
                names.shapesMade += 1
                return (names.shapesMade, names.keys.uses(of: added))
            }
            let owner = ObjectIdentifier(self)
            if let extended = shape.extended(by: added, uses, number: number, owner: owner) { return extended }
        }
        return self.shape(shape.keys + added)
    }

    /// Returns references to the keys that have arguments. Code that keeps the keys' numbers must keep the references.
    func uses(of keys: some Sequence<StorageKeyID>) -> [KeyNumbers.Use] { names.withLock { $0.keys.uses(of: keys) } }

    /// True if there may be many unused storage keys.
    var areKeysWorthFreeing: Bool { names.withLock { $0.keys.isWorthFreeing } }
    /// The number of storage keys with arguments.
    var argumentKeyCount: Int { names.withLock { $0.keys.argumentCount } }

    /// Examines some storage keys and frees the unused ones; `others` are in use without a reference. Must be called
    /// while nothing is merged and nothing holds numbers.
    func freeKeys(
        from first: Int, count: Int, except others: Set<StorageKeyID>
    ) -> (next: Int?, freed: [StorageKeyID]) {
        names.withLock { names in
            if first == 0 { Self.dropUnused(&names.argumentShapes) }
            let records = names.records
            return names.keys.free(from: first, count: count) {
                records.hasPlaces(under: $0) || others.contains($0)
            }
        }
    }

    /// Returns true if objects of the type are identified by `id` alone. The first call for a type decides, by
    /// `proposed`.
    func implementsNode(_ type: TypeID, proposed: Bool) -> Bool {
        names.withLock { names in
            if let known = names.implementsNode[type] { return known }
            names.implementsNode[type] = proposed
            return proposed
        }
    }

    /// Returns true if objects of the type are identified by `id` alone; nil if no object was met.
    func isKnownToImplementNode(_ type: TypeID) -> Bool? { names.withLock { $0.implementsNode[type] } }

    /// Returns the identities that an object with this `id` may have. There are two as long as no response has shown
    /// whether the type implements `Node`.
    func dataIDs(of type: TypeName, id: String) -> [DataID] {
        if let chosen = customDataID?(type, DataID.Fields(.object([.init("id", .string(id))]))) { return [chosen] }
        let implementsNode = names.withLock { names in
            names.typeIDs[ExactText(type.rawValue)].flatMap { names.implementsNode[$0] }
        }
        let (own, prefixed) = (DataID(id), DataID("\(type):\(id)"))
        return implementsNode.map { [$0 ? own : prefixed] } ?? [prefixed, own]
    }

    /// Returns the records whose identities differ from this one only in the type name at the beginning, which may be
    /// missing.
    func records(near id: DataID) -> [RecordID] {
        let text = id.rawValue
        let withoutType = text.firstIndex(of: ":").map { String(text[text.index(after: $0)...]) }
        return names.withLock { names in
            var found: [RecordID] = []
            for id in [text, withoutType].compactMap(\.self) where !id.isEmpty {
                for candidate in [id] + names.types.map({ "\($0):\(id)" }) where candidate != text {
                    if let record = names.records.intern(Array(candidate.utf8), adding: false) { found.append(record) }
                }
            }
            return found
        }
    }

    /// Returns the text before the `id` in the data IDs of a type; nil if no object of the type was met.
    func prefix(of type: TypeID) -> String? {
        isKnownToImplementNode(type).map { $0 ? "" : "\(name(of: type)):" }
    }

    // MARK: - Records

    /// Returns the identity of a record; nil for a free number.
    func identity(of record: RecordID) -> RecordNumbers.Identity? { names.withLock { $0.records.identity(of: record) } }

    /// Returns the number of a data ID; nil if the data ID is unknown and `adding` is false.
    func record(_ id: DataID, adding: Bool) -> RecordID? {
        names.withLock { names in
            let text = Array(id.rawValue.utf8)
            if let record = names.records.intern(text, adding: false) ?? names.place(id.rawValue) { return record }
            return adding ? names.records.intern(text) : nil
        }
    }

    /// Returns the number of an identity that the data ID function chose for an object of a response. The expected
    /// record is checked first. `choice` notes how the identity was chosen.
    func record(
        chosen id: DataID, expected: RecordID = .none, _ choice: RecordNumbers.Choice? = nil
    ) -> RecordID {
        names.withLock { names in
            var text = id.rawValue
            let record = text.withUTF8 { bytes in
                JSONCursor.reading(bytes) { cursor in
                    let text = IDText(prefix: .none, range: 0..<bytes.count)
                    return names.records.isText(expected, text, in: cursor)
                        ? expected : names.records.intern(text, in: cursor)
                }
            }
            if let choice, record != .root { names.records.noteChoice(choice, of: record) }
            return record
        }
    }

    func record(parent: RecordID, key: StorageKeyID, index: UInt32 = RecordNumbers.noIndex) -> RecordID {
        names.withLock { $0.records.intern(parent: parent, key: key, index: index) }
    }

    /// Returns the number of a place. The expected record is checked first.
    func record(parent: RecordID, key: StorageKeyID, index: UInt32, expected: RecordID) -> RecordID {
        names.withLock { names in
            names.records.isPlace(expected, parent: parent, key: key, index: index)
                ? expected : names.records.intern(parent: parent, key: key, index: index)
        }
    }

    /// Returns the number of the given records that are one of the roots or have their path below one. The query root
    /// does not count as a root.
    func count(_ records: [RecordID], below roots: [RecordID]) -> Int {
        let roots = Set(roots.filter { $0 != .root })
        guard !roots.isEmpty else { return 0 }
        return names.withLock { names in
            records.count { record in
                var current = record
                while !roots.contains(current), let parent = names.records.parent(of: current) { current = parent }
                return roots.contains(current)
            }
        }
    }

    /// Makes a record for the root fields of a mutation or an event, which no other operation shares.
    func newRoot(_ kind: OperationKind) -> RecordID {
        names.withLock { names in
            while true {
                names.places += 1
                let text = Array("\(DataID.root.rawValue):\(kind.rawValue):\(names.places)".utf8)
                // A restored store may contain such records.
                if names.records.intern(text, adding: false) == nil { return names.records.intern(text) ?? .none }
            }
        }
    }

    /// Returns the parent of a record's place; nil for a record with a text of its own.
    func parent(of record: RecordID) -> RecordID? { names.withLock { $0.records.parent(of: record) } }

    /// Returns the place of a record; nil for a record with a text of its own.
    func place(of record: RecordID) -> (parent: RecordID, key: StorageKeyID, index: UInt32)? {
        names.withLock { $0.records.place(of: record) }
    }

    /// Returns true if a record has the root fields of a mutation or an event, or has its path below such a record.
    func isBelowCall(_ record: RecordID) -> Bool {
        names.withLock { names in
            var current = record
            while let parent = names.records.parent(of: current) { current = parent }
            guard case .text(let text) = names.records.identity(of: current) else { return false }
            return [OperationKind.mutation, .subscription].contains {
                let prefix = "\(DataID.root.rawValue):\($0.rawValue):"
                return text.hasPrefix(prefix) && text.dropFirst(prefix.count).allSatisfy(\.isNumber)
            }
        }
    }

    /// True for a record and for those that have their places below it.
    func isBelow(_ top: RecordID, _ record: RecordID) -> Bool {
        names.withLock { names in
            var current = record
            while current != top {
                guard let parent = names.records.parent(of: current) else { return false }
                current = parent
            }
            return true
        }
    }

    /// Begins the numbers of local records and of calls anew, so that no other opening of a file has one of them.
    func beginSession(_ session: UInt32) {
        names.withLock { $0.places = max($0.places, Int(session) << 31) }
    }

    /// Makes a record with an unused identity.
    func newLocalRecord() -> RecordID {
        names.withLock { names in
            while true {
                names.places += 1
                let text = Array("client:local:\(names.places)".utf8)
                // A restored store may contain such records.
                if names.records.intern(text, adding: false) == nil { return names.records.intern(text) ?? .none }
            }
        }
    }

    /// Returns the text of a record's data ID.
    func dataID(of record: RecordID) -> DataID {
        names.withLock { $0.dataID(of: record) }
    }

    /// Returns the text of a record's data ID without its first bytes.
    func text(of record: RecordID, droppingFirst count: Int) -> String {
        names.withLock { names in
            names.records.text(of: record, droppingFirst: count)
                ?? String(decoding: names.dataID(of: record).rawValue.utf8.dropFirst(count), as: UTF8.self)
        }
    }
}

extension NameTable.Names {
    mutating func type(_ name: String) -> TypeID {
        if let known = typeIDs[ExactText(name)] { return known }
        let id = TypeID(index: UInt32(truncatingIfNeeded: types.count))
        types.append(name)
        typeIDs[ExactText(name)] = id
        return id
    }

    mutating func key(_ name: String) -> StorageKeyID { keys.number(of: name) }

    func dataID(of record: RecordID) -> DataID {
        // The loop goes from the record up to the nearest parent with a text of its own.
        var steps: [String] = []
        var current = record
        while true {
            switch records.identity(of: current) {
            case .text(let own):
                guard !steps.isEmpty else { return DataID(own) }
                let prefix = own.hasPrefix("client:") ? own : "client:\(own)"
                return DataID(([prefix] + steps.reversed()).joined(separator: ":"))
            case .place(let parent, let key, let index):
                let name = keys.text(of: key)
                steps.append(index == RecordNumbers.noIndex ? name : "\(name):\(index)")
                current = parent
            case nil: return ""
            }
        }
    }

    private static let mostColons = 4096
    /// The greatest product of colons and bytes, with which the time of the search grows.
    private static let longestSearch = 1 << 26

    /// Returns the record whose path has this text.
    ///
    /// `client:1:friends(first:2):0` can be cut in several ways, because identifiers and arguments may contain colons.
    /// Each cut is followed as long as its parts are known. A text from a server may have any length and any number of
    /// colons, and the search takes time that grows with their product. A text above one of the two limits is taken for
    /// no path.
    fileprivate mutating func place(_ text: String) -> RecordID? {
        let prefix = "client:"
        guard text.hasPrefix(prefix) else { return nil }
        let bytes = Array(text.utf8)
        let ends = bytes.indices.filter { bytes[$0] == UInt8(ascii: ":") && $0 >= prefix.utf8.count } + [bytes.count]
        guard ends.count <= Self.mostColons, ends.count * bytes.count <= Self.longestSearch else { return nil }
        // The found records, by the position after their text.
        var found: [Int: Set<RecordID>] = [:]
        for end in ends.dropLast() {
            for start in [0, prefix.utf8.count] {
                if let record = records.intern(Array(bytes[start..<end]), adding: false) {
                    found[end + 1, default: []].insert(record)
                }
            }
        }
        for (position, end) in ends.enumerated() {
            for start in [prefix.utf8.count] + ends[..<position].map({ $0 + 1 }) {
                guard let parents = found[start],
                    let key = keys.known(String(decoding: bytes[start..<end], as: UTF8.self))
                else { continue }
                let next = position + 1 < ends.count ? ends[position + 1] : nil
                let index = next.flatMap { UInt32(String(decoding: bytes[end + 1..<$0], as: UTF8.self)) }
                for parent in parents {
                    if let record = records.intern(
                        parent: parent, key: key, index: RecordNumbers.noIndex, adding: false)
                    {
                        if end == bytes.count { return record }
                        found[end + 1, default: []].insert(record)
                    }
                    if let next, let index,
                        let record = records.intern(parent: parent, key: key, index: index, adding: false)
                    {
                        if next == bytes.count { return record }
                        found[next + 1, default: []].insert(record)
                    }
                }
            }
        }
        return nil
    }
}
