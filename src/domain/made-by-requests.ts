// Resources by the id of the request that made them: support gets an `X-Request-Id`, and looks for the message.

export const MADE_KINDS = ["Message", "Call", "PortOrder", "MessagingConfig", "Subscription"] as const;
export type MadeKind = (typeof MADE_KINDS)[number];

export interface Made {
  readonly kind: MadeKind;
  readonly sid: string;
  readonly accountSid: string;
  readonly createdOn: Date;
}

export interface MadeByRequests {
  /** Oldest first; a client may have given several requests the same id. Without an account, searches all accounts. */
  find(requestId: string, accountSid?: string): Promise<readonly Made[]>;
}
