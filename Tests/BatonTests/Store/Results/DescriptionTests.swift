// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Testing

@testable import Baton

/// What `print` and `dump` show of a result is what its properties show.
@Suite struct DescriptionTests {
    private let store = Store()

    private func read(_ plan: String, _ user: String, _ errors: [String] = []) throws -> GeneratedCode.Row {
        let artifact = People.artifact(plan)
        let errors = errors.isEmpty ? nil : errors.joined(separator: ",")
        let operation = store.bind(artifact, variables: .object([]))
        try store.write(People.answer(user, errors: errors), for: operation)
        return try #require(store.read(AnyData.self, of: operation).data).__row
    }

    private static let user =
        #"{"id":"1","name":"A","email":null,"best":{"id":"2","name":"B","email":null},"#
        + #""friends":[{"id":"3","name":"C","email":null},null]}"#

    @Test func fieldsStandByTheirResponseKeys() throws {
        let plan = """
            {user:+User{called=name:String email:String best:+User{name:String} friends:[+User]{name:String} \
            <>{email:String}}}
            """
        let row = try read(plan, Self.user)
        #expect(
            "\(row)" == "(user: (called: A, email: nil, best: (name: B), friends: [(name: C), nil], email: nil))")
    }

    @Test func listsAreShownAsArrays() throws {
        let row = try read("{user:+User{friends:[+User]{name:String}}}", Self.user)
        let friends: ObjectList<People.Data.Friend?>? = row.child(0)?.optionalObjects(0)
        #expect(try #require(friends).description == Array(try #require(friends)).description)
        #expect(try #require(friends).description.contains("name: C"))
        #expect(ObjectList<People.Data.Friend?>([nil]).description == "[nil]")
        #expect(Mirror(reflecting: try #require(friends)).children.count == 2)
    }

    // MARK: - Caught errors

    @Test func whatWasCaughtAsNullIsShownAsNull() throws {
        let plan = """
            {user:+User{email:String best:+User@catch(NULL){name:String email:String} \
            <>@catch(NULL){email:String} friends:[+User]@catch(NULL){name:String}}}
            """
        let answer = Self.user.replacing(#""name":"B","email":null"#, with: #""name":null,"email":"secret""#)
            .replacing(#""name":"C""#, with: #""name":null"#)
        let row = try read(
            plan, answer,
            [People.error("E", #""user","best","name""#), People.error("F", #""user","friends",0,"name""#)])
        let user = try #require(row.child(0))
        #expect(user.unlessCaught(1) { $0.child(1) } == nil)
        #expect("\(user)" == "(email: nil, best: nil, email: nil, friends: nil)")
        var text = ""
        dump(user, to: &text)
        #expect(!text.contains("secret"))
    }

    @Test func errorsThatWereCaughtAreShown() throws {
        let plan =
            "{user:+User{email:String@catch(RESULT) best:+User@catch(RESULT){name:String} <>@catch(RESULT){name:String}}}"
        let row = try read(
            plan,
            Self.user.replacing(#""name":"A""#, with: #""name":null"#).replacing(
                #""name":"B""#, with: #""name":null"#),
            [
                People.error("E", #""user","email""#), People.error("B", #""user","best","name""#),
                People.error("N", #""user","name""#),
            ])
        #expect(
            "\(try #require(row.child(0)))"
                == "(email: [E at path 'user.email' in 'PersonQuery'], "
                + "best: [B at path 'user.best.name' in 'PersonQuery'], "
                + "...: [N at path 'user.name' in 'PersonQuery'])")
        let whole = try read(plan, Self.user)
        #expect("\(try #require(whole.child(0)))" == "(email: nil, best: (name: B), name: A)")
    }
}
