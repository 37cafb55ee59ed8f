// The page: polls the state, sends changes, shows the answers.

import {get, post, query} from './api.js';
import {byId, make, setChoices, setText, show} from './dom.js';
import {showControls} from './controls.js';
import {refreshThing, showDrawing, showFolded, showThing} from './machines.js';
import {showHelps} from './helps.js';
import {showCurve} from './curve.js';
import {showBoard} from './board.js';
import {listenAdvice, showAdvice} from './advice.js';
import {readLink, writeLink} from './link.js';

const GREY_AFTER = 150;  // milliseconds: shorter waits do not flicker
const PROGRESS_AFTER = 400;

const studio = {
  state: null,
  scope: {host: '', vm: '', focus: ''},
  asked: 0,      // number of sent changes
  wanted: null,  // the newest change, waiting for the one in progress
  flying: 0,
  change, move, ask, setScope, curve, choose, refused,
};

const place = () => query(studio.scope);

/** Sends a change; of those made while one is in progress only the newest is sent. */
function change(body) {
  return ask('change', body);
}

/** Moves a GPU from one VM to another: {gpu, from, to}. */
function move(body) {
  return ask('move', body);
}

async function ask(path, body = {}, values = {}) {
  const own = ++studio.asked;
  studio.last = path === 'change' || path === 'move' ? {path, body} : null;
  const settle = busy();
  try {
    const state = await post(path + query({...studio.scope, ...values}), body);
    if (state.outcome !== 'overtaken' && own === studio.asked) showState(state);
    return state;
  } catch (error) {
    refused([{rule: '', text: error.message, remedy: '', source: ''}]);
    return null;
  } finally {
    settle();
  }
}

/** Greys the old answer while a new one takes long, and shows its progress. */
function busy() {
  studio.flying += 1;
  const main = byId('answer');
  const grey = setTimeout(() => { main.classList.add('stale'); main.ariaBusy = 'true'; }, GREY_AFTER);
  const progress = setTimeout(showProgress, PROGRESS_AFTER);
  return () => {
    clearTimeout(grey);
    clearTimeout(progress);
    studio.flying -= 1;
    if (studio.flying > 0) return;
    main.classList.remove('stale');
    main.ariaBusy = 'false';
    byId('running').hidden = true;
  };
}

async function showProgress() {
  while (studio.flying > 0) {
    const {events, iterations, iterations_done: done} = await get('progress');
    if (studio.flying === 0) return;
    byId('running').hidden = false;
    setText(byId('running'), `Simulating: iteration ${done + 1} of ${Math.max(iterations, 1)}, ` +
            `${(events / 1e6).toFixed(1)} million events`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

function refused(objections) {
  const box = byId('objection');
  box.hidden = objections.length === 0;
  box.replaceChildren(...objections.map(({rule, text, remedy}) => make('p', {},
      make('strong', {}, rule ? `Refused by ${rule}: ` : 'Not possible: '), text.replace(/\.?$/, '.'),
      remedy ? ` To do: ${remedy}` : '')));
  const byRule = objections.some(({rule}) => rule && !/^E\d/.test(rule));
  if (!byRule || !studio.last) return;
  box.append(make('button', {type: 'button', onclick: () => ask(studio.last.path, {...studio.last.body, all_the_same: true})},
                  'Change anyway'));
}

function showState(state) {
  if (state.outcome === 'refused') refused(state.objections);
  else refused([]);
  studio.state = state;
  setText(byId('name'), state.name);
  document.title = `${state.name} - vgsim studio`;
  byId('undo').disabled = state.done === 0;
  byId('redo').disabled = state.done === state.steps.length;
  setChoices(byId('start'), state.layouts.map((name) => [name, name]), state.start);
  setChoices(byId('against'), [['', 'nothing'], ['\u0001now', 'the present scenario'],
      ...state.layouts.map((name) => [name, name]),
      ...(state.pinned && !state.layouts.includes(state.pinned) ? [[state.pinned, state.pinned]] : [])],
      state.pinned ?? '');
  showControls(studio);
  showAnswer(state.answer);
  showHelps(studio);
  showAdvice(studio);
  showSteps(state);
  if (byId('board-details').open) showBoard(studio);
  document.documentElement.dataset.version = state.version;
  document.documentElement.dataset.full = state.answer?.in_full && (state.helps || state.helps_later) ? 'yes' : 'no';
}

function showAnswer(answer) {
  if (!answer) return;
  setText(byId('subject'), answer.subject);
  show(byId('verdict'), answer.verdict.map((sentence) => `<p>${sentence}</p>`).join(''));
  showFigures(answer);
  if (show(byId('drawing'), answer.machines)) {
    showDrawing(studio);
    refreshThing(studio);
  }
  showFolded(studio);
  const html = new Map(answer.sections.map((section) => [section.id, section.html]));
  for (const id of ['breakdown', 'iteration', 'limits', 'bandwidth', 'memory', 'layouts', 'sensitivity']) {
    const element = byId(id);
    // Parts that take longer keep their old content until there is new one, so that the page
    // does not jump.
    const waits = id === 'sensitivity' && !answer.in_full && !answer.now.refused && !element.hidden;
    element.classList.toggle('old', waits);
    if (waits) continue;
    element.hidden = !html.has(id);
    // The server's section replaces the page's own; ids stay unique.
    show(element, (html.get(id) ?? '').replace(/^<section id="[^"]*">/, '').replace(/<\/section>\s*$/, ''));
  }
  show(byId('knowledge'), answer.knowledge);
}

function showFigures({now, pinned}) {
  const rows = [['iteration', now.iteration, pinned?.iteration], ['epoch', now.epoch, pinned?.epoch],
                ['training', now.training, pinned?.training],
                ['90 % interval of an iteration', now.interval ?? '\u2026', pinned?.interval]];
  const shown = rows.filter(([, value]) => value !== undefined && !now.refused);
  show(byId('figures'), shown.map(([what, value, other]) =>
    `<div><span class="what">${what}</span><span class="number">${value}</span>` +
    (other ? `<span class="what">A: ${other}</span>` : '') + '</div>').join(''));
}

function showSteps(state) {
  const count = state.done;
  setText(byId('steps-heading'), count === 0 ? `No changes of ${state.start} yet`
      : `${count} ${count === 1 ? 'change' : 'changes'} to ${state.start}`);
  byId('step-list').replaceChildren(...state.steps.map((step, n) =>
    make('li', {class: n < count ? null : 'undone'}, step.title, ' ', make('code', {}, step.patch))));
  setText(byId('patch'), state.patch);
}

function setScope(scope) {
  Object.assign(studio.scope, scope);
  return refresh();
}

async function refresh() {
  const own = studio.asked;
  const state = await get('state' + place());
  if (own === studio.asked) showState(state);
}

/** Later answers: intervals, what to measure next, improvements. */
async function follow() {
  for (let after = studio.state.version;;) {
    try {
      const news = await get('news' + query({after: String(after)}));
      if (news.version > studio.state.version && studio.flying === 0) await refresh();
      after = Math.max(studio.state.version, news.version);
    } catch (error) {
      await new Promise((resolve) => setTimeout(resolve, 1000));  // the server may come back
    }
  }
}

function curve(control) {
  return showCurve(studio, control);
}

function choose(name) {
  return showThing(studio, name);
}

function choosePinned(value) {
  if (value === '') return ask('pin', {off: true});
  return ask('pin', value === '\u0001now' ? {} : {layout: value});
}

function readValue(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    return text;
  }
}

async function listen() {
  byId('undo').onclick = () => ask('undo');
  byId('redo').onclick = () => ask('redo');
  byId('pin').onclick = () => ask('pin');
  byId('against').onchange = (event) => choosePinned(event.target.value);
  byId('start').onchange = (event) => ask('start', {layout: event.target.value});
  byId('board-details').ontoggle = () => { if (byId('board-details').open) showBoard(studio); };
  byId('other').onsubmit = (event) => {
    event.preventDefault();
    change({set: [{pointer: byId('pointer').value, value: readValue(byId('value').value), new: true}]});
  };
  byId('save').onsubmit = async (event) => {
    event.preventDefault();
    const name = byId('layout-name').value;
    if (await ask('save', {layout: name})) setText(byId('saved'), `Saved as layout ${name}.`);
  };
  document.addEventListener('keydown', (event) => {
    const typing = event.target.matches('input:not([type=range]), textarea');
    if (!(event.ctrlKey || event.metaKey) || typing) return;
    const key = event.key.toLowerCase();
    if (key === 'z') { event.preventDefault(); ask(event.shiftKey ? 'redo' : 'undo'); }
    if (key === 'y') { event.preventDefault(); ask('redo'); }
  });
  listenAdvice(studio);
  byId('copy-link').onclick = copyLink;
  byId('paste').onsubmit = (event) => { event.preventDefault(); openLink(byId('pasted').value); };
  addEventListener('hashchange', () => { if (location.hash.startsWith('#s=')) openLink(location.hash); });
  if (innerWidth < 900) byId('panel').open = false;
  const places = await get('places');
  byId('places').append(...Object.keys(places).map((value) => make('option', {value})));
  byId('pointer').oninput = (event) => {
    const pattern = event.target.value;
    const known = places[pattern] ?? places[pattern.replace(/^(\/(?:hosts|vms))\/[^/]+/, '$1/*')];
    byId('place-about').hidden = !known;
    setText(byId('place-about'), known ?? '');
  };
}

async function copyLink() {
  const link = await writeLink(await get('export?as=scenario'));
  history.replaceState(null, '', link);
  const copied = await navigator.clipboard?.writeText(link).then(() => true, () => false);
  setText(byId('link-status'), copied ? 'Copied: the link opens in any studio.'
                                      : 'It is in the address, behind the #.');
  byId('pasted').value = link;
}

/** Removes the scenario from the address once it is open, as reloading would undo changes. */
async function openLink(text) {
  try {
    const state = await ask('open', {scenario: await readLink(text)});
    setText(byId('link-status'), state ? 'Opened.' : '');
  } catch (error) {
    refused([{rule: '', text: 'this link is not from a studio', remedy: '', source: ''}]);
  }
  history.replaceState(null, '', location.pathname);
}

async function begin() {
  await refresh();
  listen();
  if (location.hash.startsWith('#s=')) await openLink(location.hash);
  follow();
}

window.studio = studio;
begin();
