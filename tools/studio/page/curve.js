// A curve over a slider: the steps of the slider, each simulated, for a figure of choice. Steps, and
// intervals on request, come one by one until they are stopped or the scenario is changed.

import {post} from './api.js';
import {byId, keepFocus, make, setText, show} from './dom.js';
import {stepChange} from './controls.js';

const POINTS = 20;

let chosen = '';  // the figure, for the next curve as well
let latest = 0;   // number of the curve that is shown

/** Twenty of the steps, evenly distributed, including the first and the last. */
function spread(steps) {
  if (steps.length <= POINTS) return steps.map((_, n) => n);
  return Array.from({length: POINTS}, (_, n) => Math.round(n * (steps.length - 1) / (POINTS - 1)));
}

export async function showCurve(studio, control) {
  const section = byId('curve');
  const drawing = byId('curve-drawing');
  const own = ++latest;
  section.hidden = false;
  show(drawing, '');
  section.scrollIntoView({block: 'nearest'});
  const curve = {
    label: control.label,
    now: control.value,
    changes: spread(control.steps).map((step) => ({...stepChange(control, step), title: String(control.steps[step])})),
  };
  const found = await simulate(curve, drawing, own);
  if (!found) return undefined;
  const {figures, complete} = found;
  if (!complete) return drawing.replaceChildren(make('p', {class: 'aside'}, 'The scenario was changed meanwhile.'));
  if (!figures.length) return drawing.replaceChildren(make('h2', {}, `No step of ${control.label} can be run`));
  draw(drawing, figures, addsIntervals(curve, own));
  drawing.focus({preventScroll: true});
  return undefined;
}

/** One step after the other until it is stopped: the curve then ends there. The server keeps the points. */
async function simulate(curve, drawing, own) {
  const all = curve.changes;
  let found = {figures: [], complete: true};
  let stopped = false;
  let stopNow;
  const stopping = new Promise((resolve) => { stopNow = resolve; });  // a step of many hosts takes long
  const words = make('span', {class: 'aside', role: 'status'});
  const stop = make('button', {type: 'button', id: 'curve-stop', onclick: () => { stopped = true; stopNow(null); }}, 'Stop');
  drawing.replaceChildren(make('p', {class: 'choice'}, words, stop));
  for (let count = 1; count <= all.length && !stopped; ++count) {
    setText(words, `Simulating ${curve.label}: step ${count} of ${all.length} \u2026`);
    curve.changes = all.slice(0, count);
    const next = await Promise.race([post('curve', curve), stopping]);
    if (own !== latest) return null;
    curve.changes = all.slice(0, next ? count : count - 1);
    if (!next) break;
    found = next;
    if (!found.complete) break;
  }
  return found;
}

/** The choice of the figure, the button of the intervals, and the chart. */
function draw(drawing, first, intervals) {
  let figures = first;
  const picture = make('div');
  const select = make('select', {id: 'curve-figure'}, ...figures.map(({name, label}) => make('option', {value: name}, label)));
  select.value = figures.some(({name}) => name === chosen) ? chosen : figures[0].name;
  const redraw = () => show(picture, figures.find(({name}) => name === select.value)?.html ?? '');
  select.onchange = () => {
    chosen = select.value;
    redraw();
  };
  const button = intervals((more) => {
    figures = more;
    redraw();
  });
  redraw();
  keepFocus(drawing, () => drawing.replaceChildren(
    make('p', {class: 'choice'}, make('label', {class: 'inline'}, 'Figure ', select), button), picture));
}

/** A button that adds intervals to one step after the other, and stops. */
function addsIntervals(curve, own) {
  return (update) => {
    const most = curve.changes.length;
    let run = 0;  // number of clicks: a run ends with the next one
    let runs = false;
    const button = make('button', {type: 'button', id: 'curve-intervals'}, 'With intervals');
    button.onclick = async () => {
      const mine = ++run;
      runs = !runs;
      for (let count = 1; runs && count <= most; ++count) {
        setText(button, `Stop: ${count} of ${most} intervals`);
        const {figures, complete} = await post('curve', {...curve, intervals: count});
        if (mine !== run) return;
        if (own !== latest || !complete) break;
        update(figures);
      }
      runs = false;
      setText(button, 'With intervals');
    };
    return button;
  };
}
