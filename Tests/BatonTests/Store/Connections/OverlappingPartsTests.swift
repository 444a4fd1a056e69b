import Testing

@testable import Baton

/// Pages in parts that overlap the end of a list: they end as a page that comes as a whole.
@Suite struct OverlappingPartsTests {
    private static let info = "pageInfo:PageInfo{endCursor:String hasNextPage:Boolean startCursor:String}"
    private static let before =
        #"{posts(last:1):Posts@connection("K"){edges:[Edge]{cursor:String node:+Post{id:ID!}} \#(info)}}"#

    private static func edge(_ id: String) -> String { #"{"cursor":"c\#(id)","node":{"id":"\#(id)"}}"# }
    private static func info(_ start: String, _ end: String) -> String {
        #""pageInfo":{"endCursor":"c\#(end)","hasNextPage":false,"startCursor":"c\#(start)"}"#
    }

    /// Lands payloads of a page after c5 in a store with the list [7], and returns the nodes and the start cursor.
    private static func land(_ payloads: [String], edges: String) throws -> (nodes: [String], start: JSONValue?) {
        let store = Store()
        func operation(_ plan: String) -> BoundOperation {
            let artifact = GeneratedCode.OperationArtifact(
                name: "Q", kind: .query, text: "", normalization: plan, reader: "{}")
            return store.bind(artifact, variables: .object([]))
        }
        let first = operation(before)
        let list = #"{"data":{"posts":{"edges":[\#(edge("7"))],\#(info("7", "7"))}}}"#
        store.publish(try store.normalize(Array(list.utf8), for: first), for: first)
        let page = operation(#"{posts(after:"c5",first:3):Posts@connection("K"){\#(edges) \#(info)}}"#)
        var delivery = try #require(IncrementalDelivery(page))
        for (index, payload) in payloads.enumerated() {
            let part = try store.normalize(Array(payload.utf8), into: &delivery, isLast: index == payloads.count - 1)
            try store.publish(part.response, for: page, updating: { _ in })
        }
        try delivery.finish()
        #expect(store.checkInvariants().isEmpty)
        var result: (nodes: [String], start: JSONValue?) = ([], nil)
        try store.update { records in
            let connection = try #require(records.connections(key: "K").first)
            result.nodes = connection.nodes.map { $0?.dataID.rawValue ?? "-" }
            result.start = connection.record.linkedRecord(forField: "pageInfo")?.value(forField: "startCursor")
        }
        return result
    }

    /// The known row comes after the new ones.
    @Test func streamedRowsGoBeforeTheRowThatComesLater() throws {
        let edges = #"edges:[Edge]@stream("S",1){cursor:String node:+Post{id:ID!}}"#
        let rest = ["6.5", "7"].enumerated().map { index, id in
            #"{"label":"S","path":["posts","edges",\#(index + 1)],"items":[\#(Self.edge(id))],"hasNext":\#(id != "7")}"#
        }
        let first = #"{"data":{"posts":{"edges":[\#(Self.edge("6"))],\#(Self.info("6", "7"))}},"hasNext":true}"#
        let (nodes, start) = try Self.land([first] + rest, edges: edges)
        #expect(nodes == ["6", "6.5", "7"])
        #expect(start == "c6")
    }

    /// The nodes, and then the cursors, of the edges come later.
    @Test func rowsWhoseNodesComeLaterArePlacedThen() throws {
        let edges = #"edges:[Edge]{__typename:String <>@defer("N"){node:+Post{id:ID!}} <>@defer("C"){cursor:String}}"#
        let first =
            #"{"data":{"posts":{"edges":[{"__typename":"Edge"},{"__typename":"Edge"}],\#(Self.info("6", "7"))}},"hasNext":true}"#
        func part(_ label: String, _ index: Int, _ data: String, isLast: Bool = false) -> String {
            #"{"label":"\#(label)","path":["posts","edges",\#(index)],"data":{\#(data)},"hasNext":\#(!isLast)}"#
        }
        let nodes = [part("N", 0, #""node":{"id":"6"}"#), part("N", 1, #""node":{"id":"7"}"#)]
        let cursors = [part("C", 0, #""cursor":"c6""#), part("C", 1, #""cursor":"c7""#)]
        let end = [#"{"hasNext":false}"#]
        for parts in [nodes + cursors, cursors + nodes, nodes.reversed() + cursors] {
            let result = try Self.land([first] + parts + end, edges: edges)
            #expect(result.nodes == ["6", "7"], "\(parts)")
            #expect(result.start == "c6", "\(parts)")
        }
    }
}
