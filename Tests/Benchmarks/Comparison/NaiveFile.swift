import Baton
import BatonSQLite

/// What others do to keep records in SQLite: a text for each record, or a row for each field and list element.
///
/// Both have prepared statements, a log, the same `synchronous` as the store's file, and one transaction for each
/// publish. Both write what they are given without looking at what is there.
struct NaiveFile {
    enum Layout { case textOfRecord, rowOfField }

    /// A record with its fields, as the store has them. A link is the text of an identity.
    struct Record {
        let id: String
        let fields: [(key: String, value: JSONValue)]
    }

    private let connection: SQLiteConnection
    private let layout: Layout
    private let put: SQLiteStatement

    init(_ path: String, _ layout: Layout) throws {
        connection = try SQLiteConnection(path, library: SQLiteLibrary.load())
        self.layout = layout
        try connection.useLog(.normal)
        switch layout {
        case .textOfRecord:
            try connection.run("CREATE TABLE records(key TEXT PRIMARY KEY, record TEXT NOT NULL)")
            put = try connection.prepare("INSERT OR REPLACE INTO records(key, record) VALUES(?, ?)")
        case .rowOfField:
            try connection.run(
                "CREATE TABLE fields(key TEXT, field TEXT, item INTEGER, value, PRIMARY KEY(key, field, item)) WITHOUT ROWID"
            )
            put = try connection.prepare(
                "INSERT OR REPLACE INTO fields(key, field, item, value) VALUES(?, ?, ?, ?)")
        }
    }

    func close() { connection.close() }

    func write(_ records: [Record]) throws {
        try connection.run("BEGIN")
        for record in records {
            switch layout {
            case .textOfRecord:
                let text = JSONValue.object(record.fields.map { .init($0.key, $0.value) }).text
                try put.use { run throws(SQLiteError) in
                    try run.bind(record.id, at: 1)
                    try run.bind(text, at: 2)
                    _ = try run.step()
                }
            case .rowOfField:
                for field in record.fields {
                    guard case .array(let items) = field.value else {
                        try put(record.id, field.key, -1, field.value)
                        continue
                    }
                    for (place, item) in items.enumerated() { try put(record.id, field.key, place, item) }
                }
            }
        }
        try connection.run("COMMIT")
    }

    private func put(_ id: String, _ key: String, _ item: Int, _ value: JSONValue) throws(SQLiteError) {
        try put.use { run throws(SQLiteError) in
            try run.bind(id, at: 1)
            try run.bind(key, at: 2)
            try run.bind(Int64(item), at: 3)
            switch value {
            case .string(let text): try run.bind(text, at: 4)
            case .int(let number): try run.bind(Int64(number), at: 4)
            default: try run.bind(value.text, at: 4)
            }
            _ = try run.step()
        }
    }

    /// The records of the users of a payload, as a normalizer makes them.
    static func records(users: Int, of count: Int) -> [Record] {
        guard case .object(let root)? = try? JSONValue.parse(UserPayload.body(users: users)),
            case .object(let data)? = root.first(where: { $0.name == "data" })?.value,
            case .array(let items)? = data.first(where: { $0.name == "users" })?.value
        else { return [] }
        var records: [Record] = []
        for item in items {
            guard case .object(let members) = item else { continue }
            var fields: [(key: String, value: JSONValue)] = [("__typename", .string("User"))]
            var id = ""
            for member in members {
                switch (member.name, member.value) {
                case ("company", .object(let company)):
                    let key = Self.id(company)
                    records.append(
                        Record(
                            id: key,
                            fields: [("__typename", .string("Company"))] + company.map { ($0.name, $0.value) }))
                    fields.append(("company", .string(key)))
                case ("friends", .array(let friends)):
                    fields.append(
                        (
                            "friends",
                            .array(
                                friends.map {
                                    if case .object(let friend) = $0 { .string(Self.id(friend)) } else { .null }
                                })
                        ))
                default: fields.append((member.name, member.value))
                }
                if member.name == "id", case .string(let text) = member.value { id = text }
            }
            records.append(Record(id: id, fields: fields))
        }
        records.append(
            Record(
                id: "client:root",
                fields: [("users", .array((0..<users).map { .string(UserPayload.id($0)) }))]))
        return records
    }

    private static func id(_ object: [JSONValue.Member]) -> String {
        if case .string(let id)? = object.first(where: { $0.name == "id" })?.value { id } else { "" }
    }
}
