extension GeneratedCode {
    /// What a generated `Data` struct, and every struct nested in it, conforms to.
    public protocol Selections: Sendable, Equatable {
        /// Reads every property from the reader's record, by position in the reader plan; nil if a non-null property has no value.
        init?(_ reader: inout RecordReader)
    }

    /// Stands on one record, or on one item of a list, and hands out values.
    ///
    /// The methods with a position read a field of the record's selection set; those without read the item on which the closure of a list
    /// stands. A value that is null, missing or excluded by a condition reads as nil. A reader is made for one read of one version and passed down
    /// `inout`; only what depends on a type of the generated code is inlinable, so that it is specialized there, the rest are plain calls.
    public struct RecordReader {
        private let records: Records
        private let plan: BoundPlan
        private let owner: BoundOperation
        private let typeNames: [String]
        private let isTracking: Bool
        private(set) var pairs: [Dependencies.Pair] = []
        private(set) var isMissingData = false
        private(set) var usesTypeFacts = false

        /// For each item of the plan the position of its value in the record; below 0 there is none. Valid for the shapes in `shapes`.
        private var positions: [Int32]
        /// For each selection set the shape of the record on which it stood last.
        private var shapes: [ObjectIdentifier?]

        /// The record, its fields, and the first item of its selection set.
        private var current: Place
        private var places: [Place] = []
        /// The list whose items are being read.
        private var items = Items.none
        /// The selection set of the items if they are objects.
        private var itemNode = 0
        private var lists: [(Items, Int)] = []
        private var item = Value.null
        /// What `Records.warm` gave; nobody looks at it.
        private var warmth = 0

        private struct Place {
            var record: RecordID
            var location: Records.Location
            /// The items of its selection set.
            var first: Int
            var count: Int
        }

        private enum Items {
            case none
            case links([RecordID])
            case values([Value])
        }

        private static let missing: Int32 = -1
        private static let excluded: Int32 = -2
    }
}

// MARK: - From record to record

extension GeneratedCode.RecordReader {
    init(_ records: Records, _ selections: BoundSelections, tracking: Bool) {
        self.records = records
        plan = selections.plan
        owner = selections.owner
        typeNames = owner.store.names.typeNames
        isTracking = tracking
        positions = Array(repeating: Self.missing, count: plan.items.count)
        shapes = Array(repeating: nil, count: plan.nodes.count)
        current = Place(record: .root, location: .init(page: .max, index: 0), first: 0, count: 0)
    }

    /// Goes to a record with a selection set; `leave` goes back. False if there is nothing to be read.
    @inline(__always)
    mutating func enter(_ record: RecordID, _ node: Int) -> Bool {
        if isTracking { pairs.append(.init(record: record, node: UInt32(truncatingIfNeeded: node))) }
        guard let location = records.location(of: record), records.state(at: location) != .unknown else {
            isMissingData = true
            return false
        }
        guard records.state(at: location) == .existing else { return false }
        if shapes[node] != records.shapeID(at: location) { resolve(node, records[record].shape) }
        places.append(current)
        current = Place(
            record: record, location: location, first: plan.nodes[node].first, count: plan.nodes[node].count)
        return true
    }

    /// Finds the positions of the fields of a selection set in records of a shape.
    private mutating func resolve(_ node: Int, _ shape: Shape) {
        shapes[node] = ObjectIdentifier(shape)
        for index in plan.items(of: node) {
            switch plan.items[index].kind {
            case .leaf, .composite:
                positions[index] =
                    shape.position(of: plan.items[index].key).map(Int32.init(truncatingIfNeeded:)) ?? Self.missing
            case .excluded: positions[index] = Self.excluded
            case .inline, .spread: positions[index] = 0
            }
        }
    }

    /// Goes back to where `enter` left.
    @usableFromInline
    mutating func leave() {
        if let place = places.popLast() { current = place }
    }

    /// The position of a field's value in the record; nil if there is none.
    @inline(__always)
    private mutating func position(_ field: Int) -> Int? {
        let index = current.first &+ field
        guard field < current.count, index < positions.count else { return nil }
        let position = Int(positions[index])
        if position >= 0 { return position }
        if positions[index] == Self.missing { isMissingData = true }
        return nil
    }

    @inline(__always)
    private mutating func value(_ field: Int) -> Value {
        guard let position = position(field) else { return .null }
        return records[position, current.location]
    }

    @usableFromInline
    mutating func enterObject(_ field: Int) -> Bool {
        guard let position = position(field), case .link(let record) = records[position, current.location] else {
            return false
        }
        return enter(record, Int(plan.items[current.first &+ field].child))
    }

    @usableFromInline
    mutating func enterItem() -> Bool {
        guard case .link(let record) = item else { return false }
        return enter(record, itemNode)
    }

    /// Decides a type condition on the current record.
    private mutating func isMatch(_ item: BoundPlan.Item) -> Bool {
        guard item.kind != .excluded else { return false }
        guard let condition = item.condition else { return true }
        guard item.isAbstract else { return records.type(at: current.location) == condition }
        usesTypeFacts = true
        if let holds = records.fact(records.type(at: current.location), is: condition) { return holds }
        isMissingData = true
        return false
    }

    @usableFromInline
    mutating func enterInlineFragment(_ field: Int) -> Bool {
        let index = current.first &+ field
        guard index < plan.items.count, isMatch(plan.items[index]) else { return false }
        return enter(current.record, Int(plan.items[index].child))
    }

    @usableFromInline
    mutating func spread(_ field: Int) -> GeneratedCode.FragmentTarget? {
        let index = current.first &+ field
        guard index < plan.items.count, isMatch(plan.items[index]) else { return nil }
        return GeneratedCode.FragmentTarget(owner: owner, record: current.record)
    }

    @usableFromInline
    var currentTarget: GeneratedCode.FragmentTarget { .init(owner: owner, record: current.record) }
}

// MARK: - Lists

extension GeneratedCode.RecordReader {
    /// Begins to read a list; its length, or below 0 if there is none. `endList` must follow if there is one.
    @usableFromInline
    mutating func beginList(_ field: Int) -> Int {
        guard let position = position(field) else { return -1 }
        return begin(records[position, current.location], Int(plan.items[current.first &+ field].child))
    }

    /// Begins to read the list that is the current item of another.
    @usableFromInline
    mutating func beginInnerList() -> Int { begin(item, itemNode) }

    private mutating func begin(_ value: Value, _ node: Int) -> Int {
        switch value {
        case .links(let records):
            lists.append((items, itemNode))
            (items, itemNode) = (.links(records), node)
            return records.count
        case .list(let values):
            lists.append((items, itemNode))
            (items, itemNode) = (.values(values), node)
            return values.count
        default: return -1
        }
    }

    /// Makes an item of the list the one that the methods without position read.
    @usableFromInline
    mutating func stand(on index: Int) {
        switch items {
        case .links(let records):
            if index & 7 == 0 { warmth &+= self.records.warm(records[index..<min(index &+ 8, records.count)]) }
            let record = records[index]
            item = record == .none ? .null : .link(record)
        case .values(let values): item = values[index]
        case .none: item = .null
        }
    }

    /// Goes back to the list around.
    @usableFromInline
    mutating func endList() {
        if let last = lists.popLast() { (items, itemNode) = last }
    }
}

// MARK: - Scalars

extension GeneratedCode.RecordReader {
    /// The value of a mapped scalar, or its JSON if a local update wrote it.
    @usableFromInline
    enum Scalar {
        case converted(any Sendable)
        case json(JSONValue)
    }

    @usableFromInline
    mutating func mappedScalar(_ field: Int) -> Scalar? { Self.scalar(value(field)) }
    @usableFromInline
    mutating func mappedScalarItem() -> Scalar? { Self.scalar(item) }

    private static func scalar(_ value: Value) -> Scalar? {
        switch value {
        case .scalar(let scalar): .converted(scalar.value)
        case .null, .link, .links: nil
        default: .json(value.json { _ in "" })
        }
    }

    /// The name of the record's object type.
    public mutating func typename() -> String {
        let index = Int(records.type(at: current.location).index)
        return index < typeNames.count ? typeNames[index] : ""
    }

    /// A `String`, an `ID` or a scalar without a mapping.
    public mutating func string(_ field: Int) -> String? {
        guard let position = position(field) else { return nil }
        if case .string(let text) = records[position, current.location] { return text }
        return records[position, current.location].string
    }

    /// An `Int`.
    public mutating func int(_ field: Int) -> Int? {
        guard let position = position(field), case .int(let value) = records[position, current.location] else {
            return nil
        }
        return value
    }

    /// A `Float`.
    public mutating func double(_ field: Int) -> Double? {
        guard let position = position(field) else { return nil }
        return records[position, current.location].double
    }

    /// A `Boolean`.
    public mutating func bool(_ field: Int) -> Bool? {
        guard let position = position(field), case .bool(let value) = records[position, current.location] else {
            return nil
        }
        return value
    }

    /// A `String`, an `ID` or a scalar without a mapping.
    public mutating func string() -> String? { item.string }

    /// An `Int`.
    public mutating func int() -> Int? {
        if case .int(let value) = item { value } else { nil }
    }

    /// A `Float`.
    public mutating func double() -> Double? { item.double }

    /// A `Boolean`.
    public mutating func bool() -> Bool? {
        if case .bool(let value) = item { value } else { nil }
    }
}

extension Value {
    /// Text, also where a local update wrote a number for an ID.
    fileprivate var string: String? {
        switch self {
        case .string(let text): text
        case .int(let value): String(value)
        case .scalar(let scalar): scalar.json.text
        case .double, .bool, .list: json { _ in "" }.text
        case .null, .link, .links: nil
        }
    }

    fileprivate var double: Double? {
        switch self {
        case .double(let value): value
        case .int(let value): Double(value)
        default: nil
        }
    }
}
