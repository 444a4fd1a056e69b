import Testing

@testable import Baton

/// Lists of objects of several types. Each object has the fields of the inline fragments on its type and no others.
///
/// Long lists are read a shelf at a time, unless an object must be looked at by itself.
@Suite struct InlineFragmentListTests {
    private static let plan =
        "{things:[*Thing!]!{id:ID! <Cup>{size:Int! maker:+Maker{id:ID! name:String!}} <Book>{title:String!}}}"

    private let store = Store()
    private let operation: BoundOperation
    private let items: [SelectionPlan.Item]

    init() throws {
        let artifact = GeneratedCode.OperationArtifact(
            name: "Things", kind: .query, text: "query Things { }", normalization: Self.plan)
        operation = store.bind(artifact, variables: .object([]))
        items = try SelectionPlan.decode(Self.plan).items
    }

    /// Writes a response with a number of things; the books with a number in `untitled` lack their title.
    private func write(_ count: Int, untitled: Set<Int> = []) throws {
        let things = (0..<count).map { number -> String in
            switch number % 3 {
            case 0:
                #"{"__typename":"Cup","id":"\#(number)","size":\#(number),"maker":{"id":"m\#(number % 7)","name":"M\#(number % 7)"}}"#
            case 1: #"{"__typename":"Book","id":"\#(number)"\#(untitled.contains(number) ? "" : #","title":"T""#)}"#
            default: #"{"__typename":"Plate","id":"\#(number)"}"#
            }
        }
        let body = #"{"data":{"things":[\#(things.joined(separator: ","))]}}"#
        try store.write(body, for: operation)
    }

    private func expected(_ count: Int, untitled: Set<Int> = []) -> String {
        let things = (0..<count).map { number -> String in
            let cup =
                number % 3 == 0
                ? #"{"size":\#(number),"maker":{"id":"m\#(number % 7)","name":"M\#(number % 7)"}}"# : "null"
            let book = number % 3 == 1 && !untitled.contains(number) ? #"{"title":"T"}"# : "null"
            return #"{"id":"\#(number)","as Cup":\#(cup),"as Book":\#(book)}"#
        }
        return #"{"things":[\#(things.joined(separator: ","))]}"#
    }

    private func read(after last: ReadResult<AnyData>? = nil) -> (ReadResult<AnyData>, String) {
        let read = store.read(
            AnyData.self, at: operation.root, operation.reader, after: last?.dependencies)
        return (read, "\(read.data?.json(items) ?? .null)")
    }

    @Test(arguments: [1, 3, 16, 64, 65, 200]) func eachObjectHasTheFieldsOfItsType(_ count: Int) throws {
        try write(count)
        let (_, json) = read()
        #expect(json == expected(count))
    }

    @Test(arguments: [3, 64, 200]) func aFragmentWithoutANonNullFieldIsNull(_ count: Int) throws {
        try write(count, untitled: [1])
        let (_, json) = read()
        #expect(json == expected(count, untitled: [1]))
    }

    @Test(arguments: [3, 64, 200]) func aNewReadIsAFullRead(_ count: Int) throws {
        try write(count, untitled: [1])
        let (first, _) = read()
        try write(count)
        let (second, json) = read(after: first)
        #expect(json == expected(count))
        #expect(read().0.data == second.data)
        try store.update { try $0.root.linkedRecords(forField: "things")?[0]?.setValue(.int(-5), forField: "size") }
        let (third, changed) = read(after: second)
        #expect(read().1 == changed && changed != json)
        #expect(Set(third.dependencies.pairs) == Set(read().0.dependencies.pairs))
    }
}
