extension GeneratedCode {
    /// A generated `Data` struct, or a struct nested in it.
    public protocol Selections: Sendable, Equatable {
        /// Reads every property from the reader's record, by its position in the reader plan. Returns nil if a non-null
        /// property has no value.
        ///
        /// The result must depend on the reader only, because an object whose records have not changed is not read
        /// again.
        init?(_ reader: inout RecordReader)
    }

    /// Reads values from the current record, or from the current item of a list.
    ///
    /// The methods with a position read a field of the record's selection set. The methods without a position read the
    /// item for which the closure of a list was called. A value that is null, missing or excluded by a condition reads
    /// as nil.
    ///
    /// A reader serves one read of one version and is passed down `inout`. Methods that are called for each scalar are
    /// inlinable, because a call costs as much as the work itself (benchmark `read.vs-foundation`). Methods that are
    /// called for each record are not.
    public struct RecordReader {
        let context: ReadContext
        /// True if the plan has marks that a reader must check. Every field is then read through
        /// `RecordReader+Errors.swift`.
        @usableFromInline let isChecked: Bool
        var trace = ReaderTrace()
        /// The visited records.
        var trail: ReadTrail
        /// The remembered lists, in the order in which they began.
        var lists: [ReadList] = []
        /// The records that have changed since the read before this one; computed when a list first needs them.
        var changed: ChangedRecords?
        /// The number of lists around the record.
        @usableFromInline var listDepth = 0
        var usesTypeFacts = false
        @usableFromInline var isMissingData = false
        /// True if the object being read has no value because it shows a deleted record.
        ///
        /// The flag is set only between the deleted record and the enclosing nullable field or list item.
        @usableFromInline var isFalling = false

        @usableFromInline var current: Place
        /// The list that a closure reads, and the index of its item.
        @usableFromInline var list = ListPlace.none
        @usableFromInline var index = 0

        /// A reader's place. The caller keeps it in order to return to it.
        @usableFromInline
        struct Place {
            /// The values of the record, in the order of its shape.
            @usableFromInline var values: UnsafePointer<Value>
            /// The position in `values` of each item of the selection set; below 0 if there is no value.
            @usableFromInline var positions: UnsafePointer<Int32>
            /// The number of items that can be read directly: all, or 0 if items must be checked.
            @usableFromInline var count: UInt32
            /// The number of the selection set's items.
            var length: Int32
            /// The position in the plan of the selection set's first item.
            var first: Int32
            var record: RecordID
            var type: TypeID
        }

        /// A list that is being read. The caller keeps it in order to return to it.
        @usableFromInline
        struct ListPlace {
            var items: BorrowedList
            /// The selection set of the items, if they are objects.
            var node: Int

            @usableFromInline static var none: ListPlace { ListPlace(items: .none, node: 0) }
        }
    }
}

// MARK: - From record to record

extension GeneratedCode.RecordReader {
    init(_ context: ReadContext, trail: ReadTrail) {
        self.context = context
        self.trail = trail
        isChecked = context.plan.isChecked
        current = Place(
            values: context.nothing, positions: UnsafePointer(context.positions), count: 0, length: 0, first: 0,
            record: .none,
            type: .none)
    }

    /// Enters the root record of the read; returns false if there is nothing to read.
    mutating func begin(at root: RecordID) -> Bool { enter(root, 0) }

    /// Enters a record with a selection set; returns false if there is nothing to read.
    private mutating func enter(_ record: RecordID, _ node: Int) -> Bool {
        enter(record, node, context.borrowed.row(of: record))
    }

    @inline(__always)
    private mutating func enter(_ record: RecordID, _ node: Int, _ row: BorrowedRow) -> Bool {
        if context.isTracking { trail.add(.init(record: record, node: UInt32(truncatingIfNeeded: node))) }
        guard row.state == .existing, let values = row.values else {
            if row.state == .unknown { noteMissing() }
            isFalling = row.state == .deleted
            return false
        }
        let fields = context.nodes + node
        if fields.pointee.shape != row.shape { context.resolve(node, row.shape, of: record) }
        let count = fields.pointee.count
        current = Place(
            values: values, positions: fields.pointee.positions,
            count: isChecked ? 0 : UInt32(bitPattern: count), length: count, first: fields.pointee.first,
            record: record, type: row.type)
        return true
    }

    /// The position of a field that the record does not have.
    static var missing: Int32 { -1 }

    /// Returns a pointer to a field's value in the record; nil if there is none.
    ///
    /// Positions belong to the record's own shape, so a position of 0 or more is inside the row.
    @inlinable
    @inline(__always)
    mutating func value(_ field: Int) -> UnsafePointer<Value>? {
        if UInt(bitPattern: field) < UInt(current.count) {
            let position = current.positions[field]
            if position >= 0 { return current.values + Int(position) }
        }
        return otherValue(field)
    }

    /// Does the work of `value` for a field that cannot be read directly.
    @usableFromInline
    @inline(never)
    mutating func otherValue(_ field: Int) -> UnsafePointer<Value>? {
        if isChecked { return checkedValue(field) }
        if let item = item(at: field), context.positions[item] == Self.missing { isMissingData = true }
        return nil
    }

    /// Returns the position in the plan of a field of the current record; nil if the field is out of range.
    func item(at field: Int) -> Int? {
        field >= 0 && field < Int(current.length) ? Int(current.first) &+ field : nil
    }

    @usableFromInline
    mutating func enterObject(_ field: Int) -> Bool {
        guard let value = value(field), case .link(let record) = value.pointee else { return false }
        let index = Int(current.first) &+ field
        if isChecked { return enterChecked(.field(index), record, context.child(index), field) }
        if enter(record, context.child(index)) { return true }
        endFall(at: field)
        return false
    }

    /// Ends a fall at a field without a value, if the enclosing object can do without the field.
    @inline(__always)
    mutating func endFall(at field: Int) {
        guard isFalling, let index = item(at: field) else { return }
        isFalling = context.plan.items[index].isRequired
    }

    /// Enters a record like `enter`, and tracks the path.
    @inline(never)
    private mutating func enterChecked(_ step: ReaderTrace.Step, _ record: RecordID, _ node: Int, _ field: Int) -> Bool
    {
        trace.path.append(step)
        if enter(record, node) { return true }
        trace.leave()
        missed(field)
        return false
    }

    /// Returns to the record that has the object as a field.
    @inlinable
    mutating func goBack(to place: Place) {
        current = place
        if isChecked { leave() }
    }

    @usableFromInline
    mutating func leave() { trace.leave() }

    @usableFromInline
    mutating func enterItem() -> Bool {
        guard let record = list.items.record(at: index) else { return false }
        if isChecked { return enterChecked(.index(index), record, list.node, -1) }
        return enter(record, list.node)
    }

    /// Enters an item of a list. Items must be entered in order.
    @usableFromInline
    mutating func enterItem(_ index: Int, of list: borrowing ObjectList) -> Bool {
        let place = index & (ReadContext.ahead - 1)
        if place == 0 { context.lookAhead(list.items, list.node, from: index) }
        if isChecked { step(to: index, of: list) }
        guard let record = list.items.record(at: index) else { return false }
        if isChecked { return enterChecked(.index(index), record, list.node, -1) }
        return enter(record, list.node, context.row(list.node, place))
    }

    /// Leaves the item that was read before, and tracks the next one.
    @inline(never)
    private mutating func step(to index: Int, of list: borrowing ObjectList) {
        settleList(list, next: index)
        leave(to: list.depth)
    }

    /// Enters an item of a list; items may be entered in any order.
    mutating func enterAnyItem(_ index: Int, of list: borrowing ObjectList) -> Bool {
        if isChecked { step(to: index, of: list) }
        guard let record = list.items.record(at: index) else { return false }
        if isChecked { return enterChecked(.index(index), record, list.node, -1) }
        return enter(record, list.node)
    }

    /// Evaluates a type condition for the current record.
    private mutating func isMatch(_ item: BoundPlan.Item) -> Bool {
        guard item.kind != .excluded else { return false }
        guard let condition = item.condition else { return true }
        guard item.isAbstract else { return current.type == condition }
        usesTypeFacts = true
        if let holds = context.records.fact(current.type, is: condition) { return holds }
        if !item.marks.contains(.deferred) { noteMissing() }
        return false
    }

    @usableFromInline
    mutating func enterInlineFragment(_ field: Int) -> Bool {
        guard let index = item(at: field), isMatch(context.plan.items[index]) else { return false }
        let item = context.plan.items[index]
        if isChecked {
            let isDeferred = item.marks.contains(.deferred)
            if isDeferred { trace.deferred += 1 }
            return enterChecked(.fragment(isDeferred: isDeferred), current.record, Int(item.child), -1)
        }
        return enter(current.record, Int(item.child))
    }

    @usableFromInline
    mutating func spread(_ field: Int) -> GeneratedCode.FragmentTarget? {
        guard let index = item(at: field), isMatch(context.plan.items[index]) else { return nil }
        return currentTarget
    }

    @usableFromInline
    var currentTarget: GeneratedCode.FragmentTarget {
        .init(
            use: context.use, record: current.record,
            collection: context.records.slot(of: current.record).collection)
    }

    /// Returns the name of the record's object type.
    public mutating func typename() -> String { context.name(of: current.type) }
}

// MARK: - Lists that a closure reads

extension GeneratedCode.RecordReader {
    /// The list that is being read and its current item, for `endList`.
    @usableFromInline
    var listPlace: (ListPlace, Int) { (list, index) }

    /// Begins to read a list; returns its length, or a number below 0 if there is no list.
    @usableFromInline
    mutating func beginList(_ field: Int) -> Int {
        guard let value = value(field) else { return -1 }
        let item = Int(current.first) &+ field
        return begin(BorrowedList(value.pointee), context.child(item), .field(item))
    }

    /// Begins to read the list that is the current item of another list.
    @usableFromInline
    mutating func beginInnerList() -> Int { begin(list.items.list(at: index), list.node, .index(index)) }

    @inline(__always)
    private mutating func begin(_ items: BorrowedList, _ node: Int, _ step: ReaderTrace.Step) -> Int {
        guard items.isList else { return -1 }
        if isChecked { trace.path.append(step) }
        list = ListPlace(items: items, node: node)
        listDepth &+= 1
        return items.count
    }

    /// Returns to the list around the list that was read.
    @usableFromInline
    mutating func endList(_ outer: (ListPlace, Int)) {
        (list, index) = outer
        listDepth &-= 1
        if isChecked { trace.leave() }
    }

    /// Selects the item of the list that the methods without a position read.
    @usableFromInline
    mutating func stand(on index: Int) {
        self.index = index
        if index & 7 == 0 { context.warm(list.items, from: index) }
    }
}
