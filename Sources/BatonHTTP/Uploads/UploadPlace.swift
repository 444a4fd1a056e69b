import Baton

/// The place of a file in the variables, such as `input.photos.0`.
struct UploadPlace: Sendable, Hashable {
    let text: String
    private let components: [Substring]

    /// The largest number of items in a list that is made for files.
    private static let mostItems = 10_000

    init(_ text: String) {
        self.text = text
        components = text.split(separator: ".", omittingEmptySubsequences: false)
    }

    /// Sets the value at this place to null. Missing lists and objects on the way are made: a list where an index
    /// follows, and an object elsewhere.
    ///
    /// - Throws: `RelayError.configuration` if a value of another kind is on the way.
    func setNull(in value: inout JSONValue) throws(RelayError) {
        guard components.count <= JSONValue.maximumDepth else { throw wrong }
        value = try settingNull(in: value, components[...])
    }

    private func settingNull(in value: JSONValue, _ rest: ArraySlice<Substring>) throws(RelayError) -> JSONValue {
        guard let name = rest.first else { return .null }
        guard !name.isEmpty else { throw wrong }
        switch value {
        case .object(var members):
            let index = members.firstIndex { $0.name == name } ?? members.endIndex
            if index == members.endIndex { members.append(.init(String(name), .null)) }
            members[index].value = try settingNull(in: members[index].value, rest.dropFirst())
            return .object(members)
        case .array(var items):
            guard let index = Int(name), (0..<Self.mostItems).contains(index) else { throw wrong }
            while items.count <= index { items.append(.null) }
            items[index] = try settingNull(in: items[index], rest.dropFirst())
            return .array(items)
        case .null:
            return try settingNull(in: Int(name) == nil ? .object([]) : .array([]), rest)
        case .bool, .int, .double, .string:
            throw wrong
        }
    }

    private var wrong: RelayError {
        .configuration("The variables have no place '\(text)' for a file. Name it like 'input.photos.0'.")
    }
}
