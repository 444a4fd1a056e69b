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
        let records: Records
        let plan: BoundPlan
        private let owner: BoundOperation
        private let typeNames: [String]
        private let isTracking: Bool
        /// The plan has marks that concern a reader: then `RecordReader+Errors.swift` has its say at every field.
        let isChecked: Bool
        var trace = ReaderTrace()
        private(set) var pairs: [Dependencies.Pair] = []
        var isMissingData = false
        private(set) var usesTypeFacts = false

        /// For each item of the plan the position of its value in the record; below 0 there is none. Valid for the shapes in `shapes`.
        private(set) var positions: [Int32]
        /// For each selection set the shape of the record on which it stood last.
        private var shapes: [ObjectIdentifier?]

        /// The record, its fields, and the first item of its selection set.
        private(set) var current = Place(record: .root, row: BorrowedRow(.unknown), first: 0, count: 0)
        /// The list whose items are being read, and the item.
        private var list = ListPlace.none
        private var index = 0
        /// What `Records.warm` gave; nobody looks at it.
        private var warmth: UInt8 = 0

        /// Where a reader stands. Kept by the caller, which goes back to it.
        @usableFromInline
        struct Place {
            var record: RecordID
            var row: BorrowedRow
            /// The items of its selection set.
            var first: Int
            var count: Int
        }

        /// A list that is being read. Kept by the caller, which goes back to it.
        @usableFromInline
        struct ListPlace {
            var items: BorrowedList
            /// The selection set of the items if they are objects.
            var node: Int

            static var none: ListPlace { ListPlace(items: .none, node: 0) }
        }

        private static let missing: Int32 = -1
        static let excluded: Int32 = -2
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
        isChecked = selections.plan.isChecked
        positions = Array(repeating: Self.missing, count: plan.items.count)
        shapes = Array(repeating: nil, count: plan.nodes.count)
        if tracking { pairs.reserveCapacity(plan.expectedPairs) }
    }

    /// Goes to the record at which the read begins; false if there is nothing to be read.
    mutating func begin(at root: RecordID) -> Bool { enter(root, 0) }

    /// Goes to a record with a selection set. False if there is nothing to be read.
    @inline(__always)
    private mutating func enter(_ record: RecordID, _ node: Int) -> Bool {
        if isTracking { pairs.append(.init(record: record, node: UInt32(truncatingIfNeeded: node))) }
        let row = records.row(of: record)
        guard row.state == .existing else {
            if row.state == .unknown { noteMissing() }
            return false
        }
        if shapes[node] != row.shape { resolve(node, records.shape(of: record)) }
        current = Place(record: record, row: row, first: plan.nodes[node].first, count: plan.nodes[node].count)
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

    /// Where the reader stands, to come back to.
    @usableFromInline
    var place: Place {
        get { current }
        set {
            current = newValue
            if isChecked { trace.leave() }
        }
    }

    /// A field's value in the record; nil if there is none.
    @inline(__always)
    private mutating func value(_ field: Int) -> UnsafePointer<Value>? {
        if isChecked { return checkedValue(field) }
        let index = current.first &+ field
        guard field < current.count, index < positions.count else { return nil }
        let position = Int(positions[index])
        if position >= 0 { return current.row.value(at: position) }
        if positions[index] == Self.missing { isMissingData = true }
        return nil
    }

    @usableFromInline
    mutating func enterObject(_ field: Int) -> Bool {
        guard let value = value(field), case .link(let record) = value.pointee else { return false }
        let index = current.first &+ field
        if isChecked { return enterChecked(.field(index), record, Int(plan.items[index].child), field) }
        return enter(record, Int(plan.items[index].child))
    }

    /// Like `enter`, and keeps track of the way.
    @inline(never)
    private mutating func enterChecked(_ step: ReaderTrace.Step, _ record: RecordID, _ node: Int, _ field: Int) -> Bool
    {
        trace.path.append(step)
        if enter(record, node) { return true }
        trace.leave()
        missed(field)
        return false
    }

    @usableFromInline
    mutating func enterItem() -> Bool {
        guard let record = list.items.record(at: index) else { return false }
        if isChecked { return enterChecked(.index(index), record, list.node, -1) }
        return enter(record, list.node)
    }

    /// Decides a type condition on the current record.
    private mutating func isMatch(_ item: BoundPlan.Item) -> Bool {
        guard item.kind != .excluded else { return false }
        guard let condition = item.condition else { return true }
        guard item.isAbstract else { return current.row.type == condition }
        usesTypeFacts = true
        if let holds = records.fact(current.row.type, is: condition) { return holds }
        if !item.marks.contains(.deferred) { noteMissing() }
        return false
    }

    @usableFromInline
    mutating func enterInlineFragment(_ field: Int) -> Bool {
        let index = current.first &+ field
        guard index < plan.items.count, isMatch(plan.items[index]) else { return false }
        if isChecked {
            let isDeferred = plan.items[index].marks.contains(.deferred)
            if isDeferred { trace.deferred += 1 }
            return enterChecked(
                .fragment(isDeferred: isDeferred), current.record, Int(plan.items[index].child), -1)
        }
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
    /// The list that is being read, and the item, to come back to.
    @usableFromInline
    var listPlace: (ListPlace, Int) {
        get { (list, index) }
        set {
            (list, index) = newValue
            if isChecked { trace.leave() }
        }
    }

    /// Begins to read a list; its length, or below 0 if there is none.
    @usableFromInline
    mutating func beginList(_ field: Int) -> Int {
        guard let value = value(field) else { return -1 }
        let item = current.first &+ field
        return begin(BorrowedList(value.pointee), Int(plan.items[item].child), .field(item))
    }

    /// Begins to read the list that is the current item of another.
    @usableFromInline
    mutating func beginInnerList() -> Int { begin(list.items.list(at: index), list.node, .index(index)) }

    @inline(__always)
    private mutating func begin(_ items: BorrowedList, _ node: Int, _ step: ReaderTrace.Step) -> Int {
        guard items.isList else { return -1 }
        if isChecked { trace.path.append(step) }
        list = ListPlace(items: items, node: node)
        return items.count
    }

    /// Makes an item of the list the one that the methods without position read.
    @usableFromInline
    mutating func stand(on index: Int) {
        self.index = index
        if index & 7 == 0 { warmth &+= records.warm(list.items, from: index) }
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
    mutating func mappedScalar(_ field: Int) -> Scalar? { Self.scalar(value(field)?.pointee ?? .null) }
    @usableFromInline
    mutating func mappedScalarItem() -> Scalar? { Self.scalar(list.items.value(at: index)) }

    private static func scalar(_ value: Value) -> Scalar? {
        switch value {
        case .scalar(let scalar): .converted(scalar.value)
        case .null, .link, .links: nil
        default: .json(value.json { _ in "" })
        }
    }

    /// The name of the record's object type.
    public mutating func typename() -> String {
        let index = Int(current.row.type.index)
        return index < typeNames.count ? typeNames[index] : ""
    }

    /// A `String`, an `ID` or a scalar without a mapping.
    public mutating func string(_ field: Int) -> String? {
        guard let value = value(field) else { return nil }
        if case .string(let text) = value.pointee { return text }
        return value.pointee.otherString
    }

    /// An `Int`.
    public mutating func int(_ field: Int) -> Int? {
        guard let value = value(field), case .int(let number) = value.pointee else { return nil }
        return number
    }

    /// A `Float`.
    public mutating func double(_ field: Int) -> Double? {
        guard let value = value(field) else { return nil }
        return value.pointee.double
    }

    /// A `Boolean`.
    public mutating func bool(_ field: Int) -> Bool? {
        guard let value = value(field), case .bool(let holds) = value.pointee else { return nil }
        return holds
    }

    /// A `String`, an `ID` or a scalar without a mapping.
    public mutating func string() -> String? { list.items.value(at: index).string }

    /// An `Int`.
    public mutating func int() -> Int? {
        if case .int(let value) = list.items.value(at: index) { value } else { nil }
    }

    /// A `Float`.
    public mutating func double() -> Double? { list.items.value(at: index).double }

    /// A `Boolean`.
    public mutating func bool() -> Bool? {
        if case .bool(let value) = list.items.value(at: index) { value } else { nil }
    }
}

extension Value {
    /// Text, also where a local update wrote a number for an ID.
    fileprivate var string: String? {
        if case .string(let text) = self { return text }
        return otherString
    }

    fileprivate var otherString: String? {
        switch self {
        case .int(let value): String(value)
        case .scalar(let scalar): scalar.json.text
        case .double, .bool, .list: json { _ in "" }.text
        case .string, .null, .link, .links: nil
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
