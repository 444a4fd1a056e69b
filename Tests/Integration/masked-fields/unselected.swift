import Baton

func unselected(_ data: HeroNameQuery.Data) -> String? {
    data.hero?.id  // error: value of type 'HeroNameQuery.Data.Hero' has no member 'id'
}
