"""The words of the translation language: English forms and the German forms they become."""

from typing import NamedTuple


class Verb(NamedTuple):
    """A transitive verb; `german` has the forms of ich, du, er, wir; `prefix` is separable."""

    name: str
    english: tuple[str, str]  # "I love", "the cat loves"
    german: tuple[str, str, str, str]
    prefix: str = ""


class Noun(NamedTuple):
    """A noun; German in the nominative, the accusative, and the plural, which are both cases."""

    singular: str
    plural: str
    gender: str  # m, f, n
    nominative: str
    accusative: str
    german_plural: str


VERBS = (
    Verb("love", ("love", "loves"), ("liebe", "liebst", "liebt", "lieben")),
    Verb("see", ("see", "sees"), ("sehe", "siehst", "sieht", "sehen")),
    Verb("find", ("find", "finds"), ("finde", "findest", "findet", "finden")),
    Verb("need", ("need", "needs"), ("brauche", "brauchst", "braucht", "brauchen")),
    Verb("look for", ("look for", "looks for"), ("suche", "suchst", "sucht", "suchen")),
    Verb("watch", ("watch", "watches"), ("schaue", "schaust", "schaut", "schauen"), "an"),
)

# What opens a clause with "that".
THINKING = (
    Verb("know", ("know", "knows"), ("weiß", "weißt", "weiß", "wissen")),
    Verb("say", ("say", "says"), ("sage", "sagst", "sagt", "sagen")),
)

# Drache and Bär are weak: they add -n or -en in the accusative.
ANIMATE = (
    Noun("cat", "cats", "f", "Katze", "Katze", "Katzen"),
    Noun("dragon", "dragons", "m", "Drache", "Drachen", "Drachen"),
    Noun("chef", "chefs", "m", "Koch", "Koch", "Köche"),
    Noun("uncle", "uncles", "m", "Onkel", "Onkel", "Onkel"),
    Noun("child", "children", "n", "Kind", "Kind", "Kinder"),
    Noun("bear", "bears", "m", "Bär", "Bären", "Bären"),
)
THINGS = (
    Noun("blackberry", "blackberries", "f", "Brombeere", "Brombeere", "Brombeeren"),
    Noun("book", "books", "n", "Buch", "Buch", "Bücher"),
    Noun("store", "stores", "m", "Laden", "Laden", "Läden"),
)
NOUNS = ANIMATE + THINGS

ADJECTIVES = {"small": "klein", "old": "alt"}
ADVERBS = {"today": "heute", "now": "jetzt", "sometimes": "manchmal"}

DEFINITE = {"nominative": {"m": "der", "f": "die", "n": "das"}}
DEFINITE["accusative"] = DEFINITE["nominative"] | {"m": "den"}
INDEFINITE = {"nominative": {"m": "ein", "f": "eine", "n": "ein"}}
INDEFINITE["accusative"] = INDEFINITE["nominative"] | {"m": "einen"}

# Endings of an adjective after der, after ein, and in the plural after die and after nothing.
WEAK = {"nominative": {"m": "e", "f": "e", "n": "e"}}
WEAK["accusative"] = WEAK["nominative"] | {"m": "en"}
MIXED = {"nominative": {"m": "er", "f": "e", "n": "es"}}
MIXED["accusative"] = MIXED["nominative"] | {"m": "en"}
PLURAL_AFTER_THE, PLURAL_BARE = "en", "e"

# Each with the form of the verb that it takes; plural nouns go with the last.
PRONOUNS = {"I": ("ich", 0), "you": ("du", 1), "he": ("er", 2), "she": ("sie", 2)}
PRONOUNS |= {"we": ("wir", 3), "they": ("sie", 3)}
