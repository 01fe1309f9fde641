// The account's numbers: finding available ones, taking one, changing it, giving it back.

import type {
  AvailablePhone,
  ListAvailablePhonesQuery,
  ListPhonesQuery,
  Phone,
  PhoneChange,
  PhoneOrder,
  VoiceSettings,
  VoiceSettingsChange,
  VoiceSettingsOrder,
} from "./api.generated.ts";
import { type Answer, ask, type CallOptions, type ClientOrder, type WriteOptions } from "./exchange.ts";
import { type Listing, listing } from "./page.ts";

export type PhoneListOptions = ListPhonesQuery & CallOptions;
export type AvailablePhoneOptions = ListAvailablePhonesQuery & CallOptions;

export interface Phones {
  /** Removed ones are listed only when asked for. */
  list(options?: PhoneListOptions): Listing<Phone>;
  available(options?: AvailablePhoneOptions): Listing<AvailablePhone>;
  /** Takes a number. */
  create(phone: PhoneOrder, options?: WriteOptions): Promise<Answer<Phone>>;
  get(number: string, options?: CallOptions): Promise<Answer<Phone>>;
  change(number: string, change: PhoneChange, options?: CallOptions): Promise<Answer<Phone>>;
  /** Where its calls go. */
  voice(number: string, options?: CallOptions): Promise<Answer<VoiceSettings>>;
  /** What is left out is as in a new number. */
  replaceVoice(number: string, settings: VoiceSettingsOrder, options?: CallOptions): Promise<Answer<VoiceSettings>>;
  changeVoice(number: string, change: VoiceSettingsChange, options?: CallOptions): Promise<Answer<VoiceSettings>>;
  /** Gives it back: others may take it from then on. */
  remove(number: string, options?: CallOptions): Promise<Answer<undefined>>;
}

export function phonesOf(order: ClientOrder): Phones {
  return {
    list: ({ signal, ...query } = {}) => listing(order, "GET /v1/Phones", { signal, query }),
    available: ({ signal, ...query } = {}) => listing(order, "GET /v1/Phones/Available", { signal, query }),
    create: (body, options) => ask(order, "POST /v1/Phones", { ...options, body }),
    get: (phone, options) => ask(order, "GET /v1/Phones/{phone}", { ...options, params: { phone } }),
    change: (phone, body, options) => ask(order, "PATCH /v1/Phones/{phone}", { ...options, params: { phone }, body }),
    voice: (phone, options) => ask(order, "GET /v1/Phones/{phone}/voice", { ...options, params: { phone } }),
    replaceVoice: (phone, body, options) =>
      ask(order, "PUT /v1/Phones/{phone}/voice", { ...options, params: { phone }, body }),
    changeVoice: (phone, body, options) =>
      ask(order, "PATCH /v1/Phones/{phone}/voice", { ...options, params: { phone }, body }),
    remove: (phone, options) => ask(order, "DELETE /v1/Phones/{phone}", { ...options, params: { phone } }),
  };
}
