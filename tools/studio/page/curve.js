// A curve over a slider: the steps of the slider, each simulated.

import {post} from './api.js';
import {byId, make, show} from './dom.js';
import {stepChange} from './controls.js';

const POINTS = 20;

/** Twenty of the steps, evenly distributed, including the first and the last. */
function spread(steps) {
  if (steps.length <= POINTS) return steps.map((_, n) => n);
  return Array.from({length: POINTS}, (_, n) => Math.round(n * (steps.length - 1) / (POINTS - 1)));
}

export async function showCurve(studio, control) {
  const section = byId('curve');
  const drawing = byId('curve-drawing');
  section.hidden = false;
  drawing.replaceChildren(make('p', {class: 'aside', role: 'status'}, `Simulating ${control.label} \u2026`));
  section.scrollIntoView({block: 'nearest'});
  const steps = spread(control.steps);
  const {html, complete} = await post('curve', {
    label: control.label,
    now: control.value,
    changes: steps.map((step) => ({...stepChange(control, step), title: String(control.steps[step])})),
  });
  show(drawing, complete ? html : '<p class="aside">The scenario was changed meanwhile.</p>');
  drawing.focus({preventScroll: true});
}
