import Baton
import BatonHTTP
import BatonSQLite
import Foundation
import GitHubService

/// The command line and the environment of the process.
struct Options {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    var isHelp = false
    private(set) var repository = (owner: "baton-samples", name: "harbor")
    private var url: URL?
    private var faults = Faults()
    /// The time after which what is shown is fetched again; nil for never.
    private(set) var refreshInterval: Duration? = .seconds(60)
    /// The folder in which texts and filters are kept.
    private var folder: URL
    /// The file that keeps what was loaded; nil for none.
    private var store: URL?
    private let token: String?
    init(_ arguments: [String], _ environment: [String: String]) throws {
        let home = environment["HOME"].map { URL(filePath: $0).appending(path: ".local/state") }
        let state = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? URL(filePath: $0) : nil }
        folder = (state ?? home ?? FileManager.default.temporaryDirectory).appending(path: "baton-github")
        token = environment["GITHUB_TOKEN"]
        if token != nil { url = URL(string: "https://api.github.com/graphql") }
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            let parts = argument.split(separator: "/")
            switch argument {
            case "--help", "-h": isHelp = true
            case "--url":
                url = rest.popFirst().flatMap(URL.init(string:))
                guard url?.scheme?.hasPrefix("http") == true else { throw Failure(description: "--url takes a URL") }
            case "--every":
                guard let seconds = rest.popFirst().flatMap({ Int($0) }), (0...86_400).contains(seconds) else {
                    throw Failure(description: "--every takes a number of seconds; 0 is never")
                }
                refreshInterval = seconds == 0 ? nil : .seconds(seconds)
            case "--state":
                guard let path = rest.popFirst(), !path.isEmpty else {
                    throw Failure(description: "--state takes a folder")
                }
                folder = URL(filePath: path)
            case "--store":
                guard let path = rest.popFirst(), !path.isEmpty else {
                    throw Failure(description: "--store takes a file")
                }
                store = URL(filePath: path)
            case "--faults": faults = try Faults(parsing: rest.popFirst() ?? "")
            case _ where parts.count == 2: repository = (String(parts[0]), String(parts[1]))
            default: throw Failure(description: "'\(argument)' is not known; --help tells what there is")
            }
        }
    }

    /// Where texts and the filter of this repository are kept.
    var file: WorkFile { WorkFile(in: folder, service: url?.host ?? "embedded", repository: repository) }

    /// The file that keeps what was loaded, for one service and one token. The token itself is not in it.
    var persistence: SQLitePersistence? {
        store.map { store in
            // Another token may be another person's. A digest by FNV-1a tells them apart, and leads back to none.
            let start: UInt64 = 0xcbf2_9ce4_8422_2325
            let digest = (token ?? "").utf8.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
            return SQLitePersistence(at: store, account: "\(url?.absoluteString ?? "embedded") \(digest)")
        }
    }

    var network: any NetworkLayer {
        guard let url else { return EmbeddedService(faults: faults) }
        var headers: HTTPHeaders = ["User-Agent": "baton-github-sample"]
        headers["Authorization"] = token.map { "Bearer \($0)" }
        return HTTPNetwork(url: url) { [headers] _ in headers }
    }
}
