import Baton
import BatonHTTP
import Foundation

/// What must not get into a file or onto the page, and how it is struck out.
///
/// Struck out are values of members with secret names, wherever they stand, parameters with such names in URLs, users
/// and passwords in URLs, and the credentials of the request wherever they are repeated.
struct Secrets: Sendable {
    /// What stands in the place of a secret text. In place of a number stands zero.
    static let mark = "***"

    /// Names in lower case without dashes and underscores. A name that ends in one of them is secret too.
    private static let endings = [
        "password", "passwd", "passphrase", "secret", "token", "apikey", "accesskey", "privatekey", "credential",
        "credentials", "authorization", "cookie", "sessionid", "jwt", "otp", "signature",
    ]
    /// Parameters of URLs that are secret besides.
    private static let parameters: Set<String> = ["sig", "key", "code", "auth", "pass", "session", "sid"]
    /// Tokens of these kinds only say where a list goes on.
    private static let harmless = ["page", "cursor", "continuation", "next", "sync"]
    /// A shorter text is not looked for, since it is met by chance.
    private static let shortest = 6

    private let names: Set<String>

    /// - Parameter names: Further names of members that are secret.
    init(_ names: [String] = []) { self.names = Set(names.map(Self.plain)) }

    func isSecret(_ name: String) -> Bool {
        let name = Self.plain(name)
        if names.contains(name) { return true }
        guard let ending = Self.endings.first(where: { name.hasSuffix($0) }) else { return false }
        return ending != "token" || !Self.harmless.contains { name.dropLast(ending.count).hasSuffix($0) }
    }

    private static func plain(_ name: String) -> String { name.lowercased().filter { $0 != "_" && $0 != "-" } }

    // MARK: - Requests

    /// What is known of one request: which names are secret in it, and which texts.
    struct Request: Sendable {
        /// The document without secret values.
        let document: String
        /// The same in one form, however it is laid out.
        let key: String
        let variables: JSONValue
        fileprivate let names: Set<String>
        fileprivate let texts: [String]
    }

    /// Reads the secrets of a request.
    func request(_ call: GraphQLCall, _ headers: HTTPHeaders = [:]) -> Request {
        var reader = SecretDocument(call.text, self)
        reader.read()
        var texts = reader.texts + Self.credentials(in: headers)
        collect(call.variables, reader.names, isSecret: false, &texts)
        texts = Set(texts.filter { $0.utf8.count >= Self.shortest && $0 != Self.mark }).sorted { $0.count > $1.count }
        return Request(
            document: reader.struck, key: reader.key,
            variables: struck(call.variables, reader.names, texts, isSecret: false), names: reader.names, texts: texts)
    }

    /// The values of header fields that say who the client is, and their parts.
    private static func credentials(in headers: HTTPHeaders) -> [String] {
        headers.fields.flatMap { field -> [String] in
            let name = plain(field.name)
            guard Secrets().isSecret(field.name) || name.contains("auth") || name.contains("key") else { return [] }
            let parts = field.value.split { " ;,".contains($0) }
            return [field.value] + parts.map(String.init)
                + parts.compactMap { part in part.firstIndex(of: "=").map { String(part[part.index(after: $0)...]) } }
        }
    }

    private func collect(_ value: JSONValue, _ more: Set<String>, isSecret: Bool, _ texts: inout [String]) {
        switch value {
        case .string(let text): if isSecret { texts.append(text) }
        case .array(let values): for value in values { collect(value, more, isSecret: isSecret, &texts) }
        case .object(let members):
            for member in members {
                collect(
                    member.value, more, isSecret: isSecret || more.contains(member.name) || self.isSecret(member.name),
                    &texts)
            }
        default: break
        }
    }

    // MARK: - Striking out

    /// JSON of an answer without its secrets. What is no JSON is struck as text.
    func struck(_ body: [UInt8], _ request: Request) -> [UInt8] {
        guard let json = try? JSONValue.parse(body) else {
            return Array(struck(String(decoding: body, as: UTF8.self), request.texts).utf8)
        }
        return struck(json, request.names, request.texts, isSecret: false).jsonBytes
    }

    /// A text without the secrets of a request.
    func struck(_ text: String, _ request: Request) -> String { struck(text, request.texts) }

    private func struck(_ value: JSONValue, _ more: Set<String>, _ texts: [String], isSecret: Bool) -> JSONValue {
        switch value {
        case .string(let text): .string(isSecret ? Self.mark : struck(text, texts))
        case .array(let values): .array(values.map { struck($0, more, texts, isSecret: isSecret) })
        case .object(let members):
            .object(
                members.map { member in
                    let isSecret = isSecret || more.contains(member.name) || self.isSecret(member.name)
                    return .init(member.name, struck(member.value, more, texts, isSecret: isSecret))
                })
        case .bool, .null: value
        default: isSecret ? .int(0) : value
        }
    }

    private func struck(_ text: String, _ texts: [String]) -> String {
        var text = text
        for secret in texts where text.contains(secret) {
            text = text.replacingOccurrences(of: secret, with: Self.mark)
        }
        return text.contains("=") || text.contains("://") ? strikeURLs(text) : text
    }

    /// Strikes `://user:password@` and the values of secret parameters.
    func strikeURLs(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            if bytes[index...].starts(with: "://".utf8) {
                result += "://".utf8
                index += 3
                let authority = bytes[index...].prefix { !Self.endsURL($0) && !"/?#".utf8.contains($0) }
                if let sign = authority.lastIndex(of: UInt8(ascii: "@")) {
                    result += "\(Self.mark)@".utf8
                    index = sign + 1
                }
                continue
            }
            let byte = bytes[index]
            result.append(byte)
            index += 1
            guard "?&#;".utf8.contains(byte) else { continue }
            let name = bytes[index...].prefix { !Self.endsURL($0) && !"?&#;=".utf8.contains($0) }
            guard name.endIndex < bytes.count, bytes[name.endIndex] == UInt8(ascii: "=") else { continue }
            let text = String(decoding: name, as: UTF8.self)
            guard isSecret(text) || Self.parameters.contains(Self.plain(text)) else { continue }
            result += bytes[index...name.endIndex] + Array(Self.mark.utf8)
            index = name.endIndex + 1
            index = bytes[index...].prefix { !Self.endsURL($0) && !"&#;".utf8.contains($0) }.endIndex
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func endsURL(_ byte: UInt8) -> Bool { byte <= 0x20 || "\"'<>)]}\\".utf8.contains(byte) }
}
