// Port orders for tests: created the way their owners create them, with a letter that the product made.

import { expect, vi } from "vitest";
import { makeLoa } from "../../src/adapters/documents/make-loa.ts";
import { json } from "../tandem.ts";
import type { TestAccount } from "./account.ts";
import { answerOf, type List, type PhoneBody, SOON, whenListed } from "./numbers.ts";

export interface PortOrderBody {
  readonly sid: string;
  readonly status: string;
  readonly reasonCode: string | null;
  readonly reason: string | null;
  readonly answerWith: readonly string[];
  readonly numbers: readonly {
    readonly number: string;
    readonly status: string;
    readonly reasonCode: string | null;
    readonly focOn: string | null;
    readonly voiceMovedOn: string | null;
    readonly messagingMovedOn: string | null;
  }[];
  readonly documents: readonly { readonly place: number; readonly name: string; readonly sha256: string }[];
  readonly submitted: boolean;
  readonly cancelRequestedOn: string | null;
  readonly refused: { readonly what: string; readonly reasonCode: string } | null;
  readonly [member: string]: unknown;
}

const DETAILS = {
  losingCarrier: "Other Telecom",
  accountNumber: "A-123",
  billingTelephoneNumber: null,
  subscriber: { type: "Business", name: "Example Inc.", authorizedPerson: "Ann Example" },
  serviceAddress: {
    street: "1 Main St",
    street2: null,
    city: "Denver",
    state: "CO",
    postalCode: "80202",
    country: "US",
  },
} as const;

let made = 0;
const letters = new Map<string, Promise<Uint8Array>>();

/** New numbers that are in no inventory. */
export function strangeNumbers(count: number, areaCode = "720"): readonly string[] {
  return Array.from({ length: count }, () => `+1${areaCode}557${String(++made).padStart(4, "0")}`);
}

export interface PortPhone {
  readonly number: string;
  readonly pin?: string;
}

export function orderData(
  messagingConfigSid: string,
  phones: readonly (string | PortPhone)[],
  more: object = {},
): object {
  const numbers = phones.map((phone) => (typeof phone === "string" ? { number: phone } : phone));
  return { messagingConfigSid, phones: numbers, ...DETAILS, ...more };
}

/** A letter for these numbers, made once for each list. */
export function letter(numbers: readonly string[] = ["+14155550100"]): Promise<Uint8Array> {
  const key = numbers.join();
  const known = letters.get(key) ?? makeLoa({ ...DETAILS, numbers });
  letters.set(key, known);
  return known;
}

export interface FormFile {
  readonly bytes: Uint8Array;
  readonly name?: string;
}

export function formOf(data: unknown, files: readonly (Uint8Array | FormFile)[]): RequestInit {
  const form = new FormData();
  if (data !== undefined) form.append("data", typeof data === "string" ? data : JSON.stringify(data));
  for (const file of files) {
    const { bytes, name = "letter.pdf" } = file instanceof Uint8Array ? { bytes: file } : file;
    form.append("files", new Blob([bytes]), name);
  }
  return { method: "POST", body: form };
}

export interface OrderedBody {
  readonly sid: string;
  readonly status: string;
  readonly phones: readonly PhoneBody[];
}

export async function portIn(
  account: TestAccount,
  messagingConfigSid: string,
  phones: readonly (string | PortPhone)[],
): Promise<OrderedBody> {
  const form = formOf(orderData(messagingConfigSid, phones), [await letter()]);
  return answerOf(await account.call("/v1/Phones/port-in", form), 200);
}

export async function orderOf(account: TestAccount, sid: string): Promise<PortOrderBody> {
  return answerOf(await account.call(`/v1/Phones/port-in/${sid}`), 200);
}

export async function phoneOf(account: TestAccount, number: string): Promise<PhoneBody> {
  return answerOf(await account.call(`/v1/Phones/${number}`), 200);
}

/** Simulates the losing carrier's decision. */
export async function decide(account: TestAccount, sid: string, outcome: string, reason?: string): Promise<void> {
  const order = { sid, outcome, ...(reason === undefined ? {} : { reason }) };
  await answerOf(await account.call("/testkit/v1/Emulate/port", json("POST", order)), 200);
}

/** Resolves with the order when it has the status. */
export async function orderThatIs(account: TestAccount, sid: string, status: string): Promise<PortOrderBody> {
  return vi.waitFor(async () => {
    const order = await orderOf(account, sid);
    expect(order.status).toBe(status);
    return order;
  }, SOON);
}

interface OrderEvent {
  readonly type: string;
  readonly payload: {
    readonly PortOrderSid: string;
    readonly Status: string;
    readonly PreviousStatus: string | null;
    readonly Reason: string | null;
    readonly Numbers: readonly string[];
    readonly Sequence: number;
  };
}

/** The events of the order itself, oldest first. */
export async function toldOfOrder(account: TestAccount, sid: string): Promise<readonly OrderEvent["payload"][]> {
  await whenListed(account);
  const path = "/v1/Events?PageSize=1000&OrderByDirection=Ascending";
  const { items } = await answerOf<List<OrderEvent>>(await account.call(path), 200);
  return items
    .filter(({ type, payload }) => type === "PortOrderStatusChanged" && payload.PortOrderSid === sid)
    .map(({ payload }) => payload);
}

export const movesOf = (told: readonly OrderEvent["payload"][]) =>
  told.map(({ PreviousStatus, Status }) => `${PreviousStatus ?? "none"} → ${Status}`);
