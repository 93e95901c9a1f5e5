"""The rules of the translation language: each makes an English phrase and its German one.

Three German word orders meet one English order. A main clause has its verb in second place, also
after an adverb ("heute sehe ich Katzen"); a clause after "dass" or "weil" has it at the end. The
written language puts a comma before these two words; commas are left out here.
"""

from collections.abc import Iterable

from course.languages import lexicon
from course.languages.lexicon import Verb
from course.languages.noun_phrases import plural, singular
from course.languages.synchronous import PairRule, rule

# A subject is one of four kinds, by the form of the verb: ich, du, er, wir. PERSONS: how often.
PERSONS = (0.15, 0.15, 0.4, 0.3)


def rules() -> dict[str, list[PairRule]]:
    """Return all rules; "SENTENCE" is where they start."""
    found = {
        "SENTENCE": [
            rule(0.45, "MAIN", "MAIN"),
            rule(0.2, "ADVERB INVERTED", "ADVERB INVERTED"),
            rule(0.15, "MAIN because FINAL", "MAIN weil:1 FINAL"),
            rule(0.15, "THINK that FINAL", "THINK dass:1 FINAL"),
            rule(0.05, "ADVERB INVERTED-THINK that FINAL", "ADVERB INVERTED-THINK dass:2 FINAL"),
        ],
        "ADVERB": _evenly((en, f"{de}:0") for en, de in lexicon.ADVERBS.items()),
        "INVERTED": [],
        "INVERTED-THINK": [],
        "OBJECT": _objects(),
    }
    for name in ("MAIN", "FINAL", "THINK"):
        found[name] = [
            rule(often, f"SUBJECT{n} {name}{n}", f"SUBJECT{n} {name}{n}")
            for n, often in enumerate(PERSONS)
        ]
    for n, often in enumerate(PERSONS):
        found[f"SUBJECT{n}"] = _subjects(n)
        found[f"MAIN{n}"] = _evenly(_main(verb, n) for verb in lexicon.VERBS)
        found[f"FINAL{n}"] = _evenly(_final(verb, n) for verb in lexicon.VERBS)
        found[f"THINK{n}"] = _evenly(_thinking(verb, n) for verb in lexicon.THINKING)
        after = f"SUBJECT{n} "
        found["INVERTED"] += _evenly((_main(verb, n, after) for verb in lexicon.VERBS), often)
        thinking = (_thinking(verb, n, after) for verb in lexicon.THINKING)
        found["INVERTED-THINK"] += _evenly(thinking, often)
    return found


Texts = tuple[str, str]


def _evenly(texts: Iterable[Texts], total: float = 1.0) -> list[PairRule]:
    """Return rules of equal probability that sum to `total`."""
    found = list(texts)
    return [rule(total / len(found), source, target) for source, target in found]


def _english(verb: Verb, person: int) -> str:
    return verb.english[person == 2]


def _places(verb: Verb, first: int) -> str:
    """Return the indices of the English verb, which may be two words ("look for")."""
    return ",".join(str(first + k) for k in range(len(verb.english[0].split())))


def _main(verb: Verb, person: int, subject: str = "") -> Texts:
    """Return a main clause; a subject that is given has the verb before it in German."""
    at = _places(verb, len(subject.split()))
    prefix = f" {verb.prefix}:{at}" if verb.prefix else ""
    german = f"{verb.german[person]}:{at} {subject}OBJECT{prefix}"
    return f"{subject}{_english(verb, person)} OBJECT", german


def _final(verb: Verb, person: int) -> Texts:
    german = f"{verb.prefix}{verb.german[person]}:{_places(verb, 0)}"
    return f"{_english(verb, person)} OBJECT", f"OBJECT {german}"


def _thinking(verb: Verb, person: int, subject: str = "") -> Texts:
    at = _places(verb, len(subject.split()))
    return f"{subject}{_english(verb, person)}", f"{verb.german[person]}:{at} {subject}"


def _subjects(person: int) -> list[PairRule]:
    pronouns = [(en, f"{de}:0") for en, (de, n) in lexicon.PRONOUNS.items() if n == person]
    if person < 2:
        return _evenly(pronouns)
    if person == 2:
        nouns = singular(lexicon.ANIMATE, "nominative", definite=0.45, indefinite=0.15)
    else:
        nouns = plural(lexicon.ANIMATE, definite=0.35, bare=0.25)
    return [*_evenly(pronouns, 0.4), *nouns]


def _objects() -> list[PairRule]:
    return [
        *singular(lexicon.NOUNS, "accusative", definite=0.35, indefinite=0.15),
        *plural(lexicon.NOUNS, definite=0.15, bare=0.25),
        rule(0.05, "tea", "Tee:0"),
        rule(0.05, "the tea", "den:0 Tee:1"),
    ]
