import BatonCodegen
import BatonCompiler
import BatonDiagnostics
import BatonSchema
import BatonValidation
import Testing

struct ConfigurationTests {
    static func read(_ text: String) -> (configuration: Configuration, errors: [String]) {
        var sources = SourceSet()
        let file = sources.add(path: "baton.json", text: text)
        let (configuration, diagnostics) = Configuration.read(file, directory: AbsolutePath(absolute: "/project"))
        let errors = diagnostics.map { diagnostic in
            let location = file.location(ofOffset: Int(diagnostic.span.start))
            let suggestion = diagnostic.suggestion.map { " | " + $0 } ?? ""
            return "\(location.line):\(location.column) \(diagnostic.message) [\(diagnostic.id.rawValue)]" + suggestion
        }
        return (configuration, errors)
    }

    @Test func everyKeyIsRead() {
        let (configuration, errors) = Self.read(
            #"""
            // A comment.
            {
              "schema": "a.graphqls",  // one path needs no list
              "schemaExtensions": ["b.graphql"],
              "documents": ["**/*.swift", "More"],
              "exclude": ["Old"],
              "output": "Sources/App/__generated__",
              "module": "App",
              "access": "package",
              "documentation": "all",
              "scalars": {
                "Date": "FilmDate",
                "Money": {"type": "Decimal", "module": "Foundation", "conversion": "Conversions.Money"}
              },
              "text": "compact",
              "persistConfig": {"algorithm": "SHA256", "file": "ids/persisted.json", "includeQueryText": true},
              "providers": {"../isWide": "Window.IsWide", "size": {"type": "Size", "module": "Paging"}},
              "maxAge": {"FilmListQuery": 300, "Film.title": 0},
              "unstored": ["Film", "Film.notes", "FilmListQuery"],
              "hashable": true,
              "builders": true,
              "buildersOutput": "../Builders",
              "warnings": {"unused-fragment": "off", "unknown-schema-directive": "error"}
            }
            """#
        )
        #expect(errors == [])
        #expect(configuration.schema.map(\.text) == ["a.graphqls"])
        #expect(configuration.schemaExtensions.map(\.text) == ["b.graphql"])
        #expect(configuration.documents.map(\.text) == ["**/*.swift", "More"])
        #expect(configuration.exclude.map(\.text) == ["Old"])
        #expect(configuration.outputDirectory.description == "/project/Sources/App/__generated__")
        #expect(configuration.module == "App")
        #expect(configuration.access == .package)
        #expect(configuration.documentation == .all)
        #expect(configuration.scalars["Date"]?.type == "FilmDate")
        #expect(configuration.scalars["Money"]?.module == "Foundation")
        #expect(configuration.scalars["Money"]?.conversion == "Conversions.Money")
        #expect(configuration.text == .compact && configuration.persistConfig?.algorithm == .sha256)
        #expect(configuration.persistConfig?.includeQueryText == true)
        #expect(configuration.persistedFile?.description == "/project/ids/persisted.json")
        let providers = configuration.providers.mapValues { [$0.type, $0.module] }
        #expect(providers == ["../isWide": ["Window.IsWide", nil], "size": ["Size", "Paging"]])
        #expect(configuration.maxAge.mapValues(\.seconds) == ["FilmListQuery": 300, "Film.title": 0])
        #expect(configuration.unstored.map(\.text) == ["Film", "Film.notes", "FilmListQuery"])
        #expect(configuration.hashable && configuration.builders)
        #expect(configuration.buildersOutput.text == "../Builders")
        #expect(configuration.warnings == WarningLevels([.unusedFragment: .off, .unknownSchemaDirective: .error]))
    }

    @Test func everythingHasADefault() {
        let (configuration, errors) = Self.read("{}")
        #expect(errors == [])
        #expect(configuration == Configuration(directory: AbsolutePath(absolute: "/project")))
    }

    @Test func theDocumentedDefaultsAreTheDefaults() {
        let members = ConfigurationKey.allCases.compactMap { key in key.defaultText.map { "\"\(key.rawValue)\": \($0)" }
        }
        let (documented, errors) = Self.read("{" + members.joined(separator: ",\n") + "}")
        let defaults = Configuration(directory: AbsolutePath(absolute: "/project"))
        #expect(errors == [])
        #expect(documented.schema.map(\.text) == defaults.schema.map(\.text))
        #expect(documented.schemaExtensions == defaults.schemaExtensions)
        #expect(documented.documents.map(\.text) == defaults.documents.map(\.text))
        #expect(documented.exclude == defaults.exclude)
        #expect(documented.outputDirectory == defaults.outputDirectory)
        #expect(documented.access == defaults.access)
        #expect(documented.documentation == defaults.documentation)
        #expect(documented.scalars == defaults.scalars)
        #expect(documented.maxAge == defaults.maxAge)
        #expect(documented.unstored == defaults.unstored)
        #expect(documented.hashable == defaults.hashable)
        #expect(documented.builders == defaults.builders && documented.buildersDirectory == nil)
        #expect(documented.buildersOutput.text == defaults.buildersOutput.text)
        #expect(documented.warnings == defaults.warnings)
    }

    @Test func allMistakesAreReportedAtOnce() {
        let (_, errors) = Self.read(
            #"""
            {
              "schemas": ["a.graphql"],
              "schema": [],
              "documents": [1, "a{b", ""],
              "exclude": {},
              "output": "..",
              "access": "publik",
              "module": "1App",
              "scalars": {
                "A": 1,
                "B": {"typ": "X"},
                "C": {"type": "X; import Y"},
                "D": {"type": true, "module": "a b"}
              },
              "output": "x",
              "warnings": {"unused-fragmnt": "off", "unknown-field": "off", "renamed-type": "of", "renamed-member": 1}
            }
            """#
        )
        #expect(
            errors == [
                "2:3 unknown key 'schemas' [configuration-key] | did you mean 'schema'?",
                "3:13 'schema' must name at least one file [configuration-value]",
                "4:17 an item of 'documents' must be a string, not a number [configuration-value]",
                "4:20 this pattern has a brace without its counterpart [pattern-invalid]",
                "4:27 this path is empty [pattern-invalid]",
                "5:14 'exclude' must be a string or a list of strings, not an object [configuration-value]",
                "6:13 'output' must be a folder of its own, not one that holds the configuration [configuration-value]",
                "7:13 'access' must be 'public', 'package' or 'internal', not 'publik' [configuration-value]"
                    + " | did you mean 'public'?",
                "8:13 'module' must be the name of a module, not '1App' [configuration-value]",
                "10:10 'scalars.A' must be a string or an object, not a number [configuration-value]",
                "11:10 the scalar 'B' needs a 'type' [configuration-value]",
                "11:11 unknown key 'typ' [configuration-key] | did you mean 'type'?",
                "12:19 'scalars.C.type' must be a Swift type, not 'X; import Y' [configuration-value]",
                "13:19 'scalars.D.type' must be a string, not a Boolean [configuration-value]",
                "13:35 'scalars.D.module' must be the name of a module, not 'a b' [configuration-value]",
                "15:3 the key 'output' is here twice [configuration-key]",
                "16:16 there is no warning 'unused-fragmnt' [configuration-key] | did you mean 'unused-fragment'?",
                "16:41 'unknown-field' is always an error [configuration-key]"
                    + " | only the level of warnings can be chosen",
                "16:81 'warnings.renamed-type' must be 'off', 'warning' or 'error', not 'of' [configuration-value]"
                    + " | did you mean 'off'?",
                "16:105 'warnings.renamed-member' must be a string, not a number [configuration-value]",
            ]
        )
    }

    @Test(arguments: [
        ("", "1:1 expected a value, found the end of the file"),
        ("[]", "1:1 the configuration must be an object, not a list"),
        ("{\"schema\": \"a\",}", "1:15 nothing follows this ','"),
        ("{\"schema\": [\"a\", // more\n ]}", "1:16 nothing follows this ','"),
        ("{,}", "1:2 expected a key in double quotes, found ','"),
        ("{\"schema\": [,]}", "1:13 expected a value, found ','"),
        ("{\"schema\": \"\\u0000\"}", "1:12 a path cannot hold the character U+0000"),
        ("{\"output\": \"../elsewhere\"}", "1:12 'output' must be a path below the folder of the configuration"),
        ("{\"output\": \"/project/out\"}", "1:12 'output' must be a path below the folder of the configuration"),
        ("{\"limits\": {\"nesting\": 0}}", "1:24 'limits.nesting' must be an integer from 1 to 500, not 0"),
        ("{\"limits\": {\"nesting\": 1e2}}", "1:24 'limits.nesting' must be an integer from 1 to 500, not 1e2"),
        (
            "{\"limits\": {\"tokens\": 99999999999999999999999999}}",
            "1:23 'limits.tokens' must be an integer from 1 to 10"
        ),
        ("{\"limits\": {\"token\": 1}}", "1:13 unknown key 'token' [configuration-key] | did you mean 'tokens'?"),
        ("{\"limits\": [1]}", "1:12 'limits' must be an object, not a list"),
        ("{\"maxAge\": 60}", "1:12 'maxAge' must be an object, not a number"),
        ("{\"maxAge\": {\"Film\": \"60\"}}", "1:21 'maxAge.Film' must be a number, not a string"),
        ("{\"maxAge\": {\"Film\": -1}}", "1:21 'maxAge.Film' must be an integer from 0 to 315360000, not -1"),
        ("{\"unstored\": \"Film\"}", "1:14 'unstored' must be a list of strings, not a string"),
        ("{\"unstored\": {\"types\": [\"Film\"]}}", "1:14 'unstored' must be a list of strings, not an object"),
        ("{\"unstored\": [\"Film\", 1]}", "1:23 an item of 'unstored' must be a string, not a number"),
        ("{\"unstored\": [\"Film\", \"A\", \"Film\"]}", "1:28 'Film' is in 'unstored' twice [configuration-value]"),
        ("{\"warnings\": \"off\"}", "1:14 'warnings' must be an object, not a string"),
        ("\u{FEFF}{\"a\": 1}", "1:2 unknown key 'a'"),
        ("{schema: 1}", "1:2 expected a key in double quotes, found 's'"),
        ("{\"schema\" \"a\"}", "1:11 expected ':' after the key 'schema', found '\"'"),
        ("{\"schema\": \"a\" \"b\": 1}", "1:16 expected ',' or '}', found '\"'"),
        ("{\"schema\": [\"a\" \"b\"]}", "1:17 expected ',' or ']', found '\"'"),
        ("{\"schema\": nul}", "1:12 expected a value, found 'n'"),
        ("{\"schema\": 01}", "1:13 expected ',' or '}', found '1'"),
        ("{\"schema\": 1.}", "1:14 expected a digit, found '}'"),
        ("{\"schema\": \"a\n\"}", "1:12 this string does not end on its line"),
        ("{\"schema\": \"a", "1:12 this string does not end"),
        ("{\"schema\": \"\\q\"}", "1:13 this escape is invalid"),
        ("{\"schema\": \"\\ud800\"}", "1:13 this escape is invalid"),
        ("{\"schema\": \"\u{1}\"}", "1:13 a control character in a string must be escaped"),
        ("{} {}", "1:4 expected the end of the file, found '{'"),
        ("/* a */ {}", "1:1 expected a value, found '/'"),
    ]) func brokenJSONIsReportedAtItsPlace(_ text: String, _ expected: String) {
        let errors = Self.read(text).errors
        #expect(errors.count == 1)
        #expect(errors.first?.hasPrefix(expected) == true, "\(errors)")
    }

    @Test func deepNestingEndsInAnError() {
        let text = "{\"schema\": " + String(repeating: "[", count: 100_000)
        #expect(Self.read(text).errors == ["1:75 values are nested too deeply [configuration-syntax]"])
    }

    /// Thousands of unknown or equal keys take linear time.
    @Test func manyMistakesAreAllReported() {
        let count = 2_000
        func countMistakes(_ text: String) -> Int {
            var sources = SourceSet()
            let file = sources.add(path: "baton.json", text: text)
            return Configuration.read(file, directory: AbsolutePath(absolute: "/")).diagnostics.count
        }
        let unknown = (0..<count).map { "\"k\($0)\": 1" }.joined(separator: ",")
        #expect(countMistakes("{\(unknown)}") == count)
        let same = String(repeating: "\"schema\": \"a\",", count: count)
        #expect(countMistakes("{\(same)\"schema\": \"a\"}") == count)
        let braces = String(repeating: "{", count: 100_000)
        #expect(
            Self.read("{\"schema\": \"\(braces)\"}").errors
                == ["1:12 this path is longer than 4096 bytes [pattern-invalid]"])
    }

    @Test func bytesThatAreNotUTF8AreReported() {
        var sources = SourceSet()
        let file = sources.add(path: "baton.json", bytes: Array("{\"schema\": \"".utf8) + [0xFF] + Array("\"}".utf8))
        let (_, diagnostics) = Configuration.read(file, directory: AbsolutePath(absolute: "/"))
        #expect(diagnostics.map(\.message) == ["this string is not valid UTF-8"])
    }

    @Test func mistakesInProvidersAreReported() {
        let (_, errors) = Self.read(
            #"{"providers": {"a": 3, "b": {}, "c": "a;b", "d": {"type": "D", "modul": "M"}}, "x": {}}"#)
        #expect(
            errors.map { String($0.prefix { $0 != "|" }) } == [
                "1:21 'providers.a' must be a string or an object, not a number [configuration-value]",
                "1:29 the provider 'b' needs a 'type' [configuration-value]",
                "1:38 'providers.c' must be a Swift type, not 'a;b' [configuration-value]",
                "1:64 unknown key 'modul' [configuration-key] ", "1:80 unknown key 'x' [configuration-key] ",
            ])
    }

    @Test func mistakesAboutTextsAreReported() {
        let (_, errors) = Self.read(
            #"{"text": "compackt", "persistConfig": {"algorithm": "MD6", "file": "a/", "url": "x", "includeQueryText": 1}}"#
        )
        #expect(
            errors == [
                "1:10 'text' must be 'lines' or 'compact', not 'compackt' [configuration-value] | did you mean 'compact'?",
                "1:53 'persistConfig.algorithm' must be 'MD5' or 'SHA256', not 'MD6' [configuration-value]"
                    + " | did you mean 'MD5'?",
                "1:68 'persistConfig.file' must be the path of one file [configuration-value]",
                "1:74 'persistConfig.url' of Relay's configuration is not supported [configuration-key]"
                    + " | write the texts to a 'file', and upload it to the server",
                "1:106 'persistConfig.includeQueryText' must be true or false, not a number [configuration-value]",
            ])
    }

    @Test func keysOfRelayWithoutAMeaningAreRefusedByName() {
        let (_, errors) = Self.read(
            #"{"schemaConfig": {"deferStreamInterface": {}, "nonNodeIdFields": {}, "unselectableDirectiveName": "x"}}"#)
        #expect(
            errors == [
                "1:19 'schemaConfig.deferStreamInterface' of Relay's configuration is not supported [configuration-key]"
                    + " | leave it out: '@defer' and '@stream' are sent as the schema declares them",
                "1:47 'schemaConfig.nonNodeIdFields' of Relay's configuration is not supported [configuration-key]"
                    + " | leave it out: an 'id' of any type is accepted",
                "1:70 'schemaConfig.unselectableDirectiveName' of Relay's configuration is not supported [configuration-key]"
                    + " | leave it out: every field of the schema may be selected",
            ])
    }

    @Test func mistakesAboutNamesAreReported() {
        let (configuration, errors) = Self.read(
            #"""
            {"schemaConfig": {"connectionInterface": {"edges": "it ems", "egdes": "x"}, "nodeInterfaceIdFeld": "k", "nodeField": 1},
            "schemaCustomization": {"customTypeNames": {
            "A": "1a", "B": {"enum": {"cases": {"x": "a b"}, "fields": {}}, "modul": "M"}, "C": 3}, "x": 1}}
            """#)
        #expect(
            errors == [
                "1:52 'schemaConfig.connectionInterface.edges' must be a name of GraphQL, not 'it ems' [configuration-value]",
                "1:62 unknown key 'egdes' [configuration-key] | did you mean 'edges'?",
                "1:77 unknown key 'nodeInterfaceIdFeld' [configuration-key] | did you mean 'nodeInterfaceIdField'?",
                "1:118 'schemaConfig.nodeField' must be a string, not a number [configuration-value]",
                "3:6 'schemaCustomization.customTypeNames.A' must be a name of Swift, not '1a' [configuration-value]",
                "3:42 'schemaCustomization.customTypeNames.B.enum.cases.x' must be a name of Swift, not 'a b' [configuration-value]",
                "3:50 unknown key 'fields' [configuration-key] | known are 'name', 'module', 'cases'",
                "3:65 unknown key 'modul' [configuration-key] | did you mean 'module'?",
                "3:85 'schemaCustomization.customTypeNames.C' must be a string or an object, not a number [configuration-value]",
                "3:89 unknown key 'x' [configuration-key] | known are 'customTypeNames'",
            ])
        #expect(configuration.schemaConfig.edges == "edges")
    }
}
