import BatonCompiler
import BatonLanguageServer
import BatonProject
import Testing

/// Changes that a project would not survive, whatever made them.
struct RenameTrialTests {
    private static let row = """
        fragment Row on Book @argumentDefinitions(wide: {type: "Boolean", defaultValue: false}) {
          title
          isbn @include(if: $wide)
          genre @include(if: $flag)
        }

        """
    private static let list = """
        query ListQuery($flag: Boolean = false) {
          books { key: id name: title(upper: $flag) ...Row @arguments(wide: true) }
        }

        """

    /// What speaks against a change of the two documents.
    private static func objection(
        _ row: String, _ list: String, _ change: RenameTrial.Change, from old: String, to new: String
    ) throws -> RenameTrial.Objection? {
        let folder = try TestFolder([
            "baton.json": Library.configuration, "schema.graphql": Library.schema, "documents/Row.graphql": Self.row,
            "documents/List.graphql": Self.list,
        ])
        var judge = ProjectJudge(configuration: folder.file("baton.json"))
        let judgement = judge.judge(overlays: [:], looksForFiles: true)
        #expect(judgement.diagnostics.allSatisfy { !$0.isError }, "\(judgement.diagnostics)")
        let trial = RenameTrial(
            judge, judgement.view, overlays: [:],
            edited: [
                folder.file("documents/Row.graphql"): Array(row.utf8),
                folder.file("documents/List.graphql"): Array(list.utf8),
            ], from: old, to: new)
        return trial.objection(to: change)
    }

    @Test func aCapturedVariableIsFound() throws {
        let objection = try Self.objection(
            Self.row.replacing("wide", with: "flag"), Self.list.replacing("wide", with: "flag"), .init(), from: "wide",
            to: "flag")
        #expect(objection?.message == "the operation 'ListQuery' would not ask the same any more")
        #expect(objection?.place.path?.name == "List.graphql")
        #expect(objection?.place.start == 6)
    }

    @Test func aNewNameIsNoDifference() throws {
        #expect(
            try Self.objection(
                Self.row.replacing("Row", with: "Cell"), Self.list.replacing("Row", with: "Cell"), .init(), from: "Row",
                to: "Cell") == nil)
        #expect(
            try Self.objection(
                Self.row.replacing("wide", with: "big"), Self.list.replacing("wide", with: "big"), .init(),
                from: "wide", to: "big") == nil)
        var change = RenameTrial.Change()
        change.operation = ("ListQuery", "AllQuery")
        #expect(
            try Self.objection(
                Self.row, Self.list.replacing("ListQuery", with: "AllQuery"), change, from: "ListQuery", to: "AllQuery")
                == nil)
        change = RenameTrial.Change()
        change.key = ("key", "number")
        #expect(
            try Self.objection(Self.row, Self.list.replacing("key", with: "number"), change, from: "key", to: "number")
                == nil)
    }

    @Test func aFieldThatIsAskedNoMoreIsFound() throws {
        var change = RenameTrial.Change()
        change.key = ("key", "id")
        #expect(
            try Self.objection(Self.row, Self.list.replacing("key: id ", with: ""), change, from: "key", to: "id")
                != nil)
    }

    @Test func aNewErrorIsFoundWithItsPlace() throws {
        let objection = try Self.objection(
            Self.row, Self.list.replacing("...Row", with: "...Rows"), .init(), from: "Row", to: "Rows")
        #expect(objection?.message.hasPrefix("unknown fragment 'Rows'") == true)
        #expect(objection?.place.path?.name == "List.graphql")
    }
}
