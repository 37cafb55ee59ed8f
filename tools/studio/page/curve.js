// A curve over a slider: the steps of the slider, each simulated, for a figure of choice.

import {post} from './api.js';
import {byId, make, show} from './dom.js';
import {stepChange} from './controls.js';

const POINTS = 20;

let chosen = '';  // the figure, for the next curve as well

/** Twenty of the steps, evenly distributed, including the first and the last. */
function spread(steps) {
  if (steps.length <= POINTS) return steps.map((_, n) => n);
  return Array.from({length: POINTS}, (_, n) => Math.round(n * (steps.length - 1) / (POINTS - 1)));
}

export async function showCurve(studio, control) {
  const section = byId('curve');
  const drawing = byId('curve-drawing');
  section.hidden = false;
  show(drawing, '');
  drawing.append(make('p', {class: 'aside', role: 'status'}, `Simulating ${control.label} \u2026`));
  section.scrollIntoView({block: 'nearest'});
  const {figures, complete} = await post('curve', {
    label: control.label,
    now: control.value,
    changes: spread(control.steps).map((step) => ({...stepChange(control, step), title: String(control.steps[step])})),
  });
  if (!complete) return drawing.replaceChildren(make('p', {class: 'aside'}, 'The scenario was changed meanwhile.'));
  if (!figures.length) return drawing.replaceChildren(make('h2', {}, `No step of ${control.label} can be run`));
  const picture = make('div');
  const select = make('select', {id: 'curve-figure'}, ...figures.map(({name, label}) => make('option', {value: name}, label)));
  select.value = figures.some(({name}) => name === chosen) ? chosen : figures[0].name;
  select.onchange = () => {
    chosen = select.value;
    show(picture, figures.find(({name}) => name === select.value).html);
  };
  show(picture, figures.find(({name}) => name === select.value).html);
  drawing.replaceChildren(make('p', {}, make('label', {class: 'inline'}, 'Figure ', select)), picture);
  drawing.focus({preventScroll: true});
  return undefined;
}
