import Baton

func masked(_ data: HeroDetailsQuery.Data) -> String? {
    data.hero?.fragments.characterBits.name  // error: value of type 'FragmentReference<CharacterBits>' has no member 'name'
}
