// swift-format-ignore-file: AlwaysUseLowerCamelCase

import StoreModel
import Testing

@testable import Baton

/// Records that stay lose their unreachable fields with arguments. Otherwise a record with ever new arguments would
/// grow without end.
struct NarrowingTests {
    private static let plan = GeneratedCode.OperationArtifact(
        name: "Chat", kind: .query, text: "",
        normalization:
            "(a){chat:+C{id:ID! title:String page(after:$a):String author(of:$a):P{name:String} all:+C@connection(\"all\",a){id:ID!}}}",
        reader: "(a){chat:+C{title:String page(after:$a):String author(of:$a):P{name:String}}}")

    private func bind(_ number: Int, _ store: Store) -> BoundOperation {
        store.bind(Self.plan, variables: ["a": .int(number)])
    }

    private func answer(_ number: Int) -> String {
        #"{"data":{"chat":{"id":"chat","title":"T","page":"\#(number)","author":{"name":"N\#(number)"},"all":null}}}"#
    }

    private func keys(_ store: Store) -> Set<String> {
        Set(store.contents(of: "chat")?.fields.map(\.key.rawValue) ?? [])
    }

    @Test func onlyWhatIsReachedStays() throws {
        let store = Store()
        var held: [BoundOperation] = []
        for number in 0..<200 {
            let operation = bind(number, store)
            if number % 20 == 0 {
                store.operations.retain(operation)
                held.append(operation)
            }
            try store.write(answer(number), for: operation)
        }
        let subscriber = CountingSubscriber()
        let shown = bind(7, store)
        let snapshot = store.read(Empty.self, at: shown.root, shown.reader)
        _ = store.subscribe(subscriber, to: snapshot.dependencies)
        let event = store.collector.collectGarbage()
        let numbers = [7] + (0..<10).map { $0 * 20 }
        let kept = numbers.flatMap { ["page(after:\($0))", "author(of:\($0))"] }
        #expect(keys(store) == Set(["id", "title", "all", "__all_connection"] + kept).intersection(keys(store)))
        #expect(keys(store).isSuperset(of: ["id", "title"] + kept))
        #expect(event?.fieldsDropped == 2 * 189)
        #expect(event?.recordsCollected == 189)
        #expect(subscriber.count == 0)
        for operation in held { #expect(store.check(operation).isAvailable) }
        #expect(store.missingPath(bind(8, store)) == ["chat", "page"])
        #expect(store.checkInvariants() == [])
        // A dropped field can come again.
        try store.write(answer(8), for: bind(8, store))
        #expect(store.check(bind(8, store)).isAvailable)
    }

    /// A chat with ever new pages has as many fields and names at the end as in the middle, and costs as much.
    @Test(.timeLimit(.minutes(20))) func nothingGrowsWithEverNewArguments() throws {
        let store = Store()
        let title = store.bind(
            GeneratedCode.OperationArtifact(
                name: "Title", kind: .query, text: "", normalization: "{chat:+C{id:ID! title:String}}",
                reader: "{chat:+C{title:String}}"), variables: [:])
        store.operations.retain(title)
        var sizes: [Int] = []
        for number in 0..<3_000 {
            let operation = bind(number, store)
            store.operations.retain(operation)
            try store.write(answer(number), for: operation)
            store.operations.releaseWithoutBuffer(operation)
            if number % 100 == 99 {
                _ = store.collector.collectGarbage()
                #expect(keys(store).count <= 22)
                sizes.append(store.records.memoryUse)
                #expect(store.names.shapeCount <= 2048 + 500)
            }
        }
        #expect((sizes.last ?? 0) <= (sizes.dropFirst(14).first ?? 0) * 5 / 4)
        #expect(store.checkInvariants() == [])
    }

    /// A record with few fields with arguments is not examined, however many other fields it has.
    @Test func recordsWithoutManyArgumentsKeepTheirFields() throws {
        let store = Store()
        for number in 0..<7 { try store.write(answer(number), for: bind(number, store)) }
        let title = store.bind(
            GeneratedCode.OperationArtifact(
                name: "Title", kind: .query, text: "", normalization: "{chat:+C{id:ID!}}", reader: "{chat:+C{id:ID!}}"),
            variables: [:])
        store.operations.retain(title)
        _ = store.collector.collectGarbage()
        #expect(keys(store).isSuperset(of: ["title", "page(after:6)"]))
        try store.update { source in
            for number in 0..<100 {
                try source.get("chat")?.setValue(.int(number), forField: "own", arguments: ["n": .int(number)])
            }
        }
        _ = store.collector.collectGarbage()
        #expect(keys(store).isSuperset(of: ["id", "title"]))
        #expect(!keys(store).contains { $0.contains("(") })
    }
}

private struct Empty: GeneratedCode.Selections {
    let __row: GeneratedCode.Row

    struct Chat: GeneratedCode.Selections {
        let __row: GeneratedCode.Row
    }

    struct Author: GeneratedCode.Selections {
        let __row: GeneratedCode.Row
    }
}
