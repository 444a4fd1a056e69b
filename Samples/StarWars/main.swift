print("starwars")
