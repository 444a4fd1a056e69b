// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Testing

@testable import Baton

/// Two results are equal if what they show is equal, also if their plans differ.
@Suite struct ResultEqualityTests {
    private func artifact(_ plan: String) -> GeneratedCode.OperationArtifact {
        GeneratedCode.OperationArtifact(
            name: "Q", kind: .query, text: "", normalization: plan, reader: plan,
            scalars: [GeneratedCode.ScalarDecoder("Day", Day.self)])
    }

    private func read(_ artifact: GeneratedCode.OperationArtifact, _ answer: String, x: Bool) throws -> AnyData {
        let store = Store()
        let operation = store.bind(artifact, variables: .object([.init("x", .bool(x))]))
        try store.write(answer, for: operation)
        return try #require(store.read(AnyData.self, of: operation).data)
    }

    // MARK: - Errors that are caught as null

    /// Under a false condition no children are bound, so that the selection sets behind it have other numbers.
    @Test(arguments: [
        ("date:@Day@catch(NULL)", #""date":null"#), ("tags:[String!]@catch(NULL)", #""tags":null"#),
        ("name:String@catch(NULL)", #""name":null"#), ("one:+T@catch(NULL){n:Int}", #""one":null"#),
    ])
    func whatWasCaughtAsNullIsEqualToNullInOtherPlans(_ field: String, _ value: String) throws {
        let artifact = artifact("(x){[x]a:+T{n:Int o:+T{n:Int m:Int}} b:+T{id:ID! \(field)}}")
        let key = field.prefix { $0 != ":" }
        func answer(_ value: String, isError: Bool = false) -> String {
            let errors = isError ? #","errors":[{"message":"e","path":["b","\#(key)"]}]"# : ""
            return #"{"data":{"a":null,"b":{"id":"1",\#(value)}}\#(errors)}"#
        }
        let full =
            switch key {
            case "date": #""date":"1977-05""#
            case "tags": #""tags":["t"]"#
            case "name": #""name":"n""#
            default: #""one":{"n":1}"#
            }
        for x in [false, true] {
            let caught = try read(artifact, answer(value, isError: true), x: x)
            let null = try read(artifact, answer(value), x: !x)
            let other = try read(artifact, answer(full), x: !x)
            #expect(caught == null && null == caught)
            #expect(caught.hashValue == null.hashValue)
            #expect(caught != other && other != caught)
        }
    }
}
