import Baton

func masked(_ data: HeroDetailsQuery.Data) -> [Episode]? {
    data.hero?.appearsIn  // error: value of type 'HeroDetailsQuery.Data.Hero' has no member 'appearsIn'
}
