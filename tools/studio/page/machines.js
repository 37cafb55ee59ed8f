// The drawing of the hosts: every part can be selected by pointer and keyboard.

import {get, query} from './api.js';
import {byId, drawn, make, roving} from './dom.js';

const MANY = 200;  // buttons that are shown at a time
const REST = 300;  // milliseconds
let chosen = '';

export function showDrawing(studio) {
  const root = byId('drawing');
  for (const svg of root.querySelectorAll('figure > svg')) {
    svg.setAttribute('role', 'group');
    svg.setAttribute('aria-label', svg.querySelector('title')?.textContent ?? '');
    svg.querySelector('title')?.remove();
    roving(svg.querySelectorAll('rect[data-of]'));
    for (const part of svg.querySelectorAll('rect[data-of]')) {
      part.setAttribute('role', 'button');
      part.setAttribute('aria-label', [part.dataset.of, part.querySelector('title')?.textContent]
        .filter(Boolean).join(', '));
    }
  }
  root.onclick = (event) => {
    const part = event.target.closest('[data-of]');
    if (part) studio.choose(part.dataset.of);
  };
  root.onkeydown = (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    const part = event.target.closest('[data-of]');
    if (!part) return;
    event.preventDefault();
    studio.choose(part.dataset.of);
  };
  mark();
}

/** The folded kinds of hosts; an opened one is drawn first. */
export function showFolded(studio) {
  const box = byId('folded');
  const folded = studio.state.answer?.folded ?? [];
  const key = JSON.stringify(folded);
  box.hidden = folded.length === 0;
  if (box.dataset.key === key) return;
  box.dataset.key = key;
  box.replaceChildren(make('p', {class: 'aside'}, `${folded.length} more kinds of hosts are folded away. Open one to draw it first:`),
    ...buttons(folded, ({host, count}) => make('button', {type: 'button', class: 'one',
      onclick: () => studio.setScope({focus: host})}, count > 1 ? `${host} and ${count - 1} like it` : host)));
}

function mark() {
  for (const part of byId('drawing').querySelectorAll('rect[data-of]')) {
    part.classList.toggle('chosen', part.dataset.of === chosen);
  }
}

export async function showThing(studio, name) {
  const thing = await get('thing' + query({name}));
  chosen = name;
  mark();
  const box = byId('thing');
  box.hidden = false;
  fill(box, studio, thing);
  box.focus({preventScroll: true});
  box.scrollIntoView({block: 'nearest'});
}

let refreshes = 0;

/** Updates the selected part after a change, once there are no changes for a while. */
export function refreshThing(studio) {
  clearTimeout(refreshes);
  refreshes = setTimeout(async () => {
    const box = byId('thing');
    if (box.hidden || box.querySelector(':focus') || studio.flying > 0) return;
    const thing = await get('thing' + query({name: chosen})).catch(() => null);
    if (thing) fill(box, studio, thing);
    else box.hidden = true;
  }, REST);
}

function fill(box, studio, thing) {
  box.replaceChildren(
    make('h3', {}, [thing.name, thing.kind, thing.model].filter(Boolean).join(', ')),
    ...holders(thing), ...moves(studio, thing), links(thing), ...alike(studio, thing), ...actions(studio, thing), catalogue(thing));
}

function holders(thing) {
  if (!thing.holders?.length) return [];
  return [make('p', {}, `Held by ${thing.holders.join(', ')}.`)];
}

/** Moves a GPU to another VM of its host, like dragging it on the placement board. */
function moves(studio, thing) {
  if (!thing.moves?.length) return [];
  const words = ({from, to}) => from ? `from ${from} to ${to}` : `to ${to}`;
  const select = make('select', {},
    make('option', {value: ''}, 'stays where it is'),
    ...thing.moves.map((move, n) => make('option', {value: n}, words(move))));
  select.onchange = async () => {
    if (select.value === '') return;
    await studio.move({gpu: thing.name, ...thing.moves[Number(select.value)]});
    await showThing(studio, thing.name);
  };
  return [make('p', {}, make('label', {class: 'inline'}, 'This GPU ', select))];
}

function links(thing) {
  if (!thing.links?.length) return null;
  const head = ['link', 'kind', 'rate', 'carried', 'used', 'over an iteration'];
  const row = (cells, tag) => make('tr', {}, ...cells.map((cell) => make(tag, {}, cell)));
  return make('div', {class: 'scrolls', tabindex: 0, role: 'region', 'aria-label': 'links'}, make('table', {},
    make('thead', {}, row(head, 'th')),
    make('tbody', {}, ...thing.links.map((link) => row([link.to, link.kind, link.rate, link.carried, link.used,
      loadCurve(link)], 'td')))));
}

/** The load of a link over an iteration, from 0 to 100 %. */
function loadCurve({over_time: loads}) {
  if (!loads.length) return '';
  const [width, height] = [144, 24];
  const x = (n) => (n * width / loads.length).toFixed(1);
  const y = (load) => (height - load * height).toFixed(1);
  const path = `M0 ${height}` + loads.map((load, n) => `V${y(load)}H${x(n + 1)}`).join('') + `V${height}Z`;
  const most = Math.max(...loads);
  const busy = loads.filter((load) => load >= 0.8).length / loads.length;
  return drawn('svg', {class: 'load', viewBox: `0 0 ${width} ${height}`, role: 'img',
    'aria-label': `at most ${(most * 100).toFixed(0)} %, 80 % and more for ${(busy * 100).toFixed(0)} % of the iteration`},
    drawn('rect', {class: 'frame', width, height}), drawn('path', {d: path}));
}

/** The hosts represented by one, unfolded: each can be changed alone. */
function alike(studio, thing) {
  if (!thing.alike || thing.alike.length < 2) return [];
  return [make('p', {}, `${thing.alike.length} hosts do the same. Choose one to change it alone:`),
    ...buttons(thing.alike, ({host, vms}) => make('button', {
      type: 'button', class: 'one', title: vms.length ? `VM ${vms.join(', ')}` : '',
      onclick: () => studio.setScope({host, vm: vms.length === 1 ? vms[0] : ''}),
    }, host))];
}

/** A list of buttons, MANY at a time. */
function buttons(all, button) {
  const list = make('div', {class: 'alike'});
  const more = make('button', {type: 'button'});
  const add = () => {
    const from = list.childElementCount;
    list.append(...all.slice(from, from + MANY).map(button));
    const left = all.length - list.childElementCount;
    more.hidden = left === 0;
    more.textContent = `${left} more`;
  };
  more.onclick = add;
  add();
  return [list, more];
}

function actions(studio, thing) {
  return [make('p', {}, make('button', {type: 'button',
    onclick: () => studio.setScope({host: thing.host, focus: thing.host})}, `Change ${thing.host} alone`))];
}

function catalogue(thing) {
  if (!thing.catalogue) return null;
  return make('details', {open: true}, make('summary', {}, `Data of ${thing.model}, with sources`),
    make('pre', {}, thing.catalogue));
}
