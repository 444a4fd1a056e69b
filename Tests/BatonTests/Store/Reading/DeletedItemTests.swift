// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Testing

@testable import Baton

/// A non-null item of a list that shows a deleted record is left out. A nullable item becomes null.
@Suite struct DeletedItemTests {
    private static func rows(_ count: Int) -> String {
        #"{"data":{"rows":[\#((1...count).map(row).joined(separator: ","))]}}"#
    }

    private static func row(_ id: Int) -> String {
        #"{"id":"\#(id)","a":\#(id),"node":{"id":"n\#(id)","a":\#(id),"deep":{"id":"d\#(id)","a":\#(id)}}}"#
    }

    /// The expected data of a list after the records in `deleted` were deleted; the numbers identify the remaining
    /// rows.
    struct Case: Sendable, CustomStringConvertible {
        let plan: String
        let deleted: [DataID]
        let expected: String

        var description: String { "\(plan) without \(deleted.map(\.rawValue))" }

        init(_ plan: String, _ deleted: [DataID], _ expected: String) {
            (self.plan, self.deleted, self.expected) = (plan, deleted, expected)
        }
    }

    private static let cases = [
        Case("{rows:[+T!]!{id:ID!}}", ["2"], #"{"rows":[{"id":"1"},{"id":"3"},{"id":"4"}]}"#),
        Case("{rows:[+T!]!{id:ID!}}", ["1", "2", "3", "4"], #"{"rows":[]}"#),
        Case("{rows:[+T]!{id:ID!}}", ["2"], #"{"rows":[{"id":"1"},null,{"id":"3"},{"id":"4"}]}"#),
        // Items are also left out if the deleted record is further below.
        Case("{rows:[+T!]!{a:Int node:+T!{a:Int}}}", ["n1", "n2", "n4"], #"{"rows":[{"a":3,"node":{"a":3}}]}"#),
        Case(
            "{rows:[+T]!{a:Int node:+T!{a:Int}}}", ["n1", "n2", "n4"],
            #"{"rows":[null,null,{"a":3,"node":{"a":3}},null]}"#),
        Case("{rows:[+T!]!{node:+T!{deep:+T!{a:Int}}}}", ["d2", "d3", "4"], #"{"rows":[{"node":{"deep":{"a":1}}}]}"#),
        // A nullable field stops the fall.
        Case(
            "{rows:[+T!]!{a:Int node:+T{a:Int}}}", ["n1", "n2", "n4", "3"],
            #"{"rows":[{"a":1,"node":null},{"a":2,"node":null},{"a":4,"node":null}]}"#),
        Case(
            "{rows:[+T!]!{a:Int node:+T{deep:+T!{a:Int}}}}", ["d1", "2", "3", "4"], #"{"rows":[{"a":1,"node":null}]}"#),
        // A condition makes a property optional.
        Case(
            "(c=true){rows:[+T!]!{a:Int [c]node:+T!{a:Int}}}", ["n1", "2", "3", "4"],
            #"{"rows":[{"a":1,"node":null}]}"#),
    ]

    @Test(arguments: cases) func deletingARowNeverTakesTheList(_ given: Case) throws {
        let world = try World(given.plan)
        let before = world.read()
        try world.store.update { source in for id in given.deleted { try source.delete(id) } }
        let full = world.read()
        #expect("\(world.json(full) ?? .null)" == given.expected)
        #expect(!full.isMissingData)
        let again = world.read(after: before.dependencies)
        #expect(again.data == full.data && world.json(again) == world.json(full))
        #expect(Set(again.dependencies.pairs) == Set(full.dependencies.pairs))
        // The read subscribes to the deleted records, so that their return is noticed.
        let records = Set(full.dependencies.pairs.map(\.record))
        for id in given.deleted { #expect(world.store.record(id).map(records.contains) == true) }
        try world.writeRows()
        let back = world.read(after: again.dependencies)
        #expect(back.data == before.data && back.data == world.read().data)
        #expect(world.json(back) == world.json(before))
    }

    @Test func whatFallsForAnotherReasonTakesTheList() throws {
        // The deleted node is nullable; the item has no value because another field is missing.
        let world = try World("{rows:[+T!]{node:+T{a:Int} b:Int!}}")
        try world.store.update { try $0.delete("n1") }
        #expect(world.json(world.read()) == ["rows": .null])
        #expect(world.read().isMissingData)
    }

    @Test func aNullTakesTheList() throws {
        let world = try World("{rows:[+T!]{node:+T{a:Int} a:Int!}}")
        try world.store.update { source in
            try source.delete("n1")
            try source.get("1")?.setValue(.null, forField: "a")
        }
        #expect(world.json(world.read()) == ["rows": .null])
    }

    @Test func aDeletedItemIsLeftOutOfItsInnerList() throws {
        let world = try World("{grid:[[+T!]!]{id:ID!}}", written: "{grid:[[+T!]!]{id:ID! a:Int}}")
        try world.store.write(
            #"{"data":{"grid":[[{"id":"1","a":1},{"id":"2","a":2}],[{"id":"2","a":2}],[]]}}"#, for: world.writer)
        try world.store.update { try $0.delete("2") }
        let json = AnyGrid.read(world)
        #expect(json == [["1"], [], []])
    }

    @Test func positionsOfItemsAfterOneThatIsLeftOutAreThoseOfTheirLinks() throws {
        let world = try World("{rows:[+T!]!{id:ID! a:Int}}", rows: 200)
        try world.store.update { source in for id in ["2", "3", "65"] { try source.delete(DataID(id)) } }
        let old = world.read()
        try world.store.update { try $0.get("150")?.setValue(.int(40), forField: "a") }
        let new = world.read(after: old.dependencies)
        #expect(new.data == world.read().data && world.json(new) == world.json(world.read()))
        let (before, after) = try (#require(old.longList), #require(new.longList))
        let (shelves, shelvesAfter) = (before.sections.flatMap(\.shelves), after.sections.flatMap(\.shelves))
        #expect(before.count == 197 && shelves.map(\.count) == [62, 63, 64, 8])
        #expect(zip(shelves, shelvesAfter).map { $0 === $1 } == [true, true, false, true])
        try world.store.update { source in
            // The first rows in another order, with the deleted ones among them, and the others one place later.
            let rows = source.root.linkedRecords(forField: "rows") ?? []
            try source.root.setLinkedRecords(
                [source.get("150")] + rows[..<64].reversed() + rows[64...], forField: "rows")
        }
        let moved = world.read(after: new.dependencies)
        #expect(moved.data == world.read().data && world.json(moved) == world.json(world.read()))
        #expect(moved.data != new.data)
    }

    /// A store with some rows, and a plan that reads them.
    struct World {
        let store = Store()
        let writer: BoundOperation
        private let reader: BoundOperation
        private let items: [SelectionPlan.Item]
        private let rows: Int

        init(_ plan: String, written: String? = nil, rows: Int = 4) throws {
            self.rows = rows
            let all = "{id:ID! a:Int deep:+T{id:ID! a:Int}}"
            let written = written ?? "{rows:[+T]{id:ID! a:Int node:+T\(all)}}"
            writer = Self.bind(written, in: store)
            reader = Self.bind(plan, in: store)
            items = try SelectionPlan.decode(plan).items
            if written.contains("rows") { try writeRows() }
        }

        private static func bind(_ plan: String, in store: Store) -> BoundOperation {
            store.bind(
                GeneratedCode.OperationArtifact(
                    name: "W", kind: .query, text: "", normalization: plan, reader: plan), variables: .object([]))
        }

        func writeRows() throws { try store.write(DeletedItemTests.rows(rows), for: writer) }

        func read(after previous: Dependencies? = nil) -> ReadResult<AnyData> { read(AnyData.self, after: previous) }

        /// Returns what a read of the plan shows; nil if it has no data.
        func json(_ snapshot: ReadResult<AnyData>) -> JSONValue? { snapshot.data?.json(items) }

        func read<Data: GeneratedCode.Selections>(_: Data.Type, after previous: Dependencies? = nil) -> ReadResult<Data>
        {
            store.read(Data.self, at: reader.root, reader.reader, after: previous)
        }
    }

    /// Reads a list of lists as generated code does.
    private struct AnyGrid: GeneratedCode.Selections {
        let __row: GeneratedCode.Row
        var grid: ObjectList<ObjectList<Row>>? { __row.optionalObjects(0) }

        struct Row: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var id: String { __row.string(0) }
        }

        static func read(_ world: World) -> JSONValue {
            let grid = world.read(AnyGrid.self).data?.grid
            return grid.map { .array($0.map { .array($0.map { .string($0.id) }) }) } ?? .null
        }
    }
}
