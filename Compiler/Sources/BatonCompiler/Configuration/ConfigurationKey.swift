/// A key of `baton.json`, with the texts that document it.
package enum ConfigurationKey: String, CaseIterable, Sendable {
    case schema
    case schemaExtensions
    case schemaConfig
    case documents
    case exclude
    case output
    case module
    case access
    case documentation
    case text
    case persistConfig
    case scalars
    case schemaCustomization
    case providers
    case maxAge
    case unstored
    case hashable
    case builders
    case buildersOutput
    case warnings
    case limits

    /// The default value as JSON; nil if the key has no default.
    package var defaultText: String? {
        switch self {
        case .schema: #"["schema.graphql"]"#
        case .schemaExtensions: "[]"
        case .documents: #"["**/*.graphql", "**/*.swift"]"#
        case .exclude, .unstored: "[]"
        case .output: #""__generated__""#
        case .module, .persistConfig: nil
        case .access: #""internal""#
        case .documentation: #""summaries""#
        case .text: #""lines""#
        case .schemaConfig, .scalars, .schemaCustomization, .providers, .maxAge, .warnings: "{}"
        case .hashable, .builders: "false"
        case .buildersOutput: #""__builders__""#
        case .limits: #"{"nesting": 200, "tokens": 10000000}"#
        }
    }

    /// An example as JSON, for a key without a default.
    package var exampleText: String {
        self == .persistConfig ? #"{"file": "persisted.json"}"# : #""App""#
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
        case .schemaConfig:
            [
                #"The schema's names, as in Relay's configuration: {"connectionInterface": {"edges": "items"},"#,
                #""nodeInterfaceIdField": "key", "nodeInterfaceIdVariableName": "key"}."#,
            ]
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
        case .text:
            [
                #"The layout of what is sent: "lines" as Relay's compiler prints it, or "compact" without white space that"#,
                "is not needed.",
            ]
        case .persistConfig:
            [
                #"Ids for texts: {"algorithm": "MD5", "file": "persisted.json", "includeQueryText": false}. Requests have the"#,
                #"id instead of the text, or both. The algorithm is "MD5" or "SHA256"; the file maps ids to texts."#,
            ]
        case .scalars:
            [
                #"Swift types for custom scalars: {"DateTime": "BatonFoundation.ISO8601DateTime"} for a Date, {"Date":"#,
                #""FilmDate"} if FilmDate conforms to ScalarConversion, {"Color": {"type": "Color", "module": "Drawing","#,
                #""conversion": "ColorConversion"}} if another type converts it."#,
            ]
        case .schemaCustomization:
            [
                #"Swift names of types, as Apollo's configuration has them: {"customTypeNames": {"Film": "Movie", "Mood":"#,
                #"{"enum": {"name": "Feeling", "cases": {"HAPPY": "glad"}, "module": "Shared"}}}}."#,
            ]
        case .providers:
            [
                "Swift types of providers of arguments, by their name in the documents, such as {\"../isWide\": \"Window.IsWide\"}",
                "or {\"../isWide\": {\"type\": \"IsWide\", \"module\": \"Drawing\"}}. Without an entry it is the name's last part.",
            ]
        case .maxAge:
            [
                "After how many seconds data is stale, by the name of a query, a type or a field, such as",
                #"{"FilmListQuery": 300, "Film": 60, "Film.title": 10}; the smallest counts."#,
            ]
        case .unstored:
            [
                "What no file on disk is to have, by the name of a type, a field or an operation, such as",
                #"["Account", "Film.notes", "SettingsQuery"]."#,
            ]
        case .hashable: ["true: the structs of results conform to Hashable."]
        case .builders:
            [
                "true: builders make results for tests and previews by executing operations. They import BatonTesting, and",
                "the module that 'module' names.",
            ]
        case .buildersOutput:
            ["The folder for the builders, inside a target of their own. Put nothing else of that kind there."]
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
