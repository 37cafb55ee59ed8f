// What is saved, and whether the server is there: a lost one is reported and found again.

import {get, post, query} from './api.js';
import {byId, make, setText} from './dom.js';
import {again, place} from './reach.js';

const AGAIN = 1000;  // milliseconds between attempts to find the server
const PATIENCE = 30000;  // the server answers within 20 s
const SOON = 50;     // milliseconds until news that came during a change are asked for again

let instance = '';
let session = '';

export function listenSession(studio) {
  addEventListener('beforeunload', (event) => {
    const {state} = studio;
    const unsaved = studio.flying > 0 || state?.save_error || studio.lost;
    if (unsaved && state?.steps.length) event.preventDefault();
  });
}

/** The file of the open scenario, or why its changes are not on disk. */
export function showSaved(studio) {
  const {state} = studio;
  instance = state.instance;
  session = state.session;
  const box = byId('saved-in');
  box.classList.toggle('bad', Boolean(state.save_error));
  const changed = state.steps.length > 0 || state.saved_in;
  if (state.save_error) setText(box, `Not saved: ${state.save_error}`);
  else if (state.saved_in) setText(box, `Saved in ${shortened(place(state.saved_in))}`);
  else setText(box, changed ? '' : 'No changes to save');
  box.title = place(state.saved_in);
}

/** The end of a long path. */
function shortened(path) {
  const most = 48;
  return path.length <= most ? path : `\u2026${path.slice(path.indexOf('/', path.length - most))}`;
}

/** Shows a sentence with buttons until it is closed or replaced. */
export function notice(kind, text, ...actions) {
  const box = byId('notice');
  box.hidden = false;
  box.dataset.kind = kind;
  box.replaceChildren(make('p', {}, text), ...actions,
    make('button', {type: 'button', onclick: () => {
      box.hidden = true;
      byId(byId('status').hidden ? 'home' : 'headline').focus({preventScroll: true});
    }}, 'Close'));
}

export function closeNotice(kind) {
  const box = byId('notice');
  if (box.dataset.kind === kind) box.hidden = true;
}

/** Called when a request has failed. */
export function lose(studio, error) {
  studio.lost = true;
  document.documentElement.dataset.server = 'lost';
  const {state} = studio;
  const where = state?.saved_in ? ` Changes are saved in ${place(state.saved_in)}.` : '';
  const how = error.status === 403
    ? 'Another studio answers here: open the address that it printed.'
    : again;
  notice('lost', `The studio does not answer.${where} ${how}`);
}

/** Called when a request has succeeded after failures; another server continues the session. */
export async function found(studio) {
  if (!studio.lost) return;
  await goOn(studio);
  studio.lost = false;
  document.documentElement.dataset.server = 'there';
  closeNotice('lost');
}

async function goOn(studio) {
  const state = await get('state' + query(studio.scope));
  const other = state.instance !== instance;
  if (other && session && state.session !== session && !state.is_chosen) {
    studio.accept(await post('open' + query(studio.scope), {session}));
    notice('found', 'The studio is back, with the scenario as it was saved.');
  } else if (other && session && state.session !== session) {
    const mine = session;
    studio.accept(state);
    notice('found', `Another scenario is open in the studio: ${state.name}.`,
      make('button', {type: 'button', onclick: async () => studio.accept(await post('open' + query(studio.scope), {session: mine}))},
           'Go back to mine'));
  } else {
    studio.accept(state);
    if (other) notice('found', 'The studio is back.');
  }
}

/** Later answers: intervals, what to measure next, improvements. */
export async function follow(studio) {
  for (let after = studio.state.version;;) {
    try {
      const news = await get('news' + query({after: String(after)}), PATIENCE);
      await found(studio);
      // An answer in flight may be older than the news, which then come again.
      if (news.version > studio.state.version) {
        await (studio.flying === 0 ? studio.refresh() : new Promise((resolve) => setTimeout(resolve, SOON)));
      }
      after = studio.state.version;
    } catch (error) {
      if (error.unreachable || error.status === 403) lose(studio, error);
      await new Promise((resolve) => setTimeout(resolve, AGAIN));
      after = 0;  // versions of another server begin again
    }
  }
}
