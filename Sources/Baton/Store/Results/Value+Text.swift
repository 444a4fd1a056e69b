extension Value {
    /// Returns true if the value, or an item of the type's list, can be read as an unmapped scalar of the type.
    func isReadable(as type: BoundType) -> Bool {
        switch type.leaf {
        case .int: kind == .int
        case .float: kind == .double || kind == .int
        case .boolean: kind == .bool
        case .text, .id, .unmapped: text != nil
        case .mapped, .object: false
        }
    }

    /// The value as text; also for values of another kind, such as a number that a local update wrote for an ID.
    var text: String? {
        switch self {
        case .string(let text): text
        case .int(let value): String(value)
        case .scalar(let scalar): scalar.json.text
        case .double, .bool, .list: json { _ in "" }.text
        case .null, .link, .links: nil
        }
    }
}
