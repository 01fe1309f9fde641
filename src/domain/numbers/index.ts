// The front door of numbers. Siblings may come in here.

export { activateNumbers } from "./activate-numbers.ts";
export { readCallDestination } from "./call-destination.ts";
export {
  type InventoryNumber,
  type InventoryStore,
  NUMBER_FEATURES,
} from "./inventory.ts";
export {
  type Assigned,
  addToConfig,
  changePhone,
  changeVoice,
  findServing,
  removePhone,
  takeFromConfig,
  takePhone,
  type VoiceChange,
} from "./manage-phone.ts";
export {
  type ChangedScope,
  type OptOut,
  type OptOutOrder,
  type OptOutScope,
  type OptOutStore,
  optIn,
  optOut,
  SCOPE_TYPES,
  type ScopeType,
} from "./opt-outs.ts";
export { DEFAULT_VOICE, type Phone } from "./phone.ts";
export { needsCampaign, PHONE_STATUSES, type PhoneStatus } from "./phone-status.ts";
export { expectPhones, followPort, type PortedPhone } from "./port-phone.ts";
export type { HeldMessages, PhoneScope, PhoneStore, ServedPhone, StatusChange } from "./ports.ts";
export { type SettleDeps, settleNumbers } from "./settle-numbers.ts";
