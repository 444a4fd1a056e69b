/// A compact handle of a `SourceFile` in a `SourceSet`; zero stands for definitions that are predeclared and have no
/// file.
package struct SourceID: Hashable, Sendable, Comparable {
    package let index: UInt32

    package init(index: UInt32) {
        self.index = index
    }

    /// The source of what the specification predeclares, such as `String` or `@skip`.
    package static let predeclared = SourceID(index: 0)

    package static func < (left: SourceID, right: SourceID) -> Bool {
        left.index < right.index
    }
}

/// One text that was given to the compiler: a file, or the text of a literal inside a file.
///
/// Offsets are UTF-8 byte offsets into `bytes`. When the text had to be unescaped from a Swift literal, `derivation`
/// translates them to offsets in the file, so that positions always name the file that a person edits.
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

    /// How derived text relates to the file that it was taken from.
    package struct Derivation: Sendable {
        /// The file itself, which is derived from nothing.
        package let original: SourceFile
        /// Ascending by `derived`: from each derived offset on, text is found at `original` in the file, byte for byte,
        /// until the next segment begins.
        package let segments: [Segment]

        package init(original: SourceFile, segments: [Segment]) {
            self.original = original
            self.segments = segments
        }

        /// A stretch of derived text that stands in the file as it is.
        package struct Segment: Sendable {
            package let derived: Int
            package let original: Int

            package init(derived: Int, original: Int) {
                self.derived = derived
                self.original = original
            }
        }
    }

    /// The bytes that lines and columns refer to.
    package var originalBytes: [UInt8] { derivation?.original.bytes ?? bytes }

    /// The whole text as a span.
    package var span: Span { Span(source: id, start: 0, end: UInt32(truncatingIfNeeded: bytes.count)) }

    /// Translates an offset in `bytes` to one in `originalBytes`; costs a binary search when the text is derived.
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

/// The texts of one run of the compiler; it hands out their ids.
package struct SourceSet: Sendable {
    package private(set) var files: [SourceFile] = []

    package init() {}

    /// Adds a text under a path as it shall be shown in diagnostics.
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

    /// Adds a text that is at hand as a string.
    package mutating func add(path: String, text: String) -> SourceFile {
        add(path: path, bytes: Array(text.utf8))
    }

    /// The file of an id, or nil for predeclared definitions and ids of another set.
    package subscript(id: SourceID) -> SourceFile? {
        let index = Int(id.index) - 1
        return files.indices.contains(index) ? files[index] : nil
    }
}
