import Foundation

/// One file of inputs, `<name>.graphql`, beside `<name>.expected`, which records what is expected of it.
///
/// There are two forms:
///
/// - An ordinary fixture is one input. The expected file repeats it behind INPUT and continues with OUTPUT, or with
///   ERROR where the input has errors; the name ends in `.invalid` exactly then.
/// - `<name>.cases.graphql` holds many small inputs apart by lines `#== title`. Each is run alone, its first line is
///   the one behind the title, and each must give exactly one diagnostic. The expected file has the titles in the same
///   order, each followed by the diagnostic. Nothing but comments and blank lines comes before the first title.
///
/// Either way an input may hold several texts, apart by lines `#%% name`; what comes before the first such line is the
/// text `document.graphql`. What a name means is up to the topic: `schema...` and `extension...` are schema texts where
/// documents are validated.
package struct Fixture: Sendable, CustomStringConvertible {
    /// The folder below that of all fixtures, such as `validation/field-selections`.
    package let topic: String
    package let url: URL

    package init(topic: String, url: URL) {
        self.topic = topic
        self.url = url
    }

    package var name: String { url.deletingPathExtension().lastPathComponent }
    package var description: String { "\(topic)/\(name)" }
    package var holdsCases: Bool { name.hasSuffix(".cases") }
    /// Whether the file says by its name that it has errors.
    package var isInvalid: Bool { name.hasSuffix(".invalid") }
    package var expectedURL: URL { url.deletingPathExtension().appendingPathExtension("expected") }

    /// What is run at once: texts that belong together.
    package struct Input: Sendable {
        /// The title of a case, or nil for the only input of an ordinary fixture.
        package let title: String?
        package let texts: [Text]
    }

    package struct Text: Sendable {
        package let name: String
        package let bytes: [UInt8]

        package init(name: String, bytes: [UInt8]) {
            self.name = name
            self.bytes = bytes
        }
    }

    package func bytes() throws -> [UInt8] {
        Array(try Data(contentsOf: url))
    }

    /// The inputs in their order, one where the fixture holds no cases.
    package func inputs() throws -> [Input] {
        let bytes = try bytes()
        guard holdsCases else { return [Input(title: nil, texts: Self.texts(in: bytes))] }
        return Self.parts(of: bytes, apartBy: "#== ").compactMap { part in
            part.title.map { Input(title: $0, texts: Self.texts(in: part.bytes)) }
        }
    }

    private static func texts(in bytes: [UInt8]) -> [Text] {
        let parts = parts(of: bytes, apartBy: "#%% ")
        return parts.compactMap { part in
            if let name = part.title { return Text(name: name, bytes: part.bytes) }
            // Comments and blank lines before the first name are no text of their own.
            let lines = part.bytes.split(separator: 0x0A)
            let isBlank = parts.count > 1 && lines.allSatisfy { $0.first == 0x23 || $0.allSatisfy { $0 == 0x20 } }
            return isBlank ? nil : Text(name: "document.graphql", bytes: part.bytes)
        }
    }

    /// What comes before the first line with the marker, without a title, and what follows each.
    private static func parts(of bytes: [UInt8], apartBy marker: String) -> [(title: String?, bytes: [UInt8])] {
        let marker = Array(marker.utf8)
        var parts: [(title: String?, bytes: [UInt8])] = []
        var title: String?
        var current: [UInt8] = []
        for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            if line.starts(with: marker) {
                parts.append((title, current))
                title = String(decoding: line.dropFirst(marker.count), as: UTF8.self)
                current = []
            } else {
                current += line + [0x0A]
            }
        }
        // Splitting at line ends gives one line more than there are.
        if current.last == 0x0A { current.removeLast() }
        return parts + [(title, current)]
    }
}
