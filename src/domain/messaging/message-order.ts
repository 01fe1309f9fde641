// The order of a message as it was read from a request, with the faults found in reading.

import type { PayloadShape } from "../events.ts";
import type { RefusalCode, SendFault } from "./error-codes.ts";
import type { CallbackStatuses, Priority } from "./message.ts";

export interface MessageOrder {
  readonly from: string;
  /** Undefined in place of one that could not be read; likewise in `mediaUrls`. */
  readonly recipients: readonly (string | undefined)[];
  readonly text: string;
  readonly mediaUrls: readonly (string | undefined)[];
  readonly priority: Priority;
  readonly expiresOn: Date | null;
  readonly sendAt: Date | null;
  readonly callbackUrl: string | null;
  readonly callbackShape: PayloadShape | null;
  readonly callbackStatuses: CallbackStatuses | null;
  readonly conversationMetadata: string | null;
  readonly holdUntilActive: boolean;
  readonly dryRun: boolean;
  readonly smartEncoding: boolean;
}

/** What an order that asks for nothing special leaves out. */
export const PLAIN_ORDER = {
  mediaUrls: [],
  priority: "Normal",
  expiresOn: null,
  sendAt: null,
  callbackUrl: null,
  callbackShape: null,
  callbackStatuses: null,
  conversationMetadata: null,
  holdUntilActive: false,
  dryRun: false,
  smartEncoding: false,
} as const satisfies Partial<MessageOrder>;

/** With faults, `order` has what could be read, so that the other checks can go on. */
export interface ReadOrder {
  readonly order: MessageOrder;
  readonly faults: readonly SendFault[];
}

export const TEXT_CODE_POINTS_MAX = 1600;
export const MEDIA_MAX = 10;
export const RECIPIENTS_MAX = 20;

export function addFault(faults: SendFault[], code: RefusalCode, field: string, message: string): void {
  faults.push({ code, field, message });
}

/** The faults of a message's text. */
export function textFaults({ text, mediaUrls }: Pick<MessageOrder, "text" | "mediaUrls">): readonly SendFault[] {
  const faults: SendFault[] = [];
  const { length } = [...text];
  if (length === 0 && mediaUrls.length === 0) addFault(faults, 2001, "Text", "The message is empty.");
  if (length > TEXT_CODE_POINTS_MAX)
    addFault(faults, 2002, "Text", `${TEXT_CODE_POINTS_MAX} characters are allowed; these are ${length}.`);
  return faults;
}
