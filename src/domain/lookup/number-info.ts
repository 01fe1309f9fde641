// The result of a lookup: the four fields of the specification, and where the answer came from.

export const PHONE_TYPES = ["Unknown", "Wireless", "Landline", "VoIP"] as const;
export type PhoneType = (typeof PHONE_TYPES)[number];

export const MESSAGING_STATUSES = ["Active", "Inactive"] as const;
export type MessagingStatus = (typeof MESSAGING_STATUSES)[number];

export interface NumberInfo {
  /** E.164 with the leading plus. */
  readonly number: string;
  readonly status: MessagingStatus;
  readonly type: PhoneType;
  readonly carrierName: string | null;
}

export const LOOKUP_SOURCES = ["override", "own", "enum", "http", "sip", "table"] as const;
export type LookupSource = (typeof LOOKUP_SOURCES)[number];

export interface LookupAnswer {
  readonly info: NumberInfo;
  readonly source: LookupSource;
  /** The date of the data, not of the request. */
  readonly asOf: Date;
  /** Undefined where the source does not report it. */
  readonly ported?: boolean;
}
