/// The positions of a selection set's fields in records of one shape, with facts about the shape that hold for all its
/// records.
///
/// A form is made once for each selection set and shape. The forms of the last reads are kept by the plan.
final class Form: Sendable {
    /// The number of the shape. A form does not hold its shape, because the shape may be the last holder of freed
    /// names.
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
