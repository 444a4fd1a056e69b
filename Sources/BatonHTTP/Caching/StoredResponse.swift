import Baton

/// A response in a `ResponseStorage`.
public struct StoredResponse: Sendable {
    var entry: CacheEntry

    init(_ entry: CacheEntry) { self.entry = entry }

    /// The versions that the tags had before the server was asked.
    public var versions: [UInt64] {
        get { entry.versions }
        set { entry.versions = newValue }
    }

    /// The names of the request's headers on which the response depends, in lower case.
    public var varyingNames: [String] { entry.varying.keys.sorted() }

    /// The time for which the response is of any use, fresh or stale or to be confirmed.
    public var keepTime: Duration { entry.keepTime }
}

// The form of a response outside of the process: a line with a JSON object, and the body as the server sent it. It has
// digests in place of what the request had, and of the response's fields only those about the body and its lifetime.
extension StoredResponse {
    private static let keptFields: Set<String> = [
        "status", "cache-control", "age", "date", "expires", "vary", "etag", "last-modified",
    ]
    private static let longestHead = 1 << 20

    /// The bytes of the response, without anything that only its request knew.
    public var bytes: [UInt8] {
        let entry = entry.digested
        let fields = entry.metadata.filter { Self.keptFields.contains($0.key) || $0.key.hasPrefix("content-") }
        let head = JSONValue.object([
            .init("form", 1), .init("body", .int(entry.body.count)), .init("date", .int(entry.date)),
            .init("lifetime", .int(entry.freshness.lifetime.milliseconds)),
            .init("age", .int(entry.freshness.initialAge.milliseconds)),
            .init("neverStale", .bool(entry.freshness.isNeverStale)),
            .init("fields", .object(fields.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) })),
            .init(
                "varying",
                .object(
                    entry.varying.sorted { $0.key < $1.key }
                        .map { .init($0.key, $0.value.map(JSONValue.string) ?? .null) })),
            .init("fetchKeys", .array(entry.fetchKeys.map(JSONValue.string))),
            .init("versions", .array(entry.versions.map { .string(String($0)) })),
        ])
        return head.jsonBytes + [0x0A] + entry.body
    }

    /// Reads what `bytes` returned, in this process or another one; nil for anything else.
    public init?(bytes: [UInt8]) {
        guard let end = bytes.prefix(Self.longestHead).firstIndex(of: 0x0A),
            let head = try? JSONValue.parse(Array(bytes[..<end])), head["form"] == 1,
            case .int(let count)? = head["body"], count == bytes.count - end - 1,
            case .int(let date)? = head["date"], case .int(let lifetime)? = head["lifetime"], lifetime >= 0,
            case .int(let age)? = head["age"], age >= 0, case .bool(let isNeverStale)? = head["neverStale"],
            let fields = head["fields"]?.texts, let varying = head["varying"]?.optionalTexts,
            case .array(let keys)? = head["fetchKeys"], case .array(let numbers)? = head["versions"]
        else { return nil }
        let versions = numbers.compactMap { $0.plainText.flatMap { UInt64($0) } }
        let fetchKeys = keys.compactMap(\.plainText)
        guard versions.count == numbers.count, fetchKeys.count == keys.count else { return nil }
        entry = CacheEntry(
            body: Array(bytes[(end + 1)...]), metadata: fields,
            freshness: CacheFreshness(
                restoring: fields["cache-control"], lifetime: .milliseconds(lifetime), initialAge: .milliseconds(age),
                isNeverStale: isNeverStale),
            date: date, varying: varying, fetchKeys: fetchKeys, versions: versions)
    }
}

extension JSONValue {
    fileprivate var plainText: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The members of an object whose values are texts.
    fileprivate var texts: [String: String]? {
        guard let all = optionalTexts else { return nil }
        let texts = all.compactMapValues(\.self)
        return texts.count == all.count ? texts : nil
    }

    /// The members of an object whose values are texts or null.
    fileprivate var optionalTexts: [String: String?]? {
        guard case .object(let members) = self else { return nil }
        var texts: [String: String?] = [:]
        for member in members {
            switch member.value {
            case .string(let text): texts.updateValue(text, forKey: member.name)
            case .null: texts.updateValue(nil, forKey: member.name)
            default: return nil
            }
        }
        return texts
    }
}
