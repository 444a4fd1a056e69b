import Testing

@testable import BatonHTTP

/// RFC 9111 and RFC 5861 as a table.
@Suite struct CacheFreshnessTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let fields: [String: String]
        let isShared: Bool
        let after: Int
        let use: CacheFreshness.Use?
        let section: String

        init(
            _ fields: [String: String], shared: Bool = false, after: Int = 0, _ use: CacheFreshness.Use?,
            _ section: String
        ) {
            self.fields = fields
            isShared = shared
            self.after = after
            self.use = use
            self.section = section
        }

        var testDescription: String { "\(section): \(fields) after \(after)" }
    }

    static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    static let received = 784_111_777
    static func control(_ directives: String) -> [String: String] { ["cache-control": directives, "date": date] }

    static let rows: [Row] = [
        Row(control("max-age=60"), after: 59, .fresh, "4.2.1"),
        Row(control("max-age=60"), after: 60, .stale, "4.2: the age must be less"),
        Row(control("MAX-AGE=60"), after: 59, .fresh, "5.2: names without case"),
        Row(control("max-age=\"60\""), after: 59, .fresh, "5.2: both forms"),
        Row(control("ext=\"a, no-store\", max-age=60"), after: 1, .fresh, "5.2: quoted strings"),
        Row(control("max-age=60, max-age=10"), after: 10, .stale, "4.2.1: the shortest of several"),
        Row(control("max-age=x"), nil, "4.2.1: a broken time is stale"),
        Row(control("max-age=99999999999999999999"), after: 1_000_000, .fresh, "1.2.2: overflow"),
        Row(control("s-maxage=60, max-age=10"), after: 20, .stale, "5.2.2.10: only shared caches"),
        Row(control("s-maxage=60, max-age=10"), shared: true, after: 20, .fresh, "5.2.2.10"),
        Row(control("no-store, max-age=60"), nil, "5.2.2.5"),
        Row(control("private, max-age=60"), after: 1, .fresh, "5.2.2.7"),
        Row(control("private, max-age=60"), shared: true, nil, "5.2.2.7"),
        Row(control("no-cache, max-age=60"), nil, "5.2.2.4: cannot be confirmed"),
        Row(control("no-cache").merging(["etag": "\"a\""]) { $1 }, after: 0, .stale, "5.2.2.4"),
        Row(control("max-age=0").merging(["etag": "\"a\""]) { $1 }, after: 0, .stale, "4.2.1"),
        Row(control("max-age=60").merging(["age": "50"]) { $1 }, after: 9, .fresh, "4.2.3"),
        Row(control("max-age=60").merging(["age": "50"]) { $1 }, after: 10, .stale, "4.2.3"),
        Row(
            ["cache-control": "max-age=60", "date": "Sun, 06 Nov 1994 08:48:47 GMT"], after: 10, .stale,
            "4.2.3: apparent age"),
        Row(
            ["cache-control": "max-age=60", "date": "Sun, 06 Nov 1994 08:59:37 GMT"], after: 59, .fresh,
            "4.2.3: a date in the future"),
        Row(["date": date, "expires": "Sun, 06 Nov 1994 08:50:37 GMT"], after: 59, .fresh, "5.3"),
        Row(["date": date, "expires": "Sun, 06 Nov 1994 08:50:37 GMT"], after: 60, .stale, "5.3"),
        Row(["date": date, "expires": "0"], nil, "5.3: an invalid date is past"),
        Row(
            ["date": date, "expires": "Sun, 06 Nov 1994 08:50:37 GMT", "cache-control": "max-age=5"], after: 6,
            .stale, "5.3: max-age counts"),
        Row(["date": date], nil, "4.2.2: nothing is said"),
        Row(["date": date, "etag": "\"a\""], nil, "4.2.2: nothing is said"),
        Row(control("max-age=60, stale-while-revalidate=30"), after: 89, .whileRevalidating, "RFC 5861, 3"),
        Row(control("max-age=60, stale-while-revalidate=30"), after: 90, .stale, "RFC 5861, 3"),
        Row(
            control("max-age=60, stale-while-revalidate=30, must-revalidate"), after: 61, .stale,
            "5.2.2.2"),
        Row(
            control("max-age=60, stale-while-revalidate=30, proxy-revalidate"), after: 61, .whileRevalidating,
            "5.2.2.8: only shared caches"),
        Row(
            control("max-age=60, stale-while-revalidate=30, proxy-revalidate"), shared: true, after: 61, .stale,
            "5.2.2.8"),
    ]

    @Test(arguments: rows) func anAnswerMayBeUsedAsTheServerSays(_ row: Row) {
        let freshness = CacheFreshness(
            row.fields, delay: .zero, receivedAt: Self.received, rules: .init(isShared: row.isShared))
        #expect(freshness?.use(after: .seconds(row.after)) == row.use)
    }

    @Test func theDelayCountsAsAge() {
        let freshness = CacheFreshness(
            Self.control("max-age=60"), delay: .seconds(8), receivedAt: Self.received, rules: .init())
        #expect(freshness?.age(after: .seconds(2)) == .seconds(10))
    }

    @Test func aRequestMayAcceptLess() {
        let freshness = CacheFreshness(
            Self.control("max-age=60"), delay: .zero, receivedAt: Self.received, rules: .init())
        #expect(freshness?.use(after: .seconds(5), limit: .seconds(5)) == .fresh)
        #expect(freshness?.use(after: .seconds(6), limit: .seconds(5)) == .stale)
    }

    @Test func anOldAnswerMayReplaceAnError() {
        func may(_ directives: String, after seconds: Int) -> Bool? {
            CacheFreshness(
                Self.control(directives), delay: .zero, receivedAt: Self.received, rules: .init()
            )?.mayReplaceError(after: .seconds(seconds))
        }
        #expect(may("max-age=60, stale-if-error=30", after: 89) == true)
        #expect(may("max-age=60, stale-if-error=30", after: 90) == false)
        #expect(may("max-age=60, stale-if-error=30, must-revalidate", after: 61) == false)
        #expect(may("max-age=60", after: 61) == false)
    }

    @Test func aDefaultAgeIsForServersThatSayNothing() {
        func use(_ fields: [String: String]) -> CacheFreshness.Use? {
            CacheFreshness(
                fields, delay: .zero, receivedAt: Self.received, rules: .init(defaultAge: .seconds(10))
            )?.use(after: .seconds(9))
        }
        #expect(use([:]) == .fresh)
        #expect(use(["cache-control": "public"]) == .fresh)
        #expect(use(["cache-control": "max-age=5"]) == .stale)
        #expect(use(["cache-control": "no-store"]) == nil)
        #expect(use(["cache-control": "no-cache"]) == nil)
    }

    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
        ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
        ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600), ("Fri, 01 Mar 2024 00:00:00 GMT", 1_709_251_200),
    ])
    func aDateIsReadInAllForms(_ text: String, _ seconds: Int) {
        #expect(HTTPDate.seconds(text) == seconds)
    }

    @Test(arguments: ["", "0", "-1", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 6x Nov 1994 08:49:37 GMT", "a b c d e f"])
    func otherTextIsNoDate(_ text: String) {
        #expect(HTTPDate.seconds(text) == nil)
    }
}
