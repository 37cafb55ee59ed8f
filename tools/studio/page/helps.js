// Improvements: simulated changes, each applied by a click, and what to measure next.

import {post} from './api.js';
import {byId, keepFocus, make} from './dom.js';

const MOST = 8;

export function showHelps(studio) {
  const root = byId('helps');
  const {helps, answer} = studio.state;
  const {helps_later: later} = studio.state;
  const key = JSON.stringify([helps, answer?.now?.refused, later]);
  if (root.dataset.key === key) return;
  root.dataset.key = key;
  // The previous improvements stay until there are new ones, so that the page does not jump.
  const waits = !helps && !later && !answer?.now?.refused && root.childElementCount > 1;
  root.classList.toggle('old', waits);
  root.querySelectorAll('.apply').forEach((button) => { button.disabled = waits; });
  if (waits) return;
  if (!helps) {
    const words = answer?.now?.refused ? 'Nothing runs, so there are no improvements.'
      : 'Changes are being simulated one by one \u2026';
    root.replaceChildren(make('h2', {}, later ? 'The search takes a while' : words));
    if (later) root.append(lookForIt(studio));
    return;
  }
  const saving = helps.changes.filter((change) => change.saves && !change.assumption);
  const helping = saving.filter((change) => !change.changes_training);
  const training = saving.filter((change) => change.changes_training);
  const refused = helps.changes.filter((change) => change.refused);
  keepFocus(root, () => root.replaceChildren(
    make('h2', {}, helps.best ?? 'No single change reduces the time'),
    list(studio, helping.slice(0, MOST)), ...others(studio, helping.slice(MOST)),
    ...alsoChangeTraining(studio, training), ...assumed(helps.assumed), ...notPossible(refused),
    ...measure(helps.measure)));
}

function lookForIt(studio) {
  return make('button', {type: 'button', onclick: async () => {
    await post('help');
    await studio.setScope({});
  }}, 'Look for improvements');
}

function list(studio, changes) {
  return make('ul', {class: 'helps'}, ...changes.map((change) => make('li', {},
    make('span', {class: 'gain'}, change.saves),
    make('span', {class: 'words'}, change.title,
         change.needs.length ? make('span', {class: 'aside'}, ` needs ${change.needs.join('; ')}`) : ''),
    make('button', {type: 'button', class: 'apply', 'aria-label': `Apply ${change.title}`,
      onclick: async () => {
        await studio.ask('apply', {}, {index: String(change.index)});
        byId('verdict').focus({preventScroll: true});
      }}, 'Apply'))));
}

function others(studio, changes) {
  if (!changes.length) return [];
  return [make('details', {}, make('summary', {}, `${changes.length} more improvements`), list(studio, changes))];
}

function alsoChangeTraining(studio, changes) {
  if (!changes.length) return [];
  return [make('h3', {}, 'Also changes the training'), list(studio, changes.slice(0, MOST)),
          ...others(studio, changes.slice(MOST))];
}

function assumed(all) {
  if (!all.length) return [];
  return [make('h3', {}, 'Assumptions, and the time if they do not hold'),
    make('ul', {class: 'helps'}, ...all.map(({title, price}) => make('li', {},
      make('span', {class: 'gain'}, price), make('span', {class: 'words'}, title))))];
}

function notPossible(refused) {
  if (!refused.length) return [];
  return [make('details', {}, make('summary', {}, `${refused.length} refused changes`),
    make('ul', {class: 'helps'}, ...refused.map((change) => make('li', {},
      make('span', {class: 'words'}, change.title, ' ', make('span', {class: 'rule'}, change.refused))))))];
}

function measure(worth) {
  if (!worth.length) return [];
  return [make('h3', {}, 'Measure next'),
    make('ul', {class: 'plain'}, ...worth.map((each) => make('li', {},
      `${each.what}: interval ${each.narrows} narrower`, each.command ? ` (${each.command})` : '')))];
}
