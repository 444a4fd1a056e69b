import Baton
import Foundation
import RandomCases
import Testing

@testable import BatonTesting

@Suite("Snapshot")
struct SnapshotTests {
    private func environment() -> RelayEnvironment { RelayEnvironment(network: MockNetwork()) }

    private func draft(_ store: RecordSourceProxy, _ text: String, as field: String) throws {
        let draft = try store.createLocal(type: "Draft")
        try draft.setValue(.string(text), forField: "text")
        try store.root.setLinkedRecord(draft, forField: field)
    }

    @Test("the text of a store does not depend on what was made before, nor on the order")
    func stores() throws {
        let (first, second) = (environment(), environment())
        try first.update { store in
            try draft(store, "same", as: "a")
            try draft(store, "same", as: "b")
            try draft(store, "other", as: "c")
        }
        try second.update { store in
            for _ in 0..<20 { _ = try store.createLocal(type: "Draft") }
            try draft(store, "other", as: "c")
            try draft(store, "same", as: "b")
            try draft(store, "same", as: "a")
        }
        let text = """
            client:root __Root
              a -> local#1
              b -> local#2
              c -> local#3
            local#1 Draft
              text "same"
            local#2 Draft
              text "same"
            local#3 Draft
              text "other"
            """
        try Snapshot(first.records).expect(text)
        let lines = Snapshot(second.records).lines
        #expect(lines.prefix(10).joined(separator: "\n") == text)
        #expect(lines[10] == "local#4 Draft" && lines.count == 30)
    }

    @Test("identities in a frame are numbered in the order of their appearance")
    func frames() {
        let frame = "client:local:712 and client:local:9 and client:local:712:part, client:root:mutation:4, client:root"
        #expect(
            Snapshot(frame).description == "local#1 and local#2 and local#1:part, mutation#1, client:root")
        #expect(Snapshot("client:local:x client:other").description == "client:local:x client:other")
        #expect(Snapshot(frame) == Snapshot(frame.replacing("712", with: "3").replacing(":9", with: ":88")))
    }

    @Test("spaces at the ends of lines do not count, and markup has a line for each tag")
    func lines() throws {
        #expect(Snapshot(lines: ["a  ", "", " b", "", ""]).lines == ["a", "", " b"])
        try Snapshot("a\r\nb\n").expect("a\nb")
        try Snapshot(markup: "<ul><li>One</li><li>Two <b>x</b></li></ul>").expect(
            """
            <ul>
            <li>One</li>
            <li>Two <b>x</b>
            </li>
            </ul>
            """)
    }

    @Test("a difference has the changed lines, with three lines around them")
    func difference() throws {
        let old = (1...20).map { "line \($0)" }
        var new = old
        new[4] = "line five"
        new.remove(at: 14)
        new.append("line 21")
        let failure = #expect(throws: MockFailure.self) {
            try Snapshot(lines: new).expect(old.joined(separator: "\n"))
        }
        #expect(
            failure?.description == """
                the snapshot is another one than was expected (-):
                @@ -2,7 +2,7 @@
                 line 2
                 line 3
                 line 4
                -line 5
                +line five
                 line 6
                 line 7
                 line 8
                @@ -12,9 +12,9 @@
                 line 12
                 line 13
                 line 14
                -line 15
                 line 16
                 line 17
                 line 18
                 line 19
                 line 20
                +line 21
                """)
        #expect(Snapshot(lines: old).difference(from: old.joined(separator: "\n")) == nil)
    }

    @Test("a difference loses no line: both texts can be made of it", arguments: RandomCases.seeds(60))
    func wholeDifference(seed: Int) {
        var random = SeededGenerator(seed: seed)
        func text() -> [String] { (0..<random.below(30)).map { _ in "\(random.below(6))" } }
        let (old, new) = (text(), text())
        let difference = LineDifference(from: old, to: new).text(context: 100, limit: .max)
        let lines = (difference ?? "").split(separator: "\n").dropFirst()
        if old == new { return #expect(difference == nil) }
        #expect(lines.filter { !$0.hasPrefix("+") }.map { String($0.dropFirst()) } == old)
        #expect(lines.filter { !$0.hasPrefix("-") }.map { String($0.dropFirst()) } == new)
    }

    @Test("a long difference is cut, and very long ones take no time")
    func limits() {
        let (old, new) = ((0..<20_000).map { "old \($0)" }, (0..<20_000).map { "new \($0)" })
        let lines = (LineDifference(from: old, to: new).text() ?? "").split(separator: "\n")
        #expect(lines.count == 61 && lines.first == "@@ -1,20000 +1,20000 @@" && lines[1] == "-old 0")
        #expect(lines.last == "... and 39941 more lines")
        #expect(LineDifference(from: [], to: ["a"]).text() == "@@ -0,0 +1,1 @@\n+a")
    }

    @Test("a file that is not there is written, and compared from then on")
    func files() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "frames/row.txt").path
        let written = #expect(throws: MockFailure.self) { try Snapshot("a\nb").expect(file: path) }
        #expect(written?.description.contains("was written to '\(path)'") == true)
        try Snapshot("a\nb").expect(file: path)
        let failure = #expect(throws: MockFailure.self) { try Snapshot("a\nc").expect(file: path) }
        #expect(failure?.description.hasSuffix("@@ -1,2 +1,2 @@\n a\n-b\n+c") == true)
    }
}
