import BatonCompiler
import Testing

/// Configurations that were written for other compilers.
struct ForeignKeyTests {
    /// A configuration of Relay with the keys of Relay's documentation.
    @Test func eachKeyOfRelayGetsItsCounterpart() {
        let (_, errors) = ConfigurationTests.read(
            #"""
            {
              "src": "./src",
              "language": "typescript",
              "schema": "./schema.graphql",
              "artifactDirectory": "./src/__generated__",
              "excludes": ["**/node_modules/**"],
              "schemaExtensions": ["./extensions.graphql"],
              "customScalarTypes": { "DateTime": "string" },
              "eagerEsModules": true,
              "featureFlags": { "enable_relay_resolver_transform": true },
              "persistConfig": { "url": "http://localhost", "params": {} },
              "projects": { "a": { "language": "flow" } }
            }
            """#)
        let patterns = #"["Sources/**/*.swift", "Sources/**/*.graphql"]"#
        let scalars = #"{"DateTime": "BatonFoundation.ISO8601DateTime"}"#
        #expect(
            errors == [
                "2:3 'src' is a key of Relay's configuration [configuration-key] | write 'documents', with patterns: \(patterns)",
                "3:3 'language' is a key of Relay's configuration [configuration-key] | leave it out: it is Swift",
                "5:3 'artifactDirectory' is a key of Relay's configuration [configuration-key]"
                    + " | write 'output', the folder of the generated files",
                "6:3 'excludes' is a key of Relay's configuration [configuration-key] | write 'exclude'",
                "8:3 'customScalarTypes' is a key of Relay's configuration [configuration-key]"
                    + " | write 'scalars', with Swift types: \(scalars)",
                "9:3 'eagerEsModules' is a key of Relay's configuration [configuration-key] | leave it out: "
                    + "Swift has modules of its own; 'module' names that of the generated files",
                "10:3 'featureFlags' is a key of Relay's configuration [configuration-key]"
                    + " | leave it out: what the compiler can do is always on",
                "11:22 'persistConfig.url' of Relay's configuration is not supported [configuration-key]"
                    + " | write the texts to a 'file', and upload it to the server",
                "11:49 'persistConfig.params' of Relay's configuration is not supported [configuration-key]"
                    + " | write the texts to a 'file', and upload it to the server",
                "12:3 'projects' is a key of Relay's configuration [configuration-key]"
                    + " | write a 'baton.json' in the folder of each project",
            ])
    }

    /// A configuration of Apollo with the keys of Apollo's documentation.
    @Test func eachKeyOfApolloGetsItsCounterpart() {
        let (_, errors) = ConfigurationTests.read(
            #"""
            {
              "schemaNamespace": "API",
              "input": { "operationSearchPaths": ["**/*.graphql"], "schemaSearchPaths": ["**/*.graphqls"] },
              "output": {
                "testMocks": { "none": {} },
                "schemaTypes": { "path": "./Generated", "moduleType": { "swiftPackage": {} } },
                "operations": { "inSchemaModule": {} }
              },
              "options": { "schemaDocumentation": "include", "pruneGeneratedFiles": true },
              "experimentalFeatures": {}
            }
            """#)
        #expect(
            errors == [
                "2:3 'schemaNamespace' is a key of Apollo's configuration [configuration-key]"
                    + " | write 'module', the module of the generated files; there is no namespace",
                "3:14 'operationSearchPaths' is a key of Apollo's configuration [configuration-key]"
                    + " | write 'documents', with the same patterns",
                "3:56 'schemaSearchPaths' is a key of Apollo's configuration [configuration-key]"
                    + " | write 'schema', with the same patterns",
                "5:5 'testMocks' is a key of Apollo's configuration [configuration-key]"
                    + " | write \"builders\": true, so that results can be made in tests",
                "6:5 'schemaTypes' is a key of Apollo's configuration [configuration-key]"
                    + " | write the path of one folder as 'output', for all generated files",
                "7:5 'operations' is a key of Apollo's configuration [configuration-key]"
                    + " | write the path of one folder as 'output', for all generated files",
                "9:16 'schemaDocumentation' is a key of Apollo's configuration [configuration-key]"
                    + #" | write 'documentation': "none", "summaries" or "all""#,
                "9:50 'pruneGeneratedFiles' is a key of Apollo's configuration [configuration-key]"
                    + " | leave it out: what no document needs any more is removed",
                "10:3 'experimentalFeatures' is a key of Apollo's configuration [configuration-key]"
                    + " | leave it out: what the compiler can do is always on",
            ])
    }

    /// Advice names keys that exist, and a key of Baton is never taken for another compiler's.
    @Test func everyAdviceNamesAKeyOrSaysThatThereIsNone() {
        func check(_ key: String, _ counterpart: ForeignKeys.Counterpart) {
            let named = counterpart.advice.matches(of: /'(\w+)'/).map { String($0.1) }
            let isAdvised = named.contains { ConfigurationKey(rawValue: $0) != nil }
            let begins = ["leave it out: ", "write ", "save the schema "].contains { counterpart.advice.hasPrefix($0) }
            #expect(begins, "\(key)")
            #expect(isAdvised || !counterpart.advice.hasPrefix("write '"), "\(key)")
            for (key, inner) in counterpart.members { check(key, inner) }
        }
        for (key, counterpart) in ForeignKeys.top {
            #expect(ConfigurationKey(rawValue: key) == nil, "\(key)")
            check(key, counterpart)
        }
        check("output", ForeignKeys.output)
        #expect(ForeignKeys.top.count > 50)
    }

    @Test func aWrongPathIsReportedAsWell() {
        #expect(
            ConfigurationTests.read(#"{"output": {"folder": "x"}}"#).errors
                == ["1:12 'output' must be a string, not an object [configuration-value]"])
    }
}
