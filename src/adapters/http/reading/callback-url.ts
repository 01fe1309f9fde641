// A callback URL may state after `#` what is sent to it, for clients that have no fields for that: `#shape=Twilio`,
// `#statuses=final`, or `#shape=B&statuses=final`. The fragment is read here, once, and never sent.

import type { CallbackStatuses } from "../../../domain/messaging/index.ts";
import { PAYLOAD_SHAPES, type PayloadShape } from "../../../domain/webhooks/index.ts";

export interface CallbackUrl {
  readonly url: string;
  readonly shape: PayloadShape | null;
  readonly statuses: CallbackStatuses | null;
}

const NAMED = /#(?:shape=(\w+)(?:&(statuses=final))?|(statuses=final))$/;

export function readCallbackUrl(given: string): CallbackUrl {
  const [fragment, named, ofShape, alone] = NAMED.exec(given) ?? [];
  if (fragment === undefined) return { url: given, shape: null, statuses: null };
  const shape = PAYLOAD_SHAPES.find((known) => known === named) ?? null;
  return { url: given.slice(0, -fragment.length), shape, statuses: (ofShape ?? alone) ? "Final" : null };
}
