// `tandem script check` reads a call script, or TwiML, as the server would, without a server.

import type { Command } from "commander";
import { readCallDestination } from "../../../rules/call-destination.ts";
import { twimlReader } from "../../adapters/twilio/read-twiml.ts";
import { parseNumber } from "../../domain/lookup/index.ts";
import { type CallScript, readScript, type ScriptInstruction } from "../../domain/voice/index.ts";
import { EXIT } from "../exit-codes.ts";
import { printJson, say } from "../output.ts";
import { readWhole } from "../whole-files.ts";

const HELP = `
Examples:
  tandem script check answer.xml
  curl -s https://example.com/call | tandem script check -
`;

export function addScriptCommand(program: Command): void {
  const script = program
    .command("script")
    .summary("check call scripts and TwiML")
    .description("Check call scripts and TwiML: the XML that answers an inbound-call webhook.")
    .addHelpText("after", HELP);
  script
    .command("check")
    .description("Say what a call script or TwiML does, or where it is wrong and why.")
    .argument("<file>", "the script; - reads standard input")
    .option("--json", "print JSON")
    .action((file: string, flags: { readonly json?: true }) => {
      const bytes = readWhole(file);
      const script = readScript(bytes, destinationOf);
      const twiml = readTwiml(bytes, destinationOf);
      // A text that is valid as both is read as a call script, the more common answer to a subscription.
      const read = !script.ok && twiml.ok ? twiml : script;
      const language = read === twiml ? "TwiML" : "call script";
      if (!read.ok) process.exitCode = EXIT.refused;
      if (flags.json)
        printJson(read.ok ? { isValid: true, language, script: read.value } : { isValid: false, ...read.refusal });
      else if (read.ok) say(`${language === "TwiML" ? "As TwiML: " : ""}${meaningOf(read.value)}`);
      else {
        say(`${file}:${read.refusal.line}:${read.refusal.column}: ${read.refusal.reason}`);
        if (!twiml.ok && twiml.refusal.reason !== read.refusal.reason)
          say(`As TwiML, ${file}:${twiml.refusal.line}:${twiml.refusal.column}: ${twiml.refusal.reason}`);
      }
    });
}

/** No language: it depends on the voice in the server's settings. */
const readTwiml = twimlReader({ name: "the server's voice", language: null });

function destinationOf(text: string) {
  return readCallDestination(text, (number) => {
    const parsed = parseNumber(number);
    return parsed.ok ? { ok: true, value: parsed.value.e164 } : parsed;
  });
}

function meaningOf(script: CallScript): string {
  const reached = script.findIndex(({ kind }) => kind === "hangUp");
  const program = reached === -1 ? script : script.slice(0, reached + 1);
  const [only] = program;
  if (only?.kind === "hangUp") {
    return only.isBusy ? "The caller hears that the line is busy." : "The call is rejected.";
  }
  const meanings = program.flatMap((one) => (one.kind === "hangUp" ? [] : [meaningOfInstruction(one)]));
  return meanings.length === 0 ? "The call is rejected." : [...meanings, endOf(program)].filter(Boolean).join(" ");
}

/** These go on elsewhere, or end the call. */
const GOING_ON: ReadonlySet<string> = new Set(["dial", "record", "redirect"]);

/** What follows the last instruction: a call that was forwarded ends with its second party. */
function endOf(program: CallScript): string {
  const last = program.findLast(({ kind }) => kind !== "hangUp");
  return last && GOING_ON.has(last.kind) ? "" : "Then the caller is hung up on.";
}

function meaningOfInstruction(one: Exclude<ScriptInstruction, { readonly kind: "hangUp" }>): string {
  if (one.kind === "pause") return `The caller waits for ${one.seconds} s.`;
  if (one.kind === "play") {
    return `The caller hears ${placeOf(one.url)}${one.times ? `, ${one.times} times` : ""}.`;
  }
  if (one.kind === "press") return `The caller is sent the keys ${one.keys}.`;
  if (one.kind === "connect") {
    const then = one.action ? ` Then ${placeOf(one.action.url)} is asked how to go on.` : "";
    return `The caller is connected with the program at ${one.stream.url}.${then}`;
  }
  if (one.kind === "startStream") return `The program at ${one.stream.url} hears the call from now on.`;
  if (one.kind === "stopStream") return `The program of the stream ${one.name} hears the call no longer.`;
  if (one.kind === "redirect") return `The call goes on with the document at ${placeOf(one.document.url)}.`;
  if (one.kind === "gather") {
    const prompts = one.prompts.map((prompt) => `${meaningOfInstruction(prompt)} `).join("");
    return `${prompts}The keys that the caller presses go to ${placeOf(one.action.url)}.`;
  }
  if (one.kind === "record") {
    const silence = one.silenceSeconds === 0 ? "" : `, until ${one.silenceSeconds} s of silence`;
    return `The caller is recorded for ${one.maxSeconds} s at most${silence}. Then ${placeOf(one.action.url)} is asked how to go on.`;
  }
  if (one.kind === "say") return `The caller hears “${one.text}”${one.times ? `, ${one.times} times` : ""}.`;
  if (one.kind === "confer") return meaningOfConference(one);
  const recorded = one.record === null ? "" : one.record ? ", recorded" : ", not recorded";
  const whispers = [one, ...(one.others ?? [])].flatMap(({ to, whisper }) =>
    whisper ? [` Before, ${to} hears the document at ${placeOf(whisper.url)}.`] : [],
  );
  const rings = one.ringSeconds === undefined ? "" : `, which may ring for ${one.ringSeconds} s`;
  const lasts = one.maxSeconds === undefined ? "" : `, for ${one.maxSeconds} s at most`;
  const shown = one.callerId === undefined ? "" : `, which sees ${one.callerId}`;
  const late = one.answersOnBridge ? " The caller is answered when that party has answered." : "";
  const then = one.action ? ` Then ${placeOf(one.action.url)} is asked how to go on.` : "";
  const others = (one.others ?? []).map(({ to }) => to);
  const parties = others.length === 0 ? one.to : `the first that answers of ${[one.to, ...others].join(", ")}`;
  return `The call is forwarded to ${parties}${shown}${rings}${recorded}${lasts}.${whispers.join("")}${late}${then}`;
}

function meaningOfConference(one: ScriptInstruction & { readonly kind: "confer" }): string {
  const { name, muted, startsOnEnter, endsOnExit, recording } = one.conference;
  const how = muted ? ", in which it is not heard" : "";
  const starts = startsOnEnter ? "" : " It waits for another participant to start it.";
  const ends = endsOnExit ? " The conference ends when it leaves." : "";
  const recorded = recording ? " The conference is recorded." : "";
  const then = one.action ? ` Then ${placeOf(one.action.url)} is asked how to go on.` : "";
  return `The caller enters the conference ${name}${how}.${starts}${ends}${recorded}${then}`;
}

const placeOf = (url: string) => (url === "" ? "the same URL" : url);
