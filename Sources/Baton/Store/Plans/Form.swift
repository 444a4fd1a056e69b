/// The positions of a selection set's fields in records of one shape, and what the shape says about all of them.
///
/// A form is made once for each selection set and shape. The forms of the last reads are kept by the plan.
final class Form: Sendable {
    /// The number of the shape. The form does not hold the shape, which may be the last to hold names that were freed.
    let shape: UInt64
    let node: Int
    /// For each item of the selection set, the position of its value; below 0 if there is none.
    let positions: UnsafePositions
    /// True if the shape lacks a selected field.
    let lacksFields: Bool
    /// True if the shape lacks a required leaf.
    let lacksRequired: Bool

    /// The position of a field that the record does not have.
    static let missing: Int32 = -1
    /// The position of an item that has no value of its own: excluded, an inline fragment or a spread.
    static let excluded: Int32 = -2

    init(_ node: Int, _ shape: Shape, of plan: BoundPlan) {
        self.shape = shape.number
        self.node = node
        let items = plan.items(of: node)
        var lacksFields = false
        positions = UnsafePositions(
            items.map { index -> Int32 in
                switch plan.items[index].kind {
                case .leaf, .composite:
                    if let position = shape.position(of: plan.items[index].key) {
                        return Int32(truncatingIfNeeded: position)
                    }
                    lacksFields = true
                    return Self.missing
                case .excluded, .dataID, .inline, .spread: return Self.excluded
                }
            })
        self.lacksFields = lacksFields
        let positions = positions
        lacksRequired = plan.layout.required[plan.layout.nodes[node].required].contains {
            positions.pointer[$0.field] < 0
        }
    }
}

/// Positions in memory that never moves, for readers that hold the form.
///
/// Sendable because the memory is filled once and never changes.
final class UnsafePositions: @unchecked Sendable {
    let pointer: UnsafePointer<Int32>

    init(_ positions: [Int32]) {
        let memory = UnsafeMutablePointer<Int32>.allocate(capacity: max(positions.count, 1))
        memory.initialize(repeating: Form.excluded, count: max(positions.count, 1))
        for (index, position) in positions.enumerated() { memory[index] = position }
        pointer = UnsafePointer(memory)
    }

    deinit { pointer.deallocate() }
}

/// The forms of a plan's last reads. State: guarded by a lock of its own, a leaf.
struct Forms: ~Copyable, Sendable {
    struct Key: Hashable, Sendable {
        let node: Int
        let shape: UInt64
    }

    /// The forms, and the last of them: most reads of a plan begin with records of one shape.
    struct Known: Sendable {
        var all: [Key: Form] = [:]
        var last: Form?
    }

    private let known = Guarded(Known())

    /// Returns the form of a selection set and a shape.
    func form(_ node: Int, _ shape: Shape, of plan: BoundPlan) -> Form {
        let key = Key(node: node, shape: shape.number)
        let found = known.withLock { known -> Form? in
            if let last = known.last, last.shape == shape.number, last.node == node { return last }
            return known.all[key]
        }
        if let found { return found }
        let form = Form(node, shape, of: plan)
        let limit = 64 + 4 * plan.nodes.count
        // Forgotten forms are freed outside the lock.
        let forgotten = known.withLock { known -> Known in
            var forgotten = Known()
            if known.all.count >= limit { swap(&known, &forgotten) }
            known.all[key] = form
            if node == 0 { known.last = form }
            return forgotten
        }
        _ = forgotten
        return form
    }
}
