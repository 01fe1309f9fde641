// `tandem listen`: prints and forwards the account's events on this machine. Needs no tunnel, because the client opens
// the event stream.

import type { Command } from "commander";
import { type EventType, newWebhookSecret, type StreamState, signWebhook } from "../../../../sdk/src/index.ts";
import { type AccountFlags, addAccountOptions, clientOf } from "../../account-options.ts";
import { given, parseEventTypes } from "../../arguments.ts";
import { EXIT, UsageError } from "../../exit-codes.ts";
import { print, say } from "../../output.ts";
import { count } from "../../progress.ts";
import { stopSignal } from "../../stop-signal.ts";
import { eventJsonLine, eventLine } from "./event-line.ts";
import { type Followed, followEvents } from "./follow-events.ts";
import { forwardEvent } from "./forward-event.ts";

interface ListenFlags extends AccountFlags {
  readonly forwardTo?: string;
  readonly types?: ReadonlySet<EventType>;
  readonly secret?: string;
  readonly after?: string;
}

const HELP = `
Each event is posted as a webhook of shape A: headers webhook-id, webhook-timestamp and webhook-signature (Standard Webhooks), and
X-Event-Type. Success is 2xx within 15 s; nothing is posted twice. Events of one resource arrive in order. What the receiver answers
is not read: a call is answered by its subscription alone.

When the server restarts or the network breaks, it connects again by itself and goes on after the last event. Ctrl-C ends it.

JSON:
  One line per event, as GET /v1/Events shows it; when it was forwarded with "forwarded": { webhookSid, status, failure, ms }.

Exit status:
  0  ended by Ctrl-C
  1  the server refused, or could not be reached at the start
  2  the command is not right

Examples:
  tandem listen
  tandem listen --forward-to localhost:3000/hook
  tandem listen --forward-to https://localhost:3000/hook --types InboundMessageReceived,OptOutChanged
`;

export function addListenCommand(program: Command): void {
  const command = program
    .command("listen")
    .summary("print the account's events as they happen, and forward them to a local URL")
    .description(
      "Print the account's events as they happen, and forward them to a URL on this machine. No tunnel is needed.",
    )
    .option("--forward-to <url>", "post every event there, signed like a webhook; localhost:3000/hook will do")
    .option("--types <types>", "only these event types, separated by commas", parseEventTypes)
    .option("--secret <secret>", "sign with this secret (whsec_…); one is made and printed unless given")
    .option("--after <id>", "begin after this event instead of now")
    .option("--json", "print a line of JSON per event");
  addAccountOptions(command)
    .addHelpText("after", HELP)
    .action(async (flags: ListenFlags) => {
      process.exitCode = await listen(flags);
    });
}

async function listen(flags: ListenFlags): Promise<number> {
  const url = flags.forwardTo === undefined ? undefined : checkedUrl(flags.forwardTo);
  const secret = await checkedSecret(flags);
  const { events } = clientOf(flags);
  const stop = AbortSignal.any([stopSignal(), outputClosed()]);
  const show = flags.json ? eventJsonLine : eventLine;
  const followed = await followEvents({
    events: events.stream({
      signal: stop,
      ...given({ lastEventId: flags.after }),
      onState: stateReporter(url, flags.secret === undefined ? secret : undefined),
    }),
    types: flags.types,
    forward: url === undefined ? undefined : (event) => forwardEvent({ url, secret, signal: stop }, event),
    report: (event, forwarded) => print(show(event, forwarded)),
  });
  reportEnd(followed);
  return EXIT.fine;
}

/** Ends the command when a reader such as `tandem listen | head` closes the pipe. */
function outputClosed(): AbortSignal {
  const controller = new AbortController();
  process.stdout.once("error", () => controller.abort());
  return controller.signal;
}

/** Prints the settings at the first connection, and later lost and restored connections. */
function stateReporter(url: string | undefined, madeSecret: string | undefined): (state: StreamState) => void {
  let wasOpen = false;
  return (state) => {
    if (state.kind === "lost") {
      say(`${state.reason} Trying again in ${(state.retryMs / 1000).toFixed(1)} s.`);
      return;
    }
    if (wasOpen) {
      say("Connected again; nothing was missed.");
      return;
    }
    wasOpen = true;
    if (url !== undefined && madeSecret !== undefined) say(`Signing secret: ${madeSecret}`);
    say(`Listening${url === undefined ? "" : `, forwarding to ${url}`}. Ctrl-C ends it.`);
  };
}

function reportEnd({ events, failures }: Followed): void {
  const failed = failures === 0 ? "" : `; ${count(failures)} not answered with 2xx`;
  say(`${count(events)} ${events === 1 ? "event" : "events"}${failed}.`);
}

/** `localhost:3000/hook` and `3000` are accepted too. */
function checkedUrl(text: string): string {
  const whole = /^\d{1,5}(?=\/|$)/.test(text) ? `localhost:${text}` : text;
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(whole) ? whole : `http://${whole}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:") {
    throw new UsageError(`${text} is nothing to forward to: give localhost:3000/hook, or a URL of http or https.`);
  }
  if (url.username !== "" || url.password !== "") throw new UsageError("--forward-to takes no credentials in the URL.");
  return address;
}

async function checkedSecret({ forwardTo, secret }: ListenFlags): Promise<string> {
  if (secret === undefined) return newWebhookSecret();
  if (forwardTo === undefined) throw new UsageError("--secret belongs to --forward-to.");
  try {
    await signWebhook({ id: "", timestamp: new Date(), payload: "", secret });
  } catch (error) {
    throw new UsageError(`--secret: ${(error as Error).message}`);
  }
  return secret;
}
