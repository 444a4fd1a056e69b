/// Numbers the identities in a text that the process counts, in the order of their appearance.
///
/// `client:local:17` becomes `local#1`, and `client:root:mutation:4` becomes `mutation#1`. So the text does not depend
/// on what else was made before.
enum CountedNames {
    private static let kinds = [
        ("client:local:", "local"), ("client:root:mutation:", "mutation"),
        ("client:root:subscription:", "subscription"),
    ]

    static func renumbered(_ text: String) -> String {
        var result = ""
        var names: [Substring: String] = [:]
        var counts: [String: Int] = [:]
        var rest = text[...]
        while let start = rest.firstRange(of: "client:")?.lowerBound {
            result += rest[..<start]
            rest = rest[start...]
            guard let (prefix, kind) = kinds.first(where: { rest.hasPrefix($0.0) }) else {
                result += rest.prefix(7)
                rest = rest.dropFirst(7)
                continue
            }
            let digits = rest.dropFirst(prefix.count).prefix { $0.isASCII && $0.isNumber }
            let identity = rest.prefix(prefix.count + digits.count)
            rest = rest.dropFirst(identity.count)
            guard !digits.isEmpty else {
                result += identity
                continue
            }
            if names[identity] == nil {
                counts[kind, default: 0] += 1
                names[identity] = "\(kind)#\(counts[kind] ?? 0)"
            }
            result += names[identity] ?? String(identity)
        }
        return result + rest
    }
}
