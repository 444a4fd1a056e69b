import Baton
import RandomCases

/// Changes a response in the way in which servers change lists: objects are added, removed and moved, and exchange
/// their `id`.
struct Mover {
    var generator: SeededGenerator

    mutating func moved(_ json: JSONValue) -> JSONValue {
        switch json {
        case .object(let members):
            return .object(members.map { JSONValue.Member($0.name, moved($0.value)) })
        case .array(let values):
            var items = values.map { moved($0) }
            switch generator.below(8) {
            case 0: items.shuffle(using: &generator)
            case 1: if !items.isEmpty { items.remove(at: generator.below(items.count)) }
            case 2: if items.count < 6, let item = items.last { items.insert(item, at: 0) }
            case 3...5: exchangeIDs(&items)
            default: break
            }
            return .array(items)
        default: return json
        }
    }

    /// Gives objects of the same type the `id` of one another.
    private mutating func exchangeIDs(_ items: inout [JSONValue]) {
        guard items.count > 1 else { return }
        let (one, other) = (generator.below(items.count), generator.below(items.count))
        guard items[one]["__typename"] == items[other]["__typename"], let id = items[one]["id"],
            let otherID = items[other]["id"]
        else { return }
        items[one] = items[one].with(id: otherID)
        items[other] = items[other].with(id: id)
    }
}

extension JSONValue {
    fileprivate func with(id: JSONValue) -> JSONValue {
        guard case .object(let members) = self else { return self }
        return .object(members.map { $0.name == "id" ? .init("id", id) : $0 })
    }
}
