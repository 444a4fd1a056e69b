import Testing

@testable import HTML

@Suite struct HTMLTests {
    /// Texts that try to leave the place where they stand.
    static let hostile = [
        "<script>alert(1)</script>", "</script><script>alert(1)</script>", "\"><img src=x onerror=alert(1)>",
        "' onmouseover='alert(1)", "javascript:alert(1)", "JaVaScRiPt:alert(1)", "java\nscript:alert(1)",
        " javascript:alert(1)", "\u{1}javascript:alert(1)", "data:text/html,<script>alert(1)</script>",
        "vbscript:x", "//evil.example/", "/\\evil.example/", "\\\\evil.example", "/\t/evil.example", "]]>", "--><b>",
        "<!--", "&lt;b&gt;", "&#60;b&#62;", "\u{0}<b>", "\u{2028}\u{2029}", "</title><b>", "${x}`", "\\\"</",
        "a&b=c#d?e",
        "\u{202E}txt.exe", "%3Cscript%3E", "\u{FEFF}<", "\r\n<b>",
    ]

    /// Mixtures of those, which are the same in every run.
    private static let mixtures: [String] = {
        var state: UInt64 = 42
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        return (0..<2_000).map { _ in
            (0...next(3)).map { _ in
                let text = Array(hostile[next(hostile.count)].unicodeScalars)
                let start = next(text.count)
                return String(String.UnicodeScalarView(text[start..<min(text.count, start + 1 + next(text.count))]))
            }.joined()
        }
    }()

    private static var texts: [String] { hostile + mixtures }

    /// What a parser reads where references stand for characters.
    private func decoded(_ text: some StringProtocol) -> String {
        let references = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
        return references.reduce(String(text)) { $0.replacing($1.0, with: $1.1) }
    }

    /// What is left of a text, since a document has no such characters.
    private func cleaned(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    let isControl =
                        scalar.value < 0x20 && ![9, 10, 12, 13].contains(scalar.value) || scalar.value == 0x7F
                    return isControl ? "\u{FFFD}" : scalar
                }))
    }

    @Test func aTextStaysAText() {
        for text in Self.texts {
            let inner = ("<b>\(text)</b>" as HTML).text.dropFirst(3).dropLast(4)
            #expect(!inner.contains("<") && !inner.contains(">"))
            #expect(decoded(inner) == cleaned(text))
        }
    }

    @Test func anAttributeStaysAnAttribute() {
        for text in Self.texts {
            for html in ["<b title=\"\(text)\">" as HTML, "<b title='\(text)'>", "<b\("title", is: text)>"] {
                let inner = html.text.dropFirst("<b title=\"".count).dropLast(2)
                #expect(!inner.contains { "<>\"'".contains($0) })
                #expect(decoded(inner) == cleaned(text))
            }
        }
    }

    @Test func aURLHasASchemeThatLeadsSomewhere() {
        for text in Self.texts {
            let whole = decoded(("<a href=\"\(text)\">" as HTML).text.dropFirst("<a href=\"".count).dropLast(2))
            let isWeb = ["https://", "http://", "mailto:"].contains { whole.lowercased().hasPrefix($0) }
            let isLocal = whole.first.map { "/#?".contains($0) } ?? false
            #expect(isWeb || isLocal, "\(text) became \(whole)")
            #expect(!whole.hasPrefix("//") && !whole.contains("\\"))
        }
    }

    @Test func aTextInsideOfAURLMeansNothingThere() {
        for text in Self.texts {
            for html in ["<a href=\"/films/\(text)\">" as HTML, "<a href=\" \(text)\">", "<a href=\"?q=\(text)\">"] {
                let inner = html.text.dropFirst("<a href=\"".count).dropLast(2).drop { "/films?q= ".contains($0) }
                #expect(!inner.contains { "<>\"':/?#&=\\ ".contains($0) })
            }
        }
    }

    @Test func ordinaryAddressesAreKept() {
        for url in [
            "https://example.org/a?b=c&d=e#f", "http://example.org", "mailto:a@example.org", "/films/film:4", "#top",
        ] {
            #expect(decoded(("<a href=\"\(url)\">" as HTML).text) == "<a href=\"\(url)\">")
        }
        #expect(
            ("<a href=\"javascript:alert(1)\">" as HTML).text.contains("javascript"), "a literal is the programmer's")
        #expect(WebAddress("films", "a/b?c", "cast").with("after", "x&y").text == "/films/a%2Fb%3Fc/cast?after=x%26y")
        #expect(WebAddress.home.text == "/" && WebAddress("films").with("a", nil).text == "/films")
    }

    @Test func anAddressOfSegmentsStaysOnTheSite() {
        #expect(WebAddress(segments: ["films", "", "film:1", "a/b"]).text == "/films/film:1/a%2Fb")
        #expect(WebAddress(segments: []).text == "/" && WebAddress(segments: ["", "", "evil"]).text == "/evil")
        for text in Self.texts { #expect(!WebAddress(segments: [text, text]).text.hasPrefix("//")) }
    }

    @Test func anAddressThatAVisitorSendsStaysOnTheSite() {
        for text in Self.texts {
            guard let address = WebAddress(sent: text) else { continue }
            #expect(address.text.hasPrefix("/") && !address.text.hasPrefix("//"))
        }
        #expect(WebAddress(sent: "/films?a=b")?.text == "/films?a=b")
        let longest = "/" + String(repeating: "a", count: WebAddress.longest - 1)
        #expect(WebAddress(sent: longest) != nil && WebAddress(sent: longest + "a") == nil)
        #expect(WebAddress(sent: "https://evil.example") == nil && WebAddress(sent: "/\\evil.example") == nil)
    }

    @Test func aStringInAScriptIsAStringOfJSON() {
        for text in Self.texts {
            let html: HTML = "<script type=\"application/ld+json\">{\"name\":\(text),\"year\":\(1977)}</script>"
            let inner = html.text.dropFirst("<script type=\"application/ld+json\">{\"name\":".count)
                .dropLast(",\"year\":1977}</script>".count)
            #expect(inner.hasPrefix("\"") && inner.hasSuffix("\"") && inner.count > 1)
            #expect(!inner.contains("<") && !inner.contains(">") && !inner.contains("&"))
            var body = inner.dropFirst().dropLast()
            while let slash = body.firstIndex(of: "\\") {
                #expect(!body[..<slash].contains("\""))
                body = body[body.index(slash, offsetBy: 2)...]
            }
            #expect(!body.contains("\""))
        }
    }

    @Test func whereNoDataMayStandThereIsNone() {
        for text in Self.hostile where text != "<!--" {
            let pieces: [HTML] = [
                "<b onclick=\"\(text)\">", "<b style=\"\(text)\">", "<b title=\(text)>", "<\(text)>", "<b \(text)>",
                "<!-- \(text) -->", "<style>\(text)</style>", "<b ONCLICK='\(text)'>", "<iframe srcdoc=\"\(text)\">",
            ]
            for piece in pieces {
                #expect(piece.text.contains("refused"))
                #expect(!piece.text.contains(text))
            }
        }
    }

    @Test func aPieceIsWhole() {
        let text = "x"
        for piece: HTML in ["<a href=\"", "<b", "<b title=\"\(text)", "<script>\(text)", "<!-- \(text)"] {
            #expect(piece.text == "refused")
        }
        let bold: HTML = "<b>\(text)</b>"
        #expect(("<p>\(bold)\([bold, bold])\(nil as HTML?)</p>" as HTML).text == "<p><b>x</b><b>x</b><b>x</b></p>")
        #expect(("<p title=\"\(bold)\"></p>" as HTML).text == "<p title=\"refused\"></p>")
    }

    @Test func attributesAreLeftOutOrWritten() {
        let here: String? = "page"
        #expect(("<a href=\"/\"\("aria-current", is: here)>" as HTML).text == "<a href=\"/\" aria-current=\"page\">")
        #expect(("<a\("aria-current", is: nil)\("hidden", if: true)>" as HTML).text == "<a hidden>")
        #expect(("<p>\("title", is: "x")</p>" as HTML).text == "<p>refused</p>")
        #expect(("<b\("onclick", is: "x")>" as HTML).text == "<b onclick=\"refused\">")
        #expect(("<a\("href", is: "javascript:x")>" as HTML).text == "<a href=\"#\">")
    }

    @Test func afterAScriptMarkupGoesOn() {
        let text = "<i>"
        let html: HTML = "<script>var a = \(text)</script><style>b{}</style><!-- c --><p>\(text)</p>"
        #expect(html.text == "<script>var a = \"\\u003ci\\u003e\"</script><style>b{}</style><!-- c --><p>&lt;i&gt;</p>")
    }
}
