// Port orders for generated requests: forms as text, and orders that exist.

import fc, { type Arbitrary } from "fast-check";
import { expect } from "vitest";
import { json, type Tandem } from "../tandem.ts";

export interface TextBody {
  readonly text: string;
  readonly type: string;
}

/** Placeholder for the sid of a MessagingConfig that is not known when forms are generated. */
export const CONFIG = `MC${"f".repeat(32)}`;

const LETTER = `%PDF-1.4
1 0 obj
<</Type/Catalog/Pages 2 0 R>>
endobj
2 0 obj
<</Type/Pages/Kids[3 0 R]/Count 1>>
endobj
3 0 obj
<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]>>
endobj
trailer
<</Root 1 0 R>>
startxref
0
%%EOF
`;

export function formText(data: string, letters: readonly string[] = [LETTER]): TextBody {
  const parts = [
    `Content-Disposition: form-data; name="data"\r\n\r\n${data}`,
    ...letters.map((text) => `Content-Disposition: form-data; name="files"; filename="loa.pdf"\r\n\r\n${text}`),
  ];
  const text = parts.map((part) => `--fuzzed\r\n${part}\r\n`).join("");
  return { text: `${text}--fuzzed--\r\n`, type: "multipart/form-data; boundary=fuzzed" };
}

const word = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 20 })
  .filter((text) => /^[^\p{Cc}\s]+$/u.test(text));
/** Numbers that belong to no account, and repeat only by chance. */
const number = fc.noBias(fc.integer({ min: 2_000_000, max: 8_999_999 }).map((line) => `+1970${line}`));
const details = fc.record(
  {
    accountNumber: fc.stringMatching(/^[A-Z0-9-]{1,20}$/),
    subscriber: fc.record({ type: fc.constantFrom("Business", "individual"), name: word, authorizedPerson: word }),
    serviceAddress: fc.record({
      street: word,
      city: word,
      state: fc.constantFrom("CO", "ca"),
      postalCode: fc.constantFrom("80202", "94105-1234"),
      country: fc.constantFrom("US", "us"),
    }),
    losingCarrier: fc.option(word),
    customerReference: fc.option(word),
  },
  { requiredKeys: ["accountNumber", "subscriber", "serviceAddress"] },
);
const order = fc
  .tuple(details, fc.uniqueArray(number, { minLength: 1, maxLength: 3 }), fc.option(fc.stringMatching(/^\d{4,8}$/)))
  .map(([rest, numbers, pin]) => ({
    messagingConfigSid: CONFIG,
    phones: numbers.map((given) => ({ number: given, ...(pin === null ? {} : { pin }) })),
    ...rest,
  }));

const asJson = (value: unknown): TextBody => ({ text: JSON.stringify(value), type: "application/json" });

const reason = fc.record(
  { reason: fc.constantFrom("OTHER", "sv_conflict", "FOC_EXPIRED"), detail: word },
  { requiredKeys: ["reason"] },
);
const halves = fc.subarray(["voice", "Messaging"], { minLength: 1 });

/** Valid bodies by operation, where a schema alone is not enough. */
export const GOOD_PORT_BODIES: Readonly<Record<string, Arbitrary<TextBody>>> = {
  portIn: order.map((data) => formText(JSON.stringify(data))),
  makePortLetter: order.map(asJson),
  confirmPortDate: fc.constant(asJson({ on: "2026-12-24T15:00:00+01:00" })),
  completePort: fc.record({ halves }, { requiredKeys: [] }).map(asJson),
  rejectPort: reason.map(asJson),
  holdPort: reason.map(asJson),
  answerPortException: details.chain((data) => fc.constantFrom(asJson(data), formText(JSON.stringify(data)))),
};

let orders = 0;

export async function newPortOrder(tandem: Tandem, messagingConfigSid: string): Promise<string> {
  const [data] = fc.sample(order, { numRuns: 1, seed: ++orders });
  const phones = [{ number: `+1970${9_000_000 + orders}` }];
  const { text, type } = formText(JSON.stringify({ ...data, messagingConfigSid, phones }));
  const made = await tandem.get("/v1/Phones/port-in", {
    method: "POST",
    headers: { "Content-Type": type },
    body: text,
  });
  const answer = await made.text();
  expect(made.status, answer).toBe(200);
  return (JSON.parse(answer) as { sid: string }).sid;
}

/** Orders that wait for a reply of their owner. */
export async function newHeldOrders(tandem: Tandem, messagingConfigSid: string, count: number): Promise<string[]> {
  const sids: string[] = [];
  for (let n = 0; n < count; n++) {
    const sid = await newPortOrder(tandem, messagingConfigSid);
    const held = json("POST", { reason: "ACCOUNT_NUMBER_MISMATCH" });
    expect((await tandem.operator(`/operator/v1/PortOrders/${sid}/exception`, held)).status).toBe(200);
    sids.push(sid);
  }
  for (const sid of sids) {
    const isSubmitted = async () =>
      ((await (await tandem.get(`/v1/Phones/port-in/${sid}`)).json()) as { submitted: boolean }).submitted;
    await expect.poll(isSubmitted, { timeout: 120_000, interval: 100 }).toBe(true);
  }
  return sids;
}
