import Baton
import Foundation

/// The body of a request with files. Files are read during the sending.
///
/// Specification: https://github.com/jaydenseric/graphql-multipart-request-spec
struct MultipartForm: Sendable {
    /// A part of the body: bytes, or a file.
    private enum Section: Sendable {
        case bytes([UInt8])
        case file(path: String, size: Int)

        var length: Int {
            switch self {
            case .bytes(let bytes): bytes.count
            case .file(_, let size): size
            }
        }
    }

    let contentType: String
    /// The number of bytes of the whole body.
    let length: Int
    private let sections: [Section]

    /// Checks that every file exists before any byte is sent.
    ///
    /// Uploads with the same file, name and type are one part with several places.
    ///
    /// - Throws: ``HTTPError/file(path:reason:)``, or `RelayError.configuration` for an upload that cannot be sent.
    init(_ content: RequestContent, _ uploads: [Upload], boundary: String = randomBoundary()) throws {
        var files: [(upload: Upload, places: [UploadPlace])] = []
        var positions: [Upload: Int] = [:]
        for upload in uploads {
            guard upload.contentType.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else {
                throw RelayError.configuration("The media type of the file '\(upload.fileName)' is not one.")
            }
            let place = UploadPlace(upload.variable)
            let file = Upload(
                variable: "", fileName: upload.fileName, contentType: upload.contentType, content: upload.content)
            if let position = positions[file] {
                files[position].places.append(place)
            } else {
                positions[file] = files.count
                files.append((upload, [place]))
            }
        }
        let operations = try content.json(withNullAt: files.flatMap(\.places))
        let map = JSONValue.object(
            files.enumerated().map { index, file in
                .init(String(index), .array(file.places.map { .string("variables.\($0.text)") }))
            })
        var sections: [Section] = []
        func add(_ text: String) { sections.append(.bytes(Array(text.utf8))) }
        func addField(_ name: String, _ value: [UInt8]) {
            add("--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n")
            sections.append(.bytes(value))
            add("\r\n")
        }
        addField("operations", operations)
        addField("map", map.jsonBytes)
        for (index, file) in files.enumerated() {
            add(
                "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(index)\"; "
                    + "filename=\"\(Self.escaped(file.upload.fileName))\"\r\n"
                    + "Content-Type: \(file.upload.contentType)\r\n\r\n")
            switch file.upload.content {
            case .bytes(let bytes): sections.append(.bytes(bytes))
            case .file(let path): sections.append(.file(path: path, size: try Self.size(ofFile: path)))
            }
            add("\r\n")
        }
        add("--\(boundary)--\r\n")
        contentType = "multipart/form-data; boundary=\(boundary)"
        self.sections = sections
        length = sections.reduce(0) { $0 + $1.length }
    }

    /// A random boundary, which occurs in no file by chance.
    static func randomBoundary() -> String {
        "----baton-" + (0..<4).map { _ in String(UInt32.random(in: 0x1000_0000 ... .max), radix: 16) }.joined()
    }

    /// A new copy of the body. `report` is called with the number of bytes so far, after each piece.
    func pieces(_ report: @escaping @Sendable (Int) -> Void) -> HTTPPieces {
        let reader = Reader(sections)
        return HTTPPieces {
            guard let piece = try reader.next() else { return nil }
            report(piece.sent)
            return piece.bytes
        }
    }

    /// Escapes a file name as browsers do (HTML, multipart/form-data encoding algorithm).
    private static func escaped(_ name: String) -> String {
        var text = ""
        for scalar in name.unicodeScalars {
            switch scalar {
            case "\"": text += "%22"
            case "\r": text += "%0D"
            case "\n": text += "%0A"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    private static func size(ofFile path: String) throws -> Int {
        let values: [FileAttributeKey: Any]
        do {
            let resolved = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
            values = try FileManager.default.attributesOfItem(atPath: resolved)
        } catch {
            throw HTTPError.file(path: path, reason: "it is not there")
        }
        guard values[.type] as? FileAttributeType == .typeRegular, let size = values[.size] as? NSNumber else {
            throw HTTPError.file(path: path, reason: "it is not a file")
        }
        guard FileManager.default.isReadableFile(atPath: path) else {
            throw HTTPError.file(path: path, reason: "it may not be read")
        }
        return size.intValue
    }

    /// Reads the sections one after the other. At most one file is open at a time.
    ///
    /// State: guarded by a lock of its own, a leaf; only the task that sends uses this object.
    private final class Reader: Sendable {
        private struct State {
            var rest: ArraySlice<Section>
            var sent = 0
            var file: FileHandle?
            var remaining = 0
        }

        private static let pieceSize = 64 << 10
        private let state: Guarded<State>

        init(_ sections: [Section]) { state = Guarded(State(rest: sections[...])) }

        func next() throws -> (bytes: [UInt8], sent: Int)? {
            try state.withLock { state in
                guard let bytes = try Self.bytes(&state) else { return nil }
                state.sent += bytes.count
                return (bytes, state.sent)
            }
        }

        private static func bytes(_ state: inout State) throws -> [UInt8]? {
            while let section = state.rest.first {
                switch section {
                case .bytes(let bytes):
                    state.rest.removeFirst()
                    if !bytes.isEmpty { return bytes }
                case .file(let path, let size):
                    if state.file == nil {
                        guard let file = FileHandle(forReadingAtPath: path) else {
                            throw HTTPError.file(path: path, reason: "it could not be opened")
                        }
                        (state.file, state.remaining) = (file, size)
                    }
                    if state.remaining == 0 {
                        state.file = nil
                        state.rest.removeFirst()
                        continue
                    }
                    let data = try? state.file?.read(upToCount: min(pieceSize, state.remaining))
                    guard let data, !data.isEmpty else {
                        throw HTTPError.file(path: path, reason: "it became shorter while it was sent")
                    }
                    state.remaining -= data.count
                    return Array(data)
                }
            }
            return nil
        }
    }
}
