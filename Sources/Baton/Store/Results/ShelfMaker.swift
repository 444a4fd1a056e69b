// Results that are made by hand: shelves with blocks of their own, which belong to no store.

extension GeneratedCode.SelectionSet {
    /// Makes an object of an operation's result by hand.
    ///
    /// - Parameters:
    ///   - artifact: The operation.
    ///   - path: The positions of the items that lead from the root to the object's selection set.
    ///   - typename: The name of the object's type; nil for the type of the selection set's condition, or for the type
    ///     of an inline fragment which applies.
    ///   - items: The content of the object, item by item.
    public init(
        __made artifact: GeneratedCode.OperationArtifact, at path: [Int] = [], typename: String? = nil,
        _ items: GeneratedCode.MadeItem...
    ) {
        self.init(__row: GeneratedCode.Row(made: artifact, at: path, typename: typename, items))
    }

    /// Makes an object of a fragment's result by hand.
    public init(
        __made artifact: GeneratedCode.FragmentArtifact, at path: [Int] = [], typename: String? = nil,
        _ items: GeneratedCode.MadeItem...
    ) {
        self.init(__row: GeneratedCode.Row(made: artifact, at: path, typename: typename, items))
    }
}

extension GeneratedCode {
    /// The type of the root fields' record, whatever the schema calls the root types.
    public static var rootTypename: String { NameTable.rootTypeName }
}

extension GeneratedCode.Row {
    /// Makes an object of an operation's result by hand.
    init(
        made artifact: GeneratedCode.OperationArtifact, at path: [Int] = [], typename: String? = nil,
        _ items: [GeneratedCode.MadeItem]
    ) {
        self.init(.of(artifact), path, typename, items)
    }

    /// Makes an object of a fragment's result by hand.
    init(
        made artifact: GeneratedCode.FragmentArtifact, at path: [Int] = [], typename: String? = nil,
        _ items: [GeneratedCode.MadeItem]
    ) {
        self.init(.of(artifact), path, typename, items)
    }

    private init(_ made: MadePlan, _ path: [Int], _ typename: String?, _ items: [GeneratedCode.MadeItem]) {
        let (node, type) = made.place(path)
        var applying: String?
        for (index, item) in zip(made.plan.items(of: node), items) where made.plan.items[index].kind == .inline {
            if applying == nil, case .object(let row) = item.content { applying = row.typename }
        }
        let names = made.plan.names
        let name = typename ?? applying ?? type
        var maker = ShelfMaker(made)
        self.init(
            maker.shelf(node, type: name.map { names.type($0) } ?? names.rootType, items.map(\.content)), at: 1,
            node: node)
    }

    /// The content of the row, item by item.
    var made: [GeneratedCode.MadeItem.Content] {
        (0..<itemCount).map { field in
            switch shown(at: field) {
            case .nothing: .nothing
            case .leaf(let value): .leaf(value)
            case .object(let row): .object(row)
            case .objects(let list): list.made
            case .reference: .reference(reference(field))
            case .caught(let errors): .caught(errors)
            }
        }
    }
}

extension GeneratedCode.RowList {
    /// The content of the list, element by element.
    var made: GeneratedCode.MadeItem.Content {
        .list(
            shownElements.map { element in
                switch element {
                case .null: .nothing
                case .object(let row): .object(row)
                case .list(let list): list.made
                }
            })
    }
}

/// Makes a result without reading records. The recursion is bounded by the depth of the plan.
private struct ShelfMaker {
    private let made: MadePlan
    private let plan: BoundPlan
    private var words: [UInt32] = [0]
    private var cells: [Cell] = []
    /// The newest cell for each selection set and type.
    private var open: [Key: Int] = [:]
    private var rest = Shelf.Rest()

    private struct Cell {
        let block: RecordBlock
        let form: Form
        let node: Int
    }

    private struct Key: Hashable {
        let node: Int
        let type: TypeID
    }

    init(_ made: MadePlan) {
        self.made = made
        plan = made.plan
    }

    /// Makes the shelf of one object.
    mutating func shelf(_ node: Int, type: TypeID, _ items: [GeneratedCode.MadeItem.Content]) -> Shelf {
        object(items, type, node, at: take(plan.layout.nodes[node].size))
        let cells = cells
        return words.withUnsafeMutableBufferPointer { words in
            Shelf(
                plan, made.use, node: node, count: 1, words: words, cellCount: cells.count, spines: [], rest: rest,
                isMissing: false
            ) { target in
                for (index, cell) in cells.enumerated() {
                    (target + index).initialize(to: Shelf.Cell(cell.block, cell.form, node: cell.node))
                }
            }
        }
    }

    private mutating func take(_ count: Int) -> Int {
        words.append(contentsOf: repeatElement(0, count: count))
        return words.count - count
    }

    private mutating func object(
        _ items: [GeneratedCode.MadeItem.Content], _ type: TypeID, _ node: Int, at index: Int
    ) {
        let fields = plan.items(of: node)
        // Items without content are null.
        func content(_ field: Int) -> GeneratedCode.MadeItem.Content { field < items.count ? items[field] : .nothing }
        words[index] = RecordID.none.index
        words[index + 1] = row(Key(node: node, type: type), fields, content)
        if plan.layout.nodes[node].hasSpreads {
            words[index + 2] = UInt32(truncatingIfNeeded: rest.references.count)
            for (field, item) in fields.enumerated() where plan.items[item].kind == .spread {
                if case .reference(let reference) = content(field) {
                    rest.references.append(reference)
                } else {
                    let nothing = GeneratedCode.FragmentTarget(use: made.use, record: .none, collection: 0)
                    rest.references.append(.init(target: nothing))
                }
            }
        }
        for step in plan.layout.steps[plan.layout.nodes[node].steps] {
            let content = content(step.field)
            if case .caught(let errors) = content, step.catchWord != 0 {
                rest.caught.append(errors)
                words[index + step.catchWord] = UInt32(truncatingIfNeeded: rest.caught.count)
            }
            switch (step.kind, content) {
            case (.object, .object(let row)):
                let place = take(plan.layout.nodes[step.child].size)
                object(row.made, plan.names.type(row.typename), step.child, at: place)
                words[index + step.word] = UInt32(truncatingIfNeeded: place)
            case (.inline, .object(let row)):
                let place = take(plan.layout.nodes[step.child].size)
                object(row.made, type, step.child, at: place)
                words[index + step.word] = UInt32(truncatingIfNeeded: place)
            case (.objects, .list(let elements)):
                words[index + step.word] = list(elements, step.child, depth: step.listDepth)
            case (.spread, .reference): words[index + step.word] = 1
            default: break
            }
        }
    }

    private mutating func list(
        _ elements: [GeneratedCode.MadeItem.Content], _ node: Int, depth: Int
    ) -> UInt32 {
        let size = depth > 1 ? 1 : plan.layout.nodes[node].size
        let place = take(1 + elements.count * size)
        words[place] = UInt32(truncatingIfNeeded: elements.count)
        for (number, element) in elements.enumerated() {
            let index = place + 1 + number * size
            switch element {
            case .list(let inner) where depth > 1: words[index] = list(inner, node, depth: depth - 1)
            case .object(let row) where depth == 1: object(row.made, plan.names.type(row.typename), node, at: index)
            default:
                guard depth == 1 else { break }
                words[index] = RecordID.none.index
                words[index + 1] = Shelf.nowhere
            }
        }
        return UInt32(truncatingIfNeeded: place)
    }

    /// Adds a row with an object's leaves; returns its place.
    private mutating func row(
        _ key: Key, _ items: Range<Int>, _ content: (Int) -> GeneratedCode.MadeItem.Content
    ) -> UInt32 {
        let number = cell(key, items)
        let cell = cells[number]
        let row = cell.block.addRow()
        for field in 0..<items.count {
            let position = Int(cell.form.positions.pointer[field])
            if position >= 0, case .leaf(let value) = content(field) { cell.block[row, position] = value }
        }
        return UInt32(truncatingIfNeeded: number) << Shelf.rowBits | UInt32(truncatingIfNeeded: row)
    }

    private mutating func cell(_ key: Key, _ items: Range<Int>) -> Int {
        if let number = open[key], !cells[number].block.isFull { return number }
        let keys = items.filter { plan.items[$0].kind == .leaf }.map { plan.items[$0].key }
        let shape = plan.names.shape(keys)
        open[key] = cells.count
        cells.append(Cell(block: RecordBlock(key.type, shape), form: plan.form(key.node, shape), node: key.node))
        return cells.count - 1
    }
}
