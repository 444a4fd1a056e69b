extension GeneratedCode {
    /// What a generated `Data` struct, and every struct nested in it, conforms to.
    public protocol Selections: Sendable, Equatable {
        /// Reads every property from the reader's record, by position in the reader plan; nil if a non-null property
        /// has no value.
        ///
        /// What it makes depends on nothing but the reader: an object whose records have not changed is not read again.
        init?(_ reader: inout RecordReader)
    }

    /// Stands on one record, or on one item of a list, and hands out values.
    ///
    /// The methods with a position read a field of the record's selection set; those without read the item on which the
    /// closure of a list stands. A value that is null, missing or excluded by a condition reads as nil. A reader is
    /// made for one read of one version and passed down
    /// `inout`. What is called for each scalar is inlinable, since a call costs as much as the work (benchmark
    /// `read.vs-foundation`); what is called for each record is not.
    public struct RecordReader {
        let context: ReadContext
        /// The plan has marks that concern a reader: then `RecordReader+Errors.swift` has its say at every field.
        @usableFromInline let isChecked: Bool
        var trace = ReaderTrace()
        /// The records that were read.
        var trail: ReadTrail
        /// The lists that were read, in the order in which they began.
        var lists: [ReadList] = []
        /// What has changed since the read before this one; made when a list needs it.
        var changed: ChangedRecords?
        /// How many lists are around the record.
        @usableFromInline var listDepth = 0
        var usesTypeFacts = false
        @usableFromInline var isMissingData = false
        /// What is being read has no value, because it must show a record that was deleted.
        ///
        /// True only on the way up, from there to a field that may be null or to an item of a list.
        @usableFromInline var isFalling = false

        @usableFromInline var current: Place
        /// The list whose items a closure reads, and the item.
        @usableFromInline var list = ListPlace.none
        @usableFromInline var index = 0

        /// Where a reader stands. Kept by the caller, which goes back to it.
        @usableFromInline
        struct Place {
            /// The values of the record, in the order of its shape.
            @usableFromInline var values: UnsafePointer<Value>
            /// For each item of the selection set the position of its value among them; below 0 there is none.
            @usableFromInline var positions: UnsafePointer<Int32>
            /// The number of items that are read without further ado: all, or none where they are checked.
            @usableFromInline var count: UInt32
            /// The number of items.
            var length: Int32
            /// The first item in the plan.
            var first: Int32
            var record: RecordID
            var type: TypeID
        }

        /// A list that is being read. Kept by the caller, which goes back to it.
        @usableFromInline
        struct ListPlace {
            var items: BorrowedList
            /// The selection set of the items if they are objects.
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

    /// Goes to the record at which the read begins; false if there is nothing to be read.
    mutating func begin(at root: RecordID) -> Bool { enter(root, 0) }

    /// Goes to a record with a selection set. False if there is nothing to be read.
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

    /// A field's value in the record; nil if there is none.
    ///
    /// Positions are those of the record's own shape, so one that is not below 0 is inside the row.
    @inlinable
    @inline(__always)
    mutating func value(_ field: Int) -> UnsafePointer<Value>? {
        if UInt(bitPattern: field) < UInt(current.count) {
            let position = current.positions[field]
            if position >= 0 { return current.values + Int(position) }
        }
        return otherValue(field)
    }

    /// What `value` does where a record does not just have a field.
    @usableFromInline
    @inline(never)
    mutating func otherValue(_ field: Int) -> UnsafePointer<Value>? {
        if isChecked { return checkedValue(field) }
        if let item = item(at: field), context.positions[item] == Self.missing { isMissingData = true }
        return nil
    }

    /// The position in the plan of a field of the record; nil outside.
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

    /// A field has no value: if it may have none, what shows it does not fall.
    @inline(__always)
    mutating func endFall(at field: Int) {
        guard isFalling, let index = item(at: field) else { return }
        isFalling = context.plan.items[index].isRequired
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

    /// Goes back to where an object is a field.
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

    /// Goes to an item of a list. Items are gone to in order.
    @usableFromInline
    mutating func enterItem(_ index: Int, of list: borrowing ObjectList) -> Bool {
        let place = index & (ReadContext.ahead - 1)
        if place == 0 { context.lookAhead(list.items, list.node, from: index) }
        if isChecked { step(to: index, of: list) }
        guard let record = list.items.record(at: index) else { return false }
        if isChecked { return enterChecked(.index(index), record, list.node, -1) }
        return enter(record, list.node, context.row(list.node, place))
    }

    /// Leaves the item that was read before.
    @inline(never)
    private mutating func step(to index: Int, of list: borrowing ObjectList) {
        settle(list, next: index)
        leave(to: list.depth)
    }

    /// Goes to any item of a list.
    mutating func enterAnyItem(_ index: Int, of list: borrowing ObjectList) -> Bool {
        if isChecked { step(to: index, of: list) }
        guard let record = list.items.record(at: index) else { return false }
        if isChecked { return enterChecked(.index(index), record, list.node, -1) }
        return enter(record, list.node)
    }

    /// Decides a type condition on the current record.
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

    /// The name of the record's object type.
    public mutating func typename() -> String { context.name(of: current.type) }
}

// MARK: - Lists that a closure reads

extension GeneratedCode.RecordReader {
    /// The list that is being read, and the item, to come back to.
    @usableFromInline
    var listPlace: (ListPlace, Int) { (list, index) }

    /// Begins to read a list; its length, or below 0 if there is none.
    @usableFromInline
    mutating func beginList(_ field: Int) -> Int {
        guard let value = value(field) else { return -1 }
        let item = Int(current.first) &+ field
        return begin(BorrowedList(value.pointee), context.child(item), .field(item))
    }

    /// Begins to read the list that is the current item of another.
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

    /// Goes back to the list around the one that was read.
    @usableFromInline
    mutating func endList(_ outer: (ListPlace, Int)) {
        (list, index) = outer
        listDepth &-= 1
        if isChecked { trace.leave() }
    }

    /// Makes an item of the list the one that the methods without position read.
    @usableFromInline
    mutating func stand(on index: Int) {
        self.index = index
        if index & 7 == 0 { context.warm(list.items, from: index) }
    }
}
