// Pinned scenarios, which the answer is compared with: each has a letter, and a button that removes
// it.

import {byId, keepFocus, make, setChoices, setText} from './dom.js';

const letter = (n) => String.fromCharCode('A'.charCodeAt(0) + n);

export function listenPins(studio) {
  byId('pin').onclick = () => studio.ask('pin');
  byId('against').onchange = async (event) => {
    const layout = event.target.value;
    event.target.value = '';
    if (layout) await studio.ask('pin', {layout});
  };
}

export function showPins(studio) {
  const {pinned, most_pinned: most, layouts} = studio.state;
  setText(byId('pin'), pinned.length < most ? `Pin as ${letter(pinned.length)}` : 'Pin');
  byId('pin').disabled = pinned.length >= most;
  byId('against').disabled = pinned.length >= most;
  setChoices(byId('against'), [['', pinned.length ? 'one more layout' : 'a layout'], ...layouts.map((name) => [name, name])], '');
  const box = byId('pins');
  const key = JSON.stringify(pinned);
  if (box.dataset.key === key) return;
  box.dataset.key = key;
  keepFocus(box, () => box.replaceChildren(...pinned.map((name, n) => make('li', {},
    make('span', {class: 'pin', title: name}, `${letter(n)}: ${name}`),
    make('button', {type: 'button', 'aria-label': `Remove ${letter(n)}: ${name}`,
      onclick: () => studio.ask('pin', {off: n})}, '\u00d7')))));
}
