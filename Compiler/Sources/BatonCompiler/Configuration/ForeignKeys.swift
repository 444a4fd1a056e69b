/// The keys of other compilers' configurations, with their counterparts in Baton. Users of these compilers may write
/// such keys.
///
/// A key that Baton has too, such as `schemaConfig`, is not in the table. Relay's keys are those of
/// `relay.config.json`, and Apollo's keys are those of `apollo-codegen-config.json`, including those of earlier
/// versions.
///
/// Reference: `relay-compiler-config-schema.json` in https://github.com/facebook/relay, and
/// https://www.apollographql.com/docs/ios/code-generation/codegen-configuration
package enum ForeignKeys {
    /// The counterpart of a key of another compiler.
    package struct Counterpart {
        /// The name of the other compiler.
        package let owner: String
        /// The key to use instead, or the reason why there is none.
        package let advice: String
        /// The counterparts of the keys in the key's object; empty if the key has a counterpart as a whole.
        package var members: [String: Counterpart] = [:]
    }

    /// The counterparts of keys at the top of the configuration.
    package static let top: [String: Counterpart] = {
        var keys = relay.mapValues { Counterpart(owner: "Relay", advice: $0) }
        keys.merge(apolloTop) { own, _ in own }
        return keys
    }()

    // MARK: - Relay

    private static let module = "leave it out: Swift has modules of its own; 'module' names that of the generated files"
    private static let resolvers = "leave it out: there are no resolvers"

    private static let relay: [String: String] = [
        "$schema": "leave it out: 'baton compile --help' lists all keys",
        "artifactDirectory": "write 'output', the folder of the generated files",
        "base": "leave it out: the generated files of a project stand for themselves",
        "codegenCommand": "leave it out: 'baton compile' is the command",
        "customErrorType": "leave it out: the errors of a field are 'FieldError'",
        "customScalarTypes": #"write 'scalars', with Swift types: {"DateTime": "BatonFoundation.ISO8601DateTime"}"#,
        "customScalars": #"write 'scalars', with Swift types: {"DateTime": "BatonFoundation.ISO8601DateTime"}"#,
        "diagnosticReportConfig": "write 'warnings', with a level for each id",
        "eagerEsModules": module,
        "enumModuleSuffix": "write 'schemaCustomization', which names the module of an enum",
        "excludes": "write 'exclude'",
        "excludesExtensions": "write 'exclude', with a pattern such as '**/*.test.swift'",
        "extensions": "write 'documents', with patterns such as '**/*.swift'",
        "extra": "leave it out: there is nothing that it could go to",
        "extraArtifactsOutput": "write 'output'; there is one folder",
        "featureFlags": "leave it out: what the compiler can do is always on",
        "generatedSources": "leave it out: 'documents' names all sources",
        "header": "leave it out: the first line of a generated file is always the same",
        "include": "write 'documents'",
        "isDevVariableName": "leave it out: a debug build of the runtime checks by itself",
        "jsModuleFormat": module,
        "language": "leave it out: it is Swift",
        "moduleImportConfig": "leave it out: Swift code is not loaded with the data",
        "name": "leave it out: the folder of the configuration tells a project",
        "noFutureProofEnums": "leave it out: an enum always has the case 'unknown' for later values",
        "noSourceControl": "leave it out: source control is not asked for anything",
        "oneOfType": "leave it out: a '@oneOf' input is an enum",
        "optionalInputFields": "leave it out: what is nullable may always be left out",
        "persistFunction": "write 'persistConfig', with a 'file' for the texts",
        "persistOutput": #"write 'persistConfig': {"file": "persisted.json"}"#,
        "projects": "write a 'baton.json' in the folder of each project",
        "relativizeJsModulePaths": module,
        "requireCustomScalarTypes": #"write 'warnings': {"unmapped-scalar": "error"}"#,
        "resolverContextType": resolvers,
        "resolversSchemaModule": resolvers,
        "rollout": "leave it out: every file is generated",
        "root": "leave it out: paths count from the folder of the configuration",
        "savedStateConfig": "leave it out: each run compiles everything",
        "schemaDir": "write 'schema', with the folder: all its files are merged",
        "shardOutput": "write 'output'; all files are in one folder",
        "shardStripRegex": "write 'output'; all files are in one folder",
        "sources": "write 'documents', in a 'baton.json' of each project",
        "src": #"write 'documents', with patterns: ["Sources/**/*.swift", "Sources/**/*.graphql"]"#,
        "testPathRegex": "leave it out: all documents are compiled alike",
        "typescriptExcludeUndefinedFromNullableUnion": "leave it out: an optional of Swift is nil or a value",
        "useImportTypeSyntax": module,
        "variableNamesComment": "leave it out: the struct 'Variables' has the names",
        "watch": "leave it out: run 'baton compile' before the build",
        "watchman": "leave it out: each run reads the files that 'documents' names",
    ]

    // MARK: - Apollo

    private static let manifest = #"write 'persistConfig': {"algorithm": "SHA256", "file": "persisted.json"}"#
    private static let download = "save the schema where 'schema' finds it; the guide 'Compiling documents' says how"

    private static let apolloTop: [String: Counterpart] = [
        "schemaNamespace": apollo("write 'module', the module of the generated files; there is no namespace"),
        "schemaName": apollo("write 'module', the module of the generated files; there is no namespace"),
        "input": apollo("write 'schema' and 'documents'", input.mapValues { apollo($0) }),
        "options": apollo("leave it out: its keys are keys of their own here", options.mapValues { apollo($0) }),
        "experimentalFeatures": apollo(
            "leave it out: what the compiler can do is always on", experimental.mapValues { apollo($0) }),
        "schemaDownload": apollo(download),
        "schemaDownloadConfiguration": apollo(download),
        "operationManifest": apollo(manifest),
        "operationManifestConfiguration": apollo(manifest),
    ]

    /// The keys in Apollo's `output`. In Baton, `output` is a path.
    package static let output = Counterpart(
        owner: "Apollo", advice: "write the path of the folder: \"output\": \"Sources/App/__generated__\"",
        members: [
            "schemaTypes": apollo("write the path of one folder as 'output', for all generated files"),
            "operations": apollo("write the path of one folder as 'output', for all generated files"),
            "testMocks": apollo("write \"builders\": true, so that results can be made in tests"),
            "operationManifest": apollo(manifest),
            "operationIdentifiersPath": apollo(manifest),
        ])

    private static let input = [
        "operationSearchPaths": "write 'documents', with the same patterns",
        "schemaPath": "write 'schema', with the same path",
        "schemaSearchPaths": "write 'schema', with the same patterns",
        "searchPaths": "write 'documents', with the same patterns",
    ]

    private static let options = [
        "additionalCapitalizationRules": "write 'schemaCustomization', which names types, cases and fields",
        "additionalInflectionRules": "leave it out: the singular of a list's name is used where its type confirms it",
        "appendSchemaTypeFilenameSuffix": "leave it out: the names of generated files end with '.graphql.swift'",
        "apqs": "write 'persistConfig'",
        "cocoapodsCompatibleImportStatements": "leave it out: generated files import 'Baton'",
        "conversionStrategies": "write 'schemaCustomization', which names cases and fields",
        "deprecatedEnumCases": "leave it out: deprecated cases are there, and deprecated in Swift",
        "markOperationDefinitionsAsFinal": "leave it out: operations are structs",
        "markTypesNonisolated": "leave it out: generated types are always nonisolated",
        "operationDocumentFormat": "write 'persistConfig', whose 'includeQueryText' says whether texts are sent too",
        "pruneGeneratedFiles": "leave it out: what no document needs any more is removed",
        "queryStringLiteralFormat": #"write 'text': "lines" or "compact""#,
        "reduceGeneratedSchemaTypes": "leave it out: only types that documents use are generated",
        "schemaCustomization": "write it at the top of the configuration",
        "schemaDocumentation": #"write 'documentation': "none", "summaries" or "all""#,
        "selectionSetInitializers": "write \"builders\": true, and make results for tests and previews by builders",
        "warningsOnDeprecatedUsage": #"write 'warnings': {"deprecated": "off"}"#,
    ]

    private static let experimental = [
        "clientControlledNullability": "leave it out: documents have '@required'",
        "fieldMerging": "leave it out: a fragment's fields are read through its reference",
        "legacySafelistingCompatibleOperations": "write 'persistConfig'",
    ]

    private static func apollo(_ advice: String, _ members: [String: Counterpart] = [:]) -> Counterpart {
        Counterpart(owner: "Apollo", advice: advice, members: members)
    }
}

extension ConfigurationReader {
    /// Reports a key of another compiler's configuration. For an object, the keys with a counterpart are reported. An
    /// object without such keys is reported itself.
    mutating func reportForeignKey(_ member: JSONNode.Member, _ counterpart: ForeignKeys.Counterpart) {
        if reportForeignKeys(in: member.node, counterpart) { return }
        report(
            .configurationKey, "'\(member.key)' is a key of \(counterpart.owner)'s configuration", at: member.keySpan,
            suggestion: counterpart.advice)
    }

    /// Reports the keys of an object that have counterparts; returns false if there are none.
    mutating func reportForeignKeys(in node: JSONNode, _ counterpart: ForeignKeys.Counterpart) -> Bool {
        guard case .object(let members) = node.value else { return false }
        var isReported = false
        for member in members {
            guard let inner = counterpart.members[member.key] else { continue }
            reportForeignKey(member, inner)
            isReported = true
        }
        return isReported
    }
}
