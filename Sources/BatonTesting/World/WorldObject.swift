import Baton
import BatonSchema

/// An object of a world: what it is, and not what its fields are.
struct WorldObject: LocalFields {
    private(set) var type: SchemaType
    /// The identity. All values of the object follow from it. That of an entity has the form of `Film:1`, and that of a
    /// part begins with its parent's.
    let key: String
    /// The value of the field `id`; nil for a part.
    var id: JSONValue?
    var role = Role.plain
    /// Fields that an override gives to the object at this place.
    var given: [JSONValue.Member] = []

    indirect enum Role: Sendable {
        case plain
        case connection(WorldList, WorldPage)
        case edge(WorldItem)
        case pageInfo(WorldPage)
        case payload(WorldEffect)
    }

    var localTypeName: String? { type.name }

    /// The same object over another schema; nil if that does not have its type.
    func moved(to schema: Schema) -> WorldObject? {
        guard let other = schema.type(named: type.name) else { return nil }
        var object = self
        object.type = other
        return object
    }

    func localField(_ name: String) -> LocalField { .unknown }
}

/// The value of a field in a world.
enum WorldValue: Sendable {
    case null
    case leaf(JSONValue)
    case object(WorldObject)
    case list([WorldValue])

    /// The form that `LocalService` completes.
    var resolved: (any Sendable)? {
        switch self {
        case .null: nil
        case .leaf(let json): json
        case .object(let object): object
        case .list(let values): values.map(\.resolved)
        }
    }
}

/// An item of a list that pages.
struct WorldItem: Sendable {
    let value: WorldValue
    /// The cursor, which no other item of the list has.
    let cursor: String
    /// Whether the item was deleted. It still marks its place for cursors.
    let isDeleted: Bool
}

/// A whole list that pages.
struct WorldList: Sendable {
    /// The identity of the list: its parent, its field, and the arguments that do not page.
    let key: String
    let items: [WorldItem]

    /// The number of items that are there.
    var count: Int { items.count { !$0.isDeleted } }
}
