/// A compact handle of a `SourceFile` in a `SourceSet`; zero means predeclared definitions, which have no file.
package struct SourceID: Hashable, Sendable, Comparable {
    package let index: UInt32

    package init(index: UInt32) {
        self.index = index
    }

    /// The source of definitions that the specification predeclares, such as `String` or `@skip`.
    package static let predeclared = SourceID(index: 0)

    package static func < (left: SourceID, right: SourceID) -> Bool {
        left.index < right.index
    }
}

/// One text that the compiler reads: a file, or the value of a literal inside a file.
///
/// Offsets are UTF-8 byte offsets into `bytes`. If the text is the unescaped value of a Swift literal, `derivation`
/// translates its offsets to offsets in the file, so that positions always refer to the file that a person edits.
package final class SourceFile: Sendable {
    package let id: SourceID
    package let path: String
    package let bytes: [UInt8]
    package let derivation: Derivation?

    package init(id: SourceID, path: String, bytes: [UInt8], derivation: Derivation? = nil) {
        self.id = id
        self.path = path
        self.bytes = bytes
        self.derivation = derivation
    }

    /// The relation of a derived text to its file.
    package struct Derivation: Sendable {
        /// The file that holds the text. This file is not derived itself.
        package let original: SourceFile
        /// The segments, ascending by `derived`. From `derived` to the next segment, the text equals the file from
        /// `original` on.
        package let segments: [Segment]

        package init(original: SourceFile, segments: [Segment]) {
            self.original = original
            self.segments = segments
        }

        /// A part of the derived text that equals a part of the file.
        package struct Segment: Sendable {
            package let derived: Int
            package let original: Int

            package init(derived: Int, original: Int) {
                self.derived = derived
                self.original = original
            }
        }
    }

    /// The bytes in which lines and columns are counted.
    package var originalBytes: [UInt8] { derivation?.original.bytes ?? bytes }

    /// The whole text as a span.
    package var span: Span { Span(source: id, start: 0, end: UInt32(truncatingIfNeeded: bytes.count)) }

    /// Translates an offset in `bytes` to an offset in `originalBytes`; costs a binary search if the text is derived.
    package func originalOffset(of offset: Int) -> Int {
        guard let segments = derivation?.segments, !segments.isEmpty else { return offset }
        var low = 0
        var high = segments.count
        while low < high {
            let middle = (low + high) / 2
            if segments[middle].derived <= offset { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return segments[0].original }
        let segment = segments[low - 1]
        return segment.original + (offset - segment.derived)
    }

    /// Finds the line and column of an offset by reading the text up to it.
    package func location(ofOffset offset: Int) -> SourceLocation {
        LineTable(bytes: originalBytes).location(ofOffset: originalOffset(of: offset))
    }
}

/// The texts of one run of the compiler; it assigns their ids.
package struct SourceSet: Sendable {
    package private(set) var files: [SourceFile] = []

    package init() {}

    /// Adds a text under the path that diagnostics show.
    package mutating func add(
        path: String,
        bytes: [UInt8],
        derivation: SourceFile.Derivation? = nil
    ) -> SourceFile {
        let id = SourceID(index: UInt32(truncatingIfNeeded: files.count + 1))
        let file = SourceFile(id: id, path: path, bytes: bytes, derivation: derivation)
        files.append(file)
        return file
    }

    /// Adds a text from a string.
    package mutating func add(path: String, text: String) -> SourceFile {
        add(path: path, bytes: Array(text.utf8))
    }

    /// The file with an id; nil for predeclared definitions and for ids of another set.
    package subscript(id: SourceID) -> SourceFile? {
        let index = Int(id.index) - 1
        return files.indices.contains(index) ? files[index] : nil
    }
}
