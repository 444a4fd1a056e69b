/// The name of a struct for the objects of a field.
package enum NestedTypeName {
    /// The response key with a capital first letter. For a list, the key is put into the singular if the name of the
    /// type confirms the singular.
    ///
    /// `films: [Film]` gives `Film`, `edges: [FilmsEdge]` gives `Edge`, `news: [Article]` gives `News`.
    package static func name(forKey key: String, isList: Bool, typeName: String) -> String {
        guard isList, let singular = singular(of: key, typeName: typeName) else {
            return SwiftName.uppercasingFirst(key)
        }
        return SwiftName.uppercasingFirst(singular)
    }

    private static func singular(of key: String, typeName: String) -> String? {
        if key == "edges" { return "edge" }
        if key == "nodes" { return "node" }
        var candidates: [String] = []
        if key.hasSuffix("ies") { candidates.append(key.dropLast(3) + "y") }
        if key.hasSuffix("es") { candidates.append(String(key.dropLast(2))) }
        if key.hasSuffix("s"), !key.hasSuffix("ss") { candidates.append(String(key.dropLast())) }
        let type = typeName.lowercased()
        return candidates.first { $0.count > 1 && type.hasSuffix($0.lowercased()) }
    }
}
