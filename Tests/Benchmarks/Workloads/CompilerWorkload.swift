/// A generated schema and documents of any size for the compiler.
///
/// Every operation uses three fragments of its own, one of which is nested in another. Every type links to others, so
/// that documents use all parts of the schema. The size of a document does not depend on the number of documents.
enum CompilerWorkload {
    /// A schema in SDL with about `types` types: objects that implement `Node`, and an interface, a union and an enum
    /// for each hundred types.
    static func schema(types: Int) -> String {
        var text = "interface Node { id: ID! }\n"
        let objects = types - types / 100 * 3 - 2
        for index in 0..<objects {
            text += """
                "Object number \(index)."
                type Object\(index) implements Node\(index % 100 < 10 ? " & Named\(index / 100 % max(types / 100, 1))" : "") {
                  id: ID!
                  name: String!
                  count(unit: String = "one", minimum: Int): Int
                  ratio: Float
                  tags: [String!]!
                  kind: Kind\(index / 100 % max(types / 100, 1))
                  next: Object\((index + 1) % objects)
                  others(first: Int = 10, after: String): [Object\((index * 7 + 3) % objects)!]
                }

                """
        }
        for group in 0..<max(types / 100, 1) {
            text += "interface Named\(group) { name: String! }\n"
            text += "enum Kind\(group) { LARGE SMALL VERY_SMALL }\n"
            text += "union Any\(group) = Object\(group * 2 % objects) | Object\((group * 2 + 1) % objects)\n"
        }
        text += "type Query {\n  node(id: ID!): Node\n"
        for index in 0..<objects { text += "  object\(index)(id: ID!, deep: Boolean = false): Object\(index)\n" }
        return text + "}\n"
    }

    /// One document for each operation, with its three fragments.
    static func documents(operations: Int, types: Int) -> [String] {
        let objects = types - types / 100 * 3 - 2
        return (0..<operations).map { index in
            let type = index * 13 % objects
            let next = (type + 1) % objects
            let other = (type * 7 + 3) % objects
            return """
                query Operation\(index)($id: ID!, $first: Int = 5, $full: Boolean!) {
                  object\(type)(id: $id) {
                    id
                    name
                    ...Header\(index)
                    next { name ...Row\(index) @include(if: $full) }
                    others(first: $first) { id ratio ...Other\(index) }
                  }
                }
                fragment Header\(index) on Object\(type) { name kind tags count(unit: "kilo") next { ...Row\(index) } }
                fragment Row\(index) on Object\(next) { id name ratio small: count(minimum: 3) }
                fragment Other\(index) on Object\(other) { name tags next { id kind } }
                """
        }
    }
}
