// The identity of a record has several owners, this one for key fields; ReadingTheDesign.md names the others.

/// The identities of objects whose types have key fields.
enum KeyedIdentity {
    /// Returns a function that finds identities by the keys of a plan. The function of the application, if there is
    /// one, comes first.
    ///
    /// An object that lacks a key field, or whose key field is null, has no identity by its key.
    static func function(_ keys: [SelectionPlan.Marks.Key], after own: DataID.Function?) -> DataID.Function? {
        if keys.isEmpty { return own }
        let byType = Dictionary(keys.map { (TypeName($0.type), $0) }, uniquingKeysWith: { first, _ in first })
        return { type, fields in
            own?(type, fields) ?? byType[type].flatMap { dataID($0, fields) }
        }
    }

    /// `Film:1` for one key field, the value alone for a global key, and `Seat:{"row":"A","number":2}` for several
    /// fields.
    private static func dataID(_ key: SelectionPlan.Marks.Key, _ fields: DataID.Fields) -> DataID? {
        var members: [JSONValue.Member] = []
        for name in key.fields {
            guard let value = fields[name], value != .null else { return nil }
            members.append(.init(name, value))
        }
        guard members.count == 1 else { return DataID("\(key.type):\(JSONValue.object(members).text)") }
        let text = if case .string(let text) = members[0].value { text } else { members[0].value.text }
        return DataID(key.isGlobal ? text : "\(key.type):\(text)")
    }
}
