// Entries that a stream shows in addition to events, on request: API requests and protocol messages, as they happen.

/** An answered request. */
export interface ApiRequestEntry {
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly operation: string;
  readonly status: number;
  readonly ms: number;
  readonly requestId: string;
  /** What it made or changed, where it answered one record. */
  readonly resourceSid: string | null;
  /** Set for a refusal. */
  readonly code: string | null;
  readonly traceId: string | null;
}

/** An SMPP PDU that belongs to a message. */
export interface SmppPduEntry {
  readonly at: string;
  readonly link: string;
  readonly carrier: string;
  readonly direction: "Sent" | "Received";
  readonly command: "submit_sm" | "submit_sm_resp" | "deliver_sm";
  readonly status: number;
  /** `ESME_ROK`, or a carrier's own number in hex. */
  readonly statusName: string;
  readonly sequence: number;
  readonly length: number;
  /** Name and value of each field, by its SMPP name. Operators get none: they include the text. */
  readonly fields?: readonly (readonly [name: string, value: string])[];
  /** The first 1,024 octets. Operators get none. */
  readonly hex?: string;
  /** The external party; null in a response. */
  readonly party: string | null;
  /** The state in a receipt: `delivered`, `rejected` and others, with the carrier's code. */
  readonly receipt: { readonly state: string; readonly errorCode: string | null } | null;
  /** Null for a message that is just being received. */
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
  /** Null if it belongs to no account. */
  readonly accountSid: string | null;
  /** How many of its type were left out before it. */
  readonly skipped: number;
}

export type LiveEntry =
  | { readonly type: "ApiRequest"; readonly data: ApiRequestEntry & Shown }
  | { readonly type: "SmppPdu"; readonly data: SmppPduEntry & Shown }
  | { readonly type: "SipMessage"; readonly data: SipMessageEntry & Shown };

const TYPES: ReadonlySet<string> = new Set(["ApiRequest", "SmppPdu", "SipMessage"] satisfies LiveEntry["type"][]);

/** Undefined for an event. */
export function readEntry(type: string, data: string): LiveEntry | undefined {
  return TYPES.has(type) ? ({ type, data: JSON.parse(data) } as LiveEntry) : undefined;
}
