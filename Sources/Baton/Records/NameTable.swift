/// The names of one store and their numbers: records, storage keys, types, shapes.
///
/// The name of a record goes with it when a collection finds that nothing knows its number any more, and the number is
/// given to the next; the same holds for storage keys with arguments. Other names are never forgotten. One lock guards
/// them all; it is innermost, nothing else is taken and nothing is called while it is held. Whoever holds the table can
/// turn numbers into text, with or without the store.
package final class NameTable: Sendable {
    struct Names {
        var records: RecordTable
        var keys = KeyTable()
        fileprivate(set) var types: [String] = []
        fileprivate var typeIDs: [ExactText: TypeID] = [:]
        fileprivate var shapes: [[StorageKeyID]: Shape] = [:]
        /// Those in which a key has arguments, apart because they are dropped more often.
        fileprivate var argumentShapes: [[StorageKeyID]: Shape] = [:]
        /// How many shapes there were after those that nobody used were last dropped.
        fileprivate var shapesKept = 0
        /// Whether objects of a type are identified by `id` alone: decided when the first is met, and kept.
        fileprivate var implementsNode: [TypeID: Bool] = [:]
        fileprivate var places = 0
    }

    private let names: Guarded<Names>
    /// Counts those who keep numbers outside the store.
    let gate = NumberHold.Gate()
    let rootType: TypeID
    /// The field that identifies objects.
    let idKey: StorageKeyID
    /// The names of the fields of connections.
    let connections: ConnectionKeys
    /// The application's own rule for identities; called outside every lock.
    let customDataID: DataIDFunction?
    /// What updates may name, and what they named that nobody knows.
    private let spelling = Guarded(Spelling())

    static let rootTypeName = "__Root"

    init(connections: ConnectionNames = ConnectionNames(), dataID: DataIDFunction? = nil) {
        customDataID = dataID
        var names = Names(records: RecordTable(seed: UInt64.random(in: .min ... .max)))
        _ = names.records.intern(Array(DataID.root.rawValue.utf8))
        rootType = names.type(Self.rootTypeName)
        idKey = names.key("id")
        self.connections = ConnectionKeys(connections, &names)
        self.names = Guarded(names, .names)
    }

    /// Works on the names while nobody else does. Nothing else may be asked of the table meanwhile.
    @inline(__always)
    func access<Result>(_ body: (inout sending Names) -> sending Result) -> sending Result { names.withLock(body) }

    /// Works on what updates may name.
    func withSpelling<Result>(_ body: (inout sending Spelling) -> sending Result) -> sending Result {
        spelling.withLock(body)
    }

    /// The bytes of the names of records, of storage keys and of shapes.
    var memoryUse: Int {
        names.withLock { names in
            // A shape stands in itself and in the dictionary.
            names.records.memoryUse + names.keys.memoryUse
                + (names.shapes.count + names.argumentShapes.count) * Self.bytesOfShape
        }
    }

    /// What a shape of some ten fields needs.
    private static let bytesOfShape = 256
    /// With fewer shapes it is not worth while to look for those that nobody uses.
    private static let fewShapes = 1024

    /// Drops the shapes that no record and no plan has, if there are twice as many as the last time; the next record of
    /// such a shape makes it anew. To be called while nothing is merged.
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

    /// The number of shapes that are known.
    var shapeCount: Int { names.withLock { $0.shapes.count + $0.argumentShapes.count } }

    // MARK: - Types and keys

    func type(_ name: String) -> TypeID { names.withLock { $0.type(name) } }
    func key(_ name: String) -> StorageKeyID { names.withLock { $0.key(name) } }

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

    /// The shape with these keys; small ones are shared.
    func shape(_ keys: [StorageKeyID]) -> Shape {
        guard keys.count <= 64 else { return Shape(keys, uses(of: keys)) }
        return names.withLock { names in
            guard keys.contains(where: names.keys.hasArguments) else {
                if let shape = names.shapes[keys] { return shape }
                let shape = Shape(keys, [])
                names.shapes[keys] = shape
                return shape
            }
            if let shape = names.argumentShapes[keys] { return shape }
            let shape = Shape(keys, names.keys.uses(of: keys))
            names.argumentShapes[keys] = shape
            return shape
        }
    }

    /// References to those of some keys that have arguments: who keeps the numbers keeps these.
    func uses(of keys: some Sequence<StorageKeyID>) -> [KeyTable.Use] { names.withLock { $0.keys.uses(of: keys) } }

    /// Says whether there may be many storage keys that nothing uses.
    var areKeysWorthFreeing: Bool { names.withLock { $0.keys.isWorthFreeing } }
    /// The number of storage keys with arguments.
    var argumentKeyCount: Int { names.withLock { $0.keys.argumentCount } }

    /// Looks at some storage keys and forgets those that nothing uses; `others` are in use without a reference. To be
    /// called while nothing is merged and nobody holds numbers.
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

    /// Whether objects of the type are identified by `id` alone. The first proposal for a type decides.
    func implementsNode(_ type: TypeID, proposed: Bool) -> Bool {
        names.withLock { names in
            if let known = names.implementsNode[type] { return known }
            names.implementsNode[type] = proposed
            return proposed
        }
    }

    /// Whether objects of the type are identified by `id` alone; nil if none was met.
    func isKnownToImplementNode(_ type: TypeID) -> Bool? { names.withLock { $0.implementsNode[type] } }

    /// The identities that an object with this `id` may have by the rule by which answers are written: one, or two as
    /// long as no answer has shown whether its type implements `Node`.
    func dataIDs(of type: TypeName, id: String) -> [DataID] {
        if let chosen = customDataID?(type, ObjectFields(.object([.init("id", .string(id))]))) { return [chosen] }
        let implementsNode = names.withLock { names in
            names.typeIDs[ExactText(type.rawValue)].flatMap { names.implementsNode[$0] }
        }
        let (own, prefixed) = (DataID(id), DataID("\(type):\(id)"))
        return implementsNode.map { [$0 ? own : prefixed] } ?? [prefixed, own]
    }

    /// Records whose identity is this one with the name of a type in front, without it, or with another.
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

    /// What stands before the `id` in the data IDs of a type; nil if no object of it was met.
    func prefix(of type: TypeID) -> String? {
        isKnownToImplementNode(type).map { $0 ? "" : "\(name(of: type)):" }
    }

    // MARK: - Records

    /// What tells a record from the others; nil for a number that was given back.
    func identity(of record: RecordID) -> RecordTable.Identity? { names.withLock { $0.records.identity(of: record) } }

    /// The number of a data ID given as text; nil if it is not known and not to be added.
    func record(_ id: DataID, adding: Bool) -> RecordID? {
        names.withLock { names in
            let text = Array(id.rawValue.utf8)
            if let record = names.records.intern(text, adding: false) ?? names.place(id.rawValue) { return record }
            return adding ? names.records.intern(text) : nil
        }
    }

    /// The number of an identity that an application chose for an object of an answer. Looks first whether it is the
    /// record that is expected there, and takes note of how it was chosen.
    func record(
        chosen id: DataID, expected: RecordID = .none, _ choice: RecordTable.Choice? = nil
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
            if let choice, record != .root { names.records.note(choice, of: record) }
            return record
        }
    }

    func record(parent: RecordID, key: StorageKeyID, index: UInt32 = RecordTable.noIndex) -> RecordID {
        names.withLock { $0.records.intern(parent: parent, key: key, index: index) }
    }

    /// Like the other, but first looks whether it is the record that is expected there.
    func record(parent: RecordID, key: StorageKeyID, index: UInt32, expected: RecordID) -> RecordID {
        names.withLock { names in
            names.records.isPlace(expected, parent: parent, key: key, index: index)
                ? expected : names.records.intern(parent: parent, key: key, index: index)
        }
    }

    /// How many of these records are one of the roots or have their path below one; the query root is none.
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

    /// A record that no other operation shares, for the root fields of a mutation or an event.
    func newRoot(_ kind: OperationKind) -> RecordID {
        names.withLock { names in
            while true {
                names.places += 1
                let text = Array("\(DataID.root.rawValue):\(kind.rawValue):\(names.places)".utf8)
                // A store that was restored may hold some.
                if names.records.intern(text, adding: false) == nil { return names.records.intern(text) ?? .none }
            }
        }
    }

    /// The record that a place belongs to; nil for one with a text of its own.
    func parent(of record: RecordID) -> RecordID? { names.withLock { $0.records.parent(of: record) } }

    /// The place for which a record stands; nil for one with a text of its own.
    func place(of record: RecordID) -> (parent: RecordID, key: StorageKeyID, index: UInt32)? {
        names.withLock { $0.records.place(of: record) }
    }

    /// Says whether a record holds the root fields of a mutation or an event, or has its path below one that does.
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

    /// A record that nobody has heard of.
    func newLocalRecord() -> RecordID {
        names.withLock { names in
            while true {
                names.places += 1
                let text = Array("client:local:\(names.places)".utf8)
                // A store that was restored may hold some.
                if names.records.intern(text, adding: false) == nil { return names.records.intern(text) ?? .none }
            }
        }
    }

    /// The text of a data ID.
    func dataID(of record: RecordID) -> DataID {
        names.withLock { $0.dataID(of: record) }
    }

    /// The text of a data ID without its first bytes.
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
        // From the record up to the nearest one that has a text of its own.
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
                steps.append(index == RecordTable.noIndex ? name : "\(name):\(index)")
                current = parent
            case nil: return ""
            }
        }
    }

    /// The record whose text as a path is this one.
    ///
    /// `client:1:friends(first:2):0` can be cut in several ways, because identifiers and arguments may hold colons:
    /// each cut is followed as long as its parts are known.
    fileprivate mutating func place(_ text: String) -> RecordID? {
        let prefix = "client:"
        guard text.hasPrefix(prefix) else { return nil }
        let bytes = Array(text.utf8)
        let ends = bytes.indices.filter { bytes[$0] == UInt8(ascii: ":") && $0 >= prefix.utf8.count } + [bytes.count]
        // What was found, by the position after it.
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
                    if let record = records.intern(parent: parent, key: key, index: RecordTable.noIndex, adding: false)
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
