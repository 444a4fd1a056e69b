/// The form in which a read stores its result: for each selection set, the words of an object and the work that each
/// object needs.
///
/// An object has a word for its record and a word for the place of its values. If the set has spreads, a word for the
/// record's collection follows. Each item whose result the read decides has a word too: objects, lists, inline
/// fragments, conditional spreads, lists of scalars with non-null items, mapped scalars, data IDs and caught fields.
/// All other fields have no word, since the record's row has their values.
final class ResultLayout: Sendable {
    struct Node: Sendable {
        /// The number of words of an object.
        var size = 2
        /// True if the third word is the number of the last collection that removed a record of this number.
        var hasSpreads = false
        /// The items that need work for each object, as a range of `steps`.
        var steps = 0..<0
        /// The non-null leaves, as a range of `required`.
        var required = 0..<0
        /// The leaves without any word, as a range of `leaves`.
        var leaves = 0..<0
        /// True if an object of the set has lists of objects below it.
        var hasLists = false
        /// True if objects of the set can be read column by column: below them are only objects, simple lists and
        /// inline fragments on object types.
        var isRegular = false
    }

    /// An item that needs work for each object.
    struct Step: Sendable {
        enum Kind: UInt8, Sendable {
            /// A field with one object.
            case object
            /// A list of objects.
            case objects
            case inline
            case spread
            /// A scalar that the read must check in each row: a mapped scalar, or a list with non-null items.
            case leaf
            /// A leaf without a word, in plans with checks.
            case checkedLeaf
            /// The data ID of the record.
            case dataID
        }

        let kind: Kind
        /// The position of the item in the plan, and in its selection set.
        let item: Int
        let field: Int
        /// The selection set that has the item, and the selection set of the item's objects.
        let node: Int
        let child: Int
        /// The item's word in the object; 0 if it has none.
        let word: Int
        /// The word that is set if errors were caught at the item; 0 if there is no such word.
        let catchWord: Int
        /// True if the enclosing object is null when the item has no value.
        let isRequired: Bool
        /// The number of lists around the objects, and a bit for each list that is non-null: see `BoundType`.
        let listDepth: Int
        let nonNull: UInt64

        @inline(__always)
        func isNonNull(_ level: Int) -> Bool { level < 64 && nonNull & 1 << UInt64(level) != 0 }
    }

    /// A required or non-null leaf: when it has no value, the enclosing object has none either.
    struct Required: Sendable {
        let field: Int
        /// The kinds of stored values that can be read as the leaf's type without a check.
        let sure: Value.Kinds
        let item: Int
    }

    let nodes: [Node]
    let steps: [Step]
    let required: [Required]
    /// The positions of leaves in their selection sets.
    let leaves: [Int]
    /// For each item, its word in the object, and the word for caught errors; 0 if there is none.
    let words: [UInt32]
    let catchWords: [UInt32]

    init(_ nodes: [BoundPlan.Node], _ items: [BoundPlan.Item], _ types: [BoundType], isChecked: Bool) {
        var made: [Node] = []
        var steps: [Step] = []
        var required: [Required] = []
        var leaves: [Int] = []
        var words = [UInt32](repeating: 0, count: items.count)
        var catchWords = words
        for node in nodes {
            var own = Node()
            let range = node.first..<node.first + node.count
            own.hasSpreads = items[range].contains { $0.kind == .spread }
            if own.hasSpreads { own.size = 3 }
            let (firstStep, firstRequired, firstLeaf) = (steps.count, required.count, leaves.count)
            for index in range {
                let (item, type) = (items[index], types[index])
                let kind: Step.Kind
                switch item.kind {
                case .excluded: continue
                case .composite: kind = type.listDepth == 0 ? .object : .objects
                case .inline: kind = .inline
                case .dataID: kind = .dataID
                case .spread:
                    guard item.condition != nil else { continue }
                    kind = .spread
                case .leaf:
                    let isSimple = !type.isMapped && type.nonNull & ~1 == 0
                    if item.isRequired, isSimple, !isChecked {
                        required.append(Required(field: index - node.first, sure: type.sureKinds, item: index))
                    }
                    kind = isSimple ? .checkedLeaf : .leaf
                    if isSimple, !item.marks.contains(.catches) { leaves.append(index - node.first) }
                    if isSimple, !isChecked { continue }
                }
                var (word, catchWord) = (0, 0)
                if kind != .checkedLeaf {
                    word = own.size
                    own.size += 1
                }
                if item.marks.contains(.catches) {
                    catchWord = own.size
                    own.size += 1
                }
                words[index] = UInt32(truncatingIfNeeded: word)
                catchWords[index] = UInt32(truncatingIfNeeded: catchWord)
                steps.append(
                    Step(
                        kind: kind, item: index, field: index - node.first, node: made.count,
                        child: item.child == .max ? -1 : Int(item.child), word: word, catchWord: catchWord,
                        isRequired: item.isRequired, listDepth: type.listDepth, nonNull: type.nonNull))
            }
            own.steps = firstStep..<steps.count
            own.required = firstRequired..<required.count
            own.leaves = firstLeaf..<leaves.count
            made.append(own)
        }
        // Children have greater numbers than their parents.
        for index in made.indices.reversed() {
            made[index].hasLists = steps[made[index].steps].contains {
                $0.kind == .objects || $0.child >= 0 && made[$0.child].hasLists
            }
            made[index].isRegular =
                !isChecked
                && steps[made[index].steps].allSatisfy {
                    switch $0.kind {
                    case .object: made[$0.child].isRegular
                    case .objects: $0.listDepth == 1 && made[$0.child].isRegular
                    case .inline: !items[$0.item].isAbstract && made[$0.child].isRegular
                    case .spread, .leaf, .checkedLeaf, .dataID: false
                    }
                }
        }
        self.nodes = made
        self.steps = steps
        self.required = required
        self.leaves = leaves
        self.words = words
        self.catchWords = catchWords
    }
}

// Readers go through the arrays by pointers, which are valid as long as the layout lives.
extension ResultLayout {
    var nodesPointer: UnsafePointer<Node> { Self.pointer(nodes) }
    var stepsPointer: UnsafePointer<Step> { Self.pointer(steps) }
    var requiredPointer: UnsafePointer<Required> { Self.pointer(required) }
    var leavesPointer: UnsafePointer<Int> { Self.pointer(leaves) }

    private static func pointer<Element>(_ array: [Element]) -> UnsafePointer<Element> {
        // An empty array is never read.
        array.withUnsafeBufferPointer { $0.baseAddress ?? UnsafePointer(bitPattern: 4096)! }
    }
}

extension BoundType {
    var isMapped: Bool {
        if case .mapped = leaf { return true }
        return false
    }

    /// The kinds of stored values that can be read as the type without a check.
    var sureKinds: Value.Kinds {
        if listDepth > 0 { return .list }
        switch leaf {
        case .int: return .int
        case .float: return [.double, .int]
        case .boolean: return .bool
        case .text, .id, .unmapped: return [.string, .int]
        case .mapped, .object: return []
        }
    }
}
