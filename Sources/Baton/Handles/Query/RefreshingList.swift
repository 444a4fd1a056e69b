/// What shows several queries as one, and so is fetched again as a whole in place of one of them.
protocol RefreshingList: AnyObject, Sendable {
    /// The pauses between fetches because of lost fields, which all queries of the list share.
    var losses: LossPauses { get }

    /// Fetches the list again because of one of its queries. Returns false if the query is not part of the list, and
    /// fetches itself again.
    func refresh(_ core: QueryCore, because cause: LogEvent.Refresh.Cause) -> Bool

    /// Handles a signal of the application that one of the queries has received. `isYoung` says that the query's data
    /// is younger than the signal asks for.
    func receive(_ signal: LogEvent.Refresh.Cause, of core: QueryCore, isYoung: Bool)
}
