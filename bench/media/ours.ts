// Our relay for the media benchmark. Arguments: path (portable, fast), calls, the first port of the phones, and a
// folder where calls are to be recorded. Opens two legs a call, as a call does, and prints for each phone its port and
// the port to send to; exits when its input ends.

import { openLeg, startEngine } from "./legs.ts";

const [path, calls, phonePort, folder] = process.argv.slice(2) as ["portable" | "fast", string, string, string?];

const engine = startEngine(path, folder);

// The relay alone does not keep the process running.
process.stdin.resume();
process.stdin.on("end", () => process.exit());

let port = Number(phonePort);
const lines: string[] = [];
for (let call = 0; call < Number(calls); call++) {
  const [first, second] = [await openLeg(engine, port++), await openLeg(engine, port++)];
  first.leg.joinWith(second.leg);
  if (folder !== undefined) engine.record(first.leg, second.leg, { file: `${call}.ulaw2`, startedOn: new Date() });
  lines.push(first.line, second.line);
}
await openLeg(engine, port);
console.log(lines.join("\n"));
console.log("ready");
