// Writes the INVITE of a leg that we dial: the called URI, the caller, the forwarding numbers, and the headers that the
// destination's own URI asks for.

import { hostText, requestUriOf, type SipUri, uriHeadersOf } from "../../../rules/sip-uri.ts";
import type { DialOrder } from "../../domain/voice/ports.ts";
import type { LegSettings } from "../../wire/sip/leg-state.ts";
import type { Binding } from "../../wire/sip/registrar.ts";
import type { SipTimers } from "../../wire/sip/timers.ts";
import { fieldLine, type RequestDraft } from "../../wire/sip/write.ts";
import type { Flow } from "./flow.ts";
import { writeNumber } from "./number-spelling.ts";
import { randomText } from "./random-text.ts";
import type { Trunk } from "./trunks.ts";

export interface InviteOrder {
  readonly order: DialOrder;
  /** What is called: a URI, or a number over a trunk. */
  readonly target: { readonly uri: SipUri } | { readonly number: string; readonly trunk: Trunk };
  /** The trunk whose rules determine how the caller is written. */
  readonly trunk: Trunk | undefined;
  /** Where the trunk is registered with us. */
  readonly binding?: Binding<Flow> | undefined;
  readonly flow: Flow;
  readonly localTag: string;
  readonly sdp: string;
}

export function inviteOf({ order, target, trunk, binding, flow, localTag, sdp }: InviteOrder): RequestDraft {
  const called = "uri" in target ? requestUriOf(target.uri) : numberUri(target.number, target.trunk, flow);
  const uri = binding && "number" in target ? registeredUri(target.number, target.trunk, binding) : called;
  const domain = trunk ? domainOf(trunk, flow) : hostText(flow.localAddress);
  const caller = callerUri(order, trunk, domain);
  const isHidden = order.isPrivate || order.callerId === "anonymous";
  const from = isHidden ? '"Anonymous" <sip:anonymous@anonymous.invalid>' : `<${caller}>`;
  let lines = identityLines(order, trunk, caller);
  if (order.divertedFrom !== undefined) {
    lines += diversionLines([order.divertedFrom, ...(order.diversions ?? [])], trunk, domain, uri);
  }
  // RFC 3261 16.5: a registered address replaces the called one, which RFC 7315 4.2 lets the peer see.
  if (binding) lines += fieldLine("P-Called-Party-ID", `<${called}>`);
  if (order.identity !== undefined) lines += fieldLine("Identity", order.identity);
  if ("uri" in target) {
    for (const [name, value] of uriHeadersOf(target.uri.headers) ?? []) lines += fieldLine(name, value);
  }
  return {
    method: "INVITE",
    uri,
    routes: [],
    maxForwards: order.maxForwards,
    from: `${from};tag=${localTag}`,
    to: `<${called}>`,
    callId: `${randomText(12)}@${hostText(flow.localAddress)}`,
    cseq: 1,
    lines,
    body: sdp,
  };
}

/** That of a trunk that registers with us is ours. */
function domainOf({ settings: { domain, host, port } }: Trunk, flow: Flow): string {
  if (domain !== undefined) return domain;
  if (host === undefined) return hostText(flow.localAddress);
  return port === undefined ? hostText(host) : `${hostText(host)}:${port}`;
}

function calledUser(number: string, { settings: { numbers } }: Trunk): string {
  return escapedUser(writeNumber(number, numbers.called, numbers));
}

function registeredUri(number: string, trunk: Trunk, { uri }: Binding<Flow>): string {
  const isContact = trunk.settings.registrar?.requestUri === "contact";
  return requestUriOf(isContact ? uri : { ...uri, user: calledUser(number, trunk) });
}

function numberUri(number: string, trunk: Trunk, flow: Flow): string {
  const { transport } = trunk.settings;
  return `sip:${calledUser(number, trunk)}@${domainOf(trunk, flow)}${transport === undefined || transport === "udp" ? "" : `;transport=${transport}`}`;
}

/** Everything that RFC 3261 25.1 does not allow in a user part is escaped. */
function escapedUser(text: string): string {
  return text.replace(/[^A-Za-z0-9\-_.!~*'()&=+$,;?/]/gu, (character) =>
    [...Buffer.from(character, "utf8")]
      .map((octet) => `%${octet.toString(16).padStart(2, "0").toUpperCase()}`)
      .join(""),
  );
}

function callerUri({ callerId }: DialOrder, trunk: Trunk | undefined, domain: string): string {
  const { numbers } = trunk?.settings ?? {};
  const written = numbers ? writeNumber(callerId, numbers.caller, numbers) : callerId;
  return `sip:${escapedUser(written)}@${domain}`;
}

/** RFC 3325: the asserted identity for the trunk, and whether it may be shown. */
function identityLines({ callerId, isPrivate }: DialOrder, trunk: Trunk | undefined, caller: string): string {
  const isKnown = callerId !== "anonymous";
  const asserted = trunk?.settings.assertIdentity && isKnown ? fieldLine("P-Asserted-Identity", `<${caller}>`) : "";
  return isPrivate || !isKnown ? `${asserted}Privacy: id\r\n` : asserted;
}

/** RFC 5806 and RFC 7044; numbers are newest first. Peers that are not trunks get none: the numbers are private. */
function diversionLines(numbers: readonly string[], trunk: Trunk | undefined, domain: string, uri: string): string {
  const form = trunk?.settings.diversion ?? "none";
  if (!trunk || form === "none") return "";
  const spelling = trunk.settings.numbers;
  const diverting = numbers.map(
    (number) => `sip:${escapedUser(writeNumber(number, spelling.caller, spelling))}@${domain}`,
  );
  const diversions = diverting.map((from) => fieldLine("Diversion", `<${from}>;reason=unconditional;counter=1`));
  const targets = [...diverting.toReversed(), uri].map((target, at) => {
    const reason = at === 0 ? "" : `?Reason=${HISTORY_REASON}`;
    return `<${target}${reason}>;index=1${".1".repeat(at)}`;
  });
  const history = fieldLine("History-Info", targets.join(", "));
  return `${form === "history-info" ? "" : diversions.join("")}${form === "diversion" ? "" : history}`;
}

const HISTORY_REASON = "SIP%3Bcause%3D302";

const SESSION_SECONDS = 1800;

export function legSettingsOn(flow: Flow, timers: SipTimers): LegSettings {
  return { timers, contact: contactOn(flow), sessionSeconds: SESSION_SECONDS };
}

/** The value of our Contact on a flow. */
export function contactOn({ transport, sentBy }: Flow): string {
  return `<sip:${sentBy}${transport === "UDP" ? "" : `;transport=${transport.toLowerCase()}`}>`;
}
