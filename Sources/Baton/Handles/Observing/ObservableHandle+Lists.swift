extension ObservableHandle {
    /// Runs the body on an actor, with a list that the handle shows. Runs the body again with every newer list and its
    /// changes since the list before.
    ///
    ///     films.observe(listOf: \.allFilms?.nodes, by: \.fragments.row, on: screen) { screen, films, changes in
    ///         screen.apply(changes, to: films)
    ///     }
    ///
    /// - Parameters:
    ///   - list: Returns the list in the handle's data.
    ///   - id: Returns the identity of an element: its `id`, or the reference to a fragment of it.
    ///   - observer: The actor, which is held weakly.
    ///   - body: Gets the new list and its changes.
    @discardableResult
    public func observe<
        Observer: Actor, Element: Sendable & Equatable, List: RandomAccessCollection<Element> & SendableMetatype,
        ID: Hashable & SendableMetatype
    >(
        listOf list: @escaping @Sendable (Data) -> List?, by id: @escaping @Sendable (Element) -> ID,
        on observer: Observer, _ body: @escaping @Sendable (isolated Observer, [Element], ListChanges) -> Void
    ) -> ObservationToken {
        let kept = LastList<Element>()
        return observe(on: observer) { observer, result in
            guard case .success(let data) = result else { return }
            let shown = data.flatMap(list)
            let next = shown.map(Array.init) ?? []
            let parts = (shown as? any ListOfParts)?.parts
            let (before, known) = kept.replace(with: next, parts)
            let changes = ListChanges(from: before ?? [], known, to: next, parts, id: id)
            if before == nil || !changes.isEmpty { body(observer, next, changes) }
        }
    }

    /// Runs the body on an actor with a list that the handle shows and with every newer one, by the `id` of the
    /// elements.
    @discardableResult
    public func observe<
        Observer: Actor, Element: Sendable & Equatable & Identifiable,
        List: RandomAccessCollection<Element> & SendableMetatype
    >(
        listOf list: @escaping @Sendable (Data) -> List?, on observer: Observer,
        _ body: @escaping @Sendable (isolated Observer, [Element], ListChanges) -> Void
    ) -> ObservationToken where Element.ID: SendableMetatype {
        observe(listOf: list, by: { $0.id }, on: observer, body)
    }
}

/// The list that an observer got last.
///
/// State: guarded by a lock of its own, a leaf.
private final class LastList<Element: Sendable>: Sendable {
    private let list = Guarded<(elements: [Element]?, parts: ListParts?)>((nil, nil))

    /// Replaces the list and returns the previous list; nil if there was none.
    func replace(with next: [Element], _ parts: ListParts?) -> (elements: [Element]?, parts: ListParts?) {
        list.withLock { list in
            defer { list = (next, parts) }
            return list
        }
    }
}
