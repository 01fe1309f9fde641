// Runs one command of the built `tandem` after the other in one process, each with its own arguments, environment,
// directory and output: starting a process costs more than most commands do. Standard input is empty.
//
// The parent sends messages, which are answered in order; the host ends with its parent. Nothing here handles a command
// that throws after its end or that exits: both end the host, and the parent is notified.

import { Writable } from "node:stream";
import { pathToFileURL } from "node:url";

const [, , program] = process.argv;
const home = process.cwd();
let count = 0;
let last = Promise.resolve();

process.on("disconnect", () => process.exit());
process.on("message", (order) => {
  last = last.then(async () => process.send(await run(order)));
});

async function run({ args, environment, cwd = home }) {
  const [stdout, stderr] = [replaceStream("stdout"), replaceStream("stderr")];
  process.argv = [process.execPath, program, ...args];
  // Modified in place, because native code reads it, too.
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
  process.exitCode = undefined;
  process.chdir(cwd);
  // With a unique URL, because Node runs a module once.
  await import(`${pathToFileURL(program)}?command=${++count}`);
  const code = process.exitCode;
  for (const signal of ["SIGINT", "SIGTERM"]) process.removeAllListeners(signal);
  return { code, signal: null, stdout: stdout(), stderr: stderr() };
}

/** Returns the collected output. */
function replaceStream(name) {
  const chunks = [];
  const value = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  Object.defineProperty(process, name, { value, configurable: true });
  return () => Buffer.concat(chunks).toString();
}
