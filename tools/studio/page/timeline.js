// Timelines: zoomed and moved by buttons, keys, wheel and drag, with a read-out of a task. A drawing
// is zoomed from its original: tasks outside of the window are left out, and those that are wide
// enough get a label.

import {byId, drawn, make, setText} from './dom.js';

const MOST = 40;    // times: coordinates have a decimal
const FACTOR = 1.6;
const LETTER = 6.4;  // width of a letter in a label
const TICKS = 8;
const TIP = 'Zoom with + and \u2212, move with the arrow keys or by dragging, previous and next task with Page Up and Page Down. ' +
            'Ctrl and the wheel zoom as well.';

const charts = new WeakMap();  // by figure

/** Prepares the timelines of the page that are new. */
export function showTimelines() {
  for (const figure of byId('iteration').querySelectorAll('figure')) {
    if (charts.has(figure) || !figure.querySelector('svg.wide')) continue;
    charts.set(figure, prepare(figure));
  }
}

function prepare(figure) {
  const drawings = [...figure.querySelectorAll(':scope > svg.wide, :scope > svg.narrow')].map(scaleOf).filter(Boolean);
  const readout = make('output', {class: 'task', 'aria-live': 'polite'});
  const chart = {from: 0, to: 1, task: -1, drawings, readout};
  const button = (text, name, act) => make('button', {type: 'button', 'aria-label': name, title: name, onclick: act}, text);
  chart.whole = button('Whole', 'Show the whole iteration (key 0)', () => showPart(chart, 0, 1));
  const row = make('div', {class: 'zoom', role: 'toolbar', 'aria-label': 'Zoom of the timeline'},
    button('+', 'Zoom in (key +, or Ctrl and the wheel)', () => zoom(chart, FACTOR)), button('\u2212', 'Zoom out (key \u2212)', () => zoom(chart, 1 / FACTOR)),
    button('\u2190', 'Move to earlier (arrow key, or drag)', () => move(chart, -0.5)), button('\u2192', 'Move to later (arrow key, or drag)', () => move(chart, 0.5)),
    chart.whole, readout);
  drawings.at(-1)?.svg.after(row);
  for (const drawing of drawings) listen(chart, drawing);
  showPart(chart, 0, 1);
  return chart;
}

/** The drawing, with the positions of its time axis; nothing if it has none. */
function scaleOf(svg) {
  const grid = [...svg.querySelectorAll('line.grid')].map((line) => line.x1.baseVal.value);
  const foot = Math.max(...[...svg.querySelectorAll('text')].map((text) => text.y.baseVal[0].value));
  const labels = [...svg.querySelectorAll('text')].filter((text) => text.y.baseVal[0].value === foot);
  const last = /^([\d.,]+)\s*(\S+)$/.exec(labels.map((text) => text.textContent).find((text) => /\s\S/.test(text)) ?? '');
  const ends = [...svg.querySelectorAll('rect')].map((rect) => rect.x.baseVal.value + rect.width.baseVal.value);
  if (grid.length < 2 || !last) return null;
  const perUnit = (grid.at(-1) - grid[0]) / Number(last[1].replace(/,/g, ''));
  return {svg, left: grid[0], right: Math.max(...ends, grid.at(-1)), perUnit, unit: last[2], foot, axis: svg.innerHTML};
}

function listen(chart, drawing) {
  const {svg} = drawing;
  svg.setAttribute('tabindex', '0');
  svg.setAttribute('role', 'group');
  svg.setAttribute('aria-label', svg.querySelector('title')?.textContent ?? 'Timeline');
  svg.setAttribute('aria-description', TIP);
  svg.addEventListener('keydown', (event) => press(chart, drawing, event));
  svg.addEventListener('wheel', (event) => {
    if (!event.ctrlKey && !event.metaKey && !event.shiftKey) return;
    event.preventDefault();
    if (event.shiftKey) move(chart, Math.sign(event.deltaY || event.deltaX) * 0.2);
    else zoom(chart, event.deltaY < 0 ? FACTOR : 1 / FACTOR, shareAt(drawing, event.clientX));
  }, {passive: false});
  svg.addEventListener('pointermove', (event) => {
    if (chart.drag) return drag(chart, drawing, event);
    const task = event.target.closest('[data-task]');
    if (task) readOut(chart, drawing, Number(task.dataset.task));
    return undefined;
  });
  svg.addEventListener('pointerdown', (event) => {
    if (event.button !== 0 || chart.to - chart.from === 1) return;
    chart.drag = {x: event.clientX, from: chart.from, to: chart.to};
    svg.setPointerCapture(event.pointerId);
  });
  for (const kind of ['pointerup', 'pointercancel']) svg.addEventListener(kind, () => { chart.drag = null; });
}

/** The position under the pointer as a share of the window. */
function shareAt({svg, left, right}, clientX) {
  const box = svg.getBoundingClientRect();
  const x = (clientX - box.left) / box.width * svg.viewBox.baseVal.width;
  return Math.min(Math.max((x - left) / (right - left), 0), 1);
}

function drag(chart, {svg, left, right}, event) {
  const width = svg.getBoundingClientRect().width * (right - left) / svg.viewBox.baseVal.width;
  const by = (chart.drag.x - event.clientX) / width * (chart.drag.to - chart.drag.from);
  showPart(chart, chart.drag.from + by, chart.drag.to + by);
}

const KEYS = {
  '+': (chart) => zoom(chart, FACTOR), '=': (chart) => zoom(chart, FACTOR), '-': (chart) => zoom(chart, 1 / FACTOR),
  '0': (chart) => showPart(chart, 0, 1), ArrowLeft: (chart) => move(chart, -0.2), ArrowRight: (chart) => move(chart, 0.2),
  Home: (chart) => move(chart, -MOST), End: (chart) => move(chart, MOST),
  PageUp: (chart, drawing) => step(chart, drawing, -1), PageDown: (chart, drawing) => step(chart, drawing, 1),
};

function press(chart, drawing, event) {
  if (event.ctrlKey || event.metaKey || event.altKey || !KEYS[event.key]) return;
  event.preventDefault();
  KEYS[event.key](chart, drawing);
}

function zoom(chart, factor, at = 0.5) {
  const size = chart.to - chart.from;
  const next = Math.min(Math.max(size / factor, 1 / MOST), 1);
  const from = chart.from + at * (size - next);
  showPart(chart, from, from + next);
}

function move(chart, by) {
  const size = chart.to - chart.from;
  showPart(chart, chart.from + by * size, chart.to + by * size);
}

/** Shows a part of the iteration, from 0 to 1. */
function showPart(chart, from, to) {
  const size = Math.min(to - from, 1);
  chart.from = Math.min(Math.max(from, 0), 1 - size);
  chart.to = chart.from + size;
  chart.whole.disabled = size === 1;
  for (const drawing of chart.drawings) draw(chart, drawing);
}

function draw(chart, drawing) {
  const {svg, left, right, axis} = drawing;
  svg.innerHTML = axis;
  svg.querySelector('title')?.remove();  // it is the label; a read-out of it would hide those of tasks
  const size = chart.to - chart.from;
  const place = (x) => left + ((x - left) / (right - left) - chart.from) / size * (right - left);
  drawing.tasks = [...svg.querySelectorAll('rect')].map((rect) => taskOf(rect, drawing));
  if (size < 1) {
    drawAxis(chart, drawing, place);
    svg.querySelectorAll('text.on').forEach((label) => label.remove());
    drawing.tasks.forEach((task) => drawTask(task, drawing, place));
    svg.querySelectorAll('path').forEach((path) => drawPath(path, drawing, place));
  }
  svg.classList.toggle('zoomed', size < 1);
  drawing.tasks.forEach(({rect}, n) => {
    rect.dataset.task = n;
    rect.classList.toggle('chosen', n === chart.task);
  });
}

function taskOf(rect, {left, perUnit, unit}) {
  const x = rect.x.baseVal.value;
  const width = rect.width.baseVal.value;
  const title = rect.querySelector('title')?.textContent ?? '';
  const next = rect.nextElementSibling;
  const label = next?.matches('text.on') ? next.textContent : title.split(/[,:]/)[0];
  return {rect, x, width, label, words: `${((x - left) / perUnit).toPrecision(3)} ${unit}: ${title}`};
}

function drawTask({rect, x, width, label}, {left, right, svg}, place) {
  const begin = Math.max(place(x), left);
  const end = Math.min(place(x + width), right);
  if (end <= begin) {
    rect.style.display = 'none';
    return;
  }
  rect.setAttribute('x', begin);
  rect.setAttribute('width', end - begin);
  const height = rect.height.baseVal.value;
  if (height < 12 || label.length * LETTER + 8 > end - begin) return;
  const text = drawn('text', {x: (begin + end) / 2, y: rect.y.baseVal.value + height / 2 + 4, 'text-anchor': 'middle', class: 'on'}, label);
  svg.append(text);
}

/** Many spans of one kind are one path of rectangles. */
function drawPath(path, {left, right}, place) {
  const boxes = path.getAttribute('d').matchAll(/M([\d.-]+) ([\d.-]+)h([\d.-]+)v([\d.-]+)h-[\d.]+z/g);
  const shown = [...boxes].map(([, x, y, width, height]) => {
    const begin = Math.max(place(Number(x)), left);
    const end = Math.min(place(Number(x) + Number(width)), right);
    return end > begin ? `M${begin} ${y}h${end - begin}v${height}h${begin - end}z` : '';
  });
  path.setAttribute('d', shown.join(''));
}

/** Round times in the window. */
function drawAxis(chart, {svg, left, right, perUnit, unit, foot}, place) {
  const bottom = Math.max(...[...svg.querySelectorAll('line.grid')].map((line) => line.y2.baseVal.value));
  svg.querySelectorAll('line.grid').forEach((line) => line.remove());
  [...svg.querySelectorAll('text')].filter((text) => text.y.baseVal[0].value === foot).forEach((text) => text.remove());
  const whole = (right - left) / perUnit;
  const rough = whole * (chart.to - chart.from) / (right - left < 500 ? TICKS / 2 : TICKS);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough);
  const digits = Math.max(0, -Math.floor(Math.log10(step)));
  const first = Math.ceil(whole * chart.from / step - 1e-9);
  const last = Math.floor(whole * chart.to / step + 1e-9);
  for (let n = first; n <= last; ++n) {
    const x = place(left + n * step * perUnit);
    svg.prepend(drawn('line', {x1: x, y1: 0, x2: x, y2: bottom, class: 'grid'}));
    const words = (n * step).toFixed(digits) + (n === last ? ` ${unit}` : '');
    const half = words.length * LETTER / 2;
    const at = Math.min(Math.max(x, half), svg.viewBox.baseVal.width - half);
    svg.append(drawn('text', {x: at, y: foot, 'text-anchor': 'middle'}, words));
  }
}

function readOut(chart, drawing, task) {
  chart.task = task;
  drawing.tasks.forEach(({rect}, n) => rect.classList.toggle('chosen', n === task));
  setText(chart.readout, drawing.tasks[task]?.words ?? '');
}

/** The next task in time, moved into the window. */
function step(chart, drawing, by) {
  const order = drawing.tasks.map((_, n) => n).sort((a, b) => drawing.tasks[a].x - drawing.tasks[b].x || a - b);
  const at = order.indexOf(chart.task);
  const task = order[Math.min(Math.max(at < 0 ? 0 : at + by, 0), order.length - 1)];
  const {x, width} = drawing.tasks[task];
  const middle = (x + width / 2 - drawing.left) / (drawing.right - drawing.left);
  chart.task = task;
  if (middle < chart.from || middle > chart.to) move(chart, (middle - (chart.from + chart.to) / 2) / (chart.to - chart.from));
  readOut(chart, drawing, task);
}
