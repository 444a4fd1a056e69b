// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Testing

@testable import Baton

@Suite(.timeLimit(.minutes(20))) struct RequiredAndCatchTests {
    let store = Store()

    private func write(_ user: String, _ errors: String? = nil) throws {
        try store.write(
            People.answer(user, errors: errors), for: store.bind(People.artifact("{}"), variables: .object([])))
    }

    // MARK: - @required

    static let noName = #"{"id":"1","name":null,"email":"m","best":{"id":"2","name":"B","email":null},"friends":[]}"#
    static let noBest = #"{"id":"1","name":"A","email":"m","best":null,"friends":[]}"#
    static let noBestName =
        #"{"id":"1","name":"A","email":"m","best":{"id":"2","name":null,"email":null},"friends":[]}"#

    struct Case: Sendable, CustomTestStringConvertible {
        let user: String
        let plan: String
        var logged: [[JSONValue.PathComponent]] = []
        var thrown: [JSONValue.PathComponent]?
        var testDescription: String { "\(plan) of \(user)" }
    }

    @Test(arguments: [
        Case(user: noName, plan: People.Strict.plan("@required(NONE)", "", "")),
        Case(user: noName, plan: People.Strict.plan("@required(LOG)", "", ""), logged: [["user", "name"]]),
        Case(user: noName, plan: People.Strict.plan("@required(THROW)", "", ""), thrown: ["user", "name"]),
        Case(user: noName, plan: People.Strict.plan("", "@required(THROW)", "@required(THROW)")),
        Case(
            user: noBest, plan: People.Strict.plan("@required(LOG)", "@required(LOG)", ""), logged: [["user", "best"]]),
        Case(user: noBest, plan: People.Strict.plan("", "@required(THROW)", ""), thrown: ["user", "best"]),
        Case(
            user: noBestName, plan: People.Strict.plan("", "@required(LOG)", "@required(LOG)"),
            logged: [["user", "best", "name"]]),
        Case(
            user: noBestName, plan: People.Strict.plan("", "@required(LOG)", "@required(THROW)"),
            logged: [["user", "best"]], thrown: ["user", "best", "name"]),
        Case(
            user: noBestName, plan: People.Strict.plan("", "@required(THROW)", "@required(THROW)"),
            thrown: ["user", "best", "name"]),
        Case(user: noBestName, plan: People.Strict.plan("", "@required(LOG)", ""), logged: [["user", "best"]]),
    ])
    func aRequiredFieldWithoutAValueMakesItsParentNull(_ example: Case) throws {
        try write(example.user)
        let snapshot = store.read(People.Strict.self, People.artifact(example.plan))
        #expect(snapshot.data?.user == nil)
        #expect(!snapshot.isMissingData)
        let logged = snapshot.problems?.logged ?? []
        #expect(logged.map(\.path) == example.logged)
        #expect(logged.allSatisfy { $0.reason == .missingRequired && $0.component == "PersonQuery" })
        let failure = example.thrown.map { RelayError.missingRequiredField(path: $0, component: "PersonQuery") }
        #expect(snapshot.problems?.failure == failure)
        if failure != nil { #expect(snapshot.data == nil) }
    }

    @Test func whatIsMissingCountsAsNullForARequiredField() throws {
        try store.write(
            #"{"data":{"user":{"id":"1","email":"m"}}}"#,
            for: store.bind(People.artifact("{}"), variables: .object([])))
        let plan = People.Strict.plan("@required(THROW)", "", "")
        let snapshot = store.read(People.Strict.self, People.artifact(plan))
        #expect(snapshot.isMissingData)
        let failure = try #require(snapshot.problems?.failure)
        #expect(failure == .missingRequiredField(path: ["user", "name"], component: "PersonQuery"))
        #expect(failure.description.contains("missing @required value at path 'user.name' in 'PersonQuery'"))
    }

    /// The fields after a required field without a value are not read, so their changes notify nobody.
    @Test func siblingsAfterARequiredFieldAreNotRead() throws {
        try write(Self.noName)
        let plan = People.Strict.plan("@required(NONE)", "", "")
        let best = store.record("2")
        let without = store.read(People.Strict.self, People.artifact(plan))
        #expect(!without.dependencies.pairs.contains { $0.record == best })
        try write(Self.noBestName.replacing(#""name":null"#, with: #""name":"B""#))
        let with = store.read(People.Strict.self, People.artifact(plan))
        #expect(with.data?.user?.best.name == "B")
        #expect(with.dependencies.pairs.contains { $0.record == best })
    }

    // MARK: - @catch

    @Test func aCaughtErrorIsAValueAndANullIsNone() throws {
        let user =
            #"{"id":"1","name":null,"email":null,"best":{"id":"2","name":null,"email":null},"friends":[{"id":"3","name":null,"email":null}]}"#
        try write(user)
        let artifact = People.artifact(People.Caught.plan)
        let nulls = try #require(store.read(People.Caught.self, artifact).data?.user)
        #expect(nulls.email == .success(nil))
        #expect(nulls.best.value??.name == .some(nil))
        #expect(nulls.friends?.count == 1)
        #expect(nulls.named == .success(nil))
        #expect(nulls.name == .failure([]))

        let errors = [
            (#""user","email""#, "E"), (#""user","best","name""#, "B"), (#""user","friends",0,"name""#, "F"),
            (#""user","name""#, "N"),
        ].map { People.error($1, $0) }.joined(separator: ",")
        try write(user, errors)
        let snapshot = store.read(People.Caught.self, artifact)
        let caught = try #require(snapshot.data?.user)
        #expect(caught.email.errors.map(\.description) == ["E at path 'user.email' in 'PersonQuery'"])
        #expect(caught.best.errors.map(\.path) == [["user", "best", "name"]])
        guard case .server(let error)? = caught.best.errors.first?.reason else {
            Issue.record("an error of the server expected")
            return
        }
        #expect(error.message == "B" && error.path == ["user", "best", "name"])
        #expect(caught.friends == nil, "an error below is null")
        #expect(caught.named.errors.map(\.path) == [["user", "name"]])
        #expect(caught.name.errors.count == 1)
        #expect(snapshot.problems == nil && !snapshot.isMissingData)
    }

    @Test func aCatchTakesMissingDataAndRequiredFieldsToo() throws {
        try store.write(
            #"{"data":{"user":{"id":"1","name":"A","email":"m","best":{"id":"2","email":"x"}}}}"#,
            for: store.bind(People.artifact("{}"), variables: .object([])))
        let plan = People.Caught.plan.replacing(
            "@catch(RESULT){name:String}", with: "@catch(RESULT){name:String@required(THROW)}")
        let snapshot = store.read(People.Caught.self, People.artifact(plan))
        #expect(snapshot.data?.user?.best.errors.map(\.reason) == [.missingData, .missingRequired])
        #expect(snapshot.data?.user?.email == .success("m"))
        #expect(snapshot.problems == nil, "what was caught fails nothing")
        #expect(snapshot.isMissingData, "what was caught is missing all the same")
    }

    /// A catch inside another takes its own errors, so that the outer one is a success.
    struct Nested: GeneratedCode.Selections {
        let __row: GeneratedCode.Row
        var user: FieldResult<User?> { __row.result(0) { $0.optionalObject(0) } }

        struct User: GeneratedCode.Selections {
            let __row: GeneratedCode.Row
            var name: FieldResult<String?> { __row.result(0) { $0.optionalString(0) } }
            var email: String? { __row.optionalString(1) }
        }
    }

    @Test func theInnermostCatchTakesAnError() throws {
        let artifact = People.artifact(
            "@throwOnFieldError{user:+User@catch(RESULT){name:String@catch(RESULT) email:String}}")
        try write(
            FieldErrorTests.full.replacing(#""name":"A""#, with: #""name":null"#), People.error("n", #""user","name""#))
        let inner = store.read(Nested.self, artifact)
        #expect(inner.data?.user.value??.name.errors.count == 1)
        #expect(inner.problems == nil)
        try write(FieldErrorTests.full, People.error("e", #""user","email""#))
        let outer = store.read(Nested.self, artifact)
        #expect(outer.data?.user.errors.map(\.path) == [["user", "email"]])
        #expect(outer.problems == nil)
    }

    @Test func aPlanCanCatchAsNull() throws {
        let plan =
            "@catch(NULL){user:+User{name:String email:String best:+User{name:String} friends:[+User]{name:String}}}"
        try write(FieldErrorTests.full)
        #expect(store.read(People.Data.self, People.artifact(plan)).data?.user?.name == "A")
        try write(FieldErrorTests.full, People.error("e", #""user","email""#))
        let snapshot = store.read(People.Data.self, People.artifact(plan))
        #expect(snapshot.data == nil && snapshot.problems?.failure == nil)
    }

    @Test func aPlanThatCatchesGivesTheErrorsInsteadOfData() throws {
        let fields =
            "{user:+User{name:String email:String best:+User{name:String@required(THROW)} friends:[+User]{name:String}}}"
        let artifact = People.artifact("@catch(RESULT)\(fields)")
        let whole = FieldErrorTests.full.replacing(#""name":null"#, with: #""name":"B""#)
        try write(whole)
        #expect(store.read(People.Data.self, artifact).result.data?.user?.name == "A")
        let errors = [(#""user","email""#, "e"), (#""user","friends",1"#, "f")].map { People.error($1, $0) }
        try write(FieldErrorTests.full, errors.joined(separator: ","))
        let snapshot = store.read(People.Data.self, artifact)
        #expect(snapshot.data == nil && !snapshot.isMissingData)
        #expect(
            snapshot.result.fieldErrors.map(\.path) == [
                ["user", "email"], ["user", "best", "name"], ["user", "friends"],
            ])
        // Without the mark the errors of the server are nobody's.
        #expect(store.read(People.Data.self, People.artifact(fields)).result.fieldErrors.isEmpty)
        try write(whole)
        #expect(store.read(People.Data.self, artifact).result.data?.user?.best?.name == "B")
    }

    @Test func aPlanThatCatchesTakesMissingDataToo() throws {
        try store.write(
            #"{"data":{"user":{"id":"1","name":"A"}}}"#,
            for: store.bind(People.artifact("{}"), variables: .object([])))
        let snapshot = store.read(
            People.Data.self, People.artifact("@catch(RESULT){user:+User{name:String email:String}}"))
        #expect(snapshot.result.fieldErrors.map(\.reason) == [.missingData])
        #expect(snapshot.isMissingData)
    }

    // MARK: - Handles

    @Test func aFragmentThatCatchesGivesItsErrors() async throws {
        let stage = Stage()
        let user = FieldErrorTests.full.replacing(#""name":"A""#, with: #""name":null"#)
        try await stage.seed(
            People.CaughtCardQuery(), People.answer(user, errors: People.error("n", #""user","name""#)))
        let handle = QueryHandle<People.CaughtCardQuery>(in: stage.environment, fetchPolicy: .storeOnly)
        let card = try #require(handle.get(.init()).data?.user?.card)
        let fragment = FragmentHandle(card, in: stage.environment)
        #expect(fragment.get().fieldErrors.map(\.description) == ["n at path 'name' in 'CaughtCard_user'"])
        #expect(fragment.get().error?.description.contains("or drop @throwOnFieldError") == false)
        #expect(stage.environment.result(of: card) == fragment.get())
        #expect(stage.environment.read(card) == nil && handle.get(.init()).error == nil)
        // The error goes with the next value of the field.
        try stage.environment.update { try $0.get("1")?.setValue("Ann", forField: "name") }
        #expect(fragment.get().data?.name == "Ann")
        #expect(stage.environment.result(of: card).data?.name == "Ann")
    }

    @Test func aThrowIsAFailureOfTheHandleUntilTheFieldHasAValue() async throws {
        let stage = Stage()
        let handle = QueryHandle<People.ThrowingQuery>(in: stage.environment, fetchPolicy: .storeAndNetwork)
        _ = handle.get(.init())
        let error = People.error("boom", #""user","best","name""#)
        await stage.answer(People.answer(FieldErrorTests.full, errors: error))
        guard case .fieldErrors(let errors)? = handle.get(.init()).error?.reason else {
            Issue.record("\(handle.get(.init()))")
            return
        }
        #expect(errors.map(\.description) == ["boom at path 'user.best.name' in 'ThrowingQuery'"])
        #expect(handle.result.error?.graphQLErrors.map(\.message) == ["boom"])
        #expect(handle.previousData == nil)
        try stage.environment.update { try $0.get("2")?.setValue("Bea", forField: "name") }
        #expect(handle.result.data?.user?.best?.name == "Bea")
        // The old data stays reachable when the read fails again.
        _ = handle.get(.init(), fetchKey: 1)
        await stage.answer(People.answer(FieldErrorTests.full, errors: error))
        #expect(handle.result.error != nil)
        #expect(handle.previousData?.user?.best?.name == "Bea")
    }

    @Test func aFragmentFailsByItself() async throws {
        let stage = Stage()
        let user = FieldErrorTests.full.replacing(#""name":"A""#, with: #""name":null"#)
        try await stage.seed(People.OpenCardQuery(), People.answer(user, errors: People.error("n", #""user","name""#)))
        stage.log.clear()
        let handle = QueryHandle<People.OpenCardQuery>(in: stage.environment, fetchPolicy: .storeOnly)
        let card = try #require(handle.get(.init()).data?.user?.card)
        #expect(handle.result.error == nil)
        let fragment = FragmentHandle(card, in: stage.environment)
        #expect(
            fragment.get()
                == .failure(
                    .fieldErrors([
                        FieldError(
                            .server(GraphQLError(message: "n", path: ["user", "name"])), path: ["name"],
                            component: "Card_user")
                    ])))
        #expect(stage.environment.read(card) == nil)
        try stage.environment.update { try $0.get("1")?.setValue("Ann", forField: "name") }
        #expect(fragment.get().data?.name == "Ann")
        #expect(fragment.get().data?.email == .success(nil))
    }

    @Test func aRequiredFieldIsLoggedAtEachRead() async throws {
        let stage = Stage()
        let user = FieldErrorTests.full.replacing(#""name":"A""#, with: #""name":null"#)
        try await stage.seed(People.CardQuery(), People.answer(user))
        stage.log.clear()
        let handle = QueryHandle<People.CardQuery>(in: stage.environment, fetchPolicy: .storeOnly)
        _ = handle.get(.init())
        _ = handle.get(.init())
        func logged() -> [LogEvent.MissingRequiredField] {
            stage.log.events.compactMap { if case .missingRequiredField(let event) = $0 { event } else { nil } }
        }
        let event = LogEvent.MissingRequiredField(
            component: "CardQuery", path: ["user", "name"], operationName: "CardQuery")
        #expect(logged() == [event], "what is not read again is not logged again")
        try stage.environment.update { try $0.getRootUser()?.setValue(.null, forField: "name") }
        try stage.environment.update { try $0.root.setLinkedRecord(nil, forField: "user") }
        try stage.environment.update { try $0.root.setLinkedRecord($0.get("1"), forField: "user") }
        _ = handle.result
        #expect(logged() == [event, event])
        _ = try? await stage.environment.fetch(People.CardQuery(), policy: .storeOnly)
        #expect(logged().count == 3)
    }

    @Test func aResponseSaysWhyItHasNoData() async throws {
        let stage = Stage()
        let environment = stage.environment
        let task = Task { try await environment.fetch(People.ThrowingQuery()) }
        while stage.network.waiting == 0 { await Task.yield() }
        stage.network.answer(People.answer(FieldErrorTests.full, errors: People.error("e", #""user","email""#)))
        let response = try await task.value
        #expect(response.data == nil)
        #expect(response.failure?.graphQLErrors.map(\.message) == ["e"])
    }
}

extension RecordSourceProxy {
    fileprivate func getRootUser() -> RecordProxy? { root.linkedRecord(forField: "user") }
}
