"""How people ask and report. What all of these have in common says nothing about code, so training makes it count little.

{s} a statement, {n} a definition's name, {o} its owner, {a} and {b} names that it uses, {p} the package, {f} the file,
{t} a traceback, {c} code.
"""

STATEMENTS = (
    "how does {p} {s}", "how to {s}", "how do I {s}?", "where is the code that {s}", "where does {p} {s}?", "which function {s}",
    "what {s}", "why does it {s}?", "what happens when {s}", "explain how {p} {s}", "How is it decided to {s}?", "In {p}, {s}?",
    "I want to {s} but it fails", "what is responsible for this: {s}", "which part of the code makes sure that {s}", "can {p} {s}?",
    "show me where {s}", "find the place where {s}", "What mechanism is used to {s}?", "Why is it necessary to {s}?",
    "What is the design rationale behind this behaviour: {s}?", "Under what conditions does {p} {s}?", "is there a way to {s}",
)  # fmt: skip

REQUESTS = (
    "How does {n} {s}?", "Why does {n} {s}?", "What does {n} do when {s}?", "fix: {n}: {s}", "{f}: {s}", "Fix {n} to {s}", "Make {n} {s}",
    "Add an option to {s}", "Add {n}: {s}", "{n} does not {s}", "Bug: {n} should {s}", "Allow {n} to {s}", "refactor {n} in {f}: {s}",
    "Where in {f} does {n} {s}?", "Improve {f}. {s}", "Fixed a bug where {n} {s}", "{s} ({n})", "[{f}] {s}", "Closes a bug in {f}. {s}",
    "What is the purpose of {n} in {f}? {s}", "Ensure that {s} in {n}", "Do not {s} in {n}", "Stop {n} from failing: {s}",
)  # fmt: skip

NAMES = (
    "how does {n} work", "where is {n} handled", "where is {n} implemented?", "What is the purpose of {n} in {p}?", "{n}", "{n}",
    "{n}", "{n}",
    "How does {p} implement {n}?", "why is {n} needed", "which class is responsible for {n}", "what does {n} do", "fix {n}",
    "how are {n} done",
    "add {n}", "support {n}", "{n} is broken", "How is {n} used?", "What is the relationship between {n} and {o}?", "{o} {n}",
    "how {o} {n}",
    "Where is the logic for {n} located?", "implementation of {n}", "the code for {n} in {o}", "Rename {n}", "Clean up {n} in {o}",
    "{n} in {p}",
)  # fmt: skip

FACTS = (
    "How does {n} use {a} and {b}?", "What is the relationship between {n}, {a} and {b}?", "Why does {n} call {a} before {b}?",
    "Where does {n} get {a} from?", "What role does {a} play in {n}?", "How is {a} passed to {b} in {n}?",
    "What happens to {a} if {b} is missing?",
    "Why does {p} rely on {a} rather than on {b}?", "What would happen if {n} did not check {a}?", "How do {n} and {a} work together?",
    "What is the significance of {a} in {n}, and how does it affect {b}?", "How does the {o} class handle {a}?", "{n} {a}", "{a} {b}",
    "What dependencies exist between {n} and {a} when {b} changes?", "Which conditions make {n} skip {a}?",
    "What is the role of {n} in {o}?",
    "How does {p} ensure that {a} is consistent with {b}?", "What is the impact of {a} on the performance of {n}?",
    "pass {a} to {b} in {n}",
    "Where in the codebase is {a} defined and used by {n}?", "Trace the flow of {a} through {n} to {b}.", "Handle {a} in {n}",
    "Fix {a} in {n}",
    "How does {n} coordinate {a} with {b} to keep state across calls?", "What is the design of {n} that separates {a} from {b}?",
    "Remove {a} from {n}", "Use {a} instead of {b} in {n}", "Don't use {a} in {n}", "Replace {a} by {b}", "fix {n} ignoring {a}",
)  # fmt: skip

ISSUES = (
    "{s}\n\n### Describe the bug\n{n} does not work as expected.\n\n### To reproduce\n```\n{c}\n```\n\n### Expected behavior\nNo error.",
    "{n}: {s}\n\n**Version**\n{p} 1.2.3, Python 3.10, Linux\n\n**Steps to reproduce**\n{c}\n\n**Actual result**\n{t}",
    "{p} fails with an error\n\nAfter I upgraded to the latest version I get this error:\n```\n{t}\n```\nIt worked before. Thanks!",
    "Bug: {s}\n\nHi, I tried to use {n} and got\n\n{t}\n\nWhat I expected: it should work. Environment: Ubuntu 22.04, macOS, Windows 10.",
    "[Feature request] {s}\n\nIs your feature request related to a problem? Please describe.\nIt would be nice if {n} could do this.\n{c}",
    "{s}\n\n```python\n{c}\n```", "{n} raises an exception: {s}", "{s}\n{t}",
    "{s}\n\n- [x] I have searched the existing issues\n- [x] I have read the documentation\n\nWhat version are you using? latest\n{c}",
)  # fmt: skip
