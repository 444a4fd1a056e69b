/// What the normalizer knows about the objects of one type in one selection set while it reads an answer, and the
/// fields of the object that is being read
/// there. A selection set is not met again inside itself, so one object at a time is enough.
struct NodeState: ~Copyable {
    // MARK: - The type

    let type: TypeID
    let name: TypeName
    /// The names of `fields`, for the application; none if it is not asked.
    let fieldNames: [String]
    let selections: WriteSelections
    /// Those of `selections`.
    let fields: WriteFields
    private let shape: ObjectIdentifier?
    /// `"Film"`, with the quotes; empty if the name has to be escaped, and then it is found by its number alone.
    let typename: UnsafeRawBufferPointer
    private let typenameBytes: FixedBytes
    /// What stands before the `id` in a data ID.
    let prefix: IDPrefix
    private let prefixOwner: IDPrefix.Owner?
    /// What was decided about the identities of the objects counts for all of them; not of one whose record is known
    /// otherwise.
    let isIdentifying: Bool
    /// Objects are told apart by their `id` alone, and nothing else is asked of them.
    let isMereLink: Bool
    /// Passing over `__typename` is all that it needs: no field has this key.
    let skipsTypename: Bool
    /// The answer decides about the type.
    let needsTypename: Bool
    /// The state of another type for the same selection set.
    fileprivate(set) var next: UnsafeMutablePointer<NodeState>?
    /// The shape of a record of the base that was seen to have an `id`, and where it has it.
    var shapeWithID: ObjectIdentifier?
    var idPosition = 0
    /// What stands before the `id` in the data IDs that the application chooses by it; nil while none was seen.
    private(set) var chosenPrefix: IDPrefix?
    private var chosenOwner: IDPrefix.Owner?
    /// The `id` has one name only, so that who asks for a field of that name gets this one.
    let hasOneID: Bool
    /// The block to which the last record of the type went.
    var block: Int32 = -1

    // MARK: - The object that is being read

    var values = FieldBuffer(capacity: 8)
    /// The positions of the fields; kept only once they are not the first ones that were expected, in order.
    var indices: [Int] = []
    var isInOrder = true
    /// The record as the base has it, if it was written with the same fields; otherwise without values.
    private(set) var known = BorrowedRow(.unknown)
    /// The number of fields so far, while they came in order and are those of the base: then there are no values.
    var confirmed = 0
    private(set) var isConfirmed = false
    /// The keys `__isX` that came, by position among the discriminators.
    var seen = Discriminators()
    /// What such objects were last found to prove.
    var learned: Learned?

    struct Learned: Equatable {
        let seen: Discriminators
        /// Nothing was learned since by others that could contradict it.
        let version: Int
    }

    /// - Parameters:
    ///   - name: the name of the type.
    ///   - prefix: what stands before the `id`; nil if the record is known otherwise.
    ///   - fieldNames: the names of the fields if the application chooses the identities.
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
        needsTypename = isAbstract
        if let fieldNames, let idField = selections.idField {
            hasOneID = fieldNames.count { $0 == fieldNames[idField] } == 1
        } else {
            hasOneID = false
        }
    }

    /// Takes note of what the application puts before an `id`.
    mutating func note(chosenPrefix prefix: String) {
        let owner = IDPrefix.Owner(prefix)
        (chosenOwner, chosenPrefix) = (owner, owner.prefix)
    }

    /// Says whether a record of the base was written with the fields that are expected here.
    @inline(__always)
    func matches(_ row: BorrowedRow) -> Bool { row.state == .existing && row.type == type && row.shape == shape }

    /// Compares the fields from here on with those of a record of the base, if they are the same fields.
    @inline(__always)
    mutating func compare(to row: BorrowedRow) {
        guard matches(row) else { return }
        known = row
        isConfirmed = isInOrder && values.count == 0
    }

    /// Goes on with values, because something is different.
    mutating func diverge() {
        guard isConfirmed else { return }
        isConfirmed = false
        for index in 0..<confirmed {
            if let value = known.value(at: index) { values.append(value.pointee) }
        }
        confirmed = 0
    }

    /// Adds a field; nil is the value that the base has.
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

    /// Gets ready for the next object.
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

/// A set of the positions of discriminators; there are seldom any, and hardly ever more than 64.
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

/// The states of the nodes of a plan, each at a fixed place, so that reading a field neither moves nor counts anything:
/// through objects and arrays an answer takes a third longer (benchmark `ingest.vs-foundation`).
///
/// A node has a state for each type that it met, up to a limit: lists of an interface hold several types in turn
/// (benchmark `ingest.variants`).
final class NodeStates {
    typealias State = UnsafeMutablePointer<NodeState>

    /// Of each node the state that was used last, from which the others are reached in a circle; nil before the first
    /// object.
    private var places: UnsafeMutablePointer<State?>
    private var capacity = 16
    /// More types of one node than these are forgotten and found anew, so that a search ends soon whatever a server
    /// sends.
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

    /// The state that a node used last, by its ordinal; nil before its first object. Valid while this object is held.
    @inline(__always)
    subscript(ordinal: Int) -> State? {
        guard ordinal >= 0, ordinal < capacity else { return nil }
        return places[ordinal]
    }

    /// The state of a node that fits, which is then the last one used.
    @inline(__always)
    func use(_ ordinal: Int, where fits: (State) -> Bool) -> State? {
        guard let state = find(ordinal, where: fits) else { return nil }
        places[ordinal] = state
        return state
    }

    /// The state of a node that fits.
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

    /// Adds a state, which is then the last one used. One of the others may go for it.
    func add(_ ordinal: Int, _ state: consuming NodeState) -> State {
        precondition(ordinal >= 0)
        if ordinal >= capacity { grow(ordinal) }
        let place = State.allocate(capacity: 1)
        place.initialize(to: state)
        if let last = places[ordinal] {
            // In the circle it comes after the last one; alone, a state has no next.
            place.pointee.next = last.pointee.next ?? last
            last.pointee.next = place
            limit(place)
        }
        places[ordinal] = place
        return place
    }

    /// Forgets the state that was added longest ago if there are too many.
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
