import BatonCodegen
import BatonCompiler
import BatonDiagnostics
import Testing

struct DocumentLoaderTests {
    private static let schema = """
        type Query { film(title: String, text: String): Film }
        type Film { id: ID! title: String }
        """

    /// The diagnostics of one Swift file, rendered.
    private static func diagnose(_ text: String, path: String) -> String {
        var compiler = Compiler()
        let schema = compiler.loadSchema([compiler.addSource(path: "schema.graphql", text: schema)])
        let result = compiler.compile(schema: schema.schema, documents: [compiler.addSource(path: path, text: text)])
        var renderer = TextRenderer(sources: compiler.sources)
        return renderer.render(result.diagnostics)
    }

    @Test func diagnosticsPointIntoTheSwiftFile() {
        let text = """
            let a = graphql(\"""
              query FilmQuery {
                film { tittle }
              }
              \""")
            let b = graphql("query FilmAQuery {\\n film(title: \\"caf\\u{E9}\\") { titel } }")
            let c = graphql(#"query FilmBQuery { film(title: "x") { nmae } }"#)
            let d = graphql("query FilmCQuery { film {")
            """
        #expect(
            Self.diagnose(text, path: "Sources/Film.swift") == """
                Sources/Film.swift:3:12: error: unknown field 'tittle' on type 'Film' [unknown-field]
                    3 |     film { tittle }
                      |            ^~~~~~
                  help: did you mean 'title'?
                  fix: replace 'tittle' with 'title'
                Sources/Film.swift:6:68: error: unknown field 'titel' on type 'Film' [unknown-field]
                    6 | let b = graphql("query FilmAQuery {\\n film(title: \\"caf\\u{E9}\\") { titel } }")
                      |                                                                    ^~~~~
                  help: did you mean 'title'?
                  fix: replace 'titel' with 'title'
                Sources/Film.swift:7:57: error: unknown field 'nmae' on type 'Film' [unknown-field]
                    7 | let c = graphql(#"query FilmBQuery { film(title: "x") { nmae } }"#)
                      |                                                         ^~~~
                Sources/Film.swift:8:43: error: expected '}', found the end of the document [syntax]
                    8 | let d = graphql("query FilmCQuery { film {")
                      |                                           ^
                Sources/Film.swift:8:42: note: '{' is opened here
                    8 | let d = graphql("query FilmCQuery { film {")
                      |                                          ^

                """
        )
    }

    @Test func blockStringsAreTheSameInPlaceAndUnescaped() throws {
        let documents = ["FilmQuery", "FilmQuery"]
        let inPlace =
            "let a = graphql(#\"\"\"\n    query FilmQuery {\n      film(text: \"\"\"\n        a\n          b\n        \"\"\") { id }\n    }\n    \"\"\"#)"
        let escaped =
            "let a = graphql(\"\"\"\n    query FilmQuery {\n      film(text: \\\"\"\"\n        a\n          b\n        \\\"\"\") { id }\n    }\n    \"\"\")"
        let files = try [inPlace, escaped].map { text in
            var compiler = Compiler()
            let schema = compiler.loadSchema([compiler.addSource(path: "schema.graphql", text: Self.schema)])
            let file = compiler.addSource(path: "Film.swift", text: text)
            let result = compiler.compile(schema: schema.schema, documents: [file])
            #expect(result.diagnostics == [])
            return try #require(result.files.first)
        }
        #expect(files.count == documents.count)
        // There is no digest of a literal with escapes.
        let texts = files.map { $0.text.split(separator: "\n").filter { !$0.contains(" Source: ") } }
        #expect(texts[0] == texts[1])
        #expect(files[0].text.contains(#"a\n  b"#))
    }

    struct NameCase: Sendable, CustomTestStringConvertible {
        let path: String
        let document: String
        /// Message and suggestion; nil if the name is right.
        let expected: String?

        init(_ path: String, _ document: String, _ expected: String? = nil) {
            self.path = path
            self.document = document
            self.expected = expected
        }

        var testDescription: String { path + ": " + document }
    }

    @Test(arguments: names) func namesInSwiftBeginWithTheFile(_ example: NameCase) {
        let rendered = Self.diagnose("let a = graphql(#\"\(example.document)\"#)", path: example.path)
        let lines = rendered.split(separator: "\n")
        let problem = lines.filter { $0.contains("-name]") }.map { $0.split(separator: "error: ")[1] }
        let help = lines.filter { $0.hasPrefix("  help: ") }
        let found = zip(problem, help).map { "\($0) | \($1.dropFirst(8))" }
        #expect(found == (example.expected.map { [$0] } ?? []))
    }

    private static let names: [NameCase] = [
        NameCase("FilmList.swift", "query FilmListQuery { film { id } }"),
        NameCase("App/FilmList+Row.swift", "query FilmListTopQuery { film { id } }"),
        NameCase("FilmList.swift", "fragment FilmList_film on Film { id }"),
        NameCase("main.swift", "query MainQuery { film { id } }"),
        NameCase("film-list.swift", "query filmListQuery { film { id } }"),
        NameCase("FilmList.graphql", "query Anything { film { id } }"),
        NameCase(
            "FilmList.swift",
            "query Films { film { id } }",
            "the query 'Films' in 'FilmList.swift' must begin with 'FilmList' and end with 'Query' [operation-name]"
                + " | call it 'FilmListQuery', or 'FilmList...Query'"
        ),
        NameCase(
            "FilmList.swift",
            "query FilmListTop { film { id } }",
            "the query 'FilmListTop' in 'FilmList.swift' must begin with 'FilmList' and end with 'Query' [operation-name]"
                + " | call it 'FilmListTopQuery'"
        ),
        NameCase(
            "FilmList.swift",
            "fragment FilmList on Film { id }",
            "the fragment 'FilmList' in 'FilmList.swift' must be named 'FilmList_' and something more [fragment-name]"
                + " | call it 'FilmList_film'"
        ),
        NameCase(
            "FilmList.swift",
            "fragment Row_movie on Film { id }",
            "the fragment 'Row_movie' in 'FilmList.swift' must be named 'FilmList_' and something more [fragment-name]"
                + " | call it 'FilmList_movie'"
        ),
        NameCase(
            "FilmRow.swift",
            #"fragment FilmRow_film on Film @refetchable(queryName: "Refetch") { id }"#,
            "the query 'Refetch' in 'FilmRow.swift' must begin with 'FilmRow' and end with 'Query' [operation-name]"
                + " | call it 'FilmRowQuery', or 'FilmRow...Query'"
        ),
    ]

    /// A proposed name is free: no definition in any file has the name, and no other proposal uses it.
    @Test func proposedNamesAreFree() {
        let text = """
            let a = graphql("fragment FilmList_film on Film { id }")
            let b = graphql("fragment Row on Film { id }")
            let c = graphql("fragment Other on Film { id }")
            let d = graphql("fragment X_movie on Film { id }")
            let e = graphql("fragment Y_movie on Film { id }")
            let f = graphql("query Films { film { id } } query Tops { film { id } } query FilmListTop { film { id } }")
            """
        var compiler = Compiler()
        let swift = compiler.addSource(path: "FilmList.swift", text: text)
        let other = compiler.addSource(path: "a.graphql", text: "query FilmListTopQuery { film { id } }")
        let proposals = compiler.parse([swift, other]).diagnostics.sortedByPosition().compactMap(\.suggestion)
        #expect(
            proposals == [
                "call it 'FilmList_film2'", "call it 'FilmList_film3'", "call it 'FilmList_movie'",
                "call it 'FilmList_movie2'", "call it 'FilmListQuery', or 'FilmList...Query'",
                "call it 'FilmListTopsQuery', or 'FilmList...Query'", "call it 'FilmListTop2Query'",
            ]
        )
    }

    @Test func rulesForAllDocumentsAreReported() {
        var compiler = Compiler()
        let schema = compiler.loadSchema([compiler.addSource(path: "schema.graphql", text: Self.schema)])
        let first = compiler.addSource(path: "a.graphql", text: "fragment Row on Film { id __x: title }")
        let second = compiler.addSource(
            path: "b.graphql", text: "{ film { ...Row ...row } } fragment row on Film { id }")
        let result = compiler.compile(schema: schema.schema, documents: [first, second])
        var renderer = TextRenderer(sources: compiler.sources)
        let lines = renderer.render(result.diagnostics).split(separator: "\n")
        #expect(
            lines.filter { $0.contains(" error: ") || $0.contains(" note: ") } == [
                "a.graphql:1:27: error: the alias '__x' begins with '__', which is reserved [reserved-alias]",
                "b.graphql:1:1: error: the query has no name [anonymous-operation]",
                "b.graphql:1:37: error: the fragments 'row' and 'Row' differ only in case [fragment-name-case]",
                "a.graphql:1:10: note: 'Row' is defined here",
            ]
        )
        #expect(result.files == [])
    }
}
