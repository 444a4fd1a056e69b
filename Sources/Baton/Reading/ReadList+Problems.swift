// Errors in the items of a list, if the plan asks for errors. A read that reuses an item reports its errors again.

extension ReadList {
    /// The errors of one item.
    struct ItemProblems: Sendable {
        let item: Int
        /// The uncaught errors of the item. Their paths begin below the item, because the item may stand at another
        /// index in the next read.
        let errors: [FieldError]
        /// The required fields without a value that are only logged.
        let logged: [FieldError]
        /// True if errors were caught inside the item. The item then contains their paths, which include its place.
        let isPlaced: Bool
    }

    /// The numbers of reported errors when an item began. An item of -1 means that errors belong to no item.
    struct Mark: Sendable {
        var item = -1
        var errors = 0
        var logged = 0
        var caught = 0
    }

    /// The items that can be reused only at the same place.
    var placedItems: Set<Int> { Set(problems.lazy.filter(\.isPlaced).map(\.item)) }
}

extension GeneratedCode.RecordReader {
    /// Notes that an item of a list begins, or that none does. The errors reported since the last call belong to the
    /// item before.
    mutating func settleList(_ list: borrowing ObjectList, next item: Int = -1) {
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

    /// Reports the errors of an item that is reused from the read before.
    private mutating func retell(_ problems: ReadList.ItemProblems, at index: Int, of list: borrowing ObjectList) {
        settleList(list)
        let place = pathComponents(to: list.depth)
        trace.errors += problems.errors.map { $0.moved(below: place + [.index(index)]) }
        trace.logged += problems.logged.map { $0.moved(below: place + [.index(index)]) }
        if problems.isPlaced { trace.caught += 1 }
        lists[list.number].add(
            ReadList.ItemProblems(
                item: index, errors: problems.errors, logged: problems.logged, isPlaced: problems.isPlaced),
            at: place)
    }

    /// Reports the errors of an item that is reused, if it has any.
    mutating func retell(_ problems: ReadList.ItemProblems?, _ index: Int, _ list: borrowing ObjectList) {
        if let problems { retell(problems, at: index, of: list) }
    }

    /// Reports the errors of the reused items before `item`. Afterwards `problems` has only the errors of later items.
    mutating func retell(
        _ problems: inout ArraySlice<ReadList.ItemProblems>, before item: Int, of list: borrowing ObjectList
    ) {
        while let first = problems.first, first.item < item {
            retell(first, at: first.item, of: list)
            problems.removeFirst()
        }
        if problems.first?.item == item { problems.removeFirst() }
    }

    /// Returns the path of the reader's place, as far as the first `depth` steps.
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
