import Foundation

/// A file of inputs, `<name>.graphql`, with a file `<name>.expected` that records the expected results.
///
/// There are two forms:
///
/// - An ordinary fixture is one input. The expected file repeats it after INPUT and continues with OUTPUT, or with
///   ERROR if the input has errors. The name ends in `.invalid` exactly if it has errors.
/// - `<name>.cases.graphql` has many small inputs, separated by lines `#== title`. Each is run alone. Its first line is
///   the line after the title, and it must give exactly one diagnostic. The expected file has the titles in the same
///   order, each followed by the diagnostic. Only comments and blank lines may precede the first title.
///
/// In both forms, an input may have several texts, separated by lines `#%% name`. The part before the first such line
/// is the text `document.graphql`. The topic defines the meaning of names: in topics that validate documents,
/// `schema...` and `extension...` are schema texts.
package struct Fixture: Sendable, CustomStringConvertible {
    /// The folder inside the folder of all fixtures, such as `validation/field-selections`.
    package let topic: String
    package let url: URL

    package init(topic: String, url: URL) {
        self.topic = topic
        self.url = url
    }

    package var name: String { url.deletingPathExtension().lastPathComponent }
    package var description: String { "\(topic)/\(name)" }
    package var holdsCases: Bool { name.hasSuffix(".cases") }
    /// Whether the name of the file tells that the input has errors.
    package var isInvalid: Bool { name.hasSuffix(".invalid") }
    package var expectedURL: URL { url.deletingPathExtension().appendingPathExtension("expected") }

    /// Texts that are run together.
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

    /// The inputs in their order; one input if the fixture is not a file of cases.
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
            // Comments and blank lines before the first name are not a text.
            let lines = part.bytes.split(separator: 0x0A)
            let isBlank = parts.count > 1 && lines.allSatisfy { $0.first == 0x23 || $0.allSatisfy { $0 == 0x20 } }
            return isBlank ? nil : Text(name: "document.graphql", bytes: part.bytes)
        }
    }

    /// Splits the bytes at lines with the marker. The part before the first marker has no title.
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
        // Splitting at line ends gives one additional, empty line.
        if current.last == 0x0A { current.removeLast() }
        return parts + [(title, current)]
    }
}
