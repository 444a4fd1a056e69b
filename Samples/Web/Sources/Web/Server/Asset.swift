import HTML
import HTTPTypes
import Hummingbird

/// A file of the site. Its address changes with its contents, so that a browser may keep it for ever.
struct Asset: Sendable {
    static let style = Asset("site.css", "text/css; charset=utf-8", PackageResources.site_css)
    static let script = Asset("live.js", "text/javascript; charset=utf-8", PackageResources.live_js)
    static let icon = Asset("icon.svg", "image/svg+xml", PackageResources.icon_svg)
    static let all = [style, script, icon]

    let address: WebAddress
    let name: String
    private let type: String
    private let bytes: [UInt8]
    private let compressed: [UInt8]?

    private init(_ name: String, _ type: String, _ bytes: [UInt8]) {
        (self.name, self.type, self.bytes) = (name, type, bytes)
        address = WebAddress("assets", Reply.version(of: bytes) + "-" + name)
        compressed = Gzip.compressed(bytes)
    }

    func response(_ request: PageRequest) -> Response {
        var headers: HTTPFields = [
            .contentType: type, .cacheControl: "public, max-age=31536000, immutable", .vary: "Accept-Encoding",
        ]
        guard request.acceptsGzip, let compressed else {
            return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
        }
        headers[.contentEncoding] = "gzip"
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: compressed)))
    }
}
