// What is wrong in the items of a list, where the plan wants to know: a read that takes an item over tells of it again.

extension ReadList {
    /// What was wrong in one item.
    struct ItemProblems: Sendable {
        let item: Int
        /// The errors that nobody has caught in the item. Their paths begin below it, for it may stand elsewhere the
        /// next time.
        let errors: [FieldError]
        /// Required fields that are only to be logged.
        let logged: [FieldError]
        /// Errors were caught in the item: it holds their paths, which say where it is.
        let isPlaced: Bool
    }

    /// How much had been told when an item began; without an item nothing is attributed to one.
    struct Mark: Sendable {
        var item = -1
        var errors = 0
        var logged = 0
        var caught = 0
    }

    /// The items that can be taken over only where they stood.
    var placedItems: Set<Int> { Set(problems.lazy.filter(\.isPlaced).map(\.item)) }
}

extension GeneratedCode.RecordReader {
    /// Says that an item of a list begins, or none: what was told since the one before began belongs to that.
    mutating func settle(_ list: borrowing ObjectList, next item: Int = -1) {
        guard list.number >= 0 else { return }
        let now = ReadList.Mark(
            item: item, errors: trace.errors.count, logged: trace.logged.count, caught: trace.caught)
        let last = lists[list.number].mark
        lists[list.number].mark = now
        let isSilent = last.errors == now.errors && last.logged == now.logged && last.caught == now.caught
        guard last.item >= 0, !isSilent else { return }
        let place = pathComponents(to: list.depth)
        lists[list.number].add(
            ReadList.ItemProblems(
                item: last.item, errors: trace.errors.dropFirst(last.errors).map { $0.below(place.count + 1) },
                logged: trace.logged.dropFirst(last.logged).map { $0.below(place.count + 1) },
                isPlaced: last.caught != now.caught),
            at: place)
    }

    /// Tells of an item that is taken over from the read before.
    private mutating func retell(_ problems: ReadList.ItemProblems, at index: Int, of list: borrowing ObjectList) {
        settle(list)
        let place = pathComponents(to: list.depth)
        trace.errors += problems.errors.map { $0.moved(below: place + [.index(index)]) }
        trace.logged += problems.logged.map { $0.moved(below: place + [.index(index)]) }
        if problems.isPlaced { trace.caught += 1 }
        lists[list.number].add(
            ReadList.ItemProblems(
                item: index, errors: problems.errors, logged: problems.logged, isPlaced: problems.isPlaced),
            at: place)
    }

    /// Tells of an item that is taken over, if there is something to be told.
    mutating func retell(_ problems: ReadList.ItemProblems?, _ index: Int, _ list: borrowing ObjectList) {
        if let problems { retell(problems, at: index, of: list) }
    }

    /// Tells of the items before one that are taken over where they are; what remains is that of the items after it.
    mutating func retell(
        _ problems: inout ArraySlice<ReadList.ItemProblems>, before item: Int, of list: borrowing ObjectList
    ) {
        while let first = problems.first, first.item < item {
            retell(first, at: first.item, of: list)
            problems.removeFirst()
        }
        if problems.first?.item == item { problems.removeFirst() }
    }

    /// Where the reader stands, as far as the first steps on its way.
    func pathComponents(to depth: Int) -> [PathComponent] {
        trace.path.prefix(depth).compactMap { step in
            switch step {
            case .field(let item): .key(context.plan.responseKeys[item])
            case .index(let index): .index(index)
            case .fragment: nil
            }
        }
    }
}

extension FieldError {
    fileprivate func below(_ depth: Int) -> FieldError {
        FieldError(reason, path: Array(path.dropFirst(depth)), component: component)
    }

    fileprivate func moved(below place: [PathComponent]) -> FieldError {
        FieldError(reason, path: place + path, component: component)
    }
}
