import Baton

/// One page: a component that reads handles, like a screen of the terminal sample.
protocol Page {
    /// The title and the contents, with the data that have arrived. Called once for each pass of a rendering.
    func contents() -> (title: String, body: HTML)
}

/// The facts about a page's request.
struct Visit: Sendable {
    /// The environment of this request, over the shared base.
    let environment: RelayEnvironment
    let path: String
    /// The fetch key of the URL; nil without one.
    var key: Int?
    /// The rating that only this request sees for the film; see `FilmPage`.
    var preview: Double?

    /// With a key the network is asked, unless the shared data were fetched under the key. Without a key the shared
    /// data are enough. With `storeOrNetwork`, the first `get` of a handle with a key would use the store.
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
