// An order as it is sent to the clearing house. Requires what a real one requires: numbers, account, subscriber,
// address and at least one document.

import { z } from "zod";

const text = z.string().min(1).max(500);

export const orderBodySchema = z.object({
  reference: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
  numbers: z
    .array(z.object({ number: z.string().regex(/^\+[1-9]\d{6,14}$/), pin: z.string().max(64).nullish() }))
    .min(1)
    .max(500),
  losingCarrier: text.nullish(),
  accountNumber: text,
  billingTelephoneNumber: text.nullish(),
  subscriber: z.object({ type: z.enum(["Business", "Individual"]), name: text, authorizedPerson: text }),
  serviceAddress: z.object({
    street: text,
    street2: text.nullish(),
    city: text,
    state: text,
    postalCode: text,
    country: z.string().length(2),
  }),
  requestedOn: z.iso.datetime({ offset: true }).nullish(),
  customerReference: text.nullish(),
  documents: z
    .array(z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/), name: text, contentType: text }))
    .min(1)
    .max(50),
  /** The sequence of the exception that this corrects; 0 for a new order. */
  answers: z.int().min(0).default(0),
});

export type OrderBody = z.output<typeof orderBodySchema>;
