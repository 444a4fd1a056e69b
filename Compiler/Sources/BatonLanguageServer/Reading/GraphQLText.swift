import BatonCompiler
import BatonDiagnostics

/// The GraphQL in a file: all of a `.graphql` file, or the literals of `graphql(_:)` in a Swift file.
struct GraphQLText {
    let path: AbsolutePath
    let bytes: [UInt8]
    let isSwift: Bool
    let pieces: [Piece]

    /// A document in the file. It translates between offsets in its source and offsets in the file.
    struct Piece {
        /// The text that is parsed. A literal with escapes has its value as its source, and all else has the file.
        let source: SourceFile
        /// The range of the document in the source, in bytes.
        let range: Range<Int>
        /// The range of the document in the file, in bytes.
        let place: Range<Int>

        /// Translates an offset in the source into one in the file.
        func original(_ offset: Int) -> Int { source.originalOffset(of: offset) }

        func original(_ range: Range<Int>) -> Range<Int> {
            let start = original(range.lowerBound)
            return start..<max(start, original(range.upperBound))
        }

        /// Translates an offset in the file into one in the source.
        func offset(ofOriginal offset: Int) -> Int {
            guard let segments = source.derivation?.segments else { return offset }
            guard let segment = segments.last(where: { $0.original <= offset }) else { return 0 }
            return min(segment.derived + offset - segment.original, source.bytes.count)
        }
    }

    init(path: AbsolutePath, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
        isSwift = path.description.hasSuffix(".swift")
        let file = SourceFile(id: SourceID(index: 1), path: path.description, bytes: bytes)
        guard isSwift else {
            pieces = [Piece(source: file, range: 0..<bytes.count, place: 0..<bytes.count)]
            return
        }
        pieces = SwiftScanner.scan(file).literals.map { literal in
            guard literal.hasEscapes else {
                return Piece(source: file, range: literal.content, place: literal.content)
            }
            let (value, segments, _) = literal.value(in: file)
            let source = SourceFile(
                id: SourceID(index: 2), path: file.path, bytes: value,
                derivation: SourceFile.Derivation(original: file, segments: segments))
            return Piece(source: source, range: 0..<value.count, place: literal.content)
        }
    }

    /// The document that contains or touches an offset of the file.
    func piece(at offset: Int) -> Piece? {
        pieces.first { $0.place.lowerBound <= offset && offset <= $0.place.upperBound }
    }
}
