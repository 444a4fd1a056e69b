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
