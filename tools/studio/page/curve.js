// A curve over a slider: the steps of the slider, each simulated, for a figure of choice. Intervals
// are added on request, step by step, until they are stopped or the scenario is changed.

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
  drawing.append(make('p', {class: 'aside', role: 'status'}, `Simulating ${control.label} \u2026`));
  section.scrollIntoView({block: 'nearest'});
  const curve = {
    label: control.label,
    now: control.value,
    changes: spread(control.steps).map((step) => ({...stepChange(control, step), title: String(control.steps[step])})),
  };
  const {figures, complete} = await post('curve', curve);
  if (own !== latest) return;
  if (!complete) return drawing.replaceChildren(make('p', {class: 'aside'}, 'The scenario was changed meanwhile.'));
  if (!figures.length) return drawing.replaceChildren(make('h2', {}, `No step of ${control.label} can be run`));
  draw(drawing, figures, addsIntervals(curve, own));
  drawing.focus({preventScroll: true});
  return undefined;
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
    let runs = false;
    const button = make('button', {type: 'button', id: 'curve-intervals'}, 'With intervals');
    button.onclick = async () => {
      runs = !runs;
      for (let count = 1; runs && count <= most && own === latest; ++count) {
        setText(button, `Stop: ${count} of ${most} intervals`);
        const {figures, complete} = await post('curve', {...curve, intervals: count});
        if (own !== latest || !complete) break;
        update(figures);
      }
      runs = false;
      setText(button, 'With intervals');
    };
    return button;
  };
}
