"""Every German form, against tables written by hand."""

import pytest

from course.languages import TranslationLanguage

LANGUAGE = TranslationLanguage()


def german(english: str) -> str:
    return " ".join(LANGUAGE.translate(english.split()).target)


VERBS = {
    "love loves": "ich liebe, du liebst, er liebt, sie liebt, wir lieben, sie lieben",
    "see sees": "ich sehe, du siehst, er sieht, sie sieht, wir sehen, sie sehen",
    "find finds": "ich finde, du findest, er findet, sie findet, wir finden, sie finden",
    "need needs": "ich brauche, du brauchst, er braucht, sie braucht, wir brauchen, sie brauchen",
}
PRONOUNS = ["I", "you", "he", "she", "we", "they"]


@pytest.mark.parametrize("forms", VERBS)
def test_conjugation(forms: str) -> None:
    base, third = forms.split()
    for pronoun, expected in zip(PRONOUNS, VERBS[forms].split(", "), strict=True):
        verb = third if pronoun in ("he", "she") else base
        assert german(f"{pronoun} {verb} tea") == f"{expected} Tee"


def test_look_for_is_two_words_and_anschauen_comes_apart() -> None:
    seek = "ich suche, du suchst, er sucht, sie sucht, wir suchen, sie suchen".split(", ")
    watch = "ich schaue, du schaust, er schaut, sie schaut, wir schauen, sie schauen".split(", ")
    final = "ich anschaue, du anschaust, er anschaut, sie anschaut, wir anschauen, sie anschauen"
    for i, pronoun in enumerate(PRONOUNS):
        third = pronoun in ("he", "she")
        look, see = ("looks", "watches") if third else ("look", "watch")
        assert german(f"{pronoun} {look} for tea") == f"{seek[i]} Tee"
        assert german(f"{pronoun} {see} tea") == f"{watch[i]} Tee an"
        subject, verb = final.split(", ")[i].split()
        clause = f"{pronoun} {see} tea"
        assert german(f"I know that {clause}") == f"ich weiß dass {subject} Tee {verb}"


def test_thinking() -> None:
    know = "ich weiß, du weißt, er weiß, sie weiß, wir wissen, sie wissen".split(", ")
    say = "ich sage, du sagst, er sagt, sie sagt, wir sagen, sie sagen".split(", ")
    for i, pronoun in enumerate(PRONOUNS):
        s = "s" if pronoun in ("he", "she") else ""
        assert german(f"{pronoun} know{s} that I love tea") == f"{know[i]} dass ich Tee liebe"
        assert german(f"{pronoun} say{s} that I love tea") == f"{say[i]} dass ich Tee liebe"


# English singular and plural; nominative, accusative, plural.
NOUNS = {
    ("cat", "cats"): ("die Katze", "die Katze", "die Katzen"),
    ("dragon", "dragons"): ("der Drache", "den Drachen", "die Drachen"),
    ("chef", "chefs"): ("der Koch", "den Koch", "die Köche"),
    ("uncle", "uncles"): ("der Onkel", "den Onkel", "die Onkel"),
    ("child", "children"): ("das Kind", "das Kind", "die Kinder"),
    ("bear", "bears"): ("der Bär", "den Bären", "die Bären"),
    ("blackberry", "blackberries"): (None, "die Brombeere", "die Brombeeren"),
    ("book", "books"): (None, "das Buch", "die Bücher"),
    ("store", "stores"): (None, "den Laden", "die Läden"),
}


@pytest.mark.parametrize("noun,forms", NOUNS.items(), ids=lambda x: x[0])
def test_nouns(noun: tuple[str, str], forms: tuple[str | None, str, str]) -> None:
    one, many = noun
    nominative, accusative, plural = forms
    assert german(f"I see the {one}") == f"ich sehe {accusative}"
    assert german(f"I see the {many}") == f"ich sehe {plural}"
    assert german(f"I see {many}") == f"ich sehe {plural.split()[1]}"
    if nominative:
        assert german(f"the {one} sees tea") == f"{nominative} sieht Tee"
        assert german(f"the {many} see tea") == f"{plural} sehen Tee"
        assert german(f"{many} see tea") == f"{plural.split()[1]} sehen Tee"


ADJECTIVES = {
    "the small dragon sees the old dragon": "der kleine Drache sieht den alten Drachen",
    "the old cat sees the small cat": "die alte Katze sieht die kleine Katze",
    "the small child sees the old child": "das kleine Kind sieht das alte Kind",
    "an old bear sees a small bear": "ein alter Bär sieht einen kleinen Bären",
    "a small chef sees an old chef": "ein kleiner Koch sieht einen alten Koch",
    "an old cat sees a small cat": "eine alte Katze sieht eine kleine Katze",
    "a small child sees an old child": "ein kleines Kind sieht ein altes Kind",
    "an old child sees a small child": "ein altes Kind sieht ein kleines Kind",
    "the old dragons see the small bears": "die alten Drachen sehen die kleinen Bären",
    "old dragons see small bears": "alte Drachen sehen kleine Bären",
    "the small children see the old cats": "die kleinen Kinder sehen die alten Katzen",
    "an uncle sees an uncle": "ein Onkel sieht einen Onkel",
    "a small uncle sees the tea": "ein kleiner Onkel sieht den Tee",
    "a chef sees a book": "ein Koch sieht ein Buch",
    "a child sees a blackberry": "ein Kind sieht eine Brombeere",
    "a cat sees a store": "eine Katze sieht einen Laden",
}
ORDER = {
    "I love cats": "ich liebe Katzen",
    "I know that the chef loves the cat": "ich weiß dass der Koch die Katze liebt",
    "today the chef finds the bear": "heute findet der Koch den Bären",
    "now they watch the store": "jetzt schauen sie den Laden an",
    "sometimes an uncle looks for small books": "manchmal sucht ein Onkel kleine Bücher",
    "today the child says that I need tea": "heute sagt das Kind dass ich Tee brauche",
    "I watch the cats because you look for tea": "ich schaue die Katzen an weil du Tee suchst",
    "we love the dragon because": None,
    "she loves him": None,
    "the cats loves tea": None,
    "a uncle sees tea": None,
    "I know that the chef loves the cat because I love tea": None,
}


@pytest.mark.parametrize("english,expected", (ADJECTIVES | ORDER).items())
def test_sentences(english: str, expected: str | None) -> None:
    if expected:
        assert german(english) == expected
    else:
        with pytest.raises(ValueError, match="source must be a sentence of the language"):
            german(english)
