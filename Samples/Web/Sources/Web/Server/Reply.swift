import Baton
import HTML
import HTTPTypes
import Hummingbird

/// Sends a page: whole, if all of it is there, and otherwise in parts, each as soon as its data has arrived.
struct Reply: Sendable {
    let site: Site
    let request: PageRequest

    /// Answers with the page at an address: the kept one, if there is one and nobody is signed in.
    func show(
        _ make: @escaping @Sendable (PageAddress) -> some Page, at reading: () -> PageAddress.Reading
    ) async -> Response {
        let mayBeKept = request.isAnybody && request.hasAddress
        if mayBeKept, let kept = site.kept.page(at: request.address) { return response(kept.bytes) }
        let address: PageAddress
        switch reading() {
        case .page(let read): address = read
        case .elsewhere(let other): return Self.moved(to: other)
        case .unreadable:
            return await show(PageError(status: 400, text: "The address has a part that cannot be read."))
        }
        do throws(PageError) {
            if mayBeKept, let kept = try await site.kept.make(make, at: address) { return response(kept.bytes) }
            return await show(make(address))
        } catch {
            return await show(error)
        }
    }

    /// Answers with a page, or with the page for the reason why there is none.
    func show(_ page: some Page) async -> Response {
        do throws(PageError) {
            let visit = try await site.visit(page.queries, request)
            return await show(try page.content(visit), visit)
        } catch {
            return await show(error)
        }
    }

    func show(_ error: PageError) async -> Response {
        let visit = site.visit(request)
        var response = await show(ErrorPage(error: error).content(visit), visit)
        if error.status == 503 {
            response.headers[.retryAfter] = "\(max(1, error.retryAfter?.components.seconds ?? 5))"
        }
        return response
    }

    private func show(_ content: Content, _ visit: Visit) async -> Response {
        let opening = Layout.opening(content, visit) + content.body
        guard let later = content.later else { return whole(opening, content) }
        if site.shared.isReady(later.query) { return whole(opening + (await part(later)), content) }
        let (site, request) = (site, request)
        return stream(content.status) { send in
            try await send(opening + later.waiting)
            let end = content.end?.make() ?? ""
            try await send(await Reply(site: site, request: request).part(later) + end + Layout.closing)
        }
    }

    /// The part, or what stands in its place.
    private func part(_ later: LaterPart) async -> HTML {
        do throws(RelayError) {
            let environment = try await site.shared.environment(with: [later.query])
            return later.render(Visit(environment: environment, visitor: request.visitor, address: request.address))
        } catch {
            return later.failed(error.publicFailure)
        }
    }

    // MARK: - Responses

    /// The cookie by which the next page of a film thanks this visitor, and nobody else who opens it.
    static func thanks(at path: String, seconds: Int = 60) -> Cookie {
        Cookie(
            name: PageRequest.thanks, value: "yes", maxAge: seconds, path: path, httpOnly: true, sameSite: .lax)
    }

    /// Says that something has another address, for good.
    static func moved(to address: WebAddress) -> Response {
        Response(status: .permanentRedirect, headers: [.location: address.text, .cacheControl: "max-age=86400"])
    }

    /// A page of somebody is kept by no browser, so that nobody finds it there who comes back after the end of a
    /// session.
    private func headers() -> HTTPFields {
        var headers: HTTPFields = [
            .contentType: "text/html; charset=utf-8",
            .cacheControl: request.isAnybody ? "private, no-cache" : "no-store",
            .vary: "Accept-Encoding, Cookie",
        ]
        if request.isThanked {
            let path = String(request.address.text.prefix { $0 != "?" })
            headers[.setCookie] = "\(Self.thanks(at: path, seconds: 0))"
        }
        return headers
    }

    private func whole(_ beginning: HTML, _ content: Content) -> Response {
        let bytes = PageBytes(beginning, end: content.end, isCompressed: request.acceptsGzip)
        return response(bytes, status: HTTPResponse.Status(code: content.status))
    }

    private func response(_ page: PageBytes, status: HTTPResponse.Status = .ok) -> Response {
        var headers = headers()
        if status == .ok {
            headers[.eTag] = page.version
            if request.knows(page.version) {
                return Response(status: .notModified, headers: headers)
            }
        }
        let (bytes, isCompressed) = page.body(isCompressed: request.acceptsGzip)
        if isCompressed { headers[.contentEncoding] = "gzip" }
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: bytes))
    }

    private func stream(
        _ status: Int, _ write: @escaping @Sendable (_ send: (HTML) async throws -> Void) async throws -> Void
    ) -> Response {
        var headers = headers()
        let isCompressed = request.acceptsGzip
        if isCompressed { headers[.contentEncoding] = "gzip" }
        let body = ResponseBody { writer in
            let gzip = isCompressed ? Gzip() : nil
            var parts = writer
            try await write { html in
                let bytes = gzip?.compress(html.bytes, isLast: false) ?? html.bytes
                try await parts.write(ByteBuffer(bytes: bytes))
            }
            if let gzip { try await parts.write(ByteBuffer(bytes: gzip.compress([], isLast: true))) }
            try await parts.finish(nil)
        }
        return Response(status: HTTPResponse.Status(code: status), headers: headers, body: body)
    }

    /// A short name for these bytes (FNV-1a, eight bytes at a time).
    static func version(of bytes: [UInt8]) -> String {
        var hash: UInt64 = 14_695_981_039_346_656_037
        bytes.withUnsafeBytes { bytes in
            let words = bytes.count / 8
            for word in 0..<words {
                hash = (hash ^ bytes.loadUnaligned(fromByteOffset: word * 8, as: UInt64.self)) &* 1_099_511_628_211
                hash ^= hash >> 32
            }
            for byte in bytes[(words * 8)...] { hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211 }
        }
        return String(hash, radix: 36)
    }
}
