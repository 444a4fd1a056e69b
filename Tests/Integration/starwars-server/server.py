"""The schema of the StarWars sample, served by ariadne: a GraphQL server that was not written here.

It takes the sample's own schema file and the sample's own facts (printed by `starwars --dump-data`), so that the same
key script has to give the same frames as the embedded service.

    python server.py SCHEMA DATA PORT_FILE

listens on a free port of the loopback interface and writes its number to PORT_FILE once it accepts connections. Queries are at
/graphql, subscriptions over a WebSocket at the same path and as event streams at /events, and /counts counts the subscriptions.
"""
import asyncio
import json
import logging
import math
import os
import sys
import unicodedata

import uvicorn
from ariadne import InterfaceType, MutationType, ObjectType, QueryType, SubscriptionType, UnionType
from ariadne import load_schema_from_path, make_executable_schema
from ariadne.asgi import GraphQL
from ariadne.asgi.handlers import GraphQLTransportWSHandler
from ariadne.contrib.sse import GraphQLHTTPSSEHandler
from graphql import GraphQLError

TRILOGIES = ["PREQUEL", "ORIGINAL", "SEQUEL"]


def rounded(value, digits):
    """Half goes up, as in the embedded service; Python's own rounding goes to the even digit."""
    scale = 10**digits
    return math.floor(value * scale + 0.5) / scale


def folded(text):
    """The text without letter case and accents."""
    return "".join(sign for sign in unicodedata.normalize("NFKD", text.lower()) if not unicodedata.combining(sign))


def in_unit(meters, unit):
    if meters is None:
        return None
    return rounded(meters / 0.3048 if unit == "FOOT" else meters, 2)


def connection(nodes, first=None, after=None):
    """A page of the Relay specification; the cursor of a node is its identifier."""
    if first is not None and first < 0:
        raise GraphQLError(f"'first' must not be negative, but it is {first}")
    ids = [node["id"] for node in nodes]
    start = ids.index(after) + 1 if after in ids else 0
    end = len(nodes) if first is None else min(len(nodes), start + first)
    edges = [{"cursor": node["id"], "node": node} for node in nodes[start:end]]
    page = {
        "hasNextPage": end < len(nodes),
        "hasPreviousPage": start > 0,
        "startCursor": edges[0]["cursor"] if edges else None,
        "endCursor": edges[-1]["cursor"] if edges else None,
    }
    return {"edges": edges, "pageInfo": page, "totalCount": len(nodes)}


class Saga:
    """The facts, found by identifier."""

    def __init__(self, data):
        self.favorites = set()
        # A queue for each subscription, and the number of subscriptions until now.
        self.listeners, self.begun = set(), 0
        self.films = [self.film(film) for film in data["films"]]
        self.characters = [{**character, "__typename": character["kind"]} for character in data["characters"]]
        self.planets = [{**planet, "__typename": "Planet"} for planet in data["planets"]]
        self.species = [{**species, "__typename": "Species"} for species in data["species"]]
        self.starships = [{**starship, "__typename": "Starship"} for starship in data["starships"]]
        self.reviews = [{**review, "__typename": "Review"} for review in data["reviews"]]
        self.nodes = {
            node["id"]: node
            for nodes in (self.films, self.characters, self.planets, self.species, self.starships, self.reviews)
            for node in nodes
        }

    @staticmethod
    def film(film):
        return {**film, "__typename": "Film", "id": f"film:{film['number']}", "trilogy": TRILOGIES[(film["number"] - 1) // 3]}

    def get(self, identifier, *types):
        node = self.nodes.get(identifier)
        return node if node and (not types or node["__typename"] in types) else None

    def in_film(self, nodes, film):
        return [node for node in nodes if film["number"] in node["films"]]

    def films_of(self, node):
        return [film for film in self.films if film["number"] in node["films"]]


def build_resolvers(saga):
    query, mutation = QueryType(), MutationType()
    film, planet, species, starship, review = (ObjectType(name) for name in ("Film", "Planet", "Species", "Starship", "Review"))
    characters = [ObjectType(name) for name in ("Human", "Droid", "Creature")]
    abstract = [InterfaceType("Node"), InterfaceType("Character"), UnionType("Affiliation"), UnionType("SearchResult")]
    for kind in abstract:
        kind.set_type_resolver(lambda node, *_: node["__typename"])

    def page(kind, field, nodes):
        kind.set_field(field, lambda node, info, first=None, after=None: connection(nodes(node), first, after))

    # Query

    query.set_field("node", lambda _, info, id: saga.get(id))
    query.set_field("film", lambda _, info, id: saga.get(id, "Film"))
    query.set_field("character", lambda _, info, id: saga.get(id, "Human", "Droid", "Creature"))
    query.set_field("characters", lambda _, info, first=None, after=None: connection(saga.characters, first, after))

    @query.field("films")
    def resolve_films(_, info, orderBy, filter=None, first=None, after=None):
        wanted = filter or {}
        films = [
            film
            for film in saga.films
            if wanted.get("trilogy") in (None, film["trilogy"])
            and film["released"] >= (wanted.get("releasedSince") or "")
            and (not wanted.get("onlyFavorites") or film["id"] in saga.favorites)
        ]
        if orderBy == "RELEASE":
            films.sort(key=lambda film: film["released"])
        return connection(films, first, after)

    @query.field("search")
    def resolve_search(_, info, text, first=None):
        found = [
            node
            for node in saga.nodes.values()
            if folded(text) in folded(node.get("title") or node.get("name") or "") and node["__typename"] != "Review"
        ]
        return found if first is None else found[: max(0, first)]

    # Film

    for field, key in (("episodeNumber", "number"), ("releaseDate", "released")):
        film.set_alias(field, key)
    film.set_field("year", lambda film, info: int(film["released"][:4]))
    film.set_field("isFavorite", lambda film, info: film["id"] in saga.favorites)

    def reviews_of(film):
        return [review for review in reversed(saga.reviews) if review["film"] == film["number"]]

    @film.field("averageStars")
    def resolve_average(film, info):
        stars = [review["stars"] for review in reviews_of(film)]
        return rounded(sum(stars) / len(stars), 1) if stars else None

    page(film, "characters", lambda film: saga.in_film(saga.characters, film))
    page(film, "planets", lambda film: saga.in_film(saga.planets, film))
    page(film, "starships", lambda film: saga.in_film(saga.starships, film))
    page(film, "reviews", reviews_of)

    # Character

    def episodes(character, info):
        return [film["episode"] for film in saga.films_of(character)]

    def affiliations(character, info):
        ships = [ship for ship in saga.starships if character["id"] in ship.get("pilots", [])]
        known = [saga.get(character.get("homeworld")), saga.get(character.get("species"))]
        return [node for node in known if node] + ships

    for kind in characters:
        kind.set_field("appearsIn", episodes)
        kind.set_field("affiliations", affiliations)
        kind.set_field("height", lambda node, info, unit: in_unit(node["centimeters"] / 100 if node.get("centimeters") else None, unit))
        page(kind, "films", saga.films_of)
        page(kind, "friends", lambda node: [saga.get(friend) for friend in node["friends"]])
        if kind.name != "Droid":
            kind.set_alias("birthYear", "born")
            kind.set_field("homeworld", lambda node, info: saga.get(node.get("homeworld")))
        else:
            kind.set_alias("primaryFunction", "function")
        if kind.name == "Creature":
            kind.set_field("species", lambda node, info: saga.get(node.get("species")))

    # Planet, Species, Starship, Review

    page(planet, "films", saga.films_of)
    page(planet, "residents", lambda planet: [node for node in saga.characters if node.get("homeworld") == planet["id"]])
    species.set_field("homeworld", lambda node, info: saga.get(node.get("homeworld")))
    page(species, "members", lambda species: [node for node in saga.characters if node.get("species") == species["id"]])
    starship.set_alias("starshipClass", "type")
    starship.set_field("length", lambda ship, info, unit: in_unit(ship.get("meters"), unit))
    page(starship, "films", saga.films_of)
    page(starship, "pilots", lambda ship: [saga.get(pilot) for pilot in ship.get("pilots", [])])
    review.set_field("film", lambda review, info: saga.get(f"film:{review['film']}"))

    # Mutation

    @mutation.field("favoriteFilm")
    def resolve_favorite(_, info, input):
        film = saga.get(input["filmId"], "Film")
        if film:
            (saga.favorites.add if input["isFavorite"] else saga.favorites.discard)(film["id"])
        return {"film": film, "clientMutationId": input.get("clientMutationId")}

    @mutation.field("createReview")
    def resolve_review(_, info, input):
        film = saga.get(input["filmId"], "Film")
        if film is None:
            raise GraphQLError(f"no film '{input['filmId']}'")
        if not 1 <= input["stars"] <= 5:
            raise GraphQLError("'stars' must be 1 to 5")
        node = {
            "__typename": "Review",
            "id": f"review:{len(saga.reviews) + 1}",
            "film": film["number"],
            "stars": input["stars"],
            "commentary": input.get("commentary"),
        }
        saga.reviews.append(node)
        saga.nodes[node["id"]] = node
        for listener in saga.listeners:
            listener.put_nowait(node)
        return {"review": node, "film": film, "clientMutationId": input.get("clientMutationId")}

    # Subscription

    subscription = SubscriptionType()

    @subscription.source("reviewAdded")
    async def reviews_added(_, info, film=None):
        listener = asyncio.Queue()
        saga.listeners.add(listener)
        saga.begun += 1
        try:
            while True:
                review = await listener.get()
                if film in (None, f"film:{review['film']}"):
                    yield review
        finally:
            saga.listeners.discard(listener)

    subscription.set_field("reviewAdded", lambda review, info, film=None: review)

    return [query, mutation, subscription, film, planet, species, starship, review, *characters, *abstract]


def build_app(saga, schema):
    graphql = GraphQL(schema, websocket_handler=GraphQLTransportWSHandler())
    events = GraphQL(schema, http_handler=GraphQLHTTPSSEHandler())

    async def app(scope, receive, send):
        path = scope.get("path")
        if path == "/counts":
            body = json.dumps({"open": len(saga.listeners), "begun": saga.begun}).encode()
            await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"application/json")]})
            return await send({"type": "http.response.body", "body": body})
        await (events if path == "/events" else graphql)(scope, receive, send)

    return app


async def serve(schema_path, data_path, port_path):
    with open(data_path, encoding="utf-8") as file:
        saga = Saga(json.load(file))
    schema = make_executable_schema(load_schema_from_path(schema_path), *build_resolvers(saga))
    server = uvicorn.Server(uvicorn.Config(build_app(saga, schema), host="127.0.0.1", port=0, log_level="warning", lifespan="off"))
    running = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
        if running.done():
            return await running
    port = server.servers[0].sockets[0].getsockname()[1]
    with open(port_path + ".new", "w", encoding="ascii") as file:
        file.write(str(port))
    os.rename(port_path + ".new", port_path)
    await running


if __name__ == "__main__":
    # The library warns of each event stream that a client ends.
    logging.getLogger().setLevel(logging.ERROR)
    asyncio.run(serve(*sys.argv[1:4]))
