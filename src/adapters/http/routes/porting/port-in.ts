// Port orders of an account, the portability check, and letters of authorization.

import { z } from "zod";
import type { Ids } from "../../../../base/ids.ts";
import { ok, type Result, refused } from "../../../../base/result.ts";
import { parseNumber } from "../../../../domain/lookup/index.ts";
import {
  answerPort,
  cancelPort,
  checkPortLetter,
  checkPortOrder,
  findOwnOrder,
  type NewDocument,
  orderPort,
  type PortDetails,
  portabilityOf,
  type StoredPortOrder,
} from "../../../../domain/porting/index.ts";
import { type FieldErrors, invalid, mergeErrors, type Problem } from "../../../../domain/problems.ts";
import { accountOperation, tagged } from "../../core/operation.ts";
import { answerPage, answerWith } from "../../core/outcomes.ts";
import { idsFor } from "../../core/request-context.ts";
import { listOf, listQuery, pageRequestOf } from "../../core/schemas.ts";
import { type DocumentCheck, PORT_FORM_BYTES_MAX, type PortForm, readPortForm } from "../../reading/port-form.ts";
import { numberFaults } from "../../reading/read-number.ts";
import type { Lookups } from "../lookup/lookup.ts";
import { numberText, phoneSchema, showPhone } from "../numbers/phones.ts";
import {
  PORT_ORDER,
  PORT_ORDERS,
  portAnswerData,
  portInData,
  portLetterData,
  portOrderSchema,
  portOrderSid,
  portOrderStatus,
  showPortOrder,
} from "./port-schemas.ts";

export interface PortInRouteDeps {
  readonly ids: Ids;
  readonly lookups: Lookups;
  readonly checkDocument: DocumentCheck;
  /** Makes a letter of authorization for signature. */
  readonly makeLetter: (letter: PortLetter) => Promise<Uint8Array>;
  readonly supportContact: string;
}

export interface PortLetter extends PortDetails {
  readonly numbers: readonly string[];
}

const sidParams = z.strictObject({ sid: portOrderSid });
const shown = (order: Result<StoredPortOrder, Problem>) => answerWith(order, showPortOrder);

/** An answer may have files only. */
function formOf<Schema extends z.ZodType>(isRequired: boolean) {
  const absent = isRequired ? undefined : {};
  const read = (schema: Schema, raw: unknown, { checkDocument: check }: PortInRouteDeps) =>
    readPortForm({ check, absent }, schema, raw);
  return { isRequired, bytesMax: PORT_FORM_BYTES_MAX, read };
}

function formFaults({ body }: { readonly body: PortForm<unknown> }): FieldErrors {
  return mergeErrors(body.data.errors, body.documents.ok ? {} : body.documents.refusal);
}

function atLeastOne(
  documents: Result<readonly NewDocument[], FieldErrors>,
): Result<readonly NewDocument[], FieldErrors> {
  if (!documents.ok || documents.value.length > 0) return documents;
  return refused({ files: ["A letter of authorization is required: see POST /v1/Phones/port-in/loa."] });
}

const LETTER = { 200: { description: "A form to be signed.", mediaType: "application/pdf" as const } };
const sendLetter = async ({ makeLetter }: PortInRouteDeps, letter: PortLetter) => {
  const file = {
    name: "letter-of-authorization.pdf",
    contentType: "application/pdf",
    bytes: await makeLetter(letter),
  };
  return ok({ status: 200, file });
};

export const portInOperations = tagged<PortInRouteDeps>("Port-in", [
  accountOperation({
    id: "portIn",
    sdk: "portIn.submit",
    command: "port-in submit --data order.json --file letter.pdf",
    summary: "Port numbers in",
    description:
      "`data` is the order, `files` are letters of authorization: PDF, JPEG, PNG or TIFF, 10 MiB each and 25 MiB together. What is refused is refused as a whole, with all that is wrong. Without a MessagingConfig that is linked to an active campaign the order is refused (`campaign-not-linked`), unless `campaignMigration` is switched on for the account. The numbers are yours at once as `PendingPortIn`.",
    route: "POST /Phones/port-in",
    body: portInData,
    form: formOf<typeof portInData>(true),
    answers: {
      200: {
        description: "The order is taken, and will be submitted.",
        body: z
          .strictObject({ sid: z.string(), status: portOrderStatus, phones: z.array(phoneSchema) })
          .meta({ id: "PortInAnswer" }),
      },
    },
    refusals: ["campaign-not-linked"],
    furtherFaults: formFaults,
    async handle({ account, body, now, request }, unit, { ids, supportContact }) {
      const port = checkPortOrder({ readNumber: parseNumber, country: account.country, now }, body.data);
      const sid = idsFor(request, ids, "PO").sid("PO");
      const ordered = await orderPort(
        unit,
        { sid, account, request: port, documents: atLeastOne(body.documents), supportContact },
        now,
      );
      if (!ordered.ok) return ordered;
      const { order, phones } = ordered.value;
      return ok({ status: 200, body: { sid, status: order.status, phones: phones.map(showPhone) } });
    },
  }),
  accountOperation({
    id: "listPortOrders",
    sdk: "portIn.list",
    command: {
      name: "port-in list",
      about: "List the port orders.",
      options: { "--status <status>": ["Status"] },
      isAccountsOnly: true,
      shows: PORT_ORDERS,
    },
    summary: "List your port orders",
    route: "GET /Phones/port-in",
    isSeenByOperators: true,
    query: listQuery({ Status: portOrderStatus.optional() }),
    answers: { 200: { description: "A page of orders.", body: listOf("PortOrderList", portOrderSchema) } },
    async handle({ account, query }, unit) {
      const filter = { accountSid: account.sid, status: query.Status };
      return answerPage(await unit.portOrders.list(filter, pageRequestOf(query)), showPortOrder);
    },
  }),
  accountOperation({
    id: "getPortOrder",
    sdk: "portIn.get",
    command: {
      name: "port-in show",
      about: "Show a port order, with how far each number has come.",
      arguments: { "<sid>": "the order" },
      isAccountsOnly: true,
      shows: PORT_ORDER,
    },
    summary: "A port order",
    description: "Each number has a result of its own. Voice and messaging move apart.",
    route: "GET /Phones/port-in/{sid}",
    isSeenByOperators: true,
    params: sidParams,
    answers: { 200: { description: "The order.", body: portOrderSchema } },
    refusals: ["not-found"],
    handle: async ({ account, params }, unit) => shown(await findOwnOrder(unit.portOrders, account.sid, params.sid)),
  }),
  accountOperation({
    id: "cancelPortOrder",
    sdk: "portIn.cancel",
    command: {
      name: "port-in cancel",
      about: "Cancel a port order, for the numbers of which nothing has moved.",
      arguments: { "<sid>": "the order" },
      shows: PORT_ORDER,
    },
    summary: "Cancel a port order",
    description:
      "For the numbers of which nothing has moved. The order is `Cancelled` when the losing side has agreed; asking twice is asking once.",
    route: "POST /Phones/port-in/{sid}/cancel",
    params: sidParams,
    answers: { 200: { description: "The order as it is now.", body: portOrderSchema } },
    refusals: ["not-found", "conflict"],
    handle: async ({ account, params, now }, unit) => shown(await cancelPort(unit, account.sid, params.sid, now)),
  }),
  accountOperation({
    id: "answerPortException",
    sdk: "portIn.answer",
    command: "port-in answer {sid} --data answer.json",
    summary: "Answer an exception of a port order",
    description:
      "Only the members given are changed; of `phones` only PINs can be. `answerWith` of the order says what may help. As JSON, or as a form with `data` and more `files`. 409 when there is no exception.",
    route: "PATCH /Phones/port-in/{sid}",
    params: sidParams,
    body: portAnswerData,
    form: formOf<typeof portAnswerData>(false),
    furtherFaults: formFaults,
    answers: { 200: { description: "The order as it is now; the answer is on its way.", body: portOrderSchema } },
    refusals: ["not-found", "conflict"],
    async handle({ account, params, body, now }, unit) {
      const answer = { accountSid: account.sid, sid: params.sid, ...body };
      return shown(await answerPort({ ...unit, readNumber: parseNumber, country: account.country }, answer, now));
    },
  }),
  accountOperation({
    id: "checkPortability",
    sdk: "portIn.check(number)",
    command: "port-in check {Number}",
    summary: "Can a number be ported in?",
    description: "As far as can be told without asking its carrier, and what an order of it has to say.",
    route: "GET /Phones/port-in/check",
    limit: "lookup",
    query: z.strictObject({ Number: numberText }),
    answers: {
      200: {
        description: "What is known.",
        body: z
          .strictObject({
            number: z.string(),
            portable: z.boolean(),
            reason: z.string().nullable().describe("Why not."),
            type: z.enum(["Unknown", "Wireless", "Landline", "VoIP"]),
            losingCarrier: z.string().nullable(),
            needs: z.array(z.string()).describe("Members of the order that its carrier will look at."),
          })
          .meta({ id: "Portability" }),
      },
    },
    furtherFaults: ({ query, country }) => numberFaults({ Number: query.Number }, country),
    async handle({ account, query }, unit, { lookups }) {
      const number = parseNumber(query.Number, account.country);
      if (!number.ok) return refused(invalid({ Number: [number.refusal.reason] }));
      const { e164 } = number.value;
      const line = await lookups.one(e164);
      if (!line.ok) return refused(invalid({ Number: [line.refusal.reason] }));
      const [holder] = await unit.portOrders.holders([e164]);
      const { carrierName: losingCarrier, ...rest } = portabilityOf(account.sid, line.value.info, holder);
      return ok({ status: 200, body: { number: e164, losingCarrier, ...rest } });
    },
  }),
  accountOperation({
    id: "makePortLetter",
    sdk: "portIn.letter",
    command: "port-in loa --data order.json --out letter.pdf",
    summary: "A letter of authorization, filled in",
    description: "From the data of an order that you are about to make: sign it, and send it with the order.",
    route: "POST /Phones/port-in/loa",
    writes: false,
    isRead: true,
    body: portLetterData,
    answers: LETTER,
    furtherFaults({ body, country, now }) {
      const letter = checkPortLetter({ readNumber: parseNumber, country, now }, body);
      return letter.ok ? {} : letter.refusal;
    },
    async handle({ account, body, now }, _unit, deps) {
      const letter = checkPortLetter({ readNumber: parseNumber, country: account.country, now }, body);
      if (!letter.ok) return refused(invalid(letter.refusal));
      return sendLetter(deps, { ...letter.value.details, numbers: letter.value.numbers });
    },
  }),
  accountOperation({
    id: "getPortLetter",
    sdk: "portIn.letterOf",
    command: "port-in loa --order {sid}",
    summary: "A letter of authorization for a port order",
    description: "Filled in from the order as it is now.",
    route: "GET /Phones/port-in/{sid}/loa",
    params: sidParams,
    answers: LETTER,
    refusals: ["not-found"],
    async handle({ account, params }, unit, deps) {
      const order = await findOwnOrder(unit.portOrders, account.sid, params.sid);
      if (!order.ok) return order;
      return sendLetter(deps, { ...order.value.details, numbers: order.value.numbers.map(({ number }) => number) });
    },
  }),
]);
