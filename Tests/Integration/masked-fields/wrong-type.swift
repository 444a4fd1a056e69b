import Baton

func wrongType(_ data: SearchQuery.Data) -> String? {
    data.search.first?.asFilm?.height  // error: value of type 'SearchQuery.Data.Search.AsFilm' has no member 'height'
}
