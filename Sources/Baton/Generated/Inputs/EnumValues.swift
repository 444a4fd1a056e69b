extension GeneratedCode {
    /// The cases of a generated enum, found by their raw texts.
    ///
    /// The code of a generated enum converts a case to its text. This list converts a text to its case.
    public final class EnumValues<Value: GraphQLEnum>: Sendable {
        private let values: [Value]
        private let texts: Texts

        /// Takes the cases that the schema had, in any order.
        public init(_ values: Value...) {
            self.values = values
            texts = Texts(values.map(\.rawValue))
        }

        /// The case with a text; the unknown case if the schema had none.
        func value(_ text: String) -> Value {
            if let position = texts.position(of: text) { return values[position] }
            return .unknown(text)
        }
    }

    /// The texts of an enum's cases. Looking them up needs no type of the application.
    private struct Texts: Sendable {
        private let all: [String]
        /// The positions of the texts; empty if comparing the few texts one after another is faster.
        private let positions: [String: Int]

        init(_ texts: [String]) {
            all = texts
            positions =
                texts.count <= 12
                ? [:] : Dictionary(zip(texts, texts.indices), uniquingKeysWith: { first, _ in first })
        }

        func position(of text: String) -> Int? { positions.isEmpty ? all.firstIndex(of: text) : positions[text] }
    }
}
