// What a stream shows besides events where it is asked to: requests and what goes over the wire, as they happen.

/** An answered request. */
export interface ApiRequestEntry {
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly operation: string;
  readonly status: number;
  readonly ms: number;
  readonly requestId: string;
  /** Of a refusal. */
  readonly code: string | null;
  readonly traceId: string | null;
}

/** A PDU of SMPP that belongs to a message. */
export interface SmppPduEntry {
  readonly at: string;
  readonly link: string;
  readonly carrier: string;
  readonly direction: "Sent" | "Received";
  readonly command: "submit_sm" | "submit_sm_resp" | "deliver_sm";
  readonly status: number;
  /** `ESME_ROK`, or the number of a carrier's own in hex. */
  readonly statusName: string;
  readonly sequence: number;
  readonly length: number;
  /** Name and value of each, as SMPP names them. Operators get none: the text is in them. */
  readonly fields?: readonly (readonly [name: string, value: string])[];
  /** Of its first 1,024 octets. Operators get none. */
  readonly hex?: string;
  /** The party outside, null in an answer. */
  readonly party: string | null;
  /** What a receipt says: `delivered`, `rejected` and others, with the carrier's code. */
  readonly receipt: { readonly state: string; readonly errorCode: string | null } | null;
  /** Null of a message that is just received. */
  readonly messageSid: string | null;
}

export interface SipMessageEntry {
  readonly at: string;
  readonly callSid: string;
  readonly leg: string;
  readonly direction: "Sent" | "Received";
  readonly peer: string;
  readonly local: string;
  readonly transport: string;
  readonly text: string;
}

interface Shown {
  /** Null where it is no account's. */
  readonly accountSid: string | null;
  /** How many of its type were left out before it. */
  readonly skipped: number;
}

export type LiveEntry =
  | { readonly type: "ApiRequest"; readonly data: ApiRequestEntry & Shown }
  | { readonly type: "SmppPdu"; readonly data: SmppPduEntry & Shown }
  | { readonly type: "SipMessage"; readonly data: SipMessageEntry & Shown };

const TYPES: ReadonlySet<string> = new Set(["ApiRequest", "SmppPdu", "SipMessage"] satisfies LiveEntry["type"][]);

/** Undefined of an event. */
export function readEntry(type: string, data: string): LiveEntry | undefined {
  return TYPES.has(type) ? ({ type, data: JSON.parse(data) } as LiveEntry) : undefined;
}
