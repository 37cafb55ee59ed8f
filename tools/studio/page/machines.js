// The drawing of the hosts: every part can be chosen, by pointer and by keyboard.

import {get, query} from './api.js';
import {byId, make} from './dom.js';

const MANY = 200;  // hosts that are shown at a time
let chosen = '';

export function showDrawing(studio) {
  const root = byId('drawing');
  for (const svg of root.querySelectorAll('figure > svg')) {
    svg.setAttribute('role', 'group');
    svg.setAttribute('aria-label', svg.querySelector('title')?.textContent ?? '');
    svg.querySelector('title')?.remove();
    for (const part of svg.querySelectorAll('rect[data-of]')) {
      part.setAttribute('tabindex', '0');
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
  box.replaceChildren(
    make('h3', {}, [thing.name, thing.kind, thing.model].filter(Boolean).join(', ')),
    ...holders(thing), links(thing), ...alike(studio, thing), ...actions(studio, thing), catalogue(thing));
  box.focus({preventScroll: true});
  box.scrollIntoView({block: 'nearest'});
}

function holders(thing) {
  if (!thing.holders?.length) return [];
  return [make('p', {}, `Held by ${thing.holders.join(', ')}.`)];
}

function links(thing) {
  if (!thing.links?.length) return null;
  const head = ['link', 'kind', 'rate', 'carried', 'used'];
  const row = (cells, tag) => make('tr', {}, ...cells.map((text) => make(tag, {}, text)));
  return make('div', {class: 'scrolls', tabindex: 0, role: 'region', 'aria-label': 'links'}, make('table', {},
    make('thead', {}, row(head, 'th')),
    make('tbody', {}, ...thing.links.map((link) => row([link.to, link.kind, link.rate, link.carried, link.used], 'td')))));
}

/** The hosts that are folded into one, opened: each can be changed alone. */
function alike(studio, thing) {
  if (!thing.alike || thing.alike.length < 2) return [];
  const list = make('div', {class: 'alike'});
  const more = make('button', {type: 'button'});
  const add = () => {
    const from = list.querySelectorAll('.one').length;
    list.append(...thing.alike.slice(from, from + MANY).map(({host, vms}) => make('button', {
      type: 'button', class: 'one', title: vms.length ? `VM ${vms.join(', ')}` : '',
      onclick: () => studio.setScope({host, vm: vms.length === 1 ? vms[0] : ''}),
    }, host)));
    const left = thing.alike.length - list.querySelectorAll('.one').length;
    more.hidden = left === 0;
    more.textContent = `${left} more`;
  };
  more.onclick = add;
  add();
  return [make('p', {}, `${thing.alike.length} hosts do the same. Choose one to change it alone:`), list, more];
}

function actions(studio, thing) {
  return [make('p', {}, make('button', {type: 'button',
    onclick: () => studio.setScope({host: thing.host, focus: thing.host})}, `Change ${thing.host} alone`))];
}

function catalogue(thing) {
  if (!thing.catalogue) return null;
  return make('details', {open: true}, make('summary', {}, `What is known of ${thing.model}, and from where`),
    make('pre', {}, thing.catalogue));
}
