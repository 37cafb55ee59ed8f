// Advice: results of `vgsim advise` over steps and choices of the panel, and their Pareto chart.
// Opening a choice is one step.

import {get, post} from './api.js';
import {byId, keepFocus, make, roving, setChoices, setText, show} from './dom.js';

const USUALLY = ['hosts', '/hosts/*/nics/*/nic', '/fabric/host_link', '/job/batch_per_gpu'];
const MOST = 8;  // that the server varies at once

const varied = new Set(USUALLY);

export function listenAdvice(studio) {
  byId('advise').onsubmit = (event) => { event.preventDefault(); search(studio); };
  const drawing = byId('advice-drawing');
  const open = (event) => {
    const point = event.target.closest('[data-of]');
    if (point && !byId('advice-drawing').classList.contains('old')) openChoice(studio, point.dataset.of);
  };
  drawing.onclick = open;
  drawing.onkeydown = (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    open(event);
  };
}

export function showAdvice(studio) {
  showTicks(studio);
  const {advice} = studio.state;
  if (advice?.runs) return follow(studio);
  const drawing = byId('advice-drawing');
  const list = byId('advice-choices');
  const old = Boolean(advice) && !advice.holds && advice.choices.length > 0;
  drawing.classList.toggle('old', old);
  if (!advice) {
    if (byId('advice-status').textContent.startsWith('Searching')) setText(byId('advice-status'), 'The scenario was changed meanwhile.');
    show(drawing, '');
    list.replaceChildren();
    list.dataset.key = '';
    return;
  }
  setText(byId('advice-status'), old ? 'The scenario was changed since: search again to open one of these.' : '');
  setText(byId('advice-heading'), heading(advice));
  keepFocus(drawing, () => { if (show(drawing, advice.html)) label(drawing); });
  const key = JSON.stringify([advice.choices, old]);
  if (list.dataset.key === key) return;
  list.dataset.key = key;
  keepFocus(list, () => list.replaceChildren(...advice.choices.map((choice, n) => make('li', {},
    make('span', {class: 'gain'}, `${n + 1}`),
    make('span', {class: 'words'}, choice.title,
         make('span', {class: 'aside'}, ' ' + advice.figures.map((what, f) => `${what} ${choice.figures[f]}`).join(', '))),
    make('button', {type: 'button', class: 'open', disabled: old, 'aria-label': `Open choice ${n + 1}: ${choice.title}`,
      onclick: () => openChoice(studio, n)}, 'Open')))));
}

function heading({choices, figures}) {
  if (!choices.length) return 'No combination ran';
  const best = choices[0];
  if (choices.length === 1) return `One choice is best in both: ${figures[0]} ${best.figures[0]}`;
  const last = choices[choices.length - 1];
  return `${choices.length} Pareto-optimal choices: from ${figures[0]} ${best.figures[0]} with ` +
         `${figures[1]} ${best.figures[1]} to ${last.figures[0]} with ${last.figures[1]}`;
}

function label(drawing) {
  for (const svg of drawing.querySelectorAll('figure > svg')) {
    svg.setAttribute('role', 'group');
    svg.setAttribute('aria-label', svg.querySelector('title')?.textContent ?? '');
    svg.querySelector('title')?.remove();
    roving(svg.querySelectorAll('[data-of]'));
    for (const point of svg.querySelectorAll('[data-of]')) {
      point.setAttribute('role', 'button');
      point.setAttribute('aria-label', `Open choice ${point.querySelector('title').textContent}`);
    }
  }
}

/** Choices of what to vary: the controls of the panel. */
function showTicks(studio) {
  const {answer} = studio.state;
  const controls = studio.state.controls.filter((control) => !control.typed);
  const box = byId('advice-vary').querySelector('.ticks');
  const key = [Boolean(answer?.now.refused), ...controls.map((control) => control.id)].join();
  if (box.dataset.key === key) return;
  box.dataset.key = key;
  const words = () => {
    const labels = controls.filter((control) => varied.has(control.id)).map((control) => control.label);
    setText(byId('advice-vary').querySelector('summary'), `Vary: ${labels.join(', ') || 'none'}`);
    const full = labels.length >= MOST;
    box.querySelectorAll('input').forEach((tick) => { tick.disabled = full && !tick.checked; });
  };
  box.replaceChildren(...controls.map((control) => make('label', {title: control.about}, make('input', {
    type: 'checkbox', value: control.id, checked: varied.has(control.id),
    onchange: (event) => {
      if (event.target.checked) varied.add(control.id);
      else varied.delete(control.id);
      words();
    }}), ' ', control.label)));
  words();
  showFigures();
}

/** Choices of two figures of the answer; the selection is kept if possible. */
async function showFigures() {
  const figures = await get('figures');
  const names = figures.map(({name}) => name);
  const first = byId('advice-first');
  const second = byId('advice-second');
  const list = figures.map(({name, label}) => [name, label]);
  const pick = (select, ...wanted) => [select.value, ...wanted, names[0]].find((name) => names.includes(name)) ?? '';
  setChoices(first, list, pick(first, 'epoch_time_s', 'iteration_time_s'));
  setChoices(second, list, pick(second, 'cost_epoch', 'hosts', names[1]));
}

async function search(studio) {
  const vary = studio.state.controls.map((control) => control.id).filter((id) => varied.has(id));
  try {
    await post('advise', {figures: [byId('advice-first').value, byId('advice-second').value], vary});
    studio.state.advice = {runs: true};
    follow(studio);
  } catch (error) {
    setText(byId('advice-status'), `That cannot be searched for: ${error.message}.`);
  }
}

let follows = false;

/** Shows the progress of a search until its answer or a change arrives. */
async function follow(studio) {
  byId('advice-drawing').classList.add('old');
  if (follows) return;
  follows = true;
  while (studio.state.advice?.runs) {
    const {searched, to_search: most} = await get('progress');
    if (studio.state.advice?.runs) setText(byId('advice-status'), `Searching: ${searched} of ${most} combinations`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  follows = false;
}

function openChoice(studio, index) {
  return studio.ask('advised', {}, {index: String(index)});
}
