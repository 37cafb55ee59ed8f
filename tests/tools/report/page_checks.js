// What is wrong with how the page looks, as sentences. The whole page is in the viewport.
// Argument: how many pixels high letters in charts are at least.
const [leastSize] = arguments;
const leastText = matchMedia('print').matches ? 10 : 12;
const problems = [];
const say = (text) => { if (problems.length < 40) problems.push(text); };
const shown = (element) => element.checkVisibility({visibilityProperty: true});

const luminance = ([r, g, b]) => {
  const part = (c) => { c /= 255; return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; };
  return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
};
const contrast = (a, b) => {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
};
const colour = (text) => {
  const parts = (text.match(/[\d.]+/g) || []).map(Number);
  return text === 'none' || parts.length < 3 ? null : [...parts.slice(0, 3), parts[3] ?? 1];
};
const over = (top, below) => below.map((c, i) => top[3] * top[i] + (1 - top[3]) * c);

// The colour under a point: backgrounds and filled shapes, the lowest first.
const ground = (x, y, self) => {
  let result = colour(getComputedStyle(document.body).backgroundColor).slice(0, 3);
  for (const element of document.elementsFromPoint(x, y).reverse()) {
    if (element === self || self.contains(element)) continue;
    const style = getComputedStyle(element);
    const shape = element instanceof SVGGeometryElement;
    const paint = colour(shape ? style.fill : style.backgroundColor);
    if (!paint || (shape && ['line', 'polyline'].includes(element.tagName))) continue;
    paint[3] *= Number(style.opacity);
    result = over(paint, result);
  }
  return result;
};
const checkContrast = (text, paint, box, self) => {
  for (const share of [0.15, 0.5, 0.85]) {
    const found = contrast(paint, ground(box.left + share * box.width,
                                         box.top + box.height / 2, self));
    if (found < 4.5) {
      say(`contrast ${found.toFixed(2)} of "${text.slice(0, 40)}"`);
      return;
    }
  }
};

if (document.documentElement.scrollWidth > innerWidth) {
  say(`the page is ${document.documentElement.scrollWidth} wide`);
}

// Text of the page.
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
for (let node = walker.nextNode(); node; node = walker.nextNode()) {
  const parent = node.parentElement;
  const text = node.textContent.trim();
  if (!text || !shown(parent) || parent.closest('svg, script, style')) continue;
  const style = getComputedStyle(parent);
  if (parseFloat(style.fontSize) < leastText) say(`"${text.slice(0, 40)}" is ${style.fontSize}`);
  const range = document.createRange();
  range.selectNodeContents(node);
  const box = range.getBoundingClientRect();
  const scrolls = parent.closest('.scrolls') && !matchMedia('print').matches;
  if (!scrolls && (box.right > innerWidth + 1 || box.left < -1)) {
    say(`"${text.slice(0, 40)}" leaves the page`);
  }
  const inside = (x) => x >= 0 && x < innerWidth;
  if (inside(box.left) && inside(box.right)) checkContrast(text, colour(style.color), box, parent);
}
for (const element of document.querySelectorAll('main *')) {
  if (!shown(element) || element.closest('svg') || element.matches('.scrolls, .scrolls *')) continue;
  if (element.querySelector('.scrolls')) continue;  // wide tables use the margins of the page
  if (element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0 &&
      getComputedStyle(element).display !== 'inline') {
    say(`<${element.tagName} class="${element.className}"> is cut off`);
  }
}

// Columns scroll only where the page has no room for them.
for (const element of document.querySelectorAll('.scrolls')) {
  if (!shown(element) || element.scrollWidth <= element.clientWidth + 1) continue;
  const margins = innerWidth < 600 ? innerWidth / 4 : 64;  // of the page and of a panel in it
  if (innerWidth - element.clientWidth > margins) {
    say(`"${element.textContent.trim().slice(0, 40)}" hides columns beside empty margins`);
  }
}

// Charts: one drawing of each is shown, with marks, and its texts can be read.
for (const figure of document.querySelectorAll('figure')) {
  if (!shown(figure)) continue;
  const drawings = [...figure.querySelectorAll('svg.wide, svg.narrow')].filter(shown);
  if (drawings.length !== 1) say(`${figure.id} shows ${drawings.length} drawings`);
  for (const svg of drawings) {
    const marks = [...svg.querySelectorAll('rect, circle, polyline, polygon, line')].filter(
        (mark) => { const b = mark.getBoundingClientRect(); return b.width > 0 || b.height > 0; });
    if (marks.length < 4) say(`${figure.id} has ${marks.length} marks`);
    if (!svg.querySelector('title') || !svg.querySelector('desc')) say(`${figure.id} has no title`);
    const frame = svg.getBoundingClientRect();
    const texts = [...svg.querySelectorAll('text')].map((element) => {
      const box = element.getBoundingClientRect();
      const words = [...element.childNodes].filter((n) => n.nodeType === 3)
                        .map((n) => n.textContent).join('');
      const size = parseFloat(getComputedStyle(element).fontSize) * svg.getScreenCTM().a;
      return {element, box, words, size};
    });
    for (const {element, box, words, size} of texts) {
      if (size < leastSize) say(`${figure.id}: "${words}" is ${size.toFixed(1)} px`);
      if (box.left < frame.left - 1.5 || box.right > frame.right + 1.5 ||
          box.top < frame.top - 1.5 || box.bottom > frame.bottom + 1.5) {
        say(`${figure.id}: "${words}" is cut off`);
      }
      checkContrast(words, colour(getComputedStyle(element).fill), box, element);
    }
    for (let i = 0; i < texts.length; ++i) {
      for (let j = i + 1; j < texts.length; ++j) {
        const [a, b] = [texts[i].box, texts[j].box];
        const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        // Boxes of lines of text are higher than their letters.
        if (wide > 1 && high > 3.5) {
          say(`${figure.id}: "${texts[i].words}" and "${texts[j].words}" overlap`);
        }
      }
    }
  }
}
return {problems, figures: [...document.querySelectorAll('figure')].map((figure) => figure.id)};
