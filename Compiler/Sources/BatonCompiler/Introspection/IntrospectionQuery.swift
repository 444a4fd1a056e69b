import BatonDiagnostics

/// The query that asks a server for its schema, with everything that the server's introspection has.
///
/// Servers differ in what `__Type` and its relatives have, and refuse a query for what they lack. Their own types say
/// what that is: `features` asks for it, and a query is made from the answer.
///
/// Specification: https://spec.graphql.org/September2025/#sec-Schema-Introspection
package struct IntrospectionQuery: Hashable, Sendable {
    /// The fields of the introspection types, each with the names of its arguments, as `__Type.fields`.
    private var arguments: [String: Set<String>] = [:]

    private static let types = ["__Schema", "__Type", "__Field", "__InputValue", "__EnumValue", "__Directive"]
    /// How many times lists and non-null marks may be around a type.
    private static let depth = 9

    /// The query for what the server's introspection has. Its aliases are the names of the types without underscores.
    package static var features: String {
        let fields = types.map { "  \($0.dropFirst(2)): __type(name: \"\($0)\") { ...Fields }" }
        return """
            query SchemaFeatures {
            \(fields.joined(separator: "\n"))
            }

            fragment Fields on __Type { fields { name args { name } } }
            """
    }

    /// Makes the query for a server of which nothing is known.
    package init() {}

    /// Makes the query for a server that has answered `features`. An answer of any other form says nothing.
    package init(features answer: [UInt8]) {
        var sources = SourceSet()
        let file = sources.add(path: "", bytes: answer)
        let data = JSONParser.parse(file, syntaxID: .introspection, keyID: .introspection).node?["data"]
        for type in Self.types {
            for field in data?[String(type.dropFirst(2))]?["fields"]?.items ?? [] {
                guard let name = field["name"]?.text else { continue }
                arguments["\(type).\(name)"] = Set((field["args"]?.items ?? []).compactMap { $0["name"]?.text })
            }
        }
    }

    /// The text of the query.
    package var text: String {
        """
        query Schema {
          __schema {
            \(has("__Schema", "description"))queryType { name }
            mutationType { name }
            subscriptionType { name }
            types {
              kind
              name
              description
              \(has("__Type", "specifiedByURL"))\(has("__Type", "isOneOf"))fields(includeDeprecated: true) {
                name
                description
                args\(all("__Field", "args")) { ...Input }
                type { ...Type }
                isDeprecated
                deprecationReason
              }
              inputFields\(all("__Type", "inputFields")) { ...Input }
              interfaces { ...Type }
              enumValues(includeDeprecated: true) { name description isDeprecated deprecationReason }
              possibleTypes { ...Type }
            }
            directives\(all("__Schema", "directives")) {
              name
              description
              \(has("__Directive", "isRepeatable"))\(deprecation(of: "__Directive"))locations
              args\(all("__Directive", "args")) { ...Input }
            }
          }
        }

        fragment Input on __InputValue {
          name
          description
          type { ...Type }
          defaultValue
          \(deprecation(of: "__InputValue"))
        }

        fragment Type on __Type { \(Self.nested(Self.depth)) }

        """
    }

    /// A field behind which more fields stand, if the server has it.
    private func has(_ type: String, _ field: String) -> String {
        arguments["\(type).\(field)"] == nil ? "" : field + " "
    }

    private func deprecation(of type: String) -> String {
        has(type, "isDeprecated") + has(type, "deprecationReason")
    }

    /// The argument for deprecated items too, if the server has it.
    private func all(_ type: String, _ field: String) -> String {
        arguments["\(type).\(field)"]?.contains("includeDeprecated") == true ? "(includeDeprecated: true)" : ""
    }

    private static func nested(_ depth: Int) -> String {
        var text = "kind name"
        for _ in 0..<depth { text = "kind name ofType { \(text) }" }
        return text
    }
}

extension JSONNode {
    /// The items of a list; none if this is no list.
    var items: [JSONNode] {
        if case .array(let items) = value { items } else { [] }
    }

    /// The text of a string; nil if this is none.
    var text: String? {
        if case .string(let text) = value { text } else { nil }
    }
}
