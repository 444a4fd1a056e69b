/// A response with many users. Each has 8 scalar fields, a nested object with an `id` and a list of 5 links; 10,000
/// users are 4.7 MB.
enum UserPayload {
    /// The form in which a server sends the users.
    struct Form: Sendable {
        /// The response key of the list.
        var list = "users"
        /// The object types of the users, in turn.
        var types = ["User"]
        var companyType = "Company"
        /// Whether every object has its `__typename`.
        var hasTypename = false
        /// Whether the `id` is the last member of users and companies, as in answers to an `id` that the compiler has
        /// added.
        var hasIDLast = false

        static let usersWithIDLast = Form(hasIDLast: true)
        static let users = Form()
        static let usersWithTypename = Form(hasTypename: true)
        static let members = Form(list: "members", types: ["Member"], companyType: "Firm")
        static let membersWithTypename = Form(
            list: "members", types: ["Member"], companyType: "Firm", hasTypename: true)
        static let contacts = Form(
            list: "contacts", types: ["Author", "Robot", "Team"], companyType: "Firm", hasTypename: true)

        fileprivate func typename(_ type: String) -> String { hasTypename ? #""__typename":"\#(type)","# : "" }
        /// The member `id` at the beginning or at the end of an object; the other text is empty.
        fileprivate func places(of id: String) -> (first: String, last: String) {
            let member = #""id":"\#(id)""#
            return hasIDLast ? ("", "," + member) : (member + ",", "")
        }

        fileprivate func typename(of user: Int) -> String { typename(types[user % types.count]) }
    }

    /// The bytes of the body; the same arguments give the same bytes.
    ///
    /// `renamed` is the index of a user with another name, for a second payload with one change. `isReversed` puts the
    /// last user first.
    static func body(users: Int, renamed: Int? = nil, form: Form = .users, isReversed: Bool = false) -> [UInt8] {
        var text = #"{"data":{"\#(form.list)":["#
        text.reserveCapacity(users * 500)
        for position in 0..<users {
            let index = isReversed ? users - 1 - position : position
            if position > 0 { text += "," }
            append(user: index, of: users, name: index == renamed ? "Renamed" : name(index), form, to: &text)
        }
        text += "]}}"
        return Array(text.utf8)
    }

    static func id(_ index: Int) -> String { "user-\(index)" }

    private static func name(_ index: Int) -> String {
        "\(givenNames[index % givenNames.count]) \(familyNames[index / 7 % familyNames.count])"
    }

    private static func append(user index: Int, of count: Int, name: String, _ form: Form, to text: inout String) {
        let role = ["ADMIN", "EDITOR", "READER"][index % 3]
        let (first, last) = form.places(of: id(index))
        let (companyFirst, companyLast) = form.places(of: "company-\(index)")
        text += #"{\#(form.typename(of: index))\#(first)"name":"\#(name)""#
        text += #","email":"user.number.\#(index)@mail.example.org","age":\#(18 + index % 60)"#
        text += #","score":\#(Double(index % 1000) + 0.25),"active":\#(index % 2 == 0),"role":"\#(role)""#
        text +=
            #","biography":"Writes about subject \#(index % 97), has lived in \#(index % 13) towns and collects \"things\" of "#
        text += #"kind \#(index % 31), without having decided which of them to keep or to sell.""#
        text += #","company":{\#(form.typename(form.companyType))\#(companyFirst)"#
        text += #""name":"Company number \#(index)","city":"City \#(index % 400)"\#(companyLast)}"#
        text += #","friends":["#
        for offset in 1...5 {
            if offset > 1 { text += "," }
            let friend = (index * 31 + offset * 7919) % count
            text += #"{\#(form.typename(of: friend))"id":"\#(id(friend))"}"#
        }
        text += "]\(last)}"
    }

    private static let givenNames = [
        "Ada", "Bela", "Cleo", "Dima", "Edda", "Finn", "Gaia", "Hugo", "Ines", "Jona", "Kyra",
    ]
    private static let familyNames = ["Abel", "Brandt", "Castell", "Duarte", "Evans", "Farkas", "Gruber", "Hansen"]
}
