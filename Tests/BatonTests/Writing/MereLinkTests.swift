import Testing

@testable import Baton

@Suite struct MereLinkTests {
    /// Of one type nothing is asked but the ID, of another more: what comes first does not take the type and the fields of what comes last.
    @Test func recordsOfWhichOnlyTheIDCameKeepTheirType() throws {
        let plan = "{list:[+*A]{id:ID! <N0>{x:Int y:Int}}}"
        let artifact = GeneratedCode.OperationArtifact(
            name: "L", kind: .query, text: "", normalization: plan, reader: plan)
        let store = Store()
        try store.write(
            #"{"data":{"list":[{"__typename":"N1","id":"1"},{"__typename":"N0","id":"2","x":3,"y":4}]}}"#,
            for: store.bind(artifact, variables: .object([])))
        #expect(
            store.dump() == """
                1 is N1
                1.id = "1"
                2 is N0
                2.id = "2"
                2.x = 3
                2.y = 4
                client:root is __Root
                client:root.list = ["-> 1","-> 2"]
                """)
    }
}
