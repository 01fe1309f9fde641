// A number that serves, or served, an account.

import type { NumberFeature } from "./inventory.ts";
import type { PhoneStatus } from "./phone-status.ts";

export interface VoiceSettings {
  /** E.164 or a SIP URI; null: the answer to the inbound-call webhook decides. */
  readonly callsForwardedTo: string | null;
  readonly recordInboundCalls: boolean;
}

export const DEFAULT_VOICE: VoiceSettings = { callsForwardedTo: null, recordInboundCalls: false };

export interface Phone {
  /** E.164 with the leading plus, or the digits of a short code. */
  readonly number: string;
  readonly accountSid: string;
  readonly name: string | null;
  readonly status: PhoneStatus;
  readonly statusReason: string | null;
  readonly messagingConfigSid: string | null;
  readonly portOrderSid: string | null;
  readonly features: readonly NumberFeature[];
  readonly voice: VoiceSettings;
  readonly createdOn: Date;
  readonly updatedOn: Date;
}
