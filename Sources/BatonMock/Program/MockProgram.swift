import BatonHTTP
import BatonTesting
import Foundation

/// The program `baton-mock`.
enum MockProgram {
    /// Runs until the server is stopped; returns the status of the process.
    static func run(_ arguments: [String]) -> Int32 {
        let options: Options
        do throws(Options.Mistake) {
            options = try Options(arguments)
        } catch {
            complain(error.description)
            return 64
        }
        guard !options.wantsHelp else {
            say(Options.help)
            return 0
        }
        do {
            let start = Uptime.milliseconds
            let world = options.schemas.isEmpty ? nil : try makeWorld(options)
            let notices = Notices()
            let (recorder, recording) = try makeRecorder(options, notices)
            let responder = Responder(
                world,
                .init(
                    schema: options.schemas.joined(separator: ", "), seed: options.seed, path: options.path,
                    eventMilliseconds: options.eventMilliseconds, recording: recording),
                documents: try options.documents.map { try KnownDocuments(read($0)) } ?? KnownDocuments(),
                notices: notices, recorder: recorder)
            var files: [any SavedFile] = []
            if let path = options.overrides, let world { files.append(OverrideFile(path, world, seed: options.seed)) }
            if let path = options.rules { files.append(RuleFile(path, responder.rules)) }
            // A mistake at the start ends the program; a later one is shown, and the file is read again.
            for index in files.indices {
                do {
                    _ = try files[index].readAgain()
                } catch {
                    throw Options.Mistake(description: "The \(files[index].title) have a mistake:\n\(error)")
                }
            }
            var limits = MockServer.Limits()
            limits.connections = options.connections
            limits.request.body = options.largestBody
            limits.request.form = options.largestForm
            let server = try MockServer(host: options.host, port: options.port, limits: limits, responder: responder)
            let host = options.host.contains(":") ? "[\(options.host)]" : options.host
            let what = recording.map { "operations. \($0)" } ?? "operations of \(responder.facts.schema)."
            say("http://\(host):\(server.port)\(options.path) answers \(what)\n")
            say("http://\(host):\(server.port)/ shows the last requests. Ready in \(Uptime.milliseconds - start) ms.\n")
            watch(&files, responder)
            return 0
        } catch {
            complain("\(error)")
            return 1
        }
    }

    private static func makeWorld(_ options: Options) throws -> World {
        let texts = try options.schemas.map { path in
            guard let text = String(validating: try read(path), as: UTF8.self) else {
                throw Options.Mistake(description: "The schema '\(path)' is not UTF-8.")
            }
            return text
        }
        return try World(schema: texts.joined(separator: "\n"), seed: options.seed)
    }

    /// What passes answers on, and what the page says of it.
    private static func makeRecorder(
        _ options: Options, _ notices: Notices
    ) throws -> (recorder: Recorder?, text: String?) {
        guard let folder = options.recordings else { return (nil, nil) }
        let secrets = Secrets(options.secrets)
        let recordings = try Recordings(folder: folder, secrets)
        let upstream = options.record.map { HTTPNetwork(url: $0) }
        let recorder = Recorder(recordings, secrets, upstream: upstream, MemoryBudget()) { text in
            notices.set(text, of: "recordings")
        }
        if let url = options.record {
            let shown = secrets.strikeURLs(url.absoluteString)
            return (recorder, "Answers are those of \(shown), and are kept in '\(folder)'.")
        }
        let rest = options.schemas.isEmpty ? "" : " What is not there is made up."
        return (
            recorder, "Answers are those that were recorded in '\(folder)', to \(recordings.count) requests.\(rest)"
        )
    }

    private static func read(_ path: String) throws(Options.Mistake) -> [UInt8] {
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw Options.Mistake(description: "The file '\(path)' cannot be read.")
        }
        return [UInt8](bytes)
    }

    /// Reads files again whenever they are saved, as long as the process lives.
    private static func watch(_ files: inout [any SavedFile], _ responder: Responder) {
        while true {
            Sockets.pause(milliseconds: 500)
            for index in files.indices {
                let title = files[index].title
                do {
                    guard try files[index].readAgain() else { continue }
                    responder.notices.set(nil, of: title)
                    say("The \(title) were read again.\n")
                } catch {
                    responder.notices.set(
                        "The \(title) have a mistake, and the earlier ones hold: \(error)", of: title)
                    complain("The \(title) have a mistake, and the earlier ones hold:\n\(error)")
                }
            }
        }
    }

    private static func say(_ text: String) { try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8)) }

    private static func complain(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data("baton-mock: \(text)\n".utf8))
    }
}
