/// The normalizer's knowledge about objects of one type in one selection set during one response, with the fields of
/// the object that is being read.
///
/// A selection set never occurs inside itself, so the state of one object at a time is enough.
struct NodeState: ~Copyable {
    // MARK: - The type

    let type: TypeID
    let name: TypeName
    /// The names of `fields`, for the data ID function; empty without such a function.
    let fieldNames: [String]
    let selections: WriteSelections
    /// The fields of `selections`.
    let fields: WriteFields
    private let shape: ObjectIdentifier?
    /// The type name in quotes, such as `"Film"`. It is empty if the name must be escaped; such a type is found by its
    /// number only.
    let typename: UnsafeRawBufferPointer
    private let typenameBytes: FixedBytes
    /// The text before the `id` in a data ID.
    let prefix: IDPrefix
    private let prefixOwner: IDPrefix.Owner?
    /// True if one rule identifies all objects here; false if their records are known in advance.
    let isIdentifying: Bool
    /// True if the `id` identifies the objects and is their only field.
    let isMereLink: Bool
    /// True if the `id` identifies the objects and is expected after other fields.
    let hasLateID: Bool
    /// True if no field has the key `__typename`, so that the member can be skipped.
    let skipsTypename: Bool
    /// True if the response must have the object's `__typename`.
    let needsTypename: Bool
    /// The state of another type for the same selection set.
    var next: UnsafeMutablePointer<NodeState>?
    /// The shape of a base record that has an `id`, and the position of the `id` in the shape.
    var shapeWithID: ObjectIdentifier?
    var idPosition = 0
    /// The prefix that the data ID function puts before the `id`; nil if it is not known yet.
    private(set) var chosenPrefix: IDPrefix?
    private var chosenOwner: IDPrefix.Owner?
    /// True if `id` is selected under one name only. A request of the data ID function for that name then means this
    /// field.
    let hasOneID: Bool
    /// The block that received the last record of the type.
    var block: Int32 = -1
    /// The way to find the base record of the next object, if its `id` comes late.
    private(set) var foresight = Foresight.guess

    /// A way to find the base record of an object whose `id` comes late, before the `id` has come.
    enum Foresight {
        /// The record that was linked here before, because the last object was the record linked before it.
        case guess
        /// The record with the `id` that a search in the response finds, because the last object had moved here from
        /// another place.
        case search
        /// No record, because the last object was new.
        case none
    }

    // MARK: - The object that is being read

    var values = FieldBuffer(capacity: 8)
    /// The positions of the fields. They are kept only if the fields are not the first expected ones, in order.
    var indices: [Int] = []
    var isInOrder = true
    /// The record in the base, if it was written with the same fields; otherwise a row without values.
    private(set) var known = BorrowedRow(.unknown)
    /// The number of fields that came in order with the values of the base. `values` is empty as long as all fields
    /// did.
    var confirmed = 0
    private(set) var isConfirmed = false
    /// The guessed record, which is that of `known`, until the `id` comes; otherwise `RecordID.none`.
    var guess = RecordID.none
    /// The number of confirmed lists before the object, if there is a guess.
    var listsBefore = 0
    /// The keys `__isX` of the object, by their position among the discriminators.
    var seen = Discriminators()
    /// The last set of keys that proved type facts.
    var learned: Learned?

    struct Learned: Equatable {
        let seen: Discriminators
        /// The version of the known type facts. While it is unchanged, the facts need not be proved again.
        let version: Int
    }

    /// - Parameters:
    ///   - name: The name of the type.
    ///   - prefix: The text before the `id` in data IDs; nil if the records are known already.
    ///   - fieldNames: The names of the fields if there is a data ID function.
    init(
        _ type: TypeID, _ name: String, _ selections: WriteSelections, prefix: String?, isAbstract: Bool,
        fieldNames: [String]?
    ) {
        self.type = type
        self.name = TypeName(name)
        self.fieldNames = fieldNames ?? []
        self.selections = selections
        fields = selections.fields
        shape = selections.shape.map { ObjectIdentifier($0) }
        let isPlain = name.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C }
        typenameBytes = FixedBytes(isPlain ? Array("\"\(name)\"".utf8) : [])
        typename = typenameBytes.view
        prefixOwner = prefix.flatMap { $0.isEmpty ? nil : IDPrefix.Owner($0) }
        self.prefix = prefixOwner?.prefix ?? .none
        isIdentifying = prefix != nil
        isMereLink = prefix != nil && selections.isMereLink && fieldNames == nil
        skipsTypename = !selections.hasTypename
        hasLateID = prefix != nil && selections.hasLateID
        needsTypename = isAbstract
        if let fieldNames, let idField = selections.idField {
            hasOneID = fieldNames.count { $0 == fieldNames[idField] } == 1
        } else {
            hasOneID = false
        }
    }

    /// Notes the prefix that the data ID function puts before an `id`.
    mutating func note(chosenPrefix prefix: String) {
        let owner = IDPrefix.Owner(prefix)
        (chosenOwner, chosenPrefix) = (owner, owner.prefix)
    }

    /// Returns true if a base record was written with the fields of this selection set.
    @inline(__always)
    func matches(_ row: BorrowedRow) -> Bool { row.state == .existing && row.type == type && row.shape == shape }

    /// Begins a comparison of the next fields with those of a base record, if the record was written with the same
    /// fields.
    @inline(__always)
    mutating func compare(to row: BorrowedRow) {
        guard matches(row) else { return }
        known = row
        isConfirmed = isInOrder && values.count == 0
    }

    /// True if there is a base record to compare with.
    var isCompared: Bool { known.state == .existing }

    /// Ends the comparison with a record that is not the record of the object.
    mutating func stopComparing() {
        diverge()
        known = BorrowedRow(.unknown)
    }

    /// Chooses the way to find the record of the next object. `record` is the record of this object, and `expected` is
    /// the record that was linked here before.
    @inline(__always)
    mutating func learn(_ record: RecordID, expected: RecordID) {
        foresight = record != .none && record == expected ? .guess : isCompared ? .search : .none
    }

    /// Switches to collecting values, because a field differs from the base record.
    mutating func diverge() {
        guard isConfirmed else { return }
        isConfirmed = false
        for index in 0..<confirmed {
            if let value = known.value(at: index) { values.append(value.pointee) }
        }
        confirmed = 0
    }

    /// Adds a field; nil stands for the value of the base record.
    @inline(__always)
    mutating func add(_ index: Int, _ value: consuming Value?) {
        if isConfirmed {
            if value == nil, index == confirmed {
                confirmed &+= 1
                return
            }
            diverge()
        }
        if isInOrder, index != values.count {
            isInOrder = false
            indices.append(contentsOf: 0..<values.count)
        }
        if !isInOrder { indices.append(index) }
        values.append(value ?? known.value(at: index)?.pointee ?? .null)
    }

    /// Returns the newest value that the object has so far for a storage key.
    func value(of key: StorageKeyID) -> Value? {
        for position in (0..<(isConfirmed ? confirmed : values.count)).reversed() {
            let index = isInOrder ? position : indices[position]
            guard fields[index].pointee.key == key else { continue }
            return isConfirmed ? known.value(at: index)?.pointee : values[position]
        }
        return nil
    }

    /// Prepares for the next object.
    @inline(__always)
    mutating func reset() {
        if values.count > 0 { values.removeAll() }
        if !isInOrder {
            indices.removeAll(keepingCapacity: true)
            isInOrder = true
        }
        if !seen.isEmpty { seen = Discriminators() }
        known = BorrowedRow(.unknown)
        confirmed = 0
        isConfirmed = false
    }
}

/// A set of positions of discriminators. Most sets are empty, and hardly any needs more than 64 positions.
struct Discriminators: Equatable {
    private var bits: UInt64 = 0
    private var others: Set<Int> = []

    var isEmpty: Bool { bits == 0 && others.isEmpty }

    mutating func insert(_ index: Int) {
        if index < 64 { bits |= 1 << UInt64(index) } else { others.insert(index) }
    }

    func contains(_ index: Int) -> Bool {
        index < 64 ? bits & 1 << UInt64(index) != 0 : others.contains(index)
    }
}
