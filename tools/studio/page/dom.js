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

const shownHtml = new WeakMap();

/** Shows HTML of the server in an element if it has changed; opened parts stay open. */
export function show(element, html) {
  if (shownHtml.get(element) === html) return false;
  const open = [...element.querySelectorAll('details')].map((details) => details.open);
  element.innerHTML = html;
  element.querySelectorAll('details').forEach((details, n) => { details.open = open[n] ?? false; });
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
