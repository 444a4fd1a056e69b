import Testing

@testable import Baton

@Suite struct InspectionTests {
    @Test func recordsAreLookedAtByIDAndField() throws {
        let store = Store()
        try store.write(HeroQuery.answer, for: store.bind(HeroQuery()))
        try store.update { try $0.delete("1000") }
        let records = store.inspection
        #expect(records.ids.contains("client:root"))
        #expect(records.ids == records.ids.sorted { $0.rawValue < $1.rawValue })
        #expect(records.state(of: "1000") == .deleted)
        #expect(records.state(of: "2001") == .existing)
        #expect(records.state(of: "nobody") == .unknown)
        #expect(records["1000"] == nil)
        let hero = try #require(records["2001"])
        #expect(hero.typename == "Droid")
        #expect(hero.fields["mass"] == .value(32))
        #expect(hero.fields["friends(first:2)"] == .links(["1000", nil, "2001"]))
        #expect(hero.fields["born"] == .value("1977-05"))
        #expect(records["client:root"]?.fields[#"hero(episode:"JEDI")"#] == .link("2001"))
        // A kept version does not change.
        try store.update { try $0.delete("2001") }
        #expect(records.state(of: "2001") == .existing)
    }

    @Test func theTextDoesNotDependOnWhatElseHappened() throws {
        let artifact = GeneratedCode.OperationArtifact(
            name: "Like", kind: .mutation, text: "", normalization: "{like:Payload{n:Int}}", reader: "{}")
        func like(_ store: Store, _ n: Int) throws {
            try store.write(#"{"data":{"like":{"n":\#(n)}}}"#, for: store.bind(artifact, variables: .object([])))
        }
        func local(_ store: Store, _ name: String) throws {
            try store.update { records in
                let record = try records.createLocal(type: "Draft")
                try record.setValue(.string(name), forField: "name")
                try records.root.setLinkedRecord(record, forField: name)
            }
        }
        let (left, right) = (Store(), Store())
        try like(left, 1)
        try like(left, 2)
        try local(left, "a")
        try local(left, "b")
        // The same changes in another order, after calls that left nothing.
        for _ in 0..<5 { _ = right.bind(artifact, variables: .object([])) }
        try local(right, "b")
        try local(right, "a")
        try like(right, 2)
        try like(right, 1)
        #expect(left.inspection.description == right.inspection.description)
        #expect(
            left.inspection.description == """
                client:root __Root
                  a -> local#1
                  b -> local#2
                local#1 Draft
                  name "a"
                local#2 Draft
                  name "b"
                mutation#1 __Root
                  like -> mutation#1:like
                mutation#1:like Payload
                  n 1
                mutation#2 __Root
                  like -> mutation#2:like
                mutation#2:like Payload
                  n 2
                """)
    }
}
