/// The media types that a client accepts, the preferred ones first (RFC 9110, 12.5.1).
struct AcceptedTypes: Sendable {
    struct Entry: Sendable, Equatable {
        /// Type and subtype in lower case.
        let name: String
        /// The names of the parameters in lower case, and their values.
        let parameters: [String: String]
        let weight: Double
    }

    let entries: [Entry]

    init(_ field: String?) {
        let found = (field ?? "*/*").split(separator: ",").compactMap { Self.entry($0) }.filter { $0.weight > 0 }
        entries = found.enumerated().sorted {
            $0.element.weight == $1.element.weight ? $0.offset < $1.offset : $0.element.weight > $1.element.weight
        }.map(\.element)
    }

    private static func entry(_ text: Substring) -> Entry? {
        let parts = text.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" && $0 != "\"" } }
        guard let name = parts.first, !name.isEmpty else { return nil }
        var parameters: [String: String] = [:]
        for part in parts.dropFirst() {
            let pair = part.split(separator: "=", maxSplits: 1)
            if pair.count == 2 { parameters[pair[0].lowercased()] = String(pair[1]) }
        }
        let weight = parameters.removeValue(forKey: "q").map { Double($0) ?? 0 } ?? 1
        return Entry(name: name.lowercased(), parameters: parameters, weight: weight)
    }
}
