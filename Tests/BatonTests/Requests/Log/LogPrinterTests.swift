import Foundation
import Testing

@testable import Baton

/// A trailing closure is bound to the log, and the printed lines are readable.
@Suite(.timeLimit(.minutes(20))) struct LogPrinterTests {
    private final class Lines: Sendable {
        private let lines = Guarded<[String]>([])
        func add(_ line: String) { lines.withLock { $0.append(line) } }
        var all: [String] { lines.withLock { $0 } }
    }

    @Test func aTrailingClosureIsTheLog() throws {
        let lines = Lines()
        let environment = RelayEnvironment(network: ScriptedNetwork()) { lines.add("\($0)") }
        try environment.update { try $0.root.setValue(1, forField: "n") }
        #expect(lines.all.count == 1)
        #expect(
            lines.all.first?.hasPrefix(
                "publish 1, a local update: wrote 1 record, changed 1; told 0 of 0 components; took ") == true)
        let other = RelayEnvironment(network: ScriptedNetwork(), options: StoreOptions()) { event in
            let line = "\(event)"
            lines.add(line)
        }
        other.invalidate()
        #expect(lines.all.count == 2)
    }

    @Test func aLineForEachEvent() async throws {
        let lines = Lines()
        let clock = HandClock()
        let network = ScriptedNetwork()
        let printer = LogPrinter(clock: clock) { lines.add($0) }
        let environment = RelayEnvironment(network: network, clock: clock, log: printer.print)
        clock.advance(by: .milliseconds(1_500))
        async let response = environment.fetch(Films.FilmQuery(id: "1"))
        while network.waiting == 0 { await Task.yield() }
        network.answer(
            #"{"data":{"film":{"id":"1","title":"A","rating":null,"favourite":null,"director":null}},"errors":[{"message":"no\n\u001b[2Jrating","path":["film","rating"]}]}"#
        )
        _ = try await response
        try? environment.update { _ in throw Unreachable() }
        #expect(lines.all.prefix(1) == ["  1.500 s  query 'Film', request 1, is sent (networkOnly)"])
        #expect(
            lines.all.contains(
                "  1.500 s  publish 1, the response of 'Film', request 1: wrote 2 records, changed 2; "
                    + "told 0 of 0 components; took 0.0 ms, after 0.0 ms of normalizing"), "\(lines.all)")
        let finished = lines.all.first { $0.contains("was answered") } ?? ""
        #expect(finished.contains(#"with 1 error: no\n\u{1b}[2Jrating"#), "\(finished)")
        #expect(
            lines.all.last
                == "  1.500 s  the update of a local update failed, so nothing of it was kept: no route to host")
        #expect(lines.all.allSatisfy { !$0.unicodeScalars.contains { $0.value < 32 } })
    }

    @Test func aVeryLongTextIsCut() {
        let line = LogPrinter.line(String(repeating: "a", count: 1_000_000))
        #expect(line.count == 2_004)
        #expect(line.hasSuffix(" ..."))
    }

    @Test func itWritesToAFileDescriptor() throws {
        let pipe = Pipe()
        let printer = LogPrinter(to: pipe.fileHandleForWriting.fileDescriptor)
        printer.print(
            .missingRequiredField(
                LogEvent.MissingRequiredField(component: "Row", path: ["a", 0, "b"], operationName: "Q")))
        try pipe.fileHandleForWriting.close()
        let text = String(decoding: try #require(try pipe.fileHandleForReading.readToEnd()), as: UTF8.self)
        #expect(text.hasSuffix(" s  'Row' has no value for a[0].b, which is @required\n"))
    }

    @Test func recordsOfAnUpdateShowWhatTheyHold() throws {
        let store = Store()
        var late: RecordProxy?
        try store.update { source in
            let person = try source.create("p1", type: "Person")
            let film = try source.create("film-4", type: "Film")
            try film.setValue("A New Hope", forField: "title")
            try film.setLinkedRecord(person, forField: "director")
            try film.setLinkedRecords([person, nil], forField: "cast")
            try film.setValue(.string(String(repeating: "x", count: 100)), forField: "text")
            let text = String(repeating: "x", count: 59)
            #expect(
                "\(film)"
                    == #"Film 'film-4' {cast: [-> p1, null], director: -> p1, text: "\#(text)..., title: "A New Hope"}"#
            )
            #expect("\(film.field("title"))" == #"title of Film 'film-4': "A New Hope""#)
            #expect("\(film.field("year"))" == "year of Film 'film-4': missing")
            for number in 0..<20 { try person.setValue(.int(number), forField: "f\(number + 10)") }
            #expect("\(person)".hasSuffix("f21: 11, and 8 more}"))
            try source.delete("p1")
            #expect("\(person)" == "'p1', deleted")
            late = film
        }
        #expect(late.map { "\($0)" } == "'film-4', in an update that has ended")
    }
}
