import RandomCases
import Testing

@testable import Baton

@Suite struct MereLinkTests {
    /// Only the ID is selected for one type, and more fields for another. The objects that come last do not lose their
    /// type and fields to those that come first.
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

    /// Links that follow each other directly are looked up together; the result is the same as one by one.
    @Test(arguments: RandomCases.seeds(40, from: 0 as UInt64))
    func linksThatAreReadTogetherAreThoseThatAreReadOneByOne(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let dumps = [Store(), Store()]
        // Known links take another path through the list.
        for _ in 0..<3 {
            let items = (0..<Int.random(in: 0..<50, using: &random)).map { _ in Self.link(using: &random) }
            for (store, separator) in zip(dumps, [",", " , "]) {
                try store.write(
                    #"{"data":{"list":[\#(items.joined(separator: separator))]}}"#,
                    for: store.bind(Self.list, variables: .object([])))
                #expect(store.checkInvariants() == [])
            }
            #expect(dumps[0].dump() == dumps[1].dump())
            guard case .links(let links)? = dumps[0].records.value(dumps[0].names.key("list"), of: .root) else {
                Issue.record("the list is no list of links")
                return
            }
            #expect(links.count == items.count)
            for (link, item) in zip(links, items) {
                let id = dumps[0].names.dataID(of: link).rawValue
                #expect(
                    item == "null"
                        ? link == .none
                        : item.contains(#""\#(id)""#) || item.contains("\\") || id.hasPrefix("client:root:list"))
            }
        }
    }

    private static let list = {
        let plan = "{list:[+A]{id:ID!}}"
        return GeneratedCode.OperationArtifact(name: "L", kind: .query, text: "", normalization: plan, reader: plan)
    }()

    private static func link(using random: inout SeededGenerator) -> String {
        let number = Int.random(in: 0..<30, using: &random)
        switch Int.random(in: 0..<12, using: &random) {
        case 0: return "null"
        case 1: return #"{"id":"client:root"}"#
        case 2: return #"{"id":"\u0061\#(number)"}"#
        case 3: return #"{ "id" : "a\#(number)" }"#
        case 4: return #"{"id":"a\#(number)","more":1}"#
        case 5: return #"{"id":"one that is longer than sixteen bytes \#(number)"}"#
        case 6: return #"{"id":""}"#
        default: return #"{"id":"a\#(number)"}"#
        }
    }
}
