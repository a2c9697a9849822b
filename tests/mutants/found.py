"""Where rules can be taken out of Rust code, for `sweep`: what is found, the sections it cites, and the edits that give it a switch.

A site is a dict: kind, what a person reads, the range it governs, the edits (begin, end, text with {n} for its number).
"""
import re

TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)
      | (?P<string>b?"(?:\\.|[^"\\])*"|r(\#*)".*?"\3)
      | (?P<letter>'(?:\\.[^']*|[^'\\])')
      | (?P<lifetime>'[a-z_]\w*)
      | (?P<number>\d[\d_]*(?:[iu](?:8|16|32|64|size))?\b)
      | (?P<word>[A-Za-z_]\w*!?(?!=))
      | (?P<sign><<=|>>=|(?<=\s)<<(?=\s)|(?<=\s)>>(?=\s)|\.\.=|&&|\|\||==|!=|<=|>=|=>|->|::|\+=|-=|\*=|\.\.|[^\s\w])""",
    re.X | re.S,
)
OPEN, CLOSE = {"(": ")", "[": "]", "{": "}"}, {")", "]", "}"}
CITED = re.compile(r'rule!\(\s*"([^"]+)"\s*\)')
SECTION = re.compile(r"§([0-9A-Z](?:[0-9A-Za-z.\-]*[0-9A-Za-z])?|[A-Z][a-z]+)")
TESTS_OF = {"filter", "any", "all", "find", "is_some_and", "is_none_or", "position", "retain", "take_while", "skip_while"}
NOTHING = [
    (r"bool$", ["false", "true"]),
    (r"$", [""]),
    (r"Check$|Answer$|Result<\(\), .*>$", ["Ok(())"]),
    (r"Option<.*>$", ["None"]),
    (r"[iu](8|16|32|64|size)$", ["0"]),
    (r"Vec<.*>$", ["vec![]"]),
]


class Source:
    """A file in tokens, with the partner of every bracket."""

    def __init__(self, text):
        self.text = text
        end = text.find("#[cfg(test)]")
        self.tokens = [
            (m.lastgroup if m.lastgroup != "3" else "string", m.group(), m.start(), m.end())
            for m in TOKEN.finditer(text, 0, end if end >= 0 else len(text))
        ]
        self.comments = [t for t in self.tokens if t[0] == "comment"]
        self.code = [t for t in self.tokens if t[0] != "comment"]
        self.partner, stack = {}, []
        for i, token in enumerate(self.code):
            if token[1] in OPEN and token[0] == "sign":
                stack.append(i)
            elif token[1] in CLOSE and token[0] == "sign" and stack:
                j = stack.pop()
                self.partner[i], self.partner[j] = j, i

    def word(self, i):
        return self.code[i][1] if 0 <= i < len(self.code) else ""

    def right(self, i, ends):
        """The first token from i on, at its own level, that ends an expression."""
        while i < len(self.code):
            word = self.word(i)
            if word in ends or word in CLOSE:
                return i
            i = self.partner.get(i, i) + 1 if word in OPEN else i + 1
        return i

    def left(self, i, ends):
        """Where an expression begins that ends before i."""
        while i >= 0:
            word = self.word(i)
            if word in ends or word in OPEN:
                return i + 1
            i = self.partner.get(i, i) - 1 if word in CLOSE else i - 1
        return 0

    def span(self, first, last):
        """From the token `first` to the one before `last`."""
        return self.code[first][2], self.code[last - 1][3]


def functions(source):
    """Bodies of functions: name, doc, what is given back, first and last token, whether it is const."""
    text = source.text
    for i, token in enumerate(source.code):
        if token[1] != "fn" or source.code[i + 1][0] != "word":
            continue
        j = i + 2
        while source.word(j) not in ("{", ";") and j < len(source.code):
            j = source.partner.get(j, j) + 1 if source.word(j) in ("(", "[") else j + 1
        if source.word(j) != "{" or j not in source.partner:
            continue
        head = text[token[3] : source.code[j][2]]
        gives = head.rsplit("->", 1)[1] if "->" in head.rsplit(")", 1)[-1] or re.search(r"\)\s*->[^)]*\(", head) else ""
        gives = " ".join(gives.split("where")[0].split())
        line = text.rfind("\n", 0, token[2]) + 1
        doc = []
        for above in reversed(text[:line].splitlines()):
            if not above.strip().startswith(("///", "#[")):
                break
            doc.append(above.strip())
        yield {
            "name": source.code[i + 1][1],
            "doc": "\n".join(reversed(doc)),
            "gives": gives,
            "open": j,
            "close": source.partner[j],
            "const": "const fn" in text[line : token[3]],
        }


def inside(outer, at):
    return outer[0] <= at < outer[1]


class Finder:
    def __init__(self, text):
        self.source = Source(text)
        self.text = text
        self.sites = []
        self.functions = [f for f in functions(self.source) if not f["const"]]
        for f in self.functions:
            f["range"] = (self.source.code[f["open"]][3], self.source.code[f["close"]][2])

    def home(self, at):
        """The innermost function around a place."""
        around = [f for f in self.functions if inside(f["range"], at)]
        return min(around, key=lambda f: f["range"][1] - f["range"][0]) if around else None

    def cited(self, at, end):
        """Sections that a site cites by itself, and those that its function or file cites."""
        home = self.home(at)
        strong, weak = [], []
        statement = self.source_statement(at)
        if at < end:
            block = self.block(end)
            strong += CITED.findall(self.text[at : max(end, statement, block)])[:1]
        line = self.text.count("\n", 0, at)
        indent = len(self.line(line)) - len(self.line(line).lstrip())
        first = self.text.count("\n", 0, home["range"][0]) if home else 0
        for number in range(line, max(first, line - 8), -1):
            words = self.line(number)
            shallow = len(words) - len(words.lstrip()) <= indent
            comment = words[words.find("//") :] if "//" in words and "///" not in words else ""
            if comment and (shallow or number == line) and SECTION.search(comment):
                strong += SECTION.findall(comment)
                break
            if number < line and re.match(r"    }?$", words.rstrip()) and words.strip():
                break
        if home:
            documented = SECTION.findall(home["doc"])
            inner = list(dict.fromkeys(CITED.findall(self.text[home["range"][0] : home["range"][1]])))
            if not strong:
                strong += documented[:1] or (inner if len(inner) == 1 else [])
            weak += documented + inner
        for words in self.text.splitlines():
            if not words.startswith("//!"):
                break
            weak += SECTION.findall(words)
        strong = list(dict.fromkeys(strong))[:1]
        return strong, [s for s in dict.fromkeys(weak) if s not in strong]

    def block(self, at):
        """The end of a short block that begins here: what refuses names its section inside."""
        opening = re.compile(r"\)*\s*\{").match(self.text, at)
        closing = self.text.find("}", at)
        return closing if opening and 0 <= closing - at < 240 else at

    def line(self, number):
        if not hasattr(self, "lines"):
            self.lines = self.text.split("\n")
        return self.lines[number] if number < len(self.lines) else ""

    def source_statement(self, at):
        end = re.compile(r";|\{|\n\n").search(self.text, at)
        return end.end() if end else at

    def add(self, kind, begin, end, edits, words=None):
        if self.home(begin) is None:
            return
        strong, weak = self.cited(begin, end)
        self.sites.append(
            {
                "kind": kind,
                "strong": strong,
                "weak": weak,
                "range": (begin, end),
                "edits": edits,
                "line": self.text.count("\n", 0, begin) + 1,
                "words": words or " ".join(self.text[begin:end].split()),
            }
        )

    def never(self, kind, begin, end):
        self.add(kind, begin, end, [(begin, begin, "(!crate::taken_out({n}) && ("), (end, end, "))")], None)

    def always(self, kind, begin, end):
        self.add(kind, begin, end, [(begin, begin, "(crate::taken_out({n}) || ("), (end, end, "))")], None)

    def find(self):
        s = self.source
        for i, (group, word, begin, end) in enumerate(s.code):
            if word in ("forbid", "require", "add_if") and s.word(i + 1) == "(":
                self.refusal(i, word)
            elif word == "if" and group == "word":
                self.branch(i)
            elif word == "while" and s.word(i + 1) != "let":
                last = s.right(i + 1, {"{"})
                self.never("while-no", *s.span(i + 1, last))
            elif word in ("&&", "||"):
                self.operand(i, word)
            elif word in TESTS_OF and s.word(i - 1) == "." and s.word(i + 1) == "(":
                self.closure(i, word)
            elif word in ("<", "<=", ">", ">=") and self.text[begin - 1] == " " and self.text[end : end + 1] in " \n":
                self.edge(i, word)
            elif word in ("==", "!=") or word == "matches!":
                self.equal(i, word)
            elif word in ("+", "-") and self.text[begin - 1] == " " and self.text[end] == " ":
                self.term(i)
            elif group == "number":
                self.number(i)
            if word in ("{", "}", ";"):
                self.statement(i + 1)
        self.whole()
        return self.sites

    def refusal(self, i, word):
        last = self.source.right(i + 2, {","})
        if last == i + 2 or self.source.word(last) != ",":
            return
        begin, end = self.source.span(i + 2, last)
        (self.always if word == "require" else self.never)(word, begin, end)

    def branch(self, i):
        s = self.source
        last = s.right(i + 1, {"{", "=>"})
        if last <= i + 1 or last >= len(s.code):
            return
        begin, end = s.span(i + 1, last)
        if any(s.word(k) == "let" for k in range(i + 1, last)):
            self.add("if-no", begin, end, [(begin, begin, "!crate::taken_out({n}) && ")])
            return
        self.never("if-no", begin, end)
        self.always("if-yes", begin, end)

    ENDS = {"&&", "||", ",", ";", "=>", "{", "=", "|", "return", ":"}

    def operand(self, i, word):
        """One side of an and or an or that says nothing."""
        s = self.source
        # `||` that begins a closure has nothing on its left.
        if s.word(i - 1) in ("(", ",", "=", "move", "=>", "return", "{", ";"):
            return
        last = s.right(i + 1, self.ENDS)
        first = s.left(i - 1, self.ENDS | {"if", "while", ";", "}", "match", "else"})
        take = self.always if word == "&&" else self.never
        for a, b in ((i + 1, last), (first, i)):
            if a >= b or any(s.word(k) == "let" for k in range(a, b)) or s.word(b) == "{" and s.word(b - 1) in ("match", "|"):
                continue
            # The left side of a chain is the right side of the link before.
            if b == i and s.word(a - 1) in ("&&", "||"):
                continue
            take("and" if word == "&&" else "or", *s.span(a, b))

    def closure(self, i, word):
        s = self.source
        j = i + 2
        if s.word(j) == "move":
            j += 1
        if s.word(j) != "|":
            return
        j += 1
        while s.word(j) != "|":
            j = s.partner.get(j, j) + 1 if s.word(j) in OPEN else j + 1
        last = s.partner.get(i + 1)
        if last is None or j + 1 >= last:
            return
        if s.word(last - 1) == ",":
            last -= 1
        begin, end = s.span(j + 1, last)
        self.always(word + "-yes", begin, end)
        self.never(word + "-no", begin, end)

    def edge(self, i, word):
        """Less or at most, more or at least."""
        s = self.source
        ends = self.ENDS | {"if", "while", "}", "match", "else", "in", "!", "==", "!=", "<", ">", "<=", ">="}
        first, last = s.left(i - 1, ends), s.right(i + 1, ends)
        if first >= i or last <= i + 1:
            return
        begin, end = s.span(first, last)
        name = {"<": "less", "<=": "most", ">": "more", ">=": "least"}[word]
        middle = (s.code[i][2], s.code[i][3], "), &(")
        opening = f"crate::{name}({{n}}, &("
        self.add("edge", begin, end, [(begin, begin, opening), middle, (end, end, "))")])

    def equal(self, i, word):
        """Equal or not, one of these or not: the other way round."""
        s = self.source
        if word == "matches!":
            first, last = i, s.partner.get(i + 1, i) + 1
        else:
            ends = self.ENDS | {"if", "while", "}", "match", "else", "in", "!", "==", "!=", "<", ">", "<=", ">="}
            first, last = s.left(i - 1, ends), s.right(i + 1, ends)
            if first >= i or last <= i + 1:
                return
        begin, end = s.span(first, last)
        self.add("not", begin, end, [(begin, begin, "(crate::taken_out({n}) != ("), (end, end, "))")])

    def term(self, i):
        s = self.source
        if s.word(i - 1) in self.ENDS | {"(", "[", "<", ">", "==", "<=", ">=", ":", "+", "-", "*", "..", "&"}:
            return
        ends = self.ENDS | {"+", "-", "<", ">", "==", "!=", "<=", ">=", "..", "..=", "&", "as", "<<"}
        last = s.right(i + 1, ends)
        if last <= i + 1 or s.word(last) == "as":
            return
        begin, end = s.span(i + 1, last)
        edits = [(begin, begin, "(if crate::taken_out({n}) { 0 } else { "), (end, end, " })")]
        self.add("term", begin, end, edits, f"{s.word(i)} " + " ".join(self.text[begin:end].split()))

    def number(self, i):
        s = self.source
        _, word, begin, end = s.code[i]
        before, after = s.word(i - 1), s.word(i + 1)
        shifts = {"<<", ">>", "&", "|", "^", ".", "..", "..=", "[", "const", ">", "%"}
        if before in shifts - {">"} or after in ("<<", ">>", "=>", "..", "..=", "|", "&", "]") or "_" in word or "u" in word or "i" in word:
            return
        if before == ">" and s.word(i - 2) == ">" or after in ("<", ">") and s.word(i + 2) == after:
            return
        if before == ";" and after == "]":
            return
        edits = [(begin, end, f"(if crate::taken_out({{n}}) {{ {int(word) + 1} }} else {{ {word} }})")]
        near = self.text[max(begin - 24, self.text.rfind("\n", 0, begin) + 1) : end + 10].split("\n")[0].strip()
        self.add("number", begin, end, edits, f"{word} in {near}")

    def statement(self, i):
        """A statement that is left out: a call, or a value that is set."""
        s = self.source
        if i >= len(s.code) or s.code[i][0] != "word" or s.word(i) in (
            "let", "return", "if", "match", "for", "while", "loop", "use", "pub", "fn", "impl", "struct", "enum", "mod", "const",
            "static", "type", "trait", "else", "break", "continue", "unsafe", "assert!", "debug_assert!", "inventory::submit!",
        ):
            return
        last = s.right(i, {";", "{"} if s.word(i + 1) == "{" else {";"})
        if s.word(last) != ";":
            return
        # Arms of a match and fields of a struct are no statements.
        if any(s.word(k) == "=>" for k in range(i, last) if not self.deep(i, k)):
            return
        begin, end = s.code[i][2], s.code[last][3]
        self.add("left out", begin, end, [(begin, begin, "if !crate::taken_out({n}) { "), (end, end, " }")])

    def deep(self, i, k):
        return any(i <= a < k and self.source.partner.get(a, -1) >= k for a in range(i, k) if self.source.word(a) in OPEN)

    def whole(self):
        for f in self.functions:
            for pattern, values in NOTHING:
                if not re.match(pattern, f["gives"]):
                    continue
                begin = f["range"][0]
                for value in values:
                    edit = (begin, begin, f" if crate::taken_out({{n}}) {{ return {value}; }} ")
                    self.add("fn", begin, begin, [edit], f"{f['name']} gives {value or 'up'}")
                break


def sites(text):
    return Finder(text).find()


def applied(text, chosen):
    """The text with the edits of the chosen sites (number, site), and where each edit stands in it."""
    inserts = []
    for number, site in chosen:
        begin, end = site["range"]
        for k, (a, b, more) in enumerate(site["edits"]):
            size = end - begin
            more = more.replace("{n}", str(number))
            closing = a == end and a != begin
            # At one place: what closes comes before what opens; the inner closes first, the outer opens first.
            key = (a, 0, size, -number) if closing else (a, 1, -size, number)
            inserts.append((key, a, b, more, number))
    inserts.sort(key=lambda one: one[0])
    parts, marks, at, length = [], [], 0, 0
    for _, a, b, more, number in inserts:
        parts.append(text[at:a])
        length += len(text[at:a].encode())
        marks.append((length, length + len(more.encode()), number))
        parts.append(more)
        length += len(more.encode())
        at = b
    parts.append(text[at:])
    return "".join(parts), marks
