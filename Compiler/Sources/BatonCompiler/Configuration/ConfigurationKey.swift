/// A key of `baton.json`, with the texts that document it.
package enum ConfigurationKey: String, CaseIterable, Sendable {
    case schema
    case schemaExtensions
    case documents
    case exclude
    case output
    case module
    case access
    case documentation
    case scalars
    case maxAge
    case initializers
    case hashable
    case warnings
    case limits

    /// The default value as JSON; nil if the key has no default.
    package var defaultText: String? {
        switch self {
        case .schema: #"["schema.graphql"]"#
        case .schemaExtensions: "[]"
        case .documents: #"["**/*.graphql", "**/*.swift"]"#
        case .exclude: "[]"
        case .output: #""__generated__""#
        case .module: nil
        case .access: #""internal""#
        case .documentation: #""summaries""#
        case .scalars, .maxAge, .warnings: "{}"
        case .initializers, .hashable: "false"
        case .limits: #"{"nesting": 200, "tokens": 10000000}"#
        }
    }

    /// The meaning of the key, as lines of at most 100 characters.
    package var documentation: [String] {
        switch self {
        case .schema:
            [
                "The server's schema, in SDL or as the answer to the introspection query: files, folders or patterns,",
                "one or a list. Several are merged.",
            ]
        case .schemaExtensions:
            ["Schema files that extend the server's schema with types and fields that only the client knows."]
        case .documents:
            [
                "Where operations and fragments are: .graphql files, and graphql(\"\"\"...\"\"\") literals in Swift files.",
                "Files, folders or patterns with *, **, ? and {a,b}. Schema and output are left out by themselves, and so",
                "are folders with a baton.json of their own.",
            ]
        case .exclude: ["Files, folders or patterns that are left out of the documents."]
        case .output:
            [
                "The folder for the generated Swift files, below this one and inside a target. Put nothing else of that",
                "kind there.",
            ]
        case .module:
            ["The Swift module that the generated files are part of, so that they do not import it."]
        case .access: [#"Who may use the generated types: "internal", "package" or "public"."#]
        case .documentation:
            [
                #"Which descriptions become comments: "none", "summaries" for the first paragraph of what is generated"#,
                #"once, or "all", with the fields in every selection."#,
            ]
        case .scalars:
            [
                #"Swift types for custom scalars: {"DateTime": "BatonFoundation.ISO8601DateTime"} for a Date, {"Date":"#,
                #""FilmDate"} if FilmDate conforms to ScalarConversion, {"Color": {"type": "Color", "module": "Drawing","#,
                #""conversion": "ColorConversion"}} if another type converts it."#,
            ]
        case .maxAge:
            [
                "After how many seconds data is stale, by the name of a query, a type or a field, such as",
                #"{"FilmListQuery": 300, "Film": 60, "Film.title": 10}; the smallest counts."#,
            ]
        case .initializers:
            ["true: the structs of results have an initializer with a value for each field, for tests and previews."]
        case .hashable: ["true: the structs of results conform to Hashable."]
        case .warnings:
            [
                #"What becomes of warnings, by id: "off", "warning" or "error", such as {"unused-fragment": "off"}."#
            ]
        case .limits:
            [
                "What the compiler reads of one text: how deep selections and values are nested, at most 500, and how many",
                "tokens there are.",
            ]
        }
    }
}
