/// The normalizer's knowledge about objects of one type in one selection set during one answer, with the fields of the
/// object that is being read.
///
/// A selection set never occurs inside itself, so one object at a time is enough.
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
    /// True if all objects here are identified by the same rule; false if their record is known already.
    let isIdentifying: Bool
    /// True if the `id` identifies the objects and is their only field.
    let isMereLink: Bool
    /// True if the `id` identifies the objects and is expected after other fields.
    let hasLateID: Bool
    /// True if no field has the key `__typename`, so that the member can be skipped.
    let skipsTypename: Bool
    /// True if the answer must tell the object's type.
    let needsTypename: Bool
    /// The state of another type for the same selection set.
    fileprivate(set) var next: UnsafeMutablePointer<NodeState>?
    /// The shape of a base record that was seen to have an `id`, and the position of the `id` in it.
    var shapeWithID: ObjectIdentifier?
    var idPosition = 0
    /// The prefix that the data ID function puts before the `id`; nil if none was seen yet.
    private(set) var chosenPrefix: IDPrefix?
    private var chosenOwner: IDPrefix.Owner?
    /// True if `id` is selected under one name only, so that a request for a field of that name means this field.
    let hasOneID: Bool
    /// The block that received the last record of the type.
    var block: Int32 = -1
    /// How the base record of the next object is found, if its `id` comes late.
    private(set) var foresight = Foresight.guess

    /// A way to find the base record of an object whose `id` comes late, before the `id` has come.
    enum Foresight {
        /// The record that was linked here before, because the last object was that one.
        case guess
        /// The record of the `id` that is searched in the answer, because the last object was elsewhere before.
        case search
        /// None, because the last object was new.
        case none
    }

    // MARK: - The object that is being read

    var values = FieldBuffer(capacity: 8)
    /// The positions of the fields. They are kept only if the fields are not the first expected ones, in order.
    var indices: [Int] = []
    var isInOrder = true
    /// The record in the base, if it was written with the same fields; otherwise a row without values.
    private(set) var known = BorrowedRow(.unknown)
    /// The number of fields that came in order with the values of the base. As long as all fields did, `values` is
    /// empty.
    var confirmed = 0
    private(set) var isConfirmed = false
    /// The record of `known`, as long as the `id` has not come; otherwise `RecordID.none`.
    var guess = RecordID.none
    /// The number of confirmed lists before the object, if there is a guess.
    var listsBefore = 0
    /// The keys `__isX` that came, by their position among the discriminators.
    var seen = Discriminators()
    /// The last type facts that such objects proved.
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

    /// Returns true if a base record was written with the fields that are expected here.
    @inline(__always)
    func matches(_ row: BorrowedRow) -> Bool { row.state == .existing && row.type == type && row.shape == shape }

    /// Compares the next fields with those of a base record, if it was written with the same fields.
    @inline(__always)
    mutating func compare(to row: BorrowedRow) {
        guard matches(row) else { return }
        known = row
        isConfirmed = isInOrder && values.count == 0
    }

    /// True if there is a base record to compare with.
    var isCompared: Bool { known.state == .existing }

    /// Ends the comparison with a record that turned out to be another.
    mutating func stopComparing() {
        diverge()
        known = BorrowedRow(.unknown)
    }

    /// Chooses how to find the record of the next object. `record` is that of this object, and `expected` was linked
    /// here before.
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

    /// The newest value that the object has so far for a storage key.
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

/// The states of the nodes of a plan, each at a fixed address. Reading a field then neither moves memory nor counts
/// references. With objects and arrays an answer would take a third longer (benchmark `ingest.vs-foundation`).
///
/// A node has a state for each type that it met, up to a limit. Lists of an interface contain several types in turn
/// (benchmark `ingest.variants`).
final class NodeStates {
    typealias State = UnsafeMutablePointer<NodeState>

    /// The last used state of each node; nil before the first object. The other states of the node are reached from it
    /// in a circle.
    private var places: UnsafeMutablePointer<State?>
    private var capacity = 16
    /// The greatest number of types of one node. The limit keeps searches short, whatever a server sends. Forgotten
    /// types are added again when they occur.
    private static let mostTypes = 16

    init() {
        places = .allocate(capacity: capacity)
        places.initialize(repeating: nil, count: capacity)
    }

    deinit {
        for index in 0..<capacity {
            guard let first = places[index] else { continue }
            var state = first.pointee.next
            while let other = state, other != first {
                state = other.pointee.next
                Self.free(other)
            }
            Self.free(first)
        }
        places.deallocate()
    }

    private static func free(_ state: State) {
        state.deinitialize(count: 1)
        state.deallocate()
    }

    /// The state that a node used last, by the node's ordinal; nil before its first object. Valid as long as this
    /// object lives.
    @inline(__always)
    subscript(ordinal: Int) -> State? {
        guard ordinal >= 0, ordinal < capacity else { return nil }
        return places[ordinal]
    }

    /// Returns a state of a node that fits, and makes it the last used one.
    @inline(__always)
    func use(_ ordinal: Int, where fits: (State) -> Bool) -> State? {
        guard let state = find(ordinal, where: fits) else { return nil }
        places[ordinal] = state
        return state
    }

    /// Returns a state of a node that fits.
    @inline(__always)
    func find(_ ordinal: Int, where fits: (State) -> Bool) -> State? {
        guard let last = self[ordinal] else { return nil }
        var state = last
        repeat {
            if fits(state) { return state }
            guard let next = state.pointee.next else { return nil }
            state = next
        } while state != last
        return nil
    }

    /// Adds a state and makes it the last used one. The oldest state may be removed for it.
    func add(_ ordinal: Int, _ state: consuming NodeState) -> State {
        precondition(ordinal >= 0)
        if ordinal >= capacity { grow(ordinal) }
        let place = State.allocate(capacity: 1)
        place.initialize(to: state)
        if let last = places[ordinal] {
            // The new state follows the last one in the circle. A single state has no next.
            place.pointee.next = last.pointee.next ?? last
            last.pointee.next = place
            limit(place)
        }
        places[ordinal] = place
        return place
    }

    /// Removes the oldest state if there are too many.
    private func limit(_ newest: State) {
        var count = 1
        var before = newest
        while let next = before.pointee.next, next != newest {
            before = next
            count += 1
        }
        guard count > Self.mostTypes, let oldest = newest.pointee.next else { return }
        newest.pointee.next = oldest.pointee.next
        Self.free(oldest)
    }

    private func grow(_ ordinal: Int) {
        let size = max(ordinal + 1, capacity * 2)
        let larger = UnsafeMutablePointer<State?>.allocate(capacity: size)
        larger.moveInitialize(from: places, count: capacity)
        (larger + capacity).initialize(repeating: nil, count: size - capacity)
        places.deallocate()
        places = larger
        capacity = size
    }
}
