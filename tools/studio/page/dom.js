// Builds and updates parts of the page; unchanged parts are kept.

export const byId = (id) => document.getElementById(id);

/** An element with these attributes and children; handlers are functions: {onclick}. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element[name] = value;
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child != null));
  return element;
}

/** An SVG element. */
export function drawn(tag, attributes, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

const FOCUSABLE = 'a[href],button,select,input,summary,[tabindex]';

/** Replaces content of an element; if the focus was in it, it goes to the part in its place. */
export function keepFocus(element, replace) {
  const parts = () => [...element.querySelectorAll(FOCUSABLE)].filter((part) => part.getClientRects().length);
  const focused = document.activeElement;
  const at = focused === element ? -1 : parts().indexOf(focused);
  const of = focused?.dataset.of;
  replace();
  if (at < 0 || focused.isConnected) return;
  const now = parts();
  const same = (part) => (focused.id && part.id === focused.id) || (of && part.dataset.of === of);
  const next = now.find(same) ?? now[Math.min(at, now.length - 1)] ?? element.closest('[tabindex]') ?? byId('headline');
  next.focus({preventScroll: true});
}

/** One stop of the Tab key for many parts, between which arrow keys move; returns what makes one the stop. */
export function roving(parts) {
  const all = [...parts];
  const choose = (part) => all.forEach((each) => each.setAttribute('tabindex', each === part ? '0' : '-1'));
  for (const part of all) {
    part.addEventListener('focus', () => choose(part));
    part.addEventListener('keydown', (event) => move(all, part, event));
  }
  if (all.length) choose(all[0]);
  return choose;
}

const STEPS = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1};

function move(all, part, event) {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (part.tagName === 'SELECT' && !['ArrowLeft', 'ArrowRight'].includes(event.key)) return;
  const usable = all.filter((each) => !each.disabled && each.getClientRects().length);
  const at = usable.indexOf(part);
  const to = {Home: 0, End: usable.length - 1}[event.key] ?? (event.key in STEPS ? at + STEPS[event.key] : NaN);
  const next = usable[to];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

const shownHtml = new WeakMap();

/** Shows HTML of the server in an element if it has changed; opened parts stay open. */
export function show(element, html) {
  if (shownHtml.get(element) === html) return false;
  const open = [...element.querySelectorAll('details')].map((details) => details.open);
  keepFocus(element, () => {
    element.innerHTML = html;
    element.querySelectorAll('details').forEach((details, n) => { details.open = open[n] ?? false; });
  });
  shownHtml.set(element, html);
  return true;
}

/** Sets the choices of a select: [value, label, reason if disabled]; unchanged ones are kept. */
export function setChoices(select, choices, chosen) {
  const key = JSON.stringify(choices);
  if (select.dataset.key !== key) {
    select.dataset.key = key;
    select.replaceChildren(...choices.map(([value, label]) => make('option', {value}, label)));
  }
  select.value = chosen;
}

export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
