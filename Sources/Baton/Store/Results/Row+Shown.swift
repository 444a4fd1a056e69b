// The items of a row one by one, for code that treats all items alike.

extension GeneratedCode.Row {
    /// The content that a row shows at an item of its selection set.
    enum Shown {
        /// Null, missing, excluded, caught as null, or of another type.
        case nothing
        case leaf(Value)
        /// An object, or an inline fragment that applies.
        case object(GeneratedCode.Row)
        case objects(GeneratedCode.RowList)
        /// A spread that applies.
        case reference
        /// The errors that `@catch(to: RESULT)` has caught.
        case caught([FieldError])
    }

    /// The number of items of the selection set.
    var itemCount: Int { shelf.plan.nodes[Int(node)].count }

    /// Returns the content that the row shows at the item with this position in the selection set.
    func shown(at field: Int) -> Shown {
        switch caught(field) {
        case 0: break
        case Int(Shelf.caughtAsNull): return .nothing
        case let word: return .caught(shelf.rest.caught[word &- 1])
        }
        let index = item(field)
        switch shelf.plan.items[index].kind {
        case .excluded: return .nothing
        case .spread: return matches(field) ? .reference : .nothing
        case .inline: return child(field).map { .object($0) } ?? .nothing
        case .composite where shelf.plan.types[index].listDepth > 0:
            return list(of: field).map { .objects($0) } ?? .nothing
        case .composite: return child(field).map { .object($0) } ?? .nothing
        case .leaf, .dataID:
            let value = leaf(field)
            return value.isNull ? .nothing : .leaf(value)
        }
    }
}

extension GeneratedCode.RowList {
    /// An element of a list.
    enum ShownElement {
        case null
        case object(GeneratedCode.Row)
        case list(GeneratedCode.RowList)
    }

    /// The elements in order.
    var shownElements: some Sequence<ShownElement> {
        (0..<count).lazy.map { position -> ShownElement in
            if depth > 1 { return list(position).map { .list($0) } ?? .null }
            return row(position).map { .object($0) } ?? .null
        }
    }
}
