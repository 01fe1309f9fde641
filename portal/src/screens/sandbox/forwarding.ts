// What will happen to a call to a number, by its settings and the webhooks of its account: it rings somewhere, a script
// decides, or it is refused.

import type { Phone, VoiceSettings, WebhookSubscription } from "@tandem/sdk";
import { CALL_BEHAVIOURS } from "./behaviours.ts";

export type Forwarding =
  | { readonly kind: "rings"; readonly to: string; readonly isRecorded: boolean; readonly does: string | undefined }
  /** The webhook that answers with a script. */
  | { readonly kind: "script"; readonly webhook: Answering }
  /** The webhook that would answer is switched off. */
  | { readonly kind: "off"; readonly webhook: Answering }
  | { readonly kind: "refused" };

type Answering = Pick<
  WebhookSubscription,
  "sid" | "url" | "types" | "enabled" | "disabledReason" | "phone" | "messagingConfigSid"
>;

const ANSWERED = "InboundCallReceivedWebhook";

export function forwardingOf(
  { number, messagingConfigSid }: Pick<Phone, "number" | "messagingConfigSid">,
  { callsForwardedTo, recordInboundCalls }: Pick<VoiceSettings, "callsForwardedTo" | "recordInboundCalls">,
  webhooks: readonly Answering[],
): Forwarding {
  if (callsForwardedTo !== null) {
    return { kind: "rings", to: callsForwardedTo, isRecorded: recordInboundCalls, does: behaviourOf(callsForwardedTo) };
  }
  const answering = webhooks.filter(({ types }) => types.includes(ANSWERED));
  // The narrowest comes first: of the number, of its config, of the account.
  const inOrder = [
    ...answering.filter(({ phone }) => phone === number),
    ...answering.filter(({ messagingConfigSid: sid }) => sid !== null && sid === messagingConfigSid),
    ...answering.filter(({ phone, messagingConfigSid: sid }) => phone === null && sid === null),
  ];
  const on = inOrder.find(({ enabled }) => enabled);
  if (on) return { kind: "script", webhook: on };
  return inOrder[0] ? { kind: "off", webhook: inOrder[0] } : { kind: "refused" };
}

/** What a number of the sandbox does when it is called. */
function behaviourOf(to: string): string | undefined {
  const [, line] = /^\+1\d{3}555(01\d\d)$/.exec(to) ?? [];
  return CALL_BEHAVIOURS.find((behaviour) => behaviour.line === line)?.does;
}
