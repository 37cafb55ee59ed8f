// node runs.js PROGRAM CONFIGS DRAWS SCENARIO... runs scenarios by the program of vgsim.html (the folder
// of vgsim.js and vgsim.wasm) and writes one JSON object a line: scenario, exit code, result.

const fs = require('fs');
const path = require('path');

const [program, configs, draws, ...scenarios] = process.argv.slice(2);
const createVgsim = require(path.resolve(program, 'vgsim.js'));

function copied(vgsim, from, to) {
  vgsim.FS.mkdirTree(to);
  for (const entry of fs.readdirSync(from, {withFileTypes: true})) {
    const [source, target] = [path.join(from, entry.name), `${to}/${entry.name}`];
    if (entry.isDirectory()) copied(vgsim, source, target);
    else vgsim.FS.writeFile(target, fs.readFileSync(source));
  }
}

async function main() {
  const messages = [];
  const vgsim = await createVgsim({wasmBinary: fs.readFileSync(path.join(program, 'vgsim.wasm')),
    print: () => {}, printErr: (text) => messages.push(text)});
  copied(vgsim, configs, '/configs');
  for (const scenario of scenarios) {
    messages.length = 0;
    const begin = performance.now();
    let code = -1;
    try {
      code = vgsim.ccall('vgsim_run', 'number', ['string', 'number', 'string'], [scenario, Number(draws), '/result.json']);
    } catch (error) {
      messages.push(String(error));
    }
    const took = performance.now() - begin;
    const result = code === 0 || code === 1 ? vgsim.FS.readFile('/result.json', {encoding: 'utf8'}) : '';
    console.log(JSON.stringify({scenario, code, took, memory: vgsim._vgsim_memory(), result, messages}));
  }
}

main();
