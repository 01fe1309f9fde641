// The account's numbers: what can be had, taking one, what it belongs to, giving it back.

import { type Answer, ask, type CallOptions, type ClientOrder, type WriteOptions } from "./exchange.ts";
import type { AvailablePhone, Phone, PhoneChange, PhoneOrder, PhoneStatus } from "./messaging-types.ts";
import { type PageOptions, pageQuery } from "./page.ts";
import type { ListAnswer } from "./types.ts";

export interface PhoneListOptions extends PageOptions {
  /** Removed ones are listed only when asked for. */
  readonly status?: PhoneStatus;
  readonly messagingConfigSid?: string;
}

export interface AvailablePhoneOptions extends CallOptions {
  /** Three digits. */
  readonly areaCode?: string;
  /** Digits that stand somewhere in it. */
  readonly contains?: string;
  /** 1 to 100; 10 unless told. */
  readonly quantity?: number;
}

export interface Phones {
  list(options?: PhoneListOptions): Promise<Answer<ListAnswer<Phone>>>;
  available(options?: AvailablePhoneOptions): Promise<Answer<ListAnswer<AvailablePhone>>>;
  /** Takes a number. */
  create(phone: PhoneOrder, options?: WriteOptions): Promise<Answer<Phone>>;
  get(number: string, options?: CallOptions): Promise<Answer<Phone>>;
  change(number: string, change: PhoneChange, options?: CallOptions): Promise<Answer<Phone>>;
  /** Gives it back: others may take it from then on. */
  remove(number: string, options?: CallOptions): Promise<Answer<undefined>>;
}

const PATH = "/v1/Phones";

export function phonesOf(order: ClientOrder): Phones {
  const pathOf = (number: string) => `${PATH}/${encodeURIComponent(number)}`;
  return {
    list: ({ signal, ...options } = {}) =>
      ask(order, {
        ...(signal && { signal }),
        method: "GET",
        path: PATH,
        query: { ...pageQuery(options), Status: options.status, MessagingConfigSid: options.messagingConfigSid },
      }),
    available: ({ signal, ...options } = {}) =>
      ask(order, {
        ...(signal && { signal }),
        method: "GET",
        path: `${PATH}/Available`,
        query: { AreaCode: options.areaCode, Contains: options.contains, Quantity: options.quantity },
      }),
    create: (body, options) => ask(order, { ...options, method: "POST", path: PATH, body }),
    get: (number, options) => ask(order, { ...options, method: "GET", path: pathOf(number) }),
    change: (number, body, options) => ask(order, { ...options, method: "PATCH", path: pathOf(number), body }),
    remove: (number, options) => ask(order, { ...options, method: "DELETE", path: pathOf(number) }),
  };
}
