extension GeneratedCode {
    /// The cases of a generated enum, found by their raw texts.
    ///
    /// The enum writes only the way from a case to its text in code; the other way is this list.
    public final class EnumValues<Value: GraphQLEnum>: Sendable {
        private let values: [Value]
        private let texts: [String]
        /// The positions of the texts, if there are so many that comparing them one after another would take longer.
        private let positions: [String: Int]

        /// Takes the cases that the schema had, in any order.
        public init(_ values: Value...) {
            self.values = values
            texts = values.map(\.rawValue)
            positions =
                values.count <= 12
                ? [:] : Dictionary(zip(texts, values.indices), uniquingKeysWith: { first, _ in first })
        }

        /// The case with a text; the unknown case if the schema had none.
        func value(_ text: String) -> Value {
            let position = positions.isEmpty ? texts.firstIndex(of: text) : positions[text]
            return position.map { values[$0] } ?? .unknown(text)
        }
    }
}
