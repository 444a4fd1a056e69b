import Baton
import TerminalRenderer

/// What a query has to show: its data, older data while a request is in flight, or why there is none.
struct Loaded<Data: Sendable>: Sendable {
    let data: Data?
    /// True if the data is that of other variables, shown until the right one is here.
    var isOfOthers = false
    /// True while a request is in flight, so that nobody knows yet whether there is more.
    var isLoading = false
    /// Shown in place of data.
    let substitute: any Element

    /// The element made of the data, faint if that is of others, or what stands in its place.
    @MainActor
    func content(@ElementBuilder _ make: (Data) -> any Element) -> any Element {
        guard let data else { return substitute }
        return isOfOthers ? make(data).restyled { $0.isDim = true } : make(data)
    }
}

extension QueryHandle {
    /// What there is to show for a result.
    func loaded(_ result: QueryResult<Operation.Data>) -> Loaded<Operation.Data> {
        switch result {
        case .loading:
            let waiting = Row(gap: 1) {
                Spinner()
                Text.faint("Loading\u{2026}")
            }
            return Loaded(
                data: previousData(anyVariables: true), isOfOthers: previousData == nil, isLoading: true,
                substitute: waiting.padding(horizontal: 1))
        case .failure(let error):
            let reason = Column(gap: 1) {
                Text("Could not load this.", .color(SampleTheme.red).bold)
                Text(error.description).wrapped
                Text.faint("It is tried again by itself, and with r at once.").wrapped
            }
            return Loaded(data: nil, substitute: reason.padding(horizontal: 1))
        case .success(let data):
            return Loaded(data: data, substitute: Text.faint("There is nothing here.").padding(horizontal: 1))
        }
    }
}
