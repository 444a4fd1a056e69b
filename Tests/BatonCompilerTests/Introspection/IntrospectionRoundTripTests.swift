import BatonCompiler
import BatonDiagnostics
import BatonSchema
import BatonSyntax
import FixtureSupport
import Foundation
import Testing

/// A schema in SDL, and the introspection answer of a server with this schema, give the same schema.
struct IntrospectionRoundTripTests {
    /// The valid schemas of the fixtures, and the public schemas beside the package if there are any.
    static let schemas: [URL] = {
        let fixtures = FixtureFolder.schema.fixtures.filter { !$0.isInvalid && !$0.holdsCases }.map(\.url)
        let corpora = Corpus.all.map { $0.folder.appendingPathComponent("schema.graphql") }
        let found = corpora.filter { FileManager.default.fileExists(atPath: $0.path) }
        return (fixtures + found).sorted { $0.path < $1.path }
    }()

    @Test(arguments: schemas)
    func theAnswerIsTheSameSchema(_ url: URL) throws {
        // Fixtures with client extensions have them after the first line that names a text.
        let text = try String(contentsOf: url, encoding: .utf8)
        let sdl = text.components(separatedBy: "\n#%% ")[0]
        let expected = Self.load(sdl, as: "schema.graphql")
        #expect(!expected.diagnostics.hasErrors)
        let answer = IntrospectionAnswer(schema: expected.schema)
        let actual = Self.load(try answer.json(isIndented: false), as: "schema.json")
        #expect(!actual.diagnostics.hasErrors, "\(actual.diagnostics.map(\.message).prefix(5))")
        let expectedLines = Printer.print(Self.introspected(expected.schema)).split(separator: "\n")
        let actualLines = Printer.print(Self.introspected(actual.schema)).split(separator: "\n")
        #expect(actualLines.difference(from: expectedLines).prefix(4).map { "\($0)" } == [])
        // Diagnostics about directives cannot be found again, because introspection does not show directives.
        let found = Set(expected.diagnostics.map(\.id)).subtracting([.unknownSchemaDirective, .repeatedField])
        #expect(Set(actual.diagnostics.map(\.id)).isSuperset(of: found))
    }

    @Test(arguments: [["data", "__schema"], ["__schema"], []], [false, true])
    func everyShapeOfAnAnswerIsRead(_ keys: [String], _ isOld: Bool) throws {
        let sdl = """
            "D" type Query { a(b: [Int!]! = [1], c: E = A): [[Query!]!]! @deprecated i: I }
            interface I { a: Int }
            type T implements I { a: Int }
            enum E { A B @deprecated(reason: "old") }
            input In { a: In b: String = "\\"\\u00e9\\"" }
            directive @d(a: Int = 1) on FIELD
            """
        let expected = Self.load(sdl, as: "schema.graphql").schema
        let answer = IntrospectionAnswer(schema: expected, isOld: isOld)
        for text in [try answer.json(wrapped: keys), "\u{FEFF} \n" + (try answer.json(wrapped: keys))] {
            let actual = Self.load(text, as: "schema.json")
            #expect(actual.diagnostics.isEmpty)
            #expect(Printer.print(actual.schema.document) == Printer.print(Self.introspected(expected)))
        }
    }

    private static func load(_ text: String, as path: String) -> (schema: Schema, diagnostics: [Diagnostic]) {
        var compiler = Compiler()
        let result = compiler.loadSchema([compiler.addSource(path: path, text: text)])
        return (result.schema, result.diagnostics)
    }

    /// The parts of a schema that introspection shows: directives are left out, except for those that introspection
    /// reports.
    private static func introspected(_ schema: Schema) -> Document {
        var document = schema.serverDocument
        let builtIn: Set<String> = ["skip", "include", "deprecated", "specifiedBy", "oneOf"]
        document.definitions = document.definitions.compactMap { definition in
            switch definition {
            case .directive(let directive): builtIn.contains(directive.name.text) ? nil : .directive(told(directive))
            case .type(let type): .type(told(type))
            default: definition
            }
        }
        return document
    }

    private static func told(_ directives: [Directive]) -> [Directive] {
        directives.filter { ["deprecated", "specifiedBy", "oneOf"].contains($0.name.text) }.map { directive in
            // A server reports a reason even if the schema gives none.
            guard directive.name.text == "deprecated", directive.arguments.isEmpty else { return directive }
            let reason = Argument(name: Name("reason"), value: .string(StringValue("No longer supported")))
            return Directive(name: directive.name, arguments: [reason])
        }
    }

    private static func told(_ directive: DirectiveDefinition) -> DirectiveDefinition {
        var directive = directive
        directive.arguments = directive.arguments.map(told)
        directive.directives = []
        return directive
    }

    private static func told(_ value: InputValueDefinition) -> InputValueDefinition {
        var value = value
        value.directives = told(value.directives)
        return value
    }

    private static func told(_ type: TypeDefinition) -> TypeDefinition {
        func fields(_ fields: [FieldDefinition]) -> [FieldDefinition] {
            fields.map { field in
                var field = field
                field.arguments = field.arguments.map(told)
                field.directives = told(field.directives)
                return field
            }
        }
        var type = type
        type.directives = told(type.directives)
        switch type.body {
        case .object(let interfaces, let all): type.body = .object(interfaces: interfaces, fields: fields(all))
        case .interface(let interfaces, let all): type.body = .interface(interfaces: interfaces, fields: fields(all))
        case .enum(let values):
            type.body = .enum(
                values: values.map { value in
                    var value = value
                    value.directives = told(value.directives)
                    return value
                }
            )
        case .inputObject(let all): type.body = .inputObject(fields: all.map(told))
        case .scalar, .union: break
        }
        return type
    }
}
