// What requests made, found by the ids of the requests: support is told an `X-Request-Id`, and looks for the message.

export const MADE_KINDS = ["Message", "Call", "PortOrder", "MessagingConfig", "Subscription"] as const;
export type MadeKind = (typeof MADE_KINDS)[number];

export interface Made {
  readonly kind: MadeKind;
  readonly sid: string;
  readonly accountSid: string;
  readonly createdOn: Date;
}

export interface MadeByRequests {
  /** The oldest first; a caller may have given several requests the same id. Without an account, of all. */
  find(requestId: string, accountSid?: string): Promise<readonly Made[]>;
}
