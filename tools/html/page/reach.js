// The studio's service without a server: the program runs in a Web Worker, which is started here.
// Requests are messages; an answer looks like that of a server. Sessions are kept in the browser's
// storage. If the worker ends (out of memory), a new one begins with them.

const REST = 20000;         // milliseconds after which a wait for news ends, as with a server
const KEPT = 'vgsim-session:';
const OPEN = `vgsim-open:${location.pathname}`;  // the session of this tab: a reload continues it
const MOST_KEPT = 30;

let worker = null;
let asked = new Map();      // by number
let waiting = [];           // requests for news: {after, resolve}
let number = 0;
let version = 0;
let progress = {runs: false, events: 0, iterations_done: 0, iterations: 0, searched: 0, to_search: 0};
let changing = 0;
let unkept = '';            // why sessions are not kept

/** As fetch, for paths of the service. */
export function reach(path, {method = 'GET', body = '', signal = null} = {}) {
  const url = new URL(path, 'http://studio/');
  const name = url.pathname.slice(1);
  const query = Object.fromEntries(url.searchParams);
  if (name === 'progress') return Promise.resolve(answer({...progress, runs: changing > 0}));
  if (name === 'news') return news(Number(query.after) || 0);
  return new Promise((resolve, reject) => {
    number += 1;
    if (method === 'POST') changing += 1;
    asked.set(number, {resolve, reject, method});
    (worker ?? begin()).postMessage({number, method, name, query, body});
  });
}

/** What the page shows of the path of a file that holds a session. */
export const place = (path) => {
  const name = path.replace(/^\/sessions\/?/, '').replace(/\.json$/, '');
  if (unkept) return `this page alone (${unkept}): download it`;
  return name ? `this browser as ${name}` : 'this browser';
};

/** How to get a lost service back. */
export const again = 'It begins anew with what is saved.';

const answer = (json, status = 200) => new Response(JSON.stringify(json),
  {status, headers: {'Content-Type': 'application/json'}});

function news(after) {
  if (version > after) return Promise.resolve(answer({version}));
  return new Promise((resolve) => {
    const wait = {after, resolve: () => resolve(answer({version}))};
    waiting.push(wait);
    setTimeout(() => { if (waiting.includes(wait)) settle((each) => each === wait); }, REST);
  });
}

function settle(is) {
  const answered = waiting.filter(is);
  waiting = waiting.filter((each) => !is(each));
  for (const each of answered) each.resolve();
}

/** The compressed part of this page with that id. */
async function unpacked(id) {
  const letters = atob(document.getElementById(id).textContent);
  const bytes = new Uint8Array(letters.length);
  for (let n = 0; n < bytes.length; n += 1) bytes[n] = letters.charCodeAt(n);
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')));
}

/** The page shows nothing else if the program does not begin. */
function showProblem(text) {
  const box = document.getElementById('notice');
  box.hidden = false;
  box.textContent = text;
}

function begin() {
  const lacks = [['DecompressionStream', globalThis.DecompressionStream], ['exceptions of WebAssembly', globalThis.WebAssembly?.Tag]]
    .filter(([, has]) => !has).map(([what]) => what);
  if (lacks.length) showProblem(`This browser is too old: it lacks ${lacks.join(' and ')}.`);
  const source = document.getElementById('worker').textContent;
  const address = URL.createObjectURL(new Blob([source], {type: 'text/javascript'}));
  const own = worker = new Worker(address);
  URL.revokeObjectURL(address);
  own.onmessage = ({data}) => hear(data);
  own.onerror = (event) => {
    event.preventDefault();
    if (worker === own) end(event.message);
  };
  const given = document.getElementById('scenario');
  Promise.all([unpacked('program').then((each) => each.arrayBuffer()), unpacked('configs').then((each) => each.text())])
    .then(([program, configs]) => own.postMessage({program, configs, sessions: kept(),
      open: sessionStorage.getItem(OPEN), name: given.dataset.name ?? '', scenario: given.textContent.trim()}, [program]))
    .catch((error) => end(error.message));
  return own;
}

/** Requests without an answer fail, as with a server that is gone. */
function end(why) {
  if (version === 0) showProblem(`The page cannot begin: ${why}`);
  worker?.terminate();
  worker = null;
  version = 0;
  changing = 0;
  for (const {reject} of asked.values()) reject(new Error(why));
  asked = new Map();
  settle(() => true);
}

function hear(data) {
  if (data.ended) return end(data.ended);
  if (data.progress) Object.assign(progress, data.progress);
  for (const each of data.sessions ?? []) keep(each);
  if (data.version > version) {
    version = data.version;
    settle(({after}) => version > after);
  }
  const request = asked.get(data.number);
  if (!request) return undefined;
  asked.delete(data.number);
  if (request.method === 'POST') changing -= 1;
  if (data.open !== undefined) sessionStorage.setItem(OPEN, data.open);
  const headers = {'Content-Type': data.type, 'X-Name': encodeURIComponent(data.download)};
  return request.resolve(new Response(data.body, {status: data.status, headers}));
}

/** The sessions in the browser's storage, the latest first. */
function kept() {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(KEPT))
      .map((key) => ({file: key.slice(KEPT.length), ...JSON.parse(localStorage.getItem(key))}))
      .sort((a, b) => b.changed - a.changed);
  } catch (error) {
    unkept = 'the browser stores nothing';
    return [];
  }
}

/** Older sessions make room for newer ones. */
function keep({file, text, changed}) {
  const all = kept().filter((each) => each.file !== file);
  while (all.length >= MOST_KEPT) localStorage.removeItem(KEPT + all.pop().file);
  for (;;) {
    try {
      localStorage.setItem(KEPT + file, JSON.stringify({changed, text}));
      unkept = '';
      return;
    } catch (error) {
      if (all.length === 0) {
        unkept = 'the browser stores nothing';
        return;
      }
      localStorage.removeItem(KEPT + all.pop().file);
    }
  }
}

// Links to files of the service: without a server, they are made here.
addEventListener('click', async (event) => {
  const link = event.target.closest?.('a[download][href^="export?"]');
  if (!link || event.defaultPrevented) return;
  event.preventDefault();
  const response = await reach(link.getAttribute('href'));
  if (!response.ok) return;
  const address = URL.createObjectURL(await response.blob());
  const made = document.createElement('a');
  made.href = address;
  made.download = decodeURIComponent(response.headers.get('X-Name'));
  made.click();
  setTimeout(() => URL.revokeObjectURL(address), REST);
});

window.reach = reach;
