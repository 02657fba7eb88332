// Loaded before the tool by scripts/cache-code.js, in the process and in its worker threads: keeps what V8 compiled of
// the bundle that the tool loads. In the process that is at its end; a worker that checks ends when its owner has the
// result, so it is just before.

const { writeFileSync } = require('node:fs');
const path = require('node:path');
const vm = require('node:vm');
const { parentPort } = require('node:worker_threads');

/** @type {[string, vm.Script][]} */
const loaded = [];

class WatchedScript extends vm.Script {
  /**
   * @param {string} source
   * @param {vm.ScriptOptions} [options]
   */
  constructor(source, options) {
    super(source, options);
    if (options?.filename?.endsWith('.bundle.cjs')) loaded.push([options.filename, this]);
  }
}
vm.Script = WatchedScript;

// What the tool gives up when it takes too long is not given up here, where everything is compiled for the first time.
const { runInThisContext } = vm;
vm.runInThisContext = (code) => runInThisContext(code);

function keep() {
  for (const [file, script] of loaded) {
    const command = process.argv[2] ?? '';
    const isCommand = parentPort === null && /^[a-z]+$/.test(command);
    const name = path.basename(file, '.bundle.cjs');
    const cache = path.join(path.dirname(file), isCommand ? `${name}-${command}.cache` : `${name}.cache`);
    writeFileSync(cache, script.createCachedData());
  }
}

if (parentPort === null) process.on('exit', keep);
else {
  const send = parentPort.postMessage.bind(parentPort);
  parentPort.postMessage = (message, transfer) => {
    if (message.kind === 'result') keep();
    send(message, transfer);
  };
}
