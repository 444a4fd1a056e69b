import Baton

extension LeafTable {
    /// The rows: at most forty. A change of one is a change of `World.generator`.
    static let rows: [Row] = [
        // People and things.
        Row(names: "name fullname displayname") { draw, form in text(form, isPerson(draw) ? person(draw) : thing(draw))
        },
        Row(names: "firstname givenname") { draw, form in text(form, draw.text(of: firstNames)) },
        Row(names: "lastname familyname surname") { draw, form in text(form, draw.text(of: lastNames)) },
        Row(names: "title label subject heading headline caption") { draw, form in text(form, "The " + thing(draw)) },
        Row(names: "description summary excerpt bio about note") { draw, form in text(form, sentence(draw)) },
        Row(names: "body text content message comment") { draw, form in
            text(form, sentence(draw) + " " + sentence(draw, 8))
        },
        Row(names: "company organization vendor brand") { draw, form in text(form, draw.text(of: lastNames) + " & Sons")
        },
        Row(names: "login username handle nickname") { draw, form in text(form, login(draw)) },
        // Contact.
        Row(names: "email emailaddress", scalars: "email emailaddress") { draw, form in
            text(form, login(draw) + "@example.com")
        },
        Row(names: "phone phonenumber telephone mobile") { draw, form in text(form, "+1 555 01\(digits(draw, 2))") },
        Row(names: "url uri href link permalink website homepage", scalars: "url uri") { draw, form in
            text(form, "https://example.com/" + slug(draw))
        },
        Row(names: "image imageurl avatar avatarurl photo picture icon iconurl thumbnail thumbnailurl logo logourl src")
        {
            draw, form in text(form, "https://example.com/images/\(slug(draw)).png")
        },
        Row(names: "city") { draw, form in text(form, draw.text(of: cities)) },
        Row(names: "country") { draw, form in text(form, draw.text(of: countries)) },
        Row(names: "countrycode") { draw, form in text(form, draw.text(of: ["FR", "IN", "JP", "KE", "PE", "SE"])) },
        Row(names: "address street address1") { draw, form in
            text(form, "\(draw.int(1...200, 1)) \(draw.text(of: lastNames)) Street")
        },
        Row(names: "zip zipcode postalcode") { draw, form in text(form, digits(draw, 5)) },
        // Codes.
        Row(names: "slug path") { draw, form in text(form, slug(draw)) },
        Row(names: "sku barcode code") { draw, form in
            text(form, draw.text(of: ["AB", "CK", "MX", "RT"]) + "-" + digits(draw, 4))
        },
        Row(names: "color colour", scalars: "color") { draw, form in text(form, "#" + hex(draw, 6)) },
        Row(names: "currency currencycode") { draw, form in text(form, draw.text(of: ["EUR", "JPY", "KES", "USD"])) },
        Row(names: "language locale languagecode") { draw, form in text(form, draw.text(of: ["en", "es", "fr", "ja"]))
        },
        Row(names: "version") { draw, form in
            text(form, "\(draw.int(1...9)).\(draw.int(0...20, 1)).\(draw.int(0...9, 2))")
        },
        Row(names: "sha oid hash digest", scalars: "gitobjectid") { draw, form in text(form, hex(draw, 40)) },
        Row(names: "uuid guid", scalars: "uuid guid") { draw, form in text(form, uuid(draw)) },
        // Moments.
        Row(
            names: "at on date time timestamp datetime created updated modified published",
            scalars: "datetime timestamp isodatetime iso8601datetime gittimestamp timelessdatetime"
        ) { draw, form in Moment(draw).json(form) },
        Row(names: "birthday birthdate releasedate", scalars: "date localdate calendardate iso8601date timelessdate") {
            draw, form in form == .text ? .string(Moment(draw).date) : Moment(draw).json(form)
        },
        Row(scalars: "time localtime") { draw, form in text(form, Moment(draw).time) },
        // Numbers.
        Row(names: "price amount cost subtotal", scalars: "decimal money bigdecimal positivedecimal") { draw, form in
            let (whole, cents) = (draw.int(1...200), draw.text(of: ["00", "49", "90", "95", "99"], 1))
            return number(form, Double("\(whole).\(cents)") ?? Double(whole), text: "\(whole).\(cents)")
        },
        Row(names: "rating score stars") { draw, form in number(form, Double(draw.int(1...5))) },
        Row(names: "year") { draw, form in number(form, Double(draw.int(1950...2024))) },
        Row(names: "age") { draw, form in number(form, Double(draw.int(18...80))) },
        Row(names: "count total quantity size length") { draw, form in number(form, Double(draw.int(0...100))) },
        Row(names: "width height") { draw, form in number(form, Double(draw.int(2...40) * 50)) },
        Row(names: "latitude longitude lat lng") { draw, form in number(form, Double(draw.int(-8000...8000)) / 100) },
        Row(names: "percent percentage progress") { draw, form in number(form, Double(draw.int(0...100))) },
        Row(scalars: "long bigint int64") { draw, _ in .int(draw.int(1...1_000_000)) },
        Row(scalars: "unsignedint64") { draw, _ in .string(String(draw.int(1...1_000_000))) },
        // Other forms.
        Row(scalars: "json jsonobject map any") { draw, _ in [draw.fieldName: .int(draw.int(1...100))] },
        Row(scalars: "html formattedstring") { draw, _ in .string("<p>\(sentence(draw))</p>") },
    ]

    // MARK: - Forms

    private static func text(_ form: Form, _ text: String) -> JSONValue? { form == .text ? .string(text) : nil }

    private static func number(_ form: Form, _ value: Double, text: String? = nil) -> JSONValue {
        switch form {
        case .text: .string(text ?? Int(exactly: value).map { String($0) } ?? String(value))
        case .int: .int(Int(value.rounded()))
        case .float: .double(value)
        }
    }

    // MARK: - Texts

    private static let people = [
        "User", "Person", "Author", "Actor", "Customer", "Member", "Account", "Owner", "Staff", "Employee",
        "Contact", "Character", "Human", "Viewer",
    ]

    private static func isPerson(_ draw: World.Draw) -> Bool { people.contains { draw.typeName.hasSuffix($0) } }

    private static func person(_ draw: World.Draw) -> String {
        draw.text(of: firstNames, 1) + " " + draw.text(of: lastNames, 2)
    }

    private static func thing(_ draw: World.Draw) -> String {
        draw.text(of: adjectives, 1).capital + " " + draw.text(of: nouns, 2).capital
    }

    private static func slug(_ draw: World.Draw) -> String {
        "\(draw.text(of: adjectives, 1))-\(draw.text(of: nouns, 2))-\(draw.int(1...999, 3))"
    }

    private static func login(_ draw: World.Draw) -> String {
        "\(draw.text(of: firstNames, 1).lowercased())\(draw.int(1...999, 3))"
    }

    private static func sentence(_ draw: World.Draw, _ salt: UInt64 = 4) -> String {
        "The \(draw.text(of: adjectives, salt)) \(draw.text(of: nouns, salt + 1)) \(draw.text(of: verbs, salt + 2)) "
            + "the \(draw.text(of: nouns, salt + 3))."
    }

    private static func digits(_ draw: World.Draw, _ count: Int) -> String {
        (0..<count).map { String(draw.int(0...9, 10 + UInt64($0))) }.joined()
    }

    private static func hex(_ draw: World.Draw, _ count: Int) -> String {
        (0..<count).map { String(draw.int(0...15, 10 + UInt64($0)), radix: 16) }.joined()
    }

    private static func uuid(_ draw: World.Draw) -> String {
        let digits = Array(hex(draw, 32))
        let groups = [digits[..<8], digits[8..<12], "4" + digits[13..<16], "a" + digits[17..<20], digits[20...]]
        return groups.map { String($0) }.joined(separator: "-")
    }

    private static let firstNames = [
        "Ada", "Amina", "Ben", "Chidi", "Clara", "Diego", "Emi", "Farid", "Grace", "Hana", "Ivan", "Jun", "Kofi",
        "Lena",
        "Mateo", "Nora", "Omar", "Priya", "Rosa", "Tomas",
    ]
    private static let lastNames = [
        "Abe", "Banda", "Costa", "Diaz", "Eriksen", "Fischer", "Garcia", "Hopper", "Ito", "Jansen", "Khan", "Lovelace",
        "Moreau", "Novak", "Okafor", "Patel", "Rossi", "Silva", "Tanaka", "Weber",
    ]
    private static let adjectives = [
        "amber", "brave", "calm", "distant", "early", "gentle", "golden", "hidden", "late", "little", "long",
        "northern",
        "quiet", "red", "silver", "small", "southern", "tall", "white", "wild",
    ]
    private static let nouns = [
        "bridge", "city", "coast", "door", "field", "forest", "garden", "harbor", "hill", "island", "lamp", "letter",
        "market", "mountain", "river", "road", "station", "tower", "valley", "window",
    ]
    private static let verbs = [
        "crosses", "follows", "hides", "meets", "opens onto", "overlooks", "remembers", "waits for",
    ]
    private static let cities = ["Accra", "Bergen", "Cusco", "Kyoto", "Lyon", "Nairobi", "Porto", "Pune"]
    private static let countries = ["France", "India", "Japan", "Kenya", "Peru", "Sweden"]
}

extension String {
    /// The word with a capital letter.
    fileprivate var capital: String { prefix(1).uppercased() + dropFirst() }
}

/// A moment that fits the name of a field.
private struct Moment {
    private let days: Int
    private let seconds: Int

    /// What was created comes before what was updated, and what expires is yet to come.
    init(_ draw: World.Draw) {
        let words = Set(LeafTable.words(of: draw.fieldName))
        let years: ClosedRange<Int> =
            if !words.isDisjoint(with: ["expires", "expiry", "expiration", "due", "until", "deadline"]) {
                47_117...47_481  // 2099
            } else if !words.isDisjoint(with: ["created", "creation", "joined"]) {
                16_436...18_261  // 2015 through 2019
            } else if !words.isDisjoint(with: ["updated", "modified", "edited", "last"]) {
                18_262...20_088  // 2020 through 2024
            } else {
                16_436...20_088
            }
        days = draw.int(years)
        seconds = draw.int(0...86_399, 1)
    }

    func json(_ form: LeafTable.Form) -> JSONValue {
        switch form {
        case .text: .string("\(date)T\(time)Z")
        case .int: .int(days * 86_400 + seconds)
        case .float: .double(Double(days * 86_400 + seconds))
        }
    }

    /// The date in the proleptic Gregorian calendar, by days since 1970.
    var date: String {
        let shifted = days + 719_468
        let era = shifted / 146_097
        let day = shifted - era * 146_097
        let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365
        let rest = day - (365 * year + year / 4 - year / 100)
        let month = (5 * rest + 2) / 153
        let number = month < 10 ? month + 3 : month - 9
        return
            "\(year + era * 400 + (number <= 2 ? 1 : 0))-\(Self.two(number))-\(Self.two(rest - (153 * month + 2) / 5 + 1))"
    }

    var time: String { "\(Self.two(seconds / 3600)):\(Self.two(seconds / 60 % 60)):\(Self.two(seconds % 60))" }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
}
