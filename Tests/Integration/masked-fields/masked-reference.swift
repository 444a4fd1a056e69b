import Baton

func masked(_ data: HeroDetailsQuery.Data) -> String? {
    let bits = data.hero?.fragments.characterBits
    return bits?.name  // error: value of type 'FragmentReference<CharacterBits>' has no member 'name'
}
