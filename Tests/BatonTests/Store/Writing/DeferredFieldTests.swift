// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Testing

@testable import Baton

/// A field of a reader plan that arrives later, such as the `pageInfo` of a streamed connection.
@Suite struct DeferredFieldTests {
    private struct Fragment: GraphQLFragment {
        static let artifact = GeneratedCode.FragmentArtifact(name: "F", typeCondition: "Query", reader: "{}")

        struct Data: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
        }
    }

    /// Reads what a first payload has brought, which lacks `best`.
    private func isMissingData(_ reader: String) throws -> Bool {
        let store = Store()
        let artifact = GeneratedCode.OperationArtifact(
            name: "Q", kind: .query, text: "",
            normalization: "{user:User{name:String <>@defer(\"d\"){best:User{name:String! friend:User{name:String}}}}}",
            reader: reader)
        let operation = store.bind(artifact, variables: .object([]))
        var delivery = try #require(IncrementalDelivery(operation))
        let body = Array(#"{"data":{"user":{"name":"Ann"}},"hasNext":true}"#.utf8)
        store.publish(try store.normalize(body, into: &delivery).response, for: operation)
        return store.read(Fragment.Data.self, of: operation).isMissingData
    }

    @Test func aFieldThatArrivesLaterIsNotMissed() throws {
        #expect(try !isMissingData("{user:User{name:String best:User@defer(\"d\"){name:String!}}}"))
        #expect(try isMissingData("{user:User{name:String best:User{name:String!}}}"))
    }
}
