// What would help: changes that were simulated, each a click away, and what is worth measuring.

import {post} from './api.js';
import {byId, make} from './dom.js';

const MOST = 8;

export function showHelps(studio) {
  const root = byId('helps');
  const {helps, answer} = studio.state;
  const {helps_later: later} = studio.state;
  const key = JSON.stringify([helps, answer?.now?.refused, later]);
  if (root.dataset.key === key) return;
  root.dataset.key = key;
  // What helped before stays until it is known anew, so that nothing jumps.
  const waits = !helps && !later && !answer?.now?.refused && root.childElementCount > 1;
  root.classList.toggle('old', waits);
  root.querySelectorAll('.apply').forEach((button) => { button.disabled = waits; });
  if (waits) return;
  if (!helps) {
    const words = answer?.now?.refused ? 'Nothing runs, so nothing makes it faster.'
      : 'Changes are being simulated one by one \u2026';
    root.replaceChildren(make('h2', {}, later ? 'Looking for it takes a while' : words));
    if (later) root.append(lookForIt(studio));
    return;
  }
  const saving = helps.changes.filter((change) => change.saves && !change.assumption);
  const helping = saving.filter((change) => !change.alters_training);
  const altering = saving.filter((change) => change.alters_training);
  const refused = helps.changes.filter((change) => change.refused);
  root.replaceChildren(make('h2', {}, helps.best ?? 'No single change makes it faster'),
                       list(studio, helping.slice(0, MOST)), ...others(studio, helping.slice(MOST)),
                       ...alsoAlter(studio, altering), ...notPossible(refused), ...measure(helps.measure));
}

function lookForIt(studio) {
  return make('button', {type: 'button', onclick: async () => {
    await post('help');
    await studio.setScope({});
  }}, 'Simulate what would help');
}

function list(studio, changes) {
  return make('ul', {class: 'helps'}, ...changes.map((change) => make('li', {},
    make('span', {class: 'gain'}, change.saves),
    make('span', {class: 'words'}, change.title,
         change.needs.length ? make('span', {class: 'aside'}, ` needs ${change.needs.join('; ')}`) : ''),
    make('button', {type: 'button', class: 'apply', 'aria-label': `Apply ${change.title}`,
      onclick: () => studio.ask('apply', {}, {index: String(change.index)})}, 'Apply'))));
}

function others(studio, changes) {
  if (!changes.length) return [];
  return [make('details', {}, make('summary', {}, `${changes.length} more that help`), list(studio, changes))];
}

function alsoAlter(studio, changes) {
  if (!changes.length) return [];
  return [make('h3', {}, 'Also changes the training'), list(studio, changes.slice(0, MOST)),
          ...others(studio, changes.slice(MOST))];
}

function notPossible(refused) {
  if (!refused.length) return [];
  return [make('details', {}, make('summary', {}, `${refused.length} that cannot be made`),
    make('ul', {class: 'helps'}, ...refused.map((change) => make('li', {},
      make('span', {class: 'words'}, change.title, ' ', make('span', {class: 'rule'}, change.refused))))))];
}

function measure(worth) {
  if (!worth.length) return [];
  return [make('h3', {}, 'What should I measure?'),
    make('ul', {class: 'plain'}, ...worth.map((each) => make('li', {},
      `${each.what}: interval ${each.narrows} narrower`, each.command ? ` (${each.command})` : '')))];
}
