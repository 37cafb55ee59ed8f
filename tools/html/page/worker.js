// In a Web Worker, behind Emscripten's createVgsim(): the program, its files and its only studio.

const REST = 200;  // milliseconds without a request until slower results are computed
const PROGRESS = 100;

let vgsim = null;
let started;
const ready = new Promise((resolve) => { started = resolve; });  // requests may come before the program
let timer = 0;
let reported = 0;
const saved = new Map();  // modification times of sessions

onmessage = async ({data}) => {
  try {
    if (data.program) started(await begin(data));
    await ready;
    if (data.number) respond(data);
    clearTimeout(timer);
    timer = setTimeout(turn, REST);
  } catch (error) {
    postMessage({ended: String(error?.message ?? error)});
  }
};

async function begin({program, configs, sessions, open, name, scenario}) {
  vgsim = await createVgsim({wasmBinary: program, report, print: () => {}, printErr: () => {}});
  for (const [path, text] of Object.entries(JSON.parse(configs))) write(`/configs/${path}`, text);
  vgsim.FS.mkdirTree('/sessions');
  for (const {file, text, changed} of sessions) {
    write(`/sessions/${file}`, text);
    vgsim.FS.utime(`/sessions/${file}`, changed * 1000, changed * 1000);
    saved.set(file, changed);
  }
  const problem = vgsim.ccall('vgsim_begin', 'string', ['string', 'string'], [name, scenario]);
  if (problem) throw new Error(problem);
  if (sessions.some(({file}) => file === open)) ask('POST', 'open', {}, JSON.stringify({session: open}));
}

function write(path, text) {
  vgsim.FS.mkdirTree(path.slice(0, path.lastIndexOf('/')));
  vgsim.FS.writeFile(path, text);
}

/** Returns the status; the body is a copy. */
function ask(method, name, query, text) {
  const bytes = new TextEncoder().encode(text);
  const at = vgsim._malloc(bytes.length + 1);
  vgsim.HEAPU8.set(bytes, at);
  const status = vgsim.ccall('vgsim_ask', 'number', ['string', 'string', 'string', 'number', 'number'],
    [method, name, JSON.stringify(query), at, bytes.length]);
  vgsim._free(at);
  const from = vgsim._vgsim_body();
  return {status, body: vgsim.HEAPU8.slice(from, from + vgsim._vgsim_size())};
}

function respond({number, method, name, query, body: text}) {
  const {status, body} = ask(method, name, query, text);
  postMessage({number, status, type: vgsim.ccall('vgsim_type', 'string'),
    download: vgsim.ccall('vgsim_download', 'string'), open: vgsim.ccall('vgsim_open', 'string'), body, ...news()}, [body.buffer]);
}

/** The version, and the sessions that were written since the last time. */
function news() {
  const sessions = [];
  for (const file of vgsim.FS.readdir('/sessions')) {
    if (!file.endsWith('.json')) continue;
    const {mtime, size} = vgsim.FS.stat(`/sessions/${file}`);
    const changed = mtime.getTime() / 1000;
    if (size === 0 || saved.get(file) === changed) continue;
    saved.set(file, changed);
    sessions.push({file, text: vgsim.FS.readFile(`/sessions/${file}`, {encoding: 'utf8'}), changed: Math.floor(changed)});
  }
  return {version: vgsim._vgsim_version(), sessions};
}

/** What comes next while nothing is asked; requests are heard in between. */
function turn() {
  try {
    const goesOn = vgsim._vgsim_turn();
    postMessage({...news(), progress: {searched: vgsim._vgsim_searched(),
      to_search: vgsim._vgsim_to_search(), memory: vgsim._vgsim_memory()}});
    if (goesOn) timer = setTimeout(turn, 0);
  } catch (error) {
    postMessage({ended: String(error?.message ?? error)});
  }
}

function report(events, done, iterations) {
  const now = performance.now();
  if (now - reported < PROGRESS) return;
  reported = now;
  postMessage({progress: {events, iterations_done: done, iterations}});
}
