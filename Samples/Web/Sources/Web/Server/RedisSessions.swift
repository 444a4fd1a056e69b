import ResponseRedis

/// The visitors who are signed in at any of several processes. They outlive each of them.
///
/// A session is a hash under the name of its token: the token, the name of the visitor, and a field for each favourite.
/// Each use of it begins its time anew. Each change is one command, so that two processes do not undo what the other
/// one does.
final class RedisSessions: SessionKeeper {
    private static let beginning = """
        redis.call('HSET', KEYS[1], 'token', ARGV[1], 'name', ARGV[2])
        return redis.call('PEXPIRE', KEYS[1], ARGV[3])
        """
    private static let marking = """
        if redis.call('HGET', KEYS[1], 'token') ~= ARGV[1] then return 0 end
        if ARGV[3] == 'no' then return redis.call('HDEL', KEYS[1], ARGV[2]) end
        if redis.call('HLEN', KEYS[1]) < tonumber(ARGV[4]) then return redis.call('HSET', KEYS[1], ARGV[2], 'yes') end
        return 0
        """
    /// What stands before the id of a film in the name of a field.
    private static let favorite = "film "

    private let client: RedisClient
    private let prefix: String
    private let lifetime: String

    init(_ client: RedisClient, prefix: String, lifetime: Duration = Sessions.lifetime) {
        (self.client, self.prefix) = (client, prefix)
        self.lifetime = String(Int(lifetime / .milliseconds(1)))
    }

    private func name(_ token: Token) -> String { "\(prefix):s:\(token.text)" }

    func visitor(_ token: Token) async throws -> Visitor? {
        let key = name(token)
        let answers = try await client.send([
            RedisCommand("HGETALL", key), RedisCommand("PEXPIRE", key, lifetime),
        ])
        guard case .array(let values?)? = answers.first else { return nil }
        let texts = values.map { String(decoding: $0.bytes ?? [], as: UTF8.self) }
        var fields: [String: String] = [:]
        for index in stride(from: 0, to: texts.count - 1, by: 2) { fields[texts[index]] = texts[index + 1] }
        // A value that came under the name of another one is nobody's.
        guard fields["token"] == token.text, let name = fields["name"].flatMap(Visitor.name(from:)) else { return nil }
        var visitor = Visitor(name: name)
        let favorites = fields.keys.filter { $0.hasPrefix(Self.favorite) }
        visitor.favorites = Set(favorites.map { String($0.dropFirst(Self.favorite.count)) })
        return visitor
    }

    func begin(_ visitor: Visitor) async throws -> Token {
        let token = Token()
        _ = try await client.send([
            RedisCommand("EVAL", Self.beginning, "1", name(token), token.text, visitor.name, lifetime)
        ])
        return token
    }

    func end(_ token: Token) async throws { _ = try await client.send([RedisCommand("DEL", name(token))]) }

    func mark(_ film: String, _ isMine: Bool, for token: Token) async throws {
        _ = try await client.send([
            RedisCommand(
                "EVAL", Self.marking, "1", name(token), token.text, Self.favorite + film, isMine ? "yes" : "no",
                String(Sessions.mostFavorites + 2))
        ])
    }
}
