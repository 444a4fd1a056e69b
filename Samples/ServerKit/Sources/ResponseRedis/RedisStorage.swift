public import BatonHTTP

/// Shares the responses of several processes over Redis or Valkey.
///
///     let storage = try RedisStorage(RedisClient(RedisAddress(host: "redis.internal", tls: RedisTLS())))
///     let cache = CachingInterceptor(isShared: true, storage: storage)
///
/// The keys begin with a prefix, and are digests otherwise:
///
/// | key | value |
/// |---|---|
/// | `PREFIX:r:DIGEST` | the last response to a request, for as long as it is of any use |
/// | `PREFIX:v:DIGEST` | the same, for the values of the headers that `Vary` names |
/// | `PREFIX:t:DIGEST` | the version of a tag, a random number |
/// | `PREFIX:l:DIGEST` | the token of the process that asks the server, or `-` if each process asks for itself |
///
/// A response stands behind the name of its key. One that is found under another name, for whatever reason, is none.
/// Without ``RedisAddress/tls``, Redis should be in a network of its own. Without ``close()`` the connection is closed
/// with the process.
public final class RedisStorage: ResponseStorage {
    private let client: RedisClient
    private let prefix: String

    /// The time after which a version that nobody changes is forgotten. Responses with it are outdated then.
    private static let versionTime = 7 * 86_400_000

    /// Ends a lease if the process still has it: removes it, or writes for a time that nobody needs one.
    private static let releasing = """
        if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
        if ARGV[2] == '0' then return redis.call('DEL', KEYS[1]) end
        redis.call('SET', KEYS[1], '-', 'PX', ARGV[2])
        return 1
        """

    /// Makes a storage.
    ///
    /// - Parameters:
    ///   - client: The connection.
    ///   - prefix: The first part of all keys. Applications with the same prefix share their responses.
    public init(_ client: RedisClient, prefix: String = "baton") {
        self.client = client
        self.prefix = prefix
    }

    /// Closes the connection. The storage is out of reach from then on.
    public func close() async { await client.close() }

    /// Whether Redis answers.
    public func isReachable() async -> Bool { (try? await client.send([RedisCommand("PING")])) != nil }

    private func name(_ kind: String, _ digest: String) -> String { "\(prefix):\(kind):\(digest)" }
    private func name(_ tag: ResponseTag) -> String { name("t", tag.digest) }

    /// Reads a response and the versions in one command. Tags without a version get one first.
    public func read(_ key: ResponseKey) async throws -> ResponseReading {
        let tags = key.tags.map(name)
        let question = RedisCommand(
            (["MGET"] + tags + (key.digest.map { [name("r", $0)] } ?? [])).map { Array($0.utf8) })
        var values = try await values(of: [question])
        let missing = zip(tags, values).filter { $0.1.bytes == nil }.map(\.0)
        if !missing.isEmpty {
            // Another process may be first.
            values = try await self.values(of: missing.map { Self.setting($0, isNew: true) } + [question])
        }
        let versions = values.prefix(tags.count).compactMap(Self.number)
        guard versions.count == tags.count else { throw RedisError.malformed }
        var response = key.digest.flatMap { digest in
            values.dropFirst(tags.count).first.flatMap { Self.response(in: $0, under: name("r", digest)) }
        }
        if let found = response, !key.isServed(by: found), let digest = key.digest(varyingBy: found.varyingNames) {
            let name = name("v", digest)
            response = try await client.send([RedisCommand("GET", name)]).first
                .flatMap { Self.response(in: $0, under: name) }
        }
        return ResponseReading(response: response, versions: versions)
    }

    /// The response in a value that was found under a name; nil if it was written under another one.
    private static func response(in value: RedisValue, under name: String) -> StoredResponse? {
        guard let bytes = value.bytes, bytes.starts(with: binding(name)) else { return nil }
        return StoredResponse(bytes: Array(bytes.dropFirst(binding(name).count)))
    }

    /// What stands before a response under a name.
    private static func binding(_ name: String) -> [UInt8] { Array("\(name)\n".utf8) }

    /// The elements of the answer to the last command.
    private func values(of commands: [RedisCommand]) async throws -> [RedisValue] {
        guard case .array(let values?)? = try await client.send(commands).last else { throw RedisError.malformed }
        return values
    }

    private static func number(_ value: RedisValue) -> UInt64? {
        value.bytes.flatMap { UInt64(String(decoding: $0, as: UTF8.self)) }
    }

    private static func setting(_ tag: String, isNew: Bool) -> RedisCommand {
        let version = String(UInt64.random(in: 1 ... .max))
        return isNew
            ? RedisCommand("SET", tag, version, "NX", "PX", String(versionTime))
            : RedisCommand("SET", tag, version, "PX", String(versionTime))
    }

    /// Keeps a response for as long as it is of any use.
    public func write(_ response: StoredResponse, _ key: ResponseKey) async throws {
        guard let digest = key.digest else { return }
        let time = Self.milliseconds(response.keepTime)
        let bytes = response.bytes
        var names = [name("r", digest)]
        if !response.varyingNames.isEmpty, let other = key.digest(varyingBy: response.varyingNames) {
            names.append(name("v", other))
        }
        _ = try await client.send(
            names.map { name in
                let value = Self.binding(name) + bytes
                return RedisCommand(
                    [Array("SET".utf8), Array(name.utf8), value, Array("PX".utf8), Array(time.utf8)])
            })
    }

    /// A time that Redis accepts: from a millisecond to the time for which versions are kept.
    private static func milliseconds(_ duration: Duration) -> String {
        let seconds = min(max(duration / .seconds(1), 0.001), Double(versionTime / 1000))
        return String(Int(seconds * 1000))
    }

    /// Removes the last response. Those that differ by headers are found only through it.
    public func remove(_ key: ResponseKey) async throws {
        if let digest = key.digest { _ = try await client.send([RedisCommand("DEL", name("r", digest))]) }
    }

    /// Gives the tags new versions. Redis forgets the outdated responses by itself.
    public func invalidate(_ tags: Set<ResponseTag>, removing: Bool) async throws {
        guard !tags.isEmpty else { return }
        _ = try await client.send(tags.map { Self.setting(name($0), isNew: false) })
    }

    /// Grants a lease if nobody has one.
    public func lease(_ key: ResponseKey, for duration: Duration) async throws -> ResponseLease {
        guard let digest = key.leaseDigest else { return .unneeded }
        let (name, token) = (name("l", digest), UInt64.random(in: 1 ... .max))
        let answers = try await client.send([
            RedisCommand("SET", name, String(token), "NX", "PX", Self.milliseconds(duration)),
            RedisCommand("GET", name),
        ])
        if answers.first == .simple("OK") { return .granted(token: token) }
        return answers.last?.bytes == Array("-".utf8) ? .unneeded : .held
    }

    /// Ends a lease, unless somebody else has it by now.
    public func release(_ key: ResponseKey, token: UInt64, isUnneeded: Bool, for duration: Duration) async throws {
        guard let digest = key.leaseDigest else { return }
        _ = try await client.send([
            RedisCommand(
                "EVAL", Self.releasing, "1", name("l", digest), String(token),
                isUnneeded ? Self.milliseconds(duration) : "0")
        ])
    }
}
