import Baton
import Foundation
import Testing

@testable import BatonHTTP

@Suite("Heads of responses")
struct ResponseHeadTests {
    private func head(_ status: Int = 200, _ headers: HTTPHeaders) -> ResponseHead {
        ResponseHead(status: status, headers: headers)
    }

    @Test("the metadata has the status and every field by its name in lower case")
    func metadataHasStatusAndFields() {
        let head = head(503, ["ETag": "x", "Vary": "a", "vary": "b", "Status": "200 OK"])
        #expect(head.metadata == ["status": "503", "etag": "x", "vary": "a, b"])
    }

    @Test(
        "the time to wait is read in seconds and as a date",
        arguments: [
            ("120", 120), (" 0 ", 0), ("Sun, 06 Nov 1994 08:49:37 GMT", 37), ("Sun, 06 Nov 1994 08:48:00 GMT", 0),
            ("-1", nil), ("soon", nil), ("99999999999999999999", nil), ("Sun, 06 Nov 9999 08:49:37 GMT", nil),
            ("Sun, 06 Foo 1994 08:49:37 GMT", nil), ("Sun, 06 Nov 1994 08:49 GMT", nil), ("", nil),
        ] as [(String, Int?)])
    func retryAfterIsReadAsSecondsOrDate(_ value: String, _ seconds: Int?) {
        // 06 Nov 1994 08:49:00 GMT
        let now = Date(timeIntervalSince1970: 784_111_740)
        #expect(head(503, ["Retry-After": value]).retryAfter(now: now) == seconds.map { .seconds($0) })
    }

    @Test("dates are those of the calendar, leap days too")
    func datesAreThoseOfTheCalendar() throws {
        for (text, seconds) in [
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0.0), ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600),
            ("Wed, 31 Dec 2025 23:59:59 GMT", 1_767_225_599), ("Sun, 01 Mar 2026 00:00:00 GMT", 1_772_323_200),
        ] {
            #expect(HTTPDate.parse(text)?.timeIntervalSince1970 == seconds, "\(text)")
        }
    }

    @Test(
        "a charset other than UTF-8 is refused by name",
        arguments: [
            ("application/json; charset=ISO-8859-1", "iso-8859-1"), ("application/json;Charset=\"utf-16\"", "utf-16"),
            ("application/json; charset=UTF-8", nil), ("application/json; charset=\"utf8\"", nil),
            ("application/json", nil), ("text/event-stream; charset=utf-16", "utf-16"),
        ] as [(String, String?)])
    func aForeignCharsetIsRefused(_ type: String, _ charset: String?) throws {
        let head = head(200, ["Content-Type": type])
        if let charset {
            #expect(throws: HTTPError.charset(charset)) { try BodyReaders.reader(for: head, kind: .query, limit: 9) }
        } else {
            _ = try BodyReaders.reader(for: head, kind: .query, limit: 9)
        }
    }

    @Test("a second media type behind a comma does not belong to the first one's charset")
    func aSecondMediaTypeIsNoPartOfTheCharset() {
        let type = MediaType("multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/json")
        #expect(type?.name == "multipart/mixed")
        #expect(type?.foreignCharset == nil)
        #expect(MediaType(" ; charset=utf-8") == nil)
    }

    @Test("an error status says when to try again, with the time that the server asks for")
    func anErrorStatusSaysWhenToTryAgain() {
        let text = RelayError.httpStatus(429, body: "", retryAfter: .seconds(30)).description
        #expect(text == "The server answered with HTTP status 429. Try again in 30.0 seconds.")
    }
}
