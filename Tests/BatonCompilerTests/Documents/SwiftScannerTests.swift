import BatonCompiler
import BatonDiagnostics
import Testing

struct SwiftScannerTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let source: String
        /// The values of the literals, in order.
        let values: [String]

        init(_ name: String, _ source: String, _ values: [String]) {
            testDescription = name
            self.source = source
            self.values = values
        }
    }

    @Test(arguments: found) func literalsInCallsOfGraphqlAreFound(_ example: Case) {
        let (values, diagnostics) = Self.scan(example.source)
        #expect(values == example.values)
        #expect(diagnostics == [])
    }

    @Test(arguments: ignored) func otherLiteralsAreIgnored(_ example: Case) {
        let (values, diagnostics) = Self.scan(example.source + "\nlet q = graphql(\"end\")")
        #expect(values == ["end"])
        #expect(diagnostics == [])
    }

    @Test(arguments: broken) func mistakesAreReportedAtTheirPlace(_ example: Case) {
        let (_, diagnostics) = Self.scan(example.source)
        #expect(diagnostics == example.values)
    }

    /// The values of all literals, and diagnostics as `line:column message`.
    static func scan(_ text: String) -> (values: [String], diagnostics: [String]) {
        var sources = SourceSet()
        let file = sources.add(path: "A.swift", text: text)
        let scanner = SwiftScanner.scan(file)
        var diagnostics = scanner.diagnostics
        let values = scanner.literals.map { literal in
            let value = literal.value(in: file)
            diagnostics += value.diagnostics
            return String(decoding: value.bytes, as: UTF8.self)
        }
        let places = diagnostics.map { diagnostic in
            let location = file.location(ofOffset: Int(diagnostic.span.start))
            return "\(location.line):\(location.column) \(diagnostic.message)"
        }
        return (values, places)
    }

    static let found: [Case] = [
        Case("one line", #"private let query = graphql("query A { a }")"#, ["query A { a }"]),
        Case("several on a line", #"[graphql("a"), graphql("b")].map { graphql("c") }"#, ["a", "b", "c"]),
        Case("white space and comments", "graphql /* x */ ( // y \"z\"\n \"a\" /* w */ , )", ["a"]),
        Case("qualified", #"let q = Baton.graphql("a")"#, ["a"]),
        Case("quoted name", #"`graphql`("a")"#, ["a"]),
        Case(
            "several lines lose the indentation of the closing quotes",
            "graphql(\"\"\"\n    query A {\n      a\n\n    }\n    \"\"\")",
            ["query A {\n  a\n\n}\n"]
        ),
        Case("carriage returns", "graphql(\"\"\"\r\n  a\r\n  b\r\n  \"\"\")", ["a\r\nb\r\n"]),
        Case("escapes", #"graphql("a \"b\" \\ \n \t \u{E9} \u{1F600}")"#, ["a \"b\" \\ \n \t \u{E9} \u{1F600}"]),
        Case("continued lines", "graphql(\"\"\"\n  a \\\n  b \\  \n  c\n  \"\"\")", ["a b c\n"]),
        Case("raw", ##"graphql(#"a(b: "c\n")"#)"##, [#"a(b: "c\n")"#]),
        Case("raw with more signs", ###"graphql(##"a "# b"##)"###, [##"a "# b"##]),
        Case("raw with an escape", ##"graphql(#"a\#nb"#)"##, ["a\nb"]),
        Case(
            "raw of several lines holds block strings",
            "graphql(##\"\"\"\n  a(b: \"\"\"c\"\"\")\n  \"\"\"##)",
            ["a(b: \"\"\"c\"\"\")\n"]
        ),
        Case("raw quotes on one line", "graphql(#\"\"\"#) + graphql(\"x\")", ["\"", "x"]),
        Case("after strings that mislead", #"let a = "graphql(\"x\")"; let b = "\\"; graphql("y")"#, ["y"]),
        Case("after nested comments", "/* graphql(\"x\") /* \" */ \" */ graphql(\"y\")", ["y"]),
        Case(
            "after interpolations that hold strings",
            #"let a = "\(b("\(c ? "graphql(" : ")")", d: (1)))"; graphql("y")"#,
            ["y"]
        ),
        Case("inside an interpolation of another string", #"print("x \(name(of: graphql("y"))) z")"#, ["y"]),
        Case("after raw interpolation", ##"let a = #"\(x) \#(f(")"))"#; graphql("y")"##, ["y"]),
        Case("after a regex with a quote", "let r = /a\"b/; let s = [/\"/, /[\"(]/]; graphql(\"y\")", ["y"]),
        Case("after an extended regex", "let r = #/a/b\"/#\nlet s = #/\n  \"  # one\n/#; graphql(\"y\")", ["y"]),
        Case("after division", "let a = b / c; let d = (e) / 2 / f[0] / g; graphql(\"y\") // \"", ["y"]),
        Case("after return and a regex", "func f() -> Any { return /\"/ }\nlet q = graphql(\"y\")", ["y"]),
        Case("after numbers", "let a = 0x1F + 1_000.5e-3; let b = x.0.1; graphql(\"y\")", ["y"]),
        Case("after an unfinished string", "let a = \"oops\nlet q = graphql(\"y\")", ["y"]),
        Case("behind conditions", "#if DEBUG\nlet q = graphql(\"y\")\n#endif", ["y"]),
        Case("empty", #"graphql("")"#, [""]),
    ]

    static let ignored: [Case] = [
        Case(
            "method of something else", #"client.graphql("x"); self.graphql("x"); a?.graphql("x"); .graphql("x")"#, []),
        Case("member of a member called Baton", #"x.Baton.graphql("x")"#, []),
        Case(
            "declarations", "func graphql(_ text: String) {}\nenum E { case graphql(String) }\nmacro graphql(\"x\")", []
        ),
        Case("macros and attributes", #"#graphql("x") @graphql("x") struct S {}"#, []),
        Case(
            "functions with other arguments",
            #"graphql("x", y); graphql(x, y); graphql(name: "x"); graphql( `in` : x); graphql("x" + f(y), z); graphql()"#,
            []),
        Case(
            "a function of the file's own",
            "func graphql(_ text: String) {}\nlet a = graphql(text) + graphql(\"a\" + b)",
            []),
        Case("an argument that is not closed", "[graphql(text]; {graphql(\"a\" + }", []),
        Case("interpolated argument of another function", #"graphql("x \(y)", into: z)"#, []),
        Case("longer names", #"graphqlQuery("x"); mygraphql("x"); graphql2("x"); _graphql("x"); $graphql("x")"#, []),
        Case("comments", "// graphql(\"x\")\n/* graphql(\"x\") */\n/// graphql(\"\"\"\n", []),
        Case(
            "strings",
            "let a = \"graphql(x)\"; let b = \"\"\"\n  graphql(\"x\")\n  \"\"\"; let c = #\"graphql(\"x\")\"#", []),
        Case("without a call", "let graphql = 1; print(graphql)", []),
    ]

    static let broken: [Case] = [
        Case(
            "interpolation",
            "let a = graphql(\"\"\"\n  query A { \\(b) }\n  \\(c(\"d\"))\n  \"\"\")",
            [
                "2:13 a GraphQL document may not contain an interpolation",
                "3:3 a GraphQL document may not contain an interpolation",
            ]
        ),
        Case(
            "raw interpolation", ##"graphql(#"\#(a)"#)"##, ["1:11 a GraphQL document may not contain an interpolation"]),
        Case("unfinished line", "let q = graphql(\"query\nlet r = 1", ["1:17 this string literal does not end"]),
        Case("unfinished lines", "let q = graphql(\"\"\"\n  query", ["1:17 this string literal does not end"]),
        Case("unfinished raw", "let q = graphql(#\"query\")", ["1:17 this string literal does not end"]),
        Case(
            "another literal hides the rest",
            "let a = \"\"\"\n  x\nlet q = graphql(\"a\")",
            ["1:9 this string literal does not end"]
        ),
        Case("a comment hides the rest", "/* a /* b */\nlet q = graphql(\"a\")", ["1:1 this comment does not end"]),
        Case(
            "an interpolation hides the rest",
            "let a = \"\\(b\nlet q = graphql",
            ["1:9 this string literal has an interpolation that does not end"]
        ),
        Case(
            "unknown escapes",
            #"graphql("a\q \u{110000} \u{} \u41 \ ")"#,
            [
                "1:11 this escape sequence is unknown to Swift", "1:14 this escape sequence is unknown to Swift",
                "1:25 this escape sequence is unknown to Swift", "1:30 this escape sequence is unknown to Swift",
                "1:35 this escape sequence is unknown to Swift",
            ]
        ),
    ]

    /// The expected literal, and the expression in its place.
    @Test(arguments: [
        (#"graphql("a" + "b")"#, #"error "a" + "b""#),
        (#"import Baton; let q = graphql(text)"#, "error text"),
        ("graphql( text /* that */ )", "warning text /* that */"),
        (#"Baton.graphql(Texts<A>.query)"#, "error Texts<A>.query"),
        (#"graphql(("a"))"#, #"warning ("a")"#),
        (#"graphql("a" as StaticString , )"#, #"error "a" as StaticString ,"#),
        (#"graphql("a \(b)" + c)"#, #"error "a \(b)" + c"#),
        (#"graphql(isA ? "a" : "b")"#, #"warning isA ? "a" : "b""#),
        (#"graphql(f(a, [b, c], { d, e in g }))"#, "warning f(a, [b, c], { d, e in g })"),
        (#"print("\(graphql(text))")"#, "warning text"),
        (#"func f() { graphql(text) }; func g(graphql: Int) {}"#, "warning text"),
    ]) func reportsArgumentsThatAreNoLiterals(_ source: String, _ expected: String) {
        var sources = SourceSet()
        let file = sources.add(path: "A.swift", text: source)
        let diagnostics = SwiftScanner.scan(file).diagnostics
        #expect(diagnostics.map(\.id) == [.swiftArgument])
        let said = diagnostics.map { diagnostic in
            diagnostic.severity.rawValue + " " + String(decoding: file.bytes[diagnostic.span.range], as: UTF8.self)
        }
        #expect(said == [expected])
    }

    @Test func deepNestingNeedsNoStack() {
        let depth = 20_000
        let text = String(repeating: "\"\\(", count: depth) + "graphql(\"a\")" + String(repeating: ")\"", count: depth)
        #expect(Self.scan(text).values == ["a"])
    }

    /// A search that began again at every sign would take hours.
    @Test func unfinishedRegexLiteralsAreSearchedOnce() {
        let line = String(repeating: "#/a ", count: 100_000)
        #expect(Self.scan(line + "\ngraphql(\"a\")").values == ["a"])
        #expect(Self.scan(String(repeating: "#/\n", count: 100_000) + "graphql(\"a\")").values == ["a"])
    }

    @Test func everyPrefixOfASourceIsScanned() {
        let text = Array((Self.found + Self.broken).map(\.source).joined(separator: "\n").utf8)
        for end in stride(from: 0, to: text.count, by: 3) {
            var sources = SourceSet()
            let file = sources.add(path: "A.swift", bytes: Array(text[..<end]))
            for literal in SwiftScanner.scan(file).literals {
                let value = literal.value(in: file)
                #expect(literal.content.upperBound <= end && value.bytes.count <= literal.content.count)
            }
        }
    }
}
