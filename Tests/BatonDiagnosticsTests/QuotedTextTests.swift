import BatonDiagnostics
import BatonSyntax
import Foundation
import Testing

struct QuotedTextTests {
    @Test(arguments: StringLanguage.allCases)
    func plainTextIsNotEscaped(_ language: StringLanguage) {
        #expect("".quoted(in: language) == #""""#)
        #expect("plain 'text' / {$1}".quoted(in: language) == #""plain 'text' / {$1}""#)
        #expect("\u{E4}\u{4E2D}\u{1F600}\u{200D}".quoted(in: language) == "\"\u{E4}\u{4E2D}\u{1F600}\u{200D}\"")
    }

    @Test(arguments: StringLanguage.allCases)
    func quotesBackslashesAndLineBreaksAreEscapedInEveryLanguage(_ language: StringLanguage) {
        #expect("\"\\\n\r\t".quoted(in: language) == #""\"\\\n\r\t""#)
    }

    @Test func otherEscapesAreThoseOfTheLanguage() {
        let text = "\u{8}\u{C}\u{1B}\u{7F}\u{9F}\u{2028}\u{202E}\u{E0001}"
        #expect(text.quoted(in: .json) == #""\u0008\u000c\u001b\u007f\u009f\u2028\u202e\udb40\udc01""#)
        #expect(text.quoted(in: .graphQL) == #""\b\f\u001B\u007F\u009F\u2028\u202E\#u{E0001}""#)
        #expect(text.quoted(in: .request) == #""\u0008\u000c\u001b\u007f\u009f\#u{2028}\#u{202E}\#u{E0001}""#)
        #expect(text.quoted(in: .swift) == #""\u{8}\u{c}\u{1b}\u{7f}\u{9f}\u{2028}\#u{202E}\#u{E0001}""#)
    }

    /// Every scalar that some language may treat specially.
    private static let text: String = {
        let numbers: [UInt32] = Array(0...0x2100) + [0xD7FF, 0xE000, 0xFEFF, 0xFFFF, 0x1F600, 0xE0001]
        return String(String.UnicodeScalarView(numbers.compactMap { Unicode.Scalar($0) }))
    }()

    @Test(arguments: [StringLanguage.graphQL, .request])
    func textWrittenForGraphQLIsReadBack(_ language: StringLanguage) throws {
        let source = "{ field(argument: \(Self.text.quoted(in: language))) }"
        let file = SourceFile(id: .predeclared, path: "a.graphql", bytes: Array(source.utf8))
        let (document, diagnostics) = Parser.parseDocument(file)
        #expect(diagnostics == [])
        let selection = try #require(document.operations.first?.selectionSet.selections.first)
        guard case .field(let field) = selection, case .string(let string) = field.arguments.first?.value else {
            Issue.record("no string in \(selection)")
            return
        }
        #expect(Array(string.text.unicodeScalars) == Array(Self.text.unicodeScalars))
    }

    @Test(arguments: [StringLanguage.json, .request])
    func textWrittenForJSONIsReadBack(_ language: StringLanguage) throws {
        let data = Data("[\(Self.text.quoted(in: language))]".utf8)
        let read = try #require(try JSONSerialization.jsonObject(with: data) as? [String])
        #expect(read.first.map { Array($0.unicodeScalars) } == Array(Self.text.unicodeScalars))
    }
}
