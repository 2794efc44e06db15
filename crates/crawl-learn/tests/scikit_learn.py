"""Prints the numbers that scikit_learn.rs compares with.

    pip install scikit-learn==1.9.1
    python crates/crawl-learn/tests/scikit_learn.py

Data: tests/data/topics.tsv (use, class, words) and tests/data/pages.tsv (use, class, three
features). `train` lines are learned from, `test` lines are judged.
"""

from pathlib import Path

from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

DATA = Path(__file__).parent / "data"


def read(name):
    rows = [line.split("\t") for line in (DATA / name).read_text().splitlines()]
    return ([row[1:] for row in rows if row[0] == use] for use in ("train", "test"))


def show(name, values):
    print(f"{name}: [" + ", ".join(repr(float(value)) for value in values) + "]")


train, test = read("topics.tsv")
counts = CountVectorizer(token_pattern=r"\S+", lowercase=False)
bayes = MultinomialNB(alpha=1.0)
bayes.fit(counts.fit_transform([words for _, words in train]), [int(c) for c, _ in train])
for row in bayes.predict_proba(counts.transform([words for _, words in test])):
    show("naive Bayes", row)

train, test = read("pages.tsv")
scale = StandardScaler()
points = scale.fit_transform([[float(x) for x in row[1:]] for row in train])
judged = scale.transform([[float(x) for x in row[1:]] for row in test])
for c, gamma in [(1.0, 1 / 3), (10.0, 2.0)]:
    machine = SVC(C=c, gamma=gamma, kernel="rbf", tol=1e-12)
    machine.fit(points, [int(row[0]) for row in train])
    show(f"C = {c}, gamma = {gamma}: rho", -machine.intercept_)
    print(machine.n_support_.sum(), "support vectors")
    show("decisions", machine.decision_function(judged))
