import StoreModel
import Testing

@testable import Baton

/// A file of a program with an older schema: a field that has another type now is missing and not wrong.
@Suite struct StoredTypesTests {
    private let disk = MemoryDisk()

    private func store() throws -> Store { try Store(disk: disk, now: { .zero }) }

    /// A query for a thing with a few fields, by the fields' types.
    private static func query(_ fields: String, name: String = "Thing", of type: String = "+Thing")
        -> GeneratedCode.OperationArtifact
    {
        let plan = "{thing:\(type){id:ID! \(fields)}}"
        return GeneratedCode.OperationArtifact(
            name: name, kind: .query, text: "query \(name) { }", normalization: plan, reader: plan,
            scalars: [GeneratedCode.ScalarDecoder("Date", Day.self)])
    }

    private static func bind(_ artifact: GeneratedCode.OperationArtifact, in store: Store) -> BoundOperation {
        store.bind(artifact, variables: .object([]))
    }

    private func write(_ fields: String, _ json: String, of type: String = "+Thing") throws {
        let store = try store()
        let operation = Self.bind(Self.query(fields, of: type), in: store)
        let body = #"{"data":{"thing":{"__typename":"Thing","id":"1",\#(json)}}}"#
        let payload = try store.normalize(Array(body.utf8), for: operation)
        _ = store.publish(payload, for: operation)
        try store.writeToDisk()
    }

    /// Returns the thing as JSON, and whether the store says that it has all of it.
    private func read(_ artifact: GeneratedCode.OperationArtifact, in store: Store) throws
        -> (JSONValue?, isWhole: Bool)
    {
        let operation = Self.bind(artifact, in: store)
        let isWhole = store.check(operation) == .available(fetchedAt: nil)
        let snapshot = store.read(AnyData.self, at: operation.root, operation.reader)
        #expect(snapshot.isMissingData == !isWhole)
        #expect(store.checkInvariants() == [])
        guard case .success(let plan) = artifact.reader.plan else { return (nil, isWhole) }
        return (snapshot.data?.json(plan.items)["thing"], isWhole)
    }

    struct Change: Sendable, CustomTestStringConvertible {
        let old: String
        let json: String
        let new: String
        /// The value that a reader sees; nil if it is missing.
        let seen: String?
        var testDescription: String { "\(old) -> \(new): \(json)" }

        init(_ old: String, _ json: String, _ new: String, _ seen: String?) {
            (self.old, self.json, self.new, self.seen) = (old, json, new, seen)
        }
    }

    /// What a reader of any data shows of a date.
    private static let date = #""\"1977-05\"""#

    private static let changes = [
        Change("Int", "5", "Int", "5"), Change("Int", "5", "Int!", "5"), Change("Int", "5", "Float", "5.0"),
        Change("Int", "5", "ID", #""5""#), Change("Int", "5", "%JSON", "\"5\""),
        Change("Int", "5", "String", nil), Change("Int", "5", "Boolean", nil), Change("Int", "5", "#Color", nil),
        Change("Int", "5", "[Int]", nil), Change("Int", "5", "@Date", nil), Change("Int", "5", "Other{id:ID}", nil),
        Change("Int", "null", "String", "null"), Change("Int", "null", "Int!", nil),
        Change("Float", "1.5", "Int", nil), Change("Float", "1.5", "String", nil), Change("Float", "1.5", "ID", nil),
        Change("String", #""a""#, "Int", nil), Change("String", #""a""#, "#Color", #""a""#),
        Change("String", #""a""#, "ID", #""a""#), Change("String", #""a""#, "[String]", nil),
        Change("String", #""1977-05""#, "@Date", #""1977-05""#), Change("String", #""a""#, "@Date", nil),
        Change("#Color", #""RED""#, "String", #""RED""#), Change("#Color", #""RED""#, "Boolean", nil),
        Change("Boolean", "true", "Int", nil), Change("Boolean", "true", "String", nil),
        Change("@Date", #""1977-05""#, "@Date!", date), Change("@Date", #""1977-05""#, "String", nil),
        Change("[Int]", "[1,2]", "[Int!]!", "[1,2]"), Change("[Int]", "[1,null]", "[Int!]", nil),
        Change("[Int]", "[1,2]", "[String]", nil), Change("[Int]", "[1,2]", "Int", nil),
        Change("[Int]", "[]", "[String]", "[]"), Change("[[Int]]", "[[1]]", "[Int]", nil),
        Change("[@Date]", #"["1977-05"]"#, "[@Date]", "[\(date)]"),
        Change("[String]", #"["1977-05","x"]"#, "[@Date]", nil),
        Change("%URL", #""https://a.test/""#, "%URL", #""https://a.test/""#),
        Change("String", #""a""#, "%JSON", #""a""#),
        Change("[%URL!]!", #"["https://a.test/"]"#, "[%URL!]!", #"["https://a.test/"]"#),
        Change("%JSON", #"{"a":1}"#, "Int", nil), Change("%JSON", #"{"a":1}"#, "Other{id:ID}", nil),
        Change("Other{id:ID}", #"{"id":"2"}"#, "String", nil), Change("Other{id:ID}", #"{"id":"2"}"#, "%JSON", nil),
        Change("Other{id:ID}", #"{"id":"2"}"#, "[Other]{id:ID}", nil),
        Change("[Other]{id:ID}", #"[{"id":"2"}]"#, "Other{id:ID}", nil),
        Change("[Other]{id:ID}", #"[{"id":"2"},null]"#, "[Other!]{id:ID}", nil),
    ]

    /// The query of today is used before the file is read.
    @Test(arguments: changes) func whatHasAnotherTypeIsMissing(_ change: Change) throws {
        try write("f:\(change.old) other:String", #""f":\#(change.json),"other":"kept""#)
        let (thing, isWhole) = try read(Self.query("f:\(change.new) other:String"), in: store())
        #expect(isWhole == (change.seen != nil))
        if thing != .null {
            #expect(thing?["other"] == .string("kept"))
            #expect(thing?["f"]?.text == change.seen ?? "null")
        } else {
            // A field without a value that must have one takes its object along.
            #expect(change.seen == nil && change.new.contains("!"))
        }
    }

    /// A query without the field has read the record before, so the field was left in the file.
    @Test(arguments: changes) func whatIsSelectedLaterIsJudgedLater(_ change: Change) throws {
        try write("f:\(change.old) other:String", #""f":\#(change.json),"other":"kept""#)
        let store = try store()
        #expect(try read(Self.query("other:String", name: "First"), in: store).isWhole)
        #expect(try read(Self.query("f:\(change.new)", name: "Second"), in: store).isWhole == (change.seen != nil))
    }

    /// A response with the type of today replaces what was wrong, in memory and in the file.
    @Test func aResponseReplacesWhatWasWrong() throws {
        try write("f:Int other:String", #""f":5,"other":"kept""#)
        try write("f:String", #""f":"five""#)
        let (thing, isWhole) = try read(Self.query("f:String other:String"), in: store())
        #expect(isWhole && thing?["f"] == .string("five") && thing?["other"] == .string("kept"))
    }

    /// Fields that nobody selects stay in the file, also when the record is written anew.
    @Test func unknownFieldsStay() throws {
        try write("f:Int other:String", #""f":5,"other":"kept""#)
        try write("third:Int", #""third":3"#)
        let store = try store()
        #expect(try read(Self.query("third:Int", name: "First"), in: store).isWhole)
        _ = try store.update { try $0.get("1")?.setValue(4, forField: "third") }
        try store.writeToDisk()
        let (thing, isWhole) = try read(Self.query("f:Int other:String third:Int"), in: self.store())
        #expect(isWhole && thing?.text == #"{"id":"1","f":5,"other":"kept","third":4}"#)
    }

    /// What the file has of a record is asked for again only when a document in use selects more of it.
    @Test func aRecordIsReadAgainOnlyForMore() throws {
        try write("f:Int other:String", #""f":5,"other":"kept""#)
        let store = try store()
        #expect(try read(Self.query("other:String", name: "First"), in: store).isWhole)
        #expect(try !read(Self.query("other:String gone:Int", name: "Second"), in: store).isWhole)
        let reads = disk.look { $0.reads }
        for _ in 0..<3 { #expect(try !read(Self.query("other:String gone:Int", name: "Second"), in: store).isWhole) }
        #expect(disk.look { $0.reads } == reads)
        #expect(try read(Self.query("f:Int", name: "Third"), in: store).isWhole)
        #expect(disk.look { $0.reads } > reads)
    }

    /// An update names fields that no document has to select.
    @Test func anUpdateSeesWhatNobodySelects() throws {
        try write("f:Int other:String", #""f":5,"other":"kept""#)
        let store = try store()
        #expect(try read(Self.query("other:String", name: "First"), in: store).isWhole)
        var seen: [JSONValue?] = []
        _ = try store.update { source in
            let thing = try #require(source.get("1"))
            seen = [thing.value(forField: "f"), thing.value(forField: "other")]
        }
        #expect(seen == [.int(5), .string("kept")])
    }

    /// A fragment that catches errors may promise a field to be non-null, and a server may send null with an error.
    @Test func nullIsReadIfOneDocumentAllowsIt() throws {
        try write("f:Int other:String", #""f":null,"other":"kept""#)
        let store = try store()
        _ = Self.bind(Self.query("f:Int!", name: "Strict"), in: store)
        #expect(try read(Self.query("f:Int other:String", name: "Lenient"), in: store).isWhole)
    }

    /// Queries and subscriptions may have fields of one name and of different types.
    @Test func rootsOfOtherOperationsTellNothingWrong() throws {
        try write("f:Int", #""f":5"#)
        let store = try store()
        let plan = "{thing:[Thing]{id:ID!}}"
        _ = Self.bind(
            GeneratedCode.OperationArtifact(
                name: "Things", kind: .subscription, text: "subscription Things { }", normalization: plan, reader: plan),
            in: store)
        #expect(try read(Self.query("f:Int"), in: store).isWhole)
    }

    /// A screen asks for a field of a record while an update runs that has read another field of the record.
    @Test func anUpdateSeesWhatAScreenAsksForMeanwhile() throws {
        try write("f:Int other:String", #""f":5,"other":"kept""#)
        let store = try store()
        var seen: JSONValue?
        _ = try store.update { source in
            _ = source.get("1")?.value(forField: "other")
            let operation = Self.bind(Self.query("f:Int other:String", name: "Late"), in: store)
            #expect(store.check(operation) == .available(fetchedAt: nil))
            seen = source.get("1")?.value(forField: "f")
        }
        #expect(seen == .int(5))
    }

    /// A person who reads the log learns why data is missing, and is not told for each record.
    @Test func eachFieldWithWrongValuesIsToldOnce() throws {
        try write("f:Int kept:Int", #""f":5,"kept":7"#)
        let store = try store()
        let told = Guarded<[String]>([])
        store.queue.disk?.reports.set(
            Hook { event in if case .refused(let field) = event { told.withLock { $0.append(field) } } })
        for name in ["First", "Second"] { _ = try read(Self.query("f:String kept:Int", name: name), in: store) }
        #expect(told.withLock { $0 } == ["Thing.f"])
    }

    /// An abstract type tells the type of a field in its objects.
    @Test func abstractTypesTellToo() throws {
        try write("f:Int other:String", #""f":5,"other":"kept""#)
        let fits = try read(Self.query("f:Int other:String", of: "+*Named"), in: store())
        #expect(fits.isWhole && fits.0?["f"] == .int(5))
        let wrong = try read(Self.query("f:String other:String", of: "+*Named"), in: store())
        #expect(!wrong.isWhole && wrong.0?["f"] == .null && wrong.0?["other"] == .string("kept"))
    }

    /// A layer asks for a field of a record that was read without it.
    @Test func aLayerSeesWhatNobodySelects() throws {
        try write("f:Int other:String", #""f":5,"other":"kept""#)
        let store = try store()
        #expect(try read(Self.query("other:String", name: "First"), in: store).isWhole)
        let layer = store.apply { source in
            let thing = source.get("1")
            try thing?.setValue(.string("shown"), forField: "other")
        }
        let second = store.apply { source in
            let thing = source.get("1")
            try thing?.setValue(.string(thing?.value(forField: "f")?.text ?? "nothing"), forField: "other")
        }
        #expect(try read(Self.query("other:String", name: "First"), in: store).0?["other"] == .string("5"))
        store.drop(layer)
        store.drop(second)
        #expect(try read(Self.query("other:String", name: "First"), in: store).0?["other"] == .string("kept"))
    }
}
