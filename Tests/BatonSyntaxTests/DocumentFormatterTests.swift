import BatonDiagnostics
import BatonSyntax
import Testing

@Suite struct DocumentFormatterTests {
    private static func source(_ text: String) -> SourceFile {
        SourceFile(id: .predeclared, path: "", bytes: Array(text.utf8))
    }

    /// Formats a text, and expects that formatting the result again changes nothing.
    static func format(_ text: String) -> String {
        let source = source(text)
        let outcome = DocumentFormatter().format(source)
        #expect(outcome.diagnostics.isEmpty)
        let formatted = outcome.edits.applied(to: source.bytes)
        let again = Self.source(String(decoding: formatted, as: UTF8.self))
        #expect(DocumentFormatter().format(again).edits.isEmpty)
        return String(decoding: formatted, as: UTF8.self)
    }

    @Test func operationsAndFragmentsHaveOneSelectionOnALine() {
        let text = """
            query   Films($first:Int=10,$after:String!@a){films:allFilms(first:$first,after:$after){...Row_film @include(if:true)
            ...on Film@x{id}... @skip(if:false){title}}}
            fragment Row_film on Film@argumentDefinitions(size:{type:"Int",defaultValue:3}){id}
            {a}
            """
        let formatted = """
            query Films($first: Int = 10, $after: String! @a) {
              films: allFilms(first: $first, after: $after) {
                ...Row_film @include(if: true)
                ... on Film @x {
                  id
                }
                ... @skip(if: false) {
                  title
                }
              }
            }

            fragment Row_film on Film @argumentDefinitions(size: { type: "Int", defaultValue: 3 }) {
              id
            }

            {
              a
            }

            """
        #expect(Self.format(text) == formatted)
    }

    @Test func whatDoesNotFitHasALineEach() {
        let text = """
            query ($firstVariableName: Int, $secondVariableName: [String!]! = ["a"], $thirdVariableName: Boolean) @live { a(filter: {names: ["aaaaaaaaaaaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"], sizes: []}, empty: {}) ...FilmRow_filmWithAVeryLongName @arguments(first: $firstVariableName, second: $secondVariableName)}
            fragment F on Film @refetchable(queryName: "FilmPaginationQuery") @argumentDefinitions(a: {type: "Int"}) { a }
            """
        let formatted = """
            query (
              $firstVariableName: Int
              $secondVariableName: [String!]! = ["a"]
              $thirdVariableName: Boolean
            ) @live {
              a(
                filter: {
                  names: ["aaaaaaaaaaaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"]
                  sizes: []
                }
                empty: {}
              )
              ...FilmRow_filmWithAVeryLongName
                @arguments(first: $firstVariableName, second: $secondVariableName)
            }

            fragment F on Film
            @refetchable(queryName: "FilmPaginationQuery")
            @argumentDefinitions(a: { type: "Int" }) {
              a
            }

            """
        #expect(Self.format(text) == formatted)
    }

    @Test func theTextBehindAGroupCounts() {
        func text(_ count: Int) -> (String, String) {
            let name = String(repeating: "n", count: count)
            return ("{\n  \(name)(a: 1) {\n    b\n  }\n}\n", "{\n  \(name)(\n    a: 1\n  ) {\n    b\n  }\n}\n")
        }
        #expect(Self.format(text(90).0) == text(90).0)
        #expect(Self.format(text(91).0) == text(91).1)
        #expect(Self.format(text(90).1) == text(90).0)
    }

    @Test func commentsKeepTheirPlace() {
        let text = """
            # first

            # of the query
            query A { # behind the brace
              # own
              a # behind a


              # before b
              b(# in b
                x: 1, # behind x
                y: [1 # one
                ]
                # last
              )
              c: # between
              d
              # end
            } # behind A
            # of B
            fragment B on X { a }
            # the end
            """
        let formatted = """
            # first

            # of the query
            query A { # behind the brace
              # own
              a # behind a

              # before b
              b( # in b
                x: 1 # behind x
                y: [
                  1 # one
                ]
                # last
              )
              c: # between
                d
              # end
            } # behind A

            # of B
            fragment B on X {
              a
            }
            # the end

            """
        #expect(Self.format(text) == formatted)
    }

    @Test func aBlankLineBetweenSelectionsStays() {
        let text = "{\n\n\n  a\n\n\n\n  b\n  c\n\n}\n\n\n\n{ d }\n\n\n"
        #expect(Self.format(text) == "{\n  a\n\n  b\n  c\n}\n\n{\n  d\n}\n")
    }

    @Test func schemasAreFormatted() {
        let text = #"""
            """The root.""" schema @a{query:Query mutation:Mutation}
            "A film." type Film implements & Node&Entity @key(fields:"id"){"The id." id:ID! "" title(
            "The language." language:Language=EN @x, short:Boolean):String @deprecated
            """
              Several
                lines.
            """
            text(first: Int): [[String!]!]!}
            union Short=|A|B
            union Media = AAAAAAAAAAAAAAAAAAAAAAAAAAAAA | BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB | CCCCCCCCCCCCCCCCCCCC # c
            enum Language{EN @a "German" DE}
            input Size{width:Int=3 height:Int}
            extend type Film @b
            directive @a(x:Int)repeatable on FIELD|QUERY
            scalar Date
            """#
        let formatted = #"""
            """
            The root.
            """
            schema @a {
              query: Query
              mutation: Mutation
            }

            "A film."
            type Film implements Node & Entity @key(fields: "id") {
              "The id."
              id: ID!
              ""
              title("The language." language: Language = EN @x, short: Boolean): String @deprecated
              """
              Several
                lines.
              """
              text(first: Int): [[String!]!]!
            }

            union Short = A | B

            union Media =
              | AAAAAAAAAAAAAAAAAAAAAAAAAAAAA
              | BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB
              | CCCCCCCCCCCCCCCCCCCC # c

            enum Language {
              EN @a
              "German"
              DE
            }

            input Size {
              width: Int = 3
              height: Int
            }

            extend type Film @b

            directive @a(x: Int) repeatable on FIELD | QUERY

            scalar Date

            """#
        #expect(Self.format(text) == formatted)
    }

    @Test func aBlockStringThatWouldChangeStaysAsItIs() {
        let text = "{\n  a(text: \"\"\"  indented\"\"\")\n  b(\n    text: \"\"\"\n \"\"\"\n  )\n}\n"
        #expect(Self.format(text) == text)
    }

    @Test func commentsBetweenMembersKeepTheirOrder() {
        let text = "union A = # a\n  B | # b\n C # c\n  # d\n  | D\n"
        let formatted = "union A = # a\n  | B # b\n  | C # c\n  # d\n  | D\n"
        #expect(Self.format(text) == formatted)
    }

    @Test func interfacesStayOnOneLine() {
        let names = (0..<9).map { "InterfaceNumber\($0)" }
        let text = "type A implements & " + names.joined(separator: "&") + "{a:A}"
        #expect(Self.format(text) == "type A implements " + names.joined(separator: " & ") + " {\n  a: A\n}\n")
        #expect(Self.format("type A implements B & # c\n C @x") == "type A implements B # c\n  & C @x\n")
    }

    @Test func textsWithoutDefinitionsAreFormatted() {
        #expect(Self.format("") == "")
        #expect(Self.format(" \n\n") == "")
        #expect(Self.format("\n\n  # only\n\n\n # comments") == "# only\n\n# comments\n")
    }

    @Test func lineBreaksOfTheFileStay() {
        #expect(Self.format("{ a\r\n\r\nb # c\r\n}") == "{\r\n  a\r\n\r\n  b # c\r\n}\r\n")
        #expect(Self.format("{ a\r\rb # c\r}") == "{\r  a\r\r  b # c\r}\r")
        #expect(Self.format("{ a\n\rb }") == "{\n  a\n\n  b\n}\n")
    }

    @Test func aTextWithAMistakeHasNoEdits() {
        let outcome = DocumentFormatter().format(Self.source("{ a }\nquery { b( }"))
        #expect(outcome.edits.isEmpty)
        #expect(outcome.diagnostics.map(\.id) == [.syntax])
    }

    @Test func eachDefinitionThatChangesIsOneEdit() {
        let text = "{\n  a\n}\n\n{ b }\n\n{\n  c\n}\n"
        let edits = DocumentFormatter().format(Self.source(text)).edits
        #expect(edits == [TextEdit(range: 7..<14, replacement: Array("\n\n{\n  b\n}".utf8))])
        #expect(edits.touching(0..<5).isEmpty)
        #expect(edits.touching(10..<10) == edits)
    }

    @Test func aLiteralIsIndentedLikeItsEnd() {
        let text = "graphql(\n    \"\"\"\n    { a\n      b }\n    # c\n    \"\"\")"
        let source = Self.source(text)
        let content = 16..<(text.utf8.count - 4)
        let formatter = DocumentFormatter()
        let formatted = formatter.format(source, literal: content).edits.applied(to: source.bytes)
        let expected = "graphql(\n    \"\"\"\n    {\n      a\n      b\n    }\n    # c\n    \"\"\")"
        #expect(String(decoding: formatted, as: UTF8.self) == expected)
    }

    @Test func nestedTextsUpToTheLimitAreFormatted() {
        let formatter = DocumentFormatter()
        for nested in ParserLimitTests.nested {
            for depth in [190, 300] {
                let outcome = formatter.format(Self.source(nested(depth)))
                #expect(outcome.edits.isEmpty == (depth > 200))
            }
        }
    }
}
