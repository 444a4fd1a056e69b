import BatonCommand
import BatonCompiler
import BatonDiagnostics
import FixtureSupport
import Foundation
import Testing

@testable import BatonTransforms

/// What `baton validate` makes of Relay's rules.
@Suite struct ValidateRelayTests {
    private static func ids(_ document: String, _ options: String = "--format json") throws -> [String] {
        let folder = try TemporaryFolder([
            "s.graphql": """
            directive @live on QUERY
            directive @connection(of: String) on FIELD
            directive @stream(label: String, if: Boolean! = true, initialCount: Int = 0) on FIELD
            type Query { film: Film films: [Film!]! page(first: Int): Films }
            type Film { id: ID! title: String }
            type Films { edges: [Edge] }
            type Edge { cursor: String node: Film }
            """,
            "e.graphql": "extend type Film { length: Int @relay_resolver }", "d.graphql": document,
        ])
        let command = "validate --schema s.graphql --schema-extension e.graphql --documents d.graphql "
        let outcome = CommandTests.run(command + options, in: folder)
        let line = outcome.output.prefix { $0 != "\n" }
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: [[String: Any]]]
        let found = try #require(object?["diagnostics"])
        let errors = found.filter { $0["severity"] as? String == "error" }
        #expect(outcome.status == (errors.isEmpty ? .success : .inputErrors))
        return errors.compactMap { $0["id"] as? String }
    }

    @Test(arguments: [
        ("query Q { film { title @required(action: LOG) @catch } }", ["different-nullability"]),
        ("query Q { film { ...F @alias(as: \"__a\") } } fragment F on Film { title }", ["invalid-alias"]),
        ("query Q { film { id: title ...F } } fragment F on Film @inline { title }", []),
        ("query Q @updatable { film @include(if: true) { title } }", ["invalid-updatable"]),
        // What shows only when the fragments have their arguments.
        (
            "query Q { ...F @arguments(n: 1) ...F @arguments(n: 2) } fragment F on Query @argumentDefinitions(n: {type: \"Int\"}) { page(first: $n) { edges { cursor } } }",
            ["conflicting-fields"]
        ),
        (
            "query Q($n: Int) { ...F @arguments(n: 1) } fragment F on Query @argumentDefinitions(n: {type: \"Int\"}) @refetchable(queryName: \"R\") { page(first: $n) { edges { cursor } } ...G } fragment G on Query { other: page(first: $n) { edges { cursor } } }",
            ["not-refetchable"]
        ),
        // A label is one of its definition and directive, and is looked at whatever else is wrong.
        (
            "query Q { nothing film { ...F @defer(label: \"a\") ...F @defer(label: \"a\") } } fragment F on Film @inline { title }",
            ["unknown-field", "duplicate-label"]
        ),
        (
            "query Q { film { ...F @defer(label: \"a\") } films @stream(label: \"a\", initialCount: 1) { ...G } } fragment G on Film { ...F @defer(label: \"a\") } fragment F on Film @inline { title }",
            []
        ),
        (
            "query Q { film { ...F @defer(label: \"a\", if: false) id ...F @defer(label: \"a\") } } fragment F on Film @inline { title }",
            []
        ),
        // What is not carried out is no mistake.
        ("query Q @exec_time_resolvers { film { length title @required(action: LOG) } }", []),
    ])
    func documentsWithRelaysDirectivesAreJudgedByItsRules(_ document: String, _ expected: [String]) throws {
        #expect(try Self.ids(document) == expected)
    }

    /// Neither Relay's rules nor Baton's apply, and directives of the server are not Relay's.
    @Test(arguments: [
        ("query Q { __typename film { id: title __t: title } }", []),
        ("query Q @live { page @connection(of: \"x\") { edges { cursor } } }", []),
        (
            "query Q { films @stream(label: \"a\") { ...F } } fragment F on Film { title } query R { films @stream(label: \"a\") { title } }",
            ["duplicate-label"]
        ),
    ])
    func plainDocumentsAreJudgedByTheSpecification(_ document: String, _ expected: [String]) throws {
        #expect(try Self.ids(document) == expected)
    }

    /// The stages after validation refuse nothing by Relay's rules that validation accepts, and the other way round.
    @Test(arguments: Fixture.all(in: "transforms"))
    func validationFindsWhatTheStagesRefuse(_ fixture: Fixture) throws {
        for texts in try fixture.inputs().map(\.texts) {
            let compiled = CompiledFixture(texts)
            guard !compiled.diagnostics.hasErrors, compiled.compilation.usesRelay else { continue }
            let program = compiled.compilation.program()
            var pipeline = Pipeline(program)
            if !pipeline.diagnostics.hasErrors {
                _ = pipeline.fragments()
                _ = pipeline.operations()
            }
            let errors = pipeline.diagnostics.filter { $0.severity == .error }
            let mistakes = Pipeline.judge(program).mistakes.filter { $0.severity == .error }
            let rules = Set(DocumentCheck.all.filter { $0.kind == .mistake }.flatMap(\.ids))
            let refused = Set(errors.filter { rules.contains($0.id) })
            #expect(refused.isSubset(of: mistakes))
            if refused.count == errors.count { #expect(Set(mistakes) == refused) }
        }
    }
}
