// The first page: a question, the form of `vgsim new`, dumps to drop, sessions, shipped scenarios.

import {get, post, query} from './api.js';
import {byId, make, setText, show} from './dom.js';
import {place} from './reach.js';

// What an architect asks, the answers of the form that it presets, and the part of the page that
// shows the answer.
const QUESTIONS = [
  {text: 'Which server for this model?', focus: 'network', part: 'helps'},
  {text: 'Passthrough or vGPU?', preset: {layout: 'both'}, focus: 'server', part: 'breakdown', compare: true},
  {text: 'Does it power on?', preset: {layout: 'all'}, focus: 'server', part: 'board', board: true},
  {text: 'Will it fit my vCenter export?', drop: true, part: 'board', board: true},
];
const GROUPS = {scenarios: 'Examples', questions: 'Questions of architects', training: 'Networks and parallelism'};

const AGAIN = 1000;  // milliseconds until a server that did not answer is asked again

let asked = null;   // the question that was chosen
let loaded = false;
let cards = Promise.resolve();

export function listenFirst(studio) {
  byId('home').onclick = () => showFirst(studio);
  byId('back').onclick = () => leave();
  byId('questions').replaceChildren(...QUESTIONS.map((question) => make('button',
    {type: 'button', 'aria-pressed': 'false', onclick: (event) => choose(question, event.target)}, question.text)));
  byId('new').onsubmit = async (event) => {
    event.preventDefault();
    await create(studio);
  };
  listenDrop(studio);
}

export async function showFirst(studio) {
  byId('first').hidden = false;
  byId('desk').hidden = true;
  byId('status').hidden = true;
  byId('back').hidden = !studio.state?.is_chosen;
  document.documentElement.dataset.page = 'first';
  if (!studio.state?.is_chosen) setText(byId('name'), 'vgsim studio');
  if (!loaded) await load(studio);
  byId('questions').firstElementChild.focus({preventScroll: true});
}

export function leave() {
  byId('first').hidden = true;
  byId('desk').hidden = false;
  byId('status').hidden = false;
  document.documentElement.dataset.page = 'scenario';
}

function choose(question, button) {
  asked = question;
  for (const each of byId('questions').children) each.ariaPressed = String(each === button);
  for (const [name, value] of Object.entries(question.preset ?? {})) field(name).value = value;
  if (question.drop) byId('drop').focus();
  else field(question.focus).focus();
}

const field = (name) => byId('new').elements.namedItem(name);

async function load(studio) {
  const page = await post('first').catch(() => null);
  if (loaded) return;
  if (!page) {
    await new Promise((resolve) => setTimeout(resolve, AGAIN));
    return load(studio);
  }
  loaded = true;
  buildForm(page.form);
  sessions(studio, page);
  gallery(studio, page.gallery ?? []);
  return undefined;
}

function buildForm(form) {
  const box = byId('fields');
  box.replaceChildren(...form.fields.map((each) => {
    const input = make('input', {name: each.name, autocomplete: 'off', spellcheck: 'false', placeholder: each.usual});
    const label = make('label', {}, each.label, ' ', input);
    if (each.choices) {
      input.setAttribute('list', `of-${each.name}`);
      label.append(make('datalist', {id: `of-${each.name}`},
        ...each.choices.map(({value, label: words}) => make('option', {value}, words))));
    }
    input.onchange = refreshForm;
    return label;
  }));
}

function answers() {
  return Object.fromEntries([...new FormData(byId('new'))].filter(([, value]) => value !== ''));
}

/** The defaults follow from the answers so far; what is wrong is shown at once. */
async function refreshForm() {
  const {form} = await post('first', {answers: answers()});
  for (const each of form.fields) field(each.name).placeholder = each.usual;
  problem(form.problem);
}

function problem(text) {
  byId('new-problem').hidden = !text;
  setText(byId('new-problem'), text ?? '');
}

async function create(studio) {
  try {
    await opened(studio, await post('open' + query(studio.scope), {answers: answers()}));
  } catch (error) {
    problem(error.message);
  }
}

/** Shows a scenario that was opened, at the part that answers the question. */
async function opened(studio, state) {
  problem('');
  leave();
  studio.accept(state);
  scrollTo(0, 0);
  if (asked?.compare && state.layouts.length > 1) {
    await studio.ask('pin', {layout: state.layouts.find((name) => name !== state.start)});
  }
  byId('headline').focus({preventScroll: true});  // the properties follow in the order of the Tab key
  if (asked?.board) byId('board-details').open = true;
  if (asked?.board) byId('board').scrollIntoView({block: 'start'});
}

function sessions(studio, page) {
  const box = byId('sessions');
  byId('sessions-part').hidden = page.sessions.length === 0;
  setText(byId('sessions-folder'), `Saved in ${place(page.folder)}`);
  box.replaceChildren(...page.sessions.map(({file, changed}) => make('li', {},
    make('button', {type: 'button', onclick: () => open(studio, {session: file})}, file.replace(/\.json$/, '')),
    make('span', {class: 'aside'}, ` ${new Date(changed * 1000).toLocaleString()}`))));
}

async function open(studio, body) {
  try {
    await opened(studio, await post('open' + query(studio.scope), body));
  } catch (error) {
    dropped([], error.message);
    byId('drop').scrollIntoView({block: 'center'});
  }
}

function gallery(studio, all) {
  const root = byId('gallery');
  const watch = new IntersectionObserver((entries) => {
    for (const {isIntersecting, target} of entries) {
      if (!isIntersecting) continue;
      watch.unobserve(target);
      cards = cards.then(() => draw(target)).catch(() => {});
    }
  });
  root.replaceChildren(...Object.entries(GROUPS).map(([group, heading], n) => make('details', {open: n === 0},
    make('summary', {}, heading),
    make('ul', {class: 'cards'}, ...all.filter((each) => each.group === group).map((each) => {
      const card = make('li', {}, make('button', {type: 'button', 'data-name': each.name,
        onclick: () => open(studio, {shipped: each.name})},
        make('span', {class: 'picture'}), make('strong', {}, each.title),
        make('span', {class: 'aside machines'}), make('span', {class: 'about'}, each.about)));
      watch.observe(card);
      return card;
    })))));
}

/** One card after the other: each is built by the server. */
async function draw(card) {
  const {svg, machines} = await get('card' + query({name: card.firstElementChild.dataset.name}));
  show(card.querySelector('.picture'), svg);
  setText(card.querySelector('.machines'), machines);
}

function listenDrop(studio) {
  const drop = byId('drop');
  const files = byId('files');
  byId('choose').onclick = () => files.click();
  files.onchange = () => send(studio, [...files.files]);
  for (const kind of ['dragover', 'dragleave', 'drop']) {
    document.addEventListener(kind, (event) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      drop.classList.toggle('over', kind === 'dragover');
      if (kind === 'drop') send(studio, [...event.dataTransfer.files]);
    });
  }
}

/** The content in base64, in parts: a text of a request has at most 65,536 bytes. */
async function base64(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const parts = [];
  for (let at = 0; at < bytes.length; at += 32766) parts.push(btoa(String.fromCharCode(...bytes.subarray(at, at + 32766))));
  return parts;
}

async function send(studio, files) {
  if (!files.length) return;
  setText(byId('drop-status'), `Reading ${files.map(({name}) => name).join(', ')} \u2026`);
  try {
    const sent = await Promise.all(files.map(async (file) => ({name: file.name, base64: await base64(file)})));
    const state = await post('import' + query(studio.scope), {files: sent});
    setText(byId('drop-status'), '');
    if (state.outcome === 'nothing') {
      if (byId('first').hidden) await showFirst(studio);
      dropped(state.notes, state.problem ?? 'These files describe neither host nor VM.');
      return;
    }
    await opened(studio, state);
    studio.notes(state.notes ?? []);
  } catch (error) {
    setText(byId('drop-status'), '');
    if (byId('first').hidden) await showFirst(studio);
    dropped([], error.message);
  }
}

function dropped(notes, text) {
  byId('drop-problem').hidden = false;
  byId('drop-problem').replaceChildren(make('p', {}, text), ...noteLists(notes));
}

/** What an import found, assumed, and misses. */
export function noteLists(notes) {
  const headings = [...new Set(notes.map(({heading}) => heading))];
  return headings.map((heading) => make('div', {class: 'notes'}, make('h3', {}, heading),
    make('ul', {class: 'plain'}, ...notes.filter((each) => each.heading === heading).map(({text}) => make('li', {}, text)))));
}
