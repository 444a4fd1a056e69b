/// What the normalizer knows about one selection set while it reads an answer: the type that came last, and the fields of the object that is being read
/// there. A selection set is not met again inside itself, so one object at a time is enough.
struct NodeState: ~Copyable {
    // MARK: - The type that came last; most lists hold one type

    private(set) var type = TypeID.none
    /// Nil before the first object.
    private(set) var selections: WriteSelections?
    /// Those of `selections`.
    private(set) var fields = WriteFields.none
    private var shape: ObjectIdentifier?
    /// `"__typename":"Film"`, of an abstract type.
    private(set) var typename: [UInt8] = []
    /// What stands before the `id` in a data ID: nothing, or `Tag:`.
    private(set) var prefix: [UInt8] = []
    private(set) var hasPrefix = false
    /// Objects are told apart by the text of their `id` alone, and nothing else is asked of them.
    private(set) var isMereLink = false
    /// The shape of a record of the base that was seen to have an `id`.
    var shapeWithID: ObjectIdentifier?
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
    var seen: Set<Int> = []

    /// Expects objects of a type.
    mutating func expect(
        _ type: TypeID, _ selections: WriteSelections, typename: [UInt8] = [], prefix: [UInt8] = [],
        isMereLink: Bool = false
    ) {
        self.type = type
        self.selections = selections
        fields = selections.fields
        shape = selections.shape.map { ObjectIdentifier($0) }
        self.typename = typename
        self.prefix = prefix
        hasPrefix = !prefix.isEmpty
        self.isMereLink = isMereLink
        shapeWithID = nil
        block = -1
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
        if !seen.isEmpty { seen = [] }
        known = BorrowedRow(.unknown)
        confirmed = 0
        isConfirmed = false
    }
}

/// The states of the nodes of a plan, each at a fixed place, so that reading a field neither moves nor counts anything: through objects and arrays
/// an answer takes a third longer (benchmark `ingest.vs-foundation`).
final class NodeStates {
    private var places: UnsafeMutablePointer<UnsafeMutablePointer<NodeState>>
    private var count = 0
    private var capacity = 16

    init() { places = .allocate(capacity: capacity) }

    deinit {
        for index in 0..<count {
            places[index].deinitialize(count: 1)
            places[index].deallocate()
        }
        places.deallocate()
    }

    /// The state of a node by its ordinal, made if there is none; valid while this object is held.
    @inline(__always)
    subscript(ordinal: Int) -> UnsafeMutablePointer<NodeState> {
        if ordinal >= count { add(ordinal) }
        precondition(ordinal >= 0)
        return places[ordinal]
    }

    @inline(never)
    private func add(_ ordinal: Int) {
        if ordinal >= capacity {
            let larger = UnsafeMutablePointer<UnsafeMutablePointer<NodeState>>.allocate(capacity: ordinal * 2)
            larger.moveInitialize(from: places, count: count)
            places.deallocate()
            places = larger
            capacity = ordinal * 2
        }
        while count <= ordinal {
            let place = UnsafeMutablePointer<NodeState>.allocate(capacity: 1)
            place.initialize(to: NodeState())
            (places + count).initialize(to: place)
            count += 1
        }
    }
}

/// Values on their way from an answer into a row: memory that is used again for every object.
struct FieldBuffer: ~Copyable {
    private(set) var count = 0
    private var capacity: Int
    private var values: UnsafeMutablePointer<Value>

    init(capacity: Int) {
        self.capacity = max(capacity, 1)
        values = .allocate(capacity: self.capacity)
    }

    deinit {
        values.deinitialize(count: count)
        values.deallocate()
    }

    @inline(__always)
    mutating func append(_ value: consuming Value) {
        if count == capacity { grow() }
        (values + count).initialize(to: value)
        count &+= 1
    }

    @inline(never)
    private mutating func grow() {
        let larger = UnsafeMutablePointer<Value>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: values, count: count)
        values.deallocate()
        values = larger
        capacity *= 2
    }

    subscript(index: Int) -> Value {
        precondition(index >= 0 && index < count)
        return values[index]
    }

    mutating func removeAll() {
        values.deinitialize(count: count)
        count = 0
    }

    /// Gives the values to a caller who moves them away at once; there must be as many.
    @inline(__always)
    mutating func takeAll(_ expected: Int) -> UnsafeMutablePointer<Value> {
        precondition(count == expected)
        count = 0
        return values
    }
}
