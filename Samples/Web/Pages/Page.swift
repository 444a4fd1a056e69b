import Baton

/// One page: a component that reads handles, like a screen of the terminal sample.
protocol Page {
    /// The title and the contents as far as the data has come. Called once for each pass of a rendering.
    func contents() -> (title: String, body: HTML)
}

/// What a page knows of its request.
struct Visit: Sendable {
    /// The environment of this request, over the shared base.
    let environment: RelayEnvironment
    /// The path of the page.
    let path: String
    /// The fetch key of the URL; nil without one.
    var key: Int?
    /// The stars that this request alone sees for the film; see `FilmPage`.
    var preview: Double?

    /// With a key the network is asked, unless the shared data was fetched under the key. Without one the shared data
    /// is enough. (The first `get` of a handle with a key would take what the store has under `storeOrNetwork`.)
    var policy: FetchPolicy { key == nil ? .storeOrNetwork : .networkOnly }

    /// A link to the same page with another fetch key, so that the page asks the network again.
    var refreshLink: HTML { "<a id=\"refresh\" href=\"\(path)?key=\((key ?? 0) &+ 1)\">refresh</a>" }
}

extension HTML {
    /// A message in place of contents.
    static func message(_ kind: String, _ text: String) -> HTML { "<p class=\"\(kind)\">\(text)</p>" }

    /// The contents for a result.
    static func showing<Data>(_ result: QueryResult<Data>, _ contents: (Data) -> HTML) -> HTML {
        switch result {
        case .loading: message("loading", "loading ...")
        case .failure(let error): message("failure", error.description)
        case .success(let data): data.map(contents) ?? message("missing", "There is no such data.")
        }
    }
}
