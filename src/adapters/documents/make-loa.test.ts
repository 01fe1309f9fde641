import { PDFDocument } from "@cantoo/pdf-lib";
import { describe, expect, test } from "vitest";
import { checkDocument } from "./check-document.ts";
import { type LoaOrder, makeLoa } from "./make-loa.ts";

const order: LoaOrder = {
  losingCarrier: "Other Telecom",
  newCarrier: "Our Telecom",
  accountNumber: "A-123",
  billingTelephoneNumber: "+14155550100",
  subscriber: { type: "Business", name: "Example Inc.", authorizedPerson: "Ann Example" },
  serviceAddress: {
    street: "1 Main St",
    street2: null,
    city: "San Francisco",
    state: "CA",
    postalCode: "94105",
    country: "US",
  },
  numbers: ["+14155550100", "+14155550101"],
};

async function fieldsOf(bytes: Uint8Array): Promise<Readonly<Record<string, string>>> {
  const form = (await PDFDocument.load(bytes)).getForm();
  const names = form.getFields().map((field) => field.getName());
  return Object.fromEntries(names.map((name) => [name, form.getTextField(name).getText() ?? ""]));
}

describe("a letter", () => {
  test("is filled in from the order and left open for the signature", async () => {
    expect(await fieldsOf(await makeLoa(order))).toEqual({
      subscriber: "Example Inc.",
      authorizedPerson: "Ann Example",
      serviceAddress: "1 Main St\nSan Francisco, CA 94105, US",
      losingCarrier: "Other Telecom",
      newCarrier: "Our Telecom",
      accountNumber: "A-123",
      billingTelephoneNumber: "+14155550100",
      "numbers.1": "+14155550100",
      "numbers.2": "+14155550101",
      "numbers.3": "",
      "numbers.4": "",
      signature: "",
      date: "",
    });
  });

  test("is one that we take", async () => {
    expect(await checkDocument(await makeLoa(order), "loa")).toMatchObject({
      ok: true,
      value: { contentType: "application/pdf", pageCount: 1 },
    });
  });

  test("is the same for the same order", async () => {
    expect(Buffer.from(await makeLoa(order)).equals(await makeLoa(order))).toBe(true);
  });

  test("has capacity for a hundred numbers and for the longest names", async () => {
    const numbers = Array.from({ length: 100 }, (_, at) => `+1415555${String(at).padStart(4, "0")}`);
    const subscriber = { type: "Individual", name: "W".repeat(128), authorizedPerson: "Ann" } as const;
    const bytes = await makeLoa({ ...order, numbers, subscriber, losingCarrier: null, billingTelephoneNumber: null });
    const fields = await fieldsOf(bytes);
    expect(numbers.map((_, at) => fields[`numbers.${at + 1}`])).toEqual(numbers);
    expect(await checkDocument(bytes, "loa")).toMatchObject({ value: { pageCount: 2 } });
  });

  test.each([["Łódź sp. z o.o."], ["株式会社例"], ["Дмитрий"], ["a\u{1f600}b"], ["naïve “café” – €"]])(
    "keeps the true letters of %s",
    async (name) => {
      const bytes = await makeLoa({ ...order, subscriber: { ...order.subscriber, name } });
      expect((await fieldsOf(bytes)).subscriber).toBe(name);
    },
  );
});
