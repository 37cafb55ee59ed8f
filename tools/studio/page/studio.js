// The page: polls the state, sends changes, shows the answers.

import {get, post, query} from './api.js';
import {listenCharts, savePicture} from './charts.js';
import {byId, keepFocus, make, roving, setChoices, setText, show} from './dom.js';
import {leave, listenFirst, noteLists, showFirst} from './first.js';
import {follow, listenSession, lose, notice, showSaved} from './session.js';
import {listenStatus, showStatus} from './status.js';
import {listenPins, showPins} from './pins.js';
import {showControls} from './controls.js';
import {refreshThing, showDrawing, showFolded, showThing} from './machines.js';
import {showHelps} from './helps.js';
import {showCurve} from './curve.js';
import {showTimelines} from './timeline.js';
import {showBoard} from './board.js';
import {listenAdvice, showAdvice} from './advice.js';
import {readLink, writeLink} from './link.js';
import {place} from './reach.js';

const GREY_AFTER = 150;  // milliseconds: shorter waits do not flicker
const PROGRESS_AFTER = 400;

const studio = {
  state: null,
  scope: {host: '', vm: '', focus: ''},
  asked: 0,      // number of sent changes
  wanted: null,  // the newest change, waiting for the one in progress
  flying: 0,
  lost: false,   // the server does not answer
  change, move, ask, setScope, curve, choose, refused, refresh, accept, notes,
  first: () => showFirst(studio),
};

const scope = () => query(studio.scope);

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
    if (state.outcome !== 'overtaken' && own === studio.asked) accept(state);
    return state;
  } catch (error) {
    if (error.unreachable || error.status === 403) lose(studio, error);
    else refused([{rule: '', text: error.message, remedy: '', source: ''}]);
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
  if (!objections.length) return;
  const buttons = make('p', {class: 'answers'});
  const byRule = objections.some(({rule}) => rule && !/^E\d/.test(rule));
  if (byRule && studio.last) {
    buttons.append(make('button', {type: 'button',
      onclick: () => ask(studio.last.path, {...studio.last.body, all_the_same: true})}, 'Change anyway'));
  }
  buttons.append(make('button', {type: 'button', onclick: () => { refused([]); focusAnswer(); }}, 'Close'));
  box.append(buttons);
}

const focusAnswer = () => byId('verdict').focus({preventScroll: true});

const tools = () => document.querySelectorAll('.tools > button, .tools > a, .tools > label > select, .tools > details > summary');
let chooseTool = null;

/** A button that is disabled neither keeps the focus nor is the toolbar's stop of the Tab key. */
function keepToolUsable() {
  const stop = [...tools()].find((tool) => tool.disabled && tool.tabIndex === 0);
  if (!stop || !chooseTool) return;
  chooseTool(byId('home'));
  if (document.activeElement === stop || document.activeElement === document.body) byId('home').focus();
}

/** Shows the answer to a change: a refusal stays until the next one, or until it is closed. */
function accept(state) {
  if (state.outcome === 'refused') refused(state.objections);
  else refused([]);
  showState(state);
}

function showState(state) {
  studio.state = state;
  setText(byId('name'), state.name);
  document.title = `${state.name} - vgsim studio`;
  for (const [id, words] of [['undo', state.undo], ['redo', state.redo]]) {
    byId(id).disabled = !words;
    byId(id).title = words ?? '';
  }
  keepToolUsable();
  setChoices(byId('start'), state.layouts.map((name) => [name, name]), state.start);
  showPins(studio);
  showControls(studio);
  showAnswer(state.answer);
  showStatus(studio);
  showSaved(studio);
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
  byId('lift').hidden = !answer.lift;
  setText(byId('lift'), answer.lift ? `Use ${answer.lift}` : '');
  keepFocus(byId('drawing'), () => {
    if (!show(byId('drawing'), answer.machines)) return;
    showDrawing(studio);
    refreshThing(studio);
  });
  showFolded(studio);
  const html = new Map(answer.sections.map((section) => [section.id, section.html]));
  for (const id of ['comparison', 'breakdown', 'iteration', 'limits', 'bandwidth', 'memory', 'layouts', 'sensitivity']) {
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
  showTimelines();
  show(byId('knowledge'), answer.knowledge);
}

function showSteps(state) {
  const count = state.done;
  setText(byId('steps-heading'), count === 0 ? `No changes of ${state.start} yet`
      : `${count} ${count === 1 ? 'change' : 'changes'} to ${state.start}`);
  byId('step-list').replaceChildren(...state.steps.map((step, n) =>
    make('li', {class: n < count ? null : 'undone'}, step.title,
      ...step.removed.map((each) => make('span', {class: 'removed'}, ` ${each}`)))));
  setText(byId('patch'), state.patch);
}

function setScope(scope) {
  Object.assign(studio.scope, scope);
  return refresh();
}

async function refresh() {
  const own = studio.asked;
  const state = await get('state' + scope());
  if (own === studio.asked) showState(state);
}

/** What an import found, assumed, and misses; empty: nothing was imported. */
function notes(all) {
  const box = byId('imported');
  box.hidden = all.length === 0;
  if (box.hidden) return;
  const isMissing = ({heading}) => heading === 'needs' || heading === 'open';
  const missing = all.filter(isMissing).map((each) => ({...each, heading: 'missing'}));
  box.replaceChildren(...noteLists(missing),
    make('details', {}, make('summary', {}, 'What was found and assumed'), ...noteLists(all.filter((each) => !isMissing(each)))),
    make('button', {type: 'button', onclick: () => { box.hidden = true; focusAnswer(); }}, 'Close'));
}

function curve(control) {
  return showCurve(studio, control);
}

function choose(name) {
  return showThing(studio, name);
}

function readValue(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    return text;
  }
}

async function listen() {
  const bar = document.querySelector('.bar');
  byId('lift').onclick = async () => {
    await ask('lift');
    focusAnswer();
  };
  byId('undo').onclick = () => ask('undo');
  byId('redo').onclick = () => ask('redo');
  listenPins(studio);
  byId('start').onchange = (event) => ask('start', {layout: event.target.value});
  byId('board-details').ontoggle = () => { if (byId('board-details').open) showBoard(studio); };
  byId('other').onsubmit = (event) => {
    event.preventDefault();
    change({set: [{pointer: byId('pointer').value, value: readValue(byId('value').value), new: true}]});
  };
  byId('save').onsubmit = async (event) => {
    event.preventDefault();
    const name = byId('layout-name').value;
    const state = await ask('save', {layout: name});
    if (!state) return;
    byId('save-menu').open = false;
    const where = state.save_error ? `, but not on disk: ${state.save_error}` : ` in ${place(state.saved_in)}`;
    notice('saved', `Saved as layout ${name}${where}.`);
  };
  document.addEventListener('keydown', (event) => {
    const typing = event.target.matches('input:not([type=range]), textarea');
    if (event.key === 'Escape') document.querySelectorAll('.menu').forEach((menu) => { menu.open = false; });
    if (!(event.ctrlKey || event.metaKey) || typing) return;
    const key = event.key.toLowerCase();
    if (key === 'z') { event.preventDefault(); ask(event.shiftKey ? 'redo' : 'undo'); }
    if (key === 'y') { event.preventDefault(); ask('redo'); }
  });
  chooseTool = roving(tools());
  new ResizeObserver(() => document.documentElement.style.setProperty('--bar', `${bar.offsetHeight}px`)).observe(bar);
  listenAdvice(studio);
  listenFirst(studio);
  listenStatus(studio);
  listenSession(studio);
  listenCharts();
  const drawing = () => byId('drawing').querySelector('svg.wide');
  for (const kind of ['svg', 'png']) {
    byId(`as-${kind}`).onclick = () => drawing() && savePicture(drawing(), studio.state.name, kind);
  }
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
  notice('link', copied ? 'Copied: the link holds the whole scenario and opens in any studio (Open or new, Open a link).'
                        : 'The link is in the address, behind the #; it holds the whole scenario and opens in any studio.');
  byId('pasted').value = link;
}

/** Removes the scenario from the address once it is open, as reloading would undo changes. */
async function openLink(text) {
  try {
    const state = await ask('open', {scenario: await readLink(text)});
    if (!state) return;
    leave();
    notice('opened', `Opened: ${state.name}. The scenario before is kept: Undo leads back to it.`);
  } catch (error) {
    setText(byId('link-status'), 'This link is not from a studio.');
  }
  history.replaceState(null, '', location.pathname + location.search);
}

async function begin() {
  await refresh();
  listen();
  if (location.hash.startsWith('#s=')) await openLink(location.hash);
  else if (!studio.state.is_chosen) showFirst(studio);
  follow(studio);
}

window.studio = studio;
begin();
