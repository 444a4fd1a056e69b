// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Testing

@testable import Baton

/// Errors of servers, which are kept at their fields.
@Suite struct FieldErrorTests {
    let store = Store()
    let plain = People.artifact("{}")

    private func write(_ user: String, _ errors: String? = nil) throws -> PublishSummary {
        try store.write(
            People.answer(user, errors: errors), for: store.bind(plain, variables: .object([])))
    }

    /// The places of errors, as "record.key: messages".
    private var errors: [String] {
        store.records.fieldErrors.records.flatMap { record, keys in
            keys.map { key, errors in
                "\(store.dataID(of: record)).\(store.names.name(of: key)): \(errors.map(\.message).joined(separator: ","))"
            }
        }.sorted()
    }

    static let full =
        #"{"id":"1","name":"A","email":null,"best":{"id":"2","name":null,"email":"b"},"friends":[{"id":"3","name":"C","email":null},null]}"#

    @Test(arguments: [
        (#""user","email""#, ["1.email: e"]),
        (#""user","best","name""#, ["2.name: e"]),
        (#""user","best""#, []),
        (#""user","friends",0,"email""#, ["3.email: e"]),
        (#""user","friends",1"#, ["1.friends: e"]),
        (#""user","friends",1,"name","deeper""#, ["1.friends: e"]),
        (#""user","friends",9,"name""#, []),
        (#""user","email","deeper",4"#, ["1.email: e"]),
        (#""user","nothing""#, []),
        (#""user""#, []),
        ("", []),
        ("3", []),
    ])
    func anErrorBelongsToTheFieldThatIsNullBecauseOfIt(_ path: String, _ expected: [String]) throws {
        _ = try write(Self.full, People.error("e", path))
        #expect(errors == expected)
        // The same response again changes nothing, as if the other one had never been written.
        let summary = try write(Self.full, People.error("e", path))
        #expect(errors == expected)
        #expect(summary.recordsChanged == 0)
    }

    @Test func aNullRootFieldHasItsError() throws {
        _ = try write("null", People.error("down", #""user","best","name""#))
        #expect(errors == ["client:root.user: down"])
        _ = try write("null", People.error("x", #""user""#) + "," + People.error("y", #""user""#))
        #expect(errors == ["client:root.user: x,y"])
    }

    enum Ending: CaseIterable {
        case sameAnswerWithout, value, update, deletion, otherType
    }

    @Test(arguments: Ending.allCases)
    func anErrorGoesWithWhatTakesItsPlace(_ ending: Ending) throws {
        _ = try write(
            Self.full, People.error("e", #""user","email""#) + "," + People.error("f", #""user","best","name""#))
        #expect(errors == ["1.email: e", "2.name: f"])
        let other = CountingSubscriber()
        let mail = store.read(People.Data.self, People.artifact(People.Caught.plan))
        _ = store.subscribe(other, to: mail.dependencies)
        switch ending {
        case .sameAnswerWithout:
            let summary = try write(Self.full)
            #expect(errors == [])
            #expect(summary.recordsChanged == 2 && other.count == 1)
        case .value:
            let summary = try write(Self.full.replacing(#""email":null,"best""#, with: #""email":"a","best""#))
            #expect(errors == [])
            #expect(summary.recordsChanged == 2)
        case .update:
            try store.update { proxy in try proxy.get("1")?.setValue("mine", forField: "email") }
            #expect(errors == ["2.name: f"])
        case .deletion:
            try store.update { proxy in try proxy.delete("1") }
            #expect(errors == ["2.name: f"])
        case .otherType:
            let artifact = GeneratedCode.OperationArtifact(
                name: "Q", kind: .query, text: "", normalization: "{user:+Person{id:ID!}}", reader: "{}")
            try store.write(#"{"data":{"user":{"id":"1"}}}"#, for: store.bind(artifact, variables: .object([])))
            #expect(errors == ["2.name: f"])
        }
        if ending != .sameAnswerWithout { #expect(other.count == 1) }
    }

    @Test func aFieldThatIsNotWrittenKeepsItsError() throws {
        _ = try write(Self.full, People.error("e", #""user","email""#))
        let artifact = GeneratedCode.OperationArtifact(
            name: "Q", kind: .query, text: "", normalization: "{user:+User{id:ID! name:String}}", reader: "{}")
        try store.write(
            #"{"data":{"user":{"id":"1","name":"Z"}}}"#, for: store.bind(artifact, variables: .object([])))
        #expect(errors == ["1.email: e"])
        try store.update { proxy in try proxy.get("1")?.setValue("Y", forField: "name") }
        #expect(errors == ["1.email: e"])
    }

    @Test func onlyReadersOfTheFieldHearOfItsError() throws {
        _ = try write(Self.full)
        let reader = CountingSubscriber()
        let stranger = CountingSubscriber()
        _ = store.subscribe(
            reader, to: store.read(People.Data.self, People.artifact("{user:+User{email:String}}")).dependencies)
        _ = store.subscribe(
            stranger, to: store.read(People.Data.self, People.artifact("{user:+User{name:String}}")).dependencies)
        _ = try write(Self.full, People.error("e", #""user","email""#))
        #expect(reader.count == 1 && stranger.count == 0)
        _ = try write(Self.full, People.error("e", #""user","email""#))
        #expect(reader.count == 1, "the same error is no change")
        _ = try write(Self.full, People.error("other", #""user","email""#))
        #expect(reader.count == 2)
        let summary = try write(Self.full.replacing(#""name":"A""#, with: #""name":"B""#))
        #expect(reader.count == 3 && stranger.count == 1)
        #expect(summary.recordsChanged == 1, "a record with another value and without its error is one")
    }

    /// A snapshot from before the error is outdated when it subscribes.
    @Test func anErrorMissedBeforeSubscribingIsNoticed() throws {
        _ = try write(Self.full)
        let before = store.read(People.Data.self, People.artifact("{user:+User{email:String}}"))
        _ = try write(Self.full, People.error("e", #""user","email""#))
        let reader = CountingSubscriber()
        _ = store.subscribe(reader, to: before.dependencies)
        #expect(reader.count == 1)
    }

    /// The copy of a connection is null because of the same error as the field.
    @Test func theReaderOfAConnectionKnowsWhyItIsNull() throws {
        let plan = "films(first:2):Films@connection(\"L_films\"){edges:[Edge]{cursor:String node:+Film{id:ID!}}}"
        let artifact = GeneratedCode.OperationArtifact(
            name: "Q", kind: .query, text: "", normalization: "{\(plan)}",
            reader: "@throwOnFieldError{films(first:2):Films@connection(\"L_films\"){edges:[Edge]{cursor:String}}}")
        let operation = store.bind(artifact, variables: .object([]))
        struct Data: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var films: Films? { __row.optionalObject(0) }

            struct Films: GeneratedCode.Selections {
                let __row: GeneratedCode.Row
            }
        }
        let page = #"{"data":{"films":{"edges":[{"cursor":"a","node":{"id":"f"}}]}}}"#
        for _ in 0..<2 {
            try store.write(
                #"{"data":{"films":null},"errors":[{"message":"e","path":["films"]}]}"#, for: operation)
            let failed = store.read(Data.self, at: operation.root, operation.reader)
            #expect(failed.problems?.failure?.graphQLErrors.map(\.message) == ["e"])
            try store.write(page, for: operation)
            let shown = store.read(Data.self, at: operation.root, operation.reader)
            #expect(shown.problems == nil && shown.data?.films != nil)
            #expect(store.records.fieldErrors.isEmpty)
        }
    }

    /// A field has no error as long as an optimistic layer gives it a value.
    @Test func aLayerCoversAnError() throws {
        _ = try write(Self.full, People.error("e", #""user","email""#))
        let artifact = People.artifact(
            "@throwOnFieldError{user:+User{name:String email:String best:+User{name:String} friends:[+User]{name:String}}}"
        )
        #expect(store.read(People.Data.self, artifact).problems?.failure != nil)
        let layer = store.apply { try $0.get("1")?.setValue("soon", forField: "email") }
        #expect(store.read(People.Data.self, artifact).data?.user?.email == "soon")
        store.drop(layer)
        #expect(store.read(People.Data.self, artifact).problems?.failure?.graphQLErrors.map(\.message) == ["e"])
        _ = try write(Self.full)
        #expect(store.read(People.Data.self, artifact).data?.user?.name == "A")
    }
}
