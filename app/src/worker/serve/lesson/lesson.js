// A saved lesson: ranks its passages again when a number is moved. The formulas are those of
// core/src/lesson/rank.rs; a story holds the two against each other.
"use strict";
(() => {
  const lesson = JSON.parse(document.getElementById("lesson").textContent);
  const { passages, files, neighbours } = lesson;
  const numbers = { ...lesson.numbers };
  const ROWS = 8, NEIGHBOURS = 8, NEW_PASSAGES = 2;
  const sorted = (list) => list.sort((a, b) => b.score - a.score || a.at - b.at);
  const row = (at, words, meaning, imports) =>
    ({ at, words, meaning, imports, score: words + meaning + imports });

  const wordsOf = (passage) => {
    const norm = 1 - numbers.b + numbers.b * passage.length;
    let sum = 0;
    for (const term of passage.terms) {
      const f = (norm > 0 ? term.count / norm : 0) + term.elsewhere;
      if (f > 0) sum += (term.weight * (numbers.k1 + 1) * f) / (f + numbers.k1);
    }
    return sum;
  };
  const byWords = () => sorted(passages
    .map((passage, at) => row(at, wordsOf(passage), 0, 0)).filter((it) => it.score > 0));
  const byMeaning = () => sorted(passages
    .map((passage, at) => row(at, 0, passage.meaning ?? 0, 0))
    .filter((it) => passages[it.at].meaning !== null));
  const scaled = (list) => {
    const best = list.slice(0, numbers.k);
    if (best.length === 0) return new Map();
    const high = best[0].score, low = best[best.length - 1].score;
    const unit = (score) => (high > low ? (score - low) / (high - low) : 1);
    return new Map(best.map((it) => [it.at, unit(it.score)]));
  };
  const byBoth = () => {
    const words = scaled(byWords()), meaning = scaled(byMeaning());
    const share = meaning.size === 0 ? 0 : words.size === 0 ? 1 : numbers.share;
    const isCompared = (at) => passages[at].meaning !== null;
    const compared = [...words.keys()].filter(isCompared);
    const total = compared.reduce((sum, at) => sum + (meaning.get(at) ?? 0), 0);
    const expected = total / Math.max(1, compared.length);
    const found = [...new Set([...words.keys(), ...meaning.keys()])];
    return sorted(found.map((at) => {
      const near = meaning.get(at) ?? (isCompared(at) ? 0 : expected);
      return row(at, (words.get(at) ?? 0) * (1 - share), near * share, 0);
    }));
  };
  const byImports = () => {
    const both = byBoth();
    const gain = numbers.gamma * (both.length ? Math.max(0, both[0].score) : 1);
    const seeds = [...new Set(both.map((it) => passages[it.at].file))].slice(0, numbers.seeds);
    const around = new Set(seeds.flatMap((file) => neighbours[file].slice(0, NEIGHBOURS)));
    const present = new Set(both.map((it) => passages[it.at].file));
    const rows = both.map((it) =>
      row(it.at, it.words, it.meaning, around.has(passages[it.at].file) ? gain : 0));
    for (const file of around) {
      if (present.has(file)) continue;
      const own = passages.map((passage, at) => ({ at, score: passage.nearness }))
        .filter((it) => passages[it.at].file === file);
      for (const it of sorted(own).slice(0, NEW_PASSAGES)) rows.push(row(it.at, 0, 0, gain));
    }
    return sorted(rows);
  };
  const WAYS = { words: byWords, meaning: byMeaning, both: byBoth, imports: byImports };

  const make = (tag, name, text) => {
    const element = document.createElement(tag);
    if (name) element.className = name;
    if (text !== undefined) element.textContent = text;
    return element;
  };
  const lines = (it) => (it.start === it.end ? it.start : `${it.start}–${it.end}`);
  const fileName = (it) => files[it.file].split("/").pop();
  const place = (it) => `${files[it.file]}:${lines(it)}`;
  const nameOf = (passage) => {
    const isPath = passage.title.includes("/") || passage.title.includes(" ");
    return isPath ? passage.title : passage.title.split(".").pop();
  };
  const fixed = (value) => value.toFixed(2);
  const parts = (way, it) => {
    if (way === "words" || way === "meaning") {
      return `${nameOf(passages[it.at])} · ${fixed(it.score)}`;
    }
    const named = [["words", it.words], ["meaning", it.meaning], ["imports", it.imports]];
    return named.filter((part) => part[1] > 0).map((part) => `${part[0]} ${fixed(part[1])}`)
      .join(" + ");
  };
  const before = {};
  const moved = (way, at, rank) => {
    const old = before[way];
    if (!old) return ["", ""];
    const was = old.indexOf(at);
    if (was < 0) return ["up", "new"];
    if (was > rank) return ["up", `▲ ${was - rank}`];
    return was < rank ? ["down", `▼ ${rank - was}`] : ["", ""];
  };
  const code = document.getElementById("code");
  const show = (at) => {
    const passage = passages[at];
    code.replaceChildren(make("h2", "", `${passage.title} · ${place(passage)}`),
      make("pre", "", passage.code));
    code.querySelector("pre").tabIndex = 0;
    for (const item of document.querySelectorAll(".ranks [data-passage]")) {
      item.classList.toggle("is-read", item.dataset.passage === String(at));
    }
  };
  const ROW = 64, FIRST = 27;
  const path = (column, from, to, isMarked) => {
    const curve = document.createElementNS("http://www.w3.org/2000/svg", "path");
    const [a, b] = [FIRST + from * ROW, FIRST + to * ROW];
    curve.setAttribute("d", `M0 ${a} C 14 ${a}, 14 ${b}, 28 ${b}`);
    if (isMarked) curve.setAttribute("class", "marked");
    return curve;
  };
  const draw = () => {
    const all = Object.keys(WAYS).map((way) => [way, WAYS[way]()]);
    all.forEach(([way, ranked], column) => {
      const rows = ranked.slice(0, ROWS).map((it, rank) => {
        const passage = passages[it.at];
        const button = make("button", "row");
        button.dataset.passage = it.at;
        const [change, text] = moved(way, it.at, rank);
        button.title = `${passage.title}, ${place(passage)}`;
        const short = `${fileName(passage)}:${lines(passage)}`;
        button.append(make("b", "", rank + 1), make("span", "place", short),
          make("small", "", parts(way, it)), make("i", change, text));
        button.addEventListener("click", () => show(it.at));
        const item = make("li", passage.marked ? "marked" : "");
        item.append(button);
        return item;
      });
      document.querySelector(`[data-way="${way}"]`).replaceChildren(...rows);
      before[way] = ranked.slice(0, ROWS).map((it) => it.at);
      const links = document.querySelector(`[data-links="${way}"]`);
      if (!links) return;
      const left = all[column - 1][1].slice(0, ROWS).map((it) => it.at);
      links.replaceChildren(...before[way].flatMap((at, to) => {
        const from = left.indexOf(at);
        return from < 0 ? [] : [path(column, from, to, passages[at].marked)];
      }));
    });
  };
  for (const input of document.querySelectorAll("input[data-number]")) {
    const name = input.dataset.number, output = input.nextElementSibling;
    input.value = numbers[name];
    input.addEventListener("input", () => {
      numbers[name] = Number(input.value);
      output.textContent = input.value;
      draw();
    });
  }
  document.getElementById("reset").addEventListener("click", () => {
    Object.assign(numbers, lesson.numbers);
    for (const input of document.querySelectorAll("input[data-number]")) {
      input.value = numbers[input.dataset.number];
      input.nextElementSibling.textContent = input.value;
    }
    draw();
  });
  const steps = [...document.querySelectorAll("[data-step]")];
  const said = [...document.querySelectorAll("[data-said]")];
  let step = steps.length - 1;
  const go = (to) => {
    step = Math.min(Math.max(to, 0), steps.length - 1);
    steps.forEach((it) => { it.hidden = Number(it.dataset.step) > step; });
    said.forEach((it) => { it.hidden = Number(it.dataset.said) !== step; });
  };
  document.getElementById("back").addEventListener("click", () => go(step - 1));
  document.getElementById("on").addEventListener("click", () => go(step + 1));
  document.getElementById("projector").addEventListener("click", (event) => {
    const isOn = document.body.classList.toggle("projector");
    event.target.setAttribute("aria-pressed", isOn);
    go(isOn ? 0 : steps.length - 1);
  });
  document.addEventListener("keydown", (event) => {
    if (event.target instanceof HTMLInputElement) return;
    if (event.key === "ArrowRight" || event.key === "PageDown") go(step + 1);
    if (event.key === "ArrowLeft" || event.key === "PageUp") go(step - 1);
  });
  draw();
  go(step);
})();
