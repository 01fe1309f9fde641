// The steps of a `why` in words: of messages and of calls, for accounts and for support. A kind of step without words
// does not compile.

import type { CallStep, MessageStep, WebhookDelivery } from "@tandem/sdk";
import { tableOf } from "./lookup-table.ts";
import type { ShapeName, Tone } from "./shape-names.ts";

export interface StepWords {
  readonly shape: ShapeName;
  readonly tone: Tone;
  readonly title: string;
  /** A code of the other side, shown before the sentence. */
  readonly code?: string;
  readonly detail?: string;
}

export type Details = Readonly<Record<string, unknown>>;

type Reader = (details: Details) => StepWords;

const said = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : Array.isArray(value) ? value.join(", ") : "";

const plain = (title: string, detail = ""): StepWords => ({
  shape: "done",
  tone: "neutral",
  title,
  ...(detail !== "" && { detail }),
});

const toned = (shape: ShapeName, tone: Tone, title: string, detail = ""): StepWords => ({
  ...plain(title, detail),
  shape,
  tone,
});

const joined = (...parts: readonly string[]) => parts.filter((part) => part !== "").join(" ");
const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** What the outcome of a submit means. */
const SUBMITS = tableOf<readonly [ShapeName, Tone, string]>({
  throttled: ["retry", "warn", "The carrier asked to slow down. Tried again a moment later."],
  deferred: ["retry", "warn", "The carrier refused it for now. Tried again later."],
  rejected: ["failed", "bad", "The carrier refused it."],
  notSent: ["retry", "warn", "It did not leave. Tried again later."],
  unknown: ["unknown", "warn", "The answer never came, so it is not known whether the carrier has it."],
  accepted: ["done", "neutral", "The carrier took it."],
});

const MESSAGE_WORDS: Readonly<Record<Exclude<MessageStep, "webhook">, Reader>> = {
  accepted: ({ checks, segmentCount, encoding }) => {
    const passed = Array.isArray(checks) ? checks : [];
    const size = typeof segmentCount === "number" ? `; ${counted(segmentCount, "segment")}, ${said(encoding)}` : "";
    return plain(`Accepted, ${counted(passed.length, "check")} passed`, `${passed.join(", ")}${size}`);
  },
  held: ({ until }) => toned("queued", "neutral", "Held", `until ${said(until)}`),
  scheduled: ({ until }) => toned("queued", "neutral", "Scheduled", `for ${said(until)}`),
  submit: ({ link, kind, reason, status, late }) => {
    const [shape, tone, meaning] = SUBMITS.get(said(kind)) ?? ["off", "neutral", `It ended as ${said(kind)}.`];
    const code = said(status) || said(reason);
    const title = joined("Try by", said(link), late === true ? "answered late" : "");
    return { ...toned(shape, tone, title, meaning), ...(code !== "" && { code }) };
  },
  sent: ({ link, carrierIds }) => {
    const ids = said(carrierIds);
    return toned("sent", "accent", "Sent", joined(said(link), "took it.", ids && `Carrier id ${ids}`));
  },
  receipt: ({ state, errorCode, carrierId }) => {
    const isGood = /^delivered$/i.test(said(state));
    const code = joined(said(state), said(errorCode) && `error ${said(errorCode)}`);
    const detail = joined(
      isGood ? "The carrier says that it arrived." : "The carrier says what became of it.",
      said(carrierId) && `Carrier id ${said(carrierId)}`,
    );
    const words = isGood ? plain("Receipt", detail) : toned("failed", "bad", "Receipt", detail);
    return code === "" ? words : { ...words, code };
  },
  delivered: ({ link }) => toned("delivered", "ok", "Delivered", link ? `reported by ${said(link)}` : ""),
  failed: (details) => endedAs("Failed", details.errorCode === 3100 ? "unknown" : "failed", details),
  expired: (details) => endedAs("Expired", "expired", details),
  canceled: () => toned("canceled", "neutral", "Canceled", "before it was sent"),
};

function endedAs(word: string, shape: ShapeName, { errorCode, errorDescription, reason }: Details): StepWords {
  const code = said(errorCode);
  const title = code === "" || code === "0" ? word : `${word}, ${code}`;
  return toned(shape, code === "3100" ? "warn" : "bad", title, joined(said(errorDescription), said(reason)));
}

const legOf = (leg: unknown) => `The ${said(leg).toLowerCase()} leg`;

const ENDERS = tableOf({
  First: "The first party hung up.",
  Second: "The second party hung up.",
  Api: "The API hung up.",
  Service: "Tandem ended it.",
});

const RECORDING = tableOf({ Pause: "Recording paused", Resume: "Recording resumed" });

/** What has ended the recording of a party. */
const RECORD_ENDS = tableOf({
  Silence: "until it was silent",
  Key: "until it pressed a key",
  MaxLength: "for as long as it may be",
  HangUp: "until the call ended",
});

const CALL_WORDS: Readonly<Record<Exclude<CallStep, "webhook">, Reader>> = {
  created: ({ direction, from, to, callerId }) =>
    direction === "Inbound"
      ? plain("The call came in", `${said(from)} called ${said(to)}`)
      : plain("Ordered", joined(`${said(from)} to ${said(to)}`, callerId ? `shown as ${said(callerId)}` : "")),
  received: ({ trunk, peer, called }) =>
    plain(
      "Received",
      joined(said(called), trunk ? `by the trunk ${said(trunk)}` : "", peer ? `from ${said(peer)}` : ""),
    ),
  refused: ({ dial, reason }) =>
    toned("failed", "bad", "Not forwarded", joined(said(reason), `Asked for: ${said(dial)}`)),
  script: scriptWords,
  voice: ({ asked, spokenBy }) => plain("Voice chosen", `${said(spokenBy)} speaks, asked for as ${said(asked)}`),
  instruction: instructionWords,
  speech: ({ reason }) => toned("failed", "bad", "A text or a sound was not heard", said(reason)),
  dialled: ({ endReason, reason }) => plain("The dialled party is gone", joined(said(endReason), said(reason))),
  redirected: ({ informed, failure }) =>
    informed === undefined
      ? plain("Redirected", "The call goes on with another program.")
      : plain("The dial's URL was told", joined(said(informed), said(failure))),
  gathered: ({ digits }) => plain("Keys", said(digits) || "No key was pressed."),
  stream: ({ connected, fault, packetsSent, packetsReceived, lostMs, droppedMs, url }) => {
    if (connected !== undefined) return plain("The program has answered", said(connected));
    const lost = joined(
      lostMs ? `${said(lostMs)} ms were lost because the program did not read them.` : "",
      droppedMs ? `${said(droppedMs)} ms of its sound were dropped.` : "",
    );
    const packets = `${said(packetsSent)} packets were sent, ${said(packetsReceived)} came back.`;
    return fault === undefined
      ? plain("The stream has ended", joined(packets, lost))
      : toned("failed", "bad", "The stream failed", joined(said(fault), said(url), packets, lost));
  },
  conference: ({ entered, waitUrl, reason }) => {
    if (entered !== undefined) return plain("In the conference", said(entered));
    if (waitUrl !== undefined)
      return toned("failed", "bad", "The sound to wait with was not played", joined(said(reason), said(waitUrl)));
    return reason === undefined
      ? plain("Out of the conference")
      : toned("failed", "bad", "The conference was not entered", said(reason));
  },
  recorded: ({ endedBy, informed, failure }) =>
    typeof informed === "string"
      ? plain("The action was told", joined(said(informed), said(failure)))
      : plain("Recorded", RECORD_ENDS.get(said(endedBy))),
  silent: ({ leg, reason }) => toned("failed", "bad", `${legOf(leg)} gives no response`, said(reason)),
  rang: ({ leg, to }) => toned("ringing", "accent", `${legOf(leg)} rang`, said(to)),
  answered: ({ leg }) => toned("active", "ok", `${legOf(leg)} answered`),
  keyPressed: ({ prompts }) =>
    plain("A key was pressed", typeof prompts === "number" ? `The prompt had played ${counted(prompts, "time")}.` : ""),
  joined: () => toned("active", "ok", "Both legs joined"),
  moved: ({ leg, address }) => plain("Our address changed", `${legOf(leg)} goes on from ${said(address)}.`),
  media: ({ leg, reason }) => toned("failed", "bad", `${legOf(leg)} is not heard`, said(reason)),
  busy: ({ sipCode, reason }) => ({
    ...toned("busy", "bad", "The second party was busy", said(reason)),
    ...sip(sipCode),
  }),
  recording: ({ action, fault, reason }) =>
    fault === undefined
      ? plain(RECORDING.get(said(action)) ?? "Recording changed")
      : toned("failed", "bad", "Recording is not whole", joined(said(reason), said(fault))),
  loop: ({ sipCode, reason }) => ({
    ...toned("failed", "bad", "A call that came back was refused", said(reason)),
    ...sip(sipCode),
  }),
  ending: ({ leg, sipCode, reason, by, afterSeconds }) => ({
    ...toned(
      "done",
      "warn",
      leg ? `${legOf(leg)} ended` : "The end began",
      joined(said(reason), by ? `By ${said(by)}.` : "", afterSeconds ? `No answer for ${said(afterSeconds)} s.` : ""),
    ),
    ...sip(sipCode),
  }),
  ended: ({ endReason, endedBy }) => plain(`Ended: ${said(endReason)}`, ENDERS.get(said(endedBy)) ?? ""),
};

const sip = (code: unknown) => (code ? { code: `sip ${said(code)}` } : {});

/** An instruction of the call's program, such as `{ say: "Hello." }`. */
function instructionWords({
  say,
  play,
  pause,
  press,
  dial,
  conference,
  gather,
  record,
  connect,
  startStream,
  stopStream,
  redirect,
  isRecorded,
}: Details): StepWords {
  if (say !== undefined) return plain("Say", said(say));
  if (play !== undefined) return plain("Play", said(play));
  if (pause !== undefined) return plain("Pause", `${said(pause)} s`);
  if (press !== undefined) return plain("Send keys", said(press));
  if (conference !== undefined)
    return plain(isRecorded === true ? "Enter a conference, recorded" : "Enter a conference", said(conference));
  if (gather !== undefined) return plain("Gather keys");
  if (record !== undefined) return plain("Record the caller");
  if (connect !== undefined) return plain("Connect with a program", said(connect));
  if (startStream !== undefined) return plain("Let a program hear the call", said(startStream));
  if (stopStream !== undefined) return plain("Let a program hear no more", said(stopStream));
  if (redirect !== undefined) return plain("Go on with another document", said(redirect));
  return dial === undefined ? plain("Hang up") : plain("Dial", said(dial));
}

function scriptWords({
  program,
  dial,
  refused,
  reason,
  speak,
  play,
  press,
  conference,
  gather,
  record,
  connect,
  startStream,
  stopStream,
  redirect,
  hangUp,
  line,
}: Details): StepWords {
  if (Array.isArray(program)) return plain("The script is a program", counted(program.length, "instruction"));
  if (refused !== undefined) return toned("failed", "bad", "Its destination was refused", said(reason));
  if (dial !== undefined) return plain("The script dials", said(dial));
  if (speak !== undefined) return plain("The script speaks", said(speak));
  if (play !== undefined) return plain("The script plays", said(play));
  if (press !== undefined) return plain("The script sends keys", said(press));
  if (conference !== undefined) return plain("The script enters a conference", said(conference));
  if (gather !== undefined) return plain("The script gathers keys");
  if (record !== undefined) return plain("The script records the caller");
  if (connect !== undefined) return plain("The script connects with a program", said(connect));
  if (startStream !== undefined) return plain("The script lets a program hear the call", said(startStream));
  if (stopStream !== undefined) return plain("The script lets a program hear no more", said(stopStream));
  if (redirect !== undefined) return plain("The script goes on with another document", said(redirect));
  if (hangUp === true) return plain("The script hangs up");
  const place = line === undefined ? "" : `Line ${said(line)}.`;
  return toned("failed", "bad", "No usable script", joined(place, said(reason)));
}

/** A kind that this page does not know yet is of a newer server. */
const newer = (step: string): StepWords => toned("off", "neutral", step, "Reload the page: the server is newer.");

export const messageStepWords = (step: string, details: unknown): StepWords => wordsIn(MESSAGE_WORDS, step, details);
export const callStepWords = (step: string, details: unknown): StepWords => wordsIn(CALL_WORDS, step, details);

function wordsIn(table: Readonly<Record<string, Reader>>, step: string, details: unknown): StepWords {
  const read = Object.hasOwn(table, step) ? table[step] : undefined;
  return read ? read((details ?? {}) as Details) : newer(step);
}

/** The webhook deliveries in a trail, and its other steps. */
export function partsOf<Step extends { readonly step: string; readonly details: unknown }>(
  steps: readonly Step[],
): { readonly steps: readonly Step[]; readonly deliveries: readonly WebhookDelivery[] } {
  return {
    steps: steps.filter(({ step }) => step !== "webhook"),
    deliveries: steps.flatMap(({ step, details }) => (step === "webhook" ? [details as WebhookDelivery] : [])),
  };
}
