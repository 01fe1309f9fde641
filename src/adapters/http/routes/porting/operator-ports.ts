// Port orders for the operator, with their documents; the operator moves them where there is no clearing house.

import { z } from "zod";
import { type CommandDescription, members } from "../../../../base/plain-command.ts";
import { ok, refused } from "../../../../base/result.ts";
import {
  movePort,
  type OperatorAction,
  PORT_PHONES_MAX,
  portReasonOf,
  type StoredPortOrder,
} from "../../../../domain/porting/index.ts";
import { invalid, problem } from "../../../../domain/problems.ts";
import { operatorOperation, tagged, type Untagged } from "../../core/operation.ts";
import { answerFound, answerPage } from "../../core/outcomes.ts";
import type { Unit } from "../../core/ports.ts";
import { listOf, listQuery, pageRequestOf, text } from "../../core/schemas.ts";
import { numberListFaults, readE164 } from "../../reading/read-number.ts";
import { numberText } from "../numbers/phones.ts";
import {
  PORT_ORDER,
  PORT_ORDERS,
  portOrderSchema,
  portOrderSid,
  portOrderStatus,
  portReasonCode,
  showPortOrder,
} from "./port-schemas.ts";

const sidParams = z.strictObject({ sid: portOrderSid });
const ownedOrder = z.strictObject({ ...portOrderSchema.shape, accountSid: z.string() }).meta({ id: "OwnedPortOrder" });
const show = (order: StoredPortOrder) => ({ ...showPortOrder(order), accountSid: order.accountSid });

const portPins = z
  .strictObject({ sid: portOrderSid, pins: z.array(z.strictObject({ number: z.string(), pin: z.string() })) })
  .meta({ id: "PortPins" });
const UNREADABLE = "The PINs cannot be decrypted: the secret key was lost. Ask the account for them by an exception.";

const numbers = z
  .array(numberText)
  .min(1)
  .max(PORT_PHONES_MAX)
  .optional()
  .describe("Of the order; without it, all that can take it.");
const focDate = z.iso
  .datetime({ offset: true })
  .refine((date) => date.startsWith("20"), "A date of this century is expected.")
  .meta({ pattern: "^20" })
  .describe("When the losing carrier lets go.");
const reason = { reason: portReasonCode, detail: text(500).optional().describe("In words.") };

const STEP_ARGUMENTS = { "<sid>": "the order", "[numbers...]": "which numbers; all that can take it unless told" };
const REASON_OPTIONS = {
  "--json": null,
  "--reason <code>": ["reason", "such as ENTITY_NAME_MISMATCH", { isRequired: true }],
  "--detail <text>": ["detail", "the same in words"],
} as const satisfies CommandDescription["options"];

interface Hand<Body extends z.ZodType<{ numbers?: string[] | undefined }>> {
  readonly id: string;
  readonly sdk: string;
  readonly command: CommandDescription;
  readonly verb: string;
  readonly summary: string;
  readonly description?: string;
  readonly body: Body;
  readonly action: (body: z.output<Body>) => OperatorAction;
}

function handOperation<Body extends z.ZodType<{ numbers?: string[] | undefined }>>({
  verb,
  action,
  ...described
}: Hand<Body>): Untagged<unknown> {
  return operatorOperation({
    ...described,
    route: `POST /PortOrders/{sid}/${verb}`,
    params: sidParams,
    answers: { 200: { description: "The order as it is now.", body: ownedOrder } },
    refusals: ["not-found", "conflict"],
    furtherFaults: ({ body }) => numberListFaults("numbers", (body as { numbers?: string[] }).numbers),
    async handle({ params, body, now }, unit) {
      const { numbers: given } = body as { numbers?: string[] };
      const faults = numberListFaults("numbers", given);
      if (Object.keys(faults).length > 0) return refused(invalid(faults));
      const named =
        given?.map((text) => readE164(text)).flatMap((number) => (number.ok ? [number.value] : [])) ?? "all";
      const moved = await movePort(unit, { sid: params.sid, action: action(body), numbers: named }, now);
      return moved.ok ? shown(unit, params.sid) : moved;
    },
  });
}

async function shown(unit: Unit, sid: string) {
  return answerFound(await unit.portOrders.find(sid), show);
}

export const operatorPortOperations = tagged("Operator: port orders", [
  operatorOperation({
    id: "listAllPortOrders",
    sdk: "portOrders.list",
    command: {
      name: "operator ports list",
      about: "List the port orders.",
      options: { "--account <sid>": ["AccountSid", "of this account"], "--status <status>": ["Status"] },
      shows: PORT_ORDERS,
    },
    summary: "List port orders",
    route: "GET /PortOrders",
    query: listQuery({ Status: portOrderStatus.optional(), AccountSid: text(64).optional() }),
    answers: { 200: { description: "A page of orders.", body: listOf("OwnedPortOrderList", ownedOrder) } },
    async handle({ query }, unit) {
      const filter = { accountSid: query.AccountSid, status: query.Status };
      return answerPage(await unit.portOrders.list(filter, pageRequestOf(query)), show);
    },
  }),
  operatorOperation({
    id: "getAnyPortOrder",
    sdk: "portOrders.get",
    command: {
      name: "operator ports show",
      about: "Show a port order, with how far each number has come.",
      arguments: { "<sid>": "the order" },
      shows: PORT_ORDER,
    },
    summary: "A port order",
    route: "GET /PortOrders/{sid}",
    params: sidParams,
    answers: { 200: { description: "The order.", body: ownedOrder } },
    refusals: ["not-found"],
    handle: ({ params }, unit) => shown(unit, params.sid),
  }),
  operatorOperation({
    id: "getPortDocument",
    sdk: "portOrders.document",
    command: "operator ports document {sid} {place}",
    summary: "A document of a port order",
    description: "As it was sent; its type is that of its content.",
    route: "GET /PortOrders/{sid}/documents/{place}",
    // Support may not read letters.
    needsAdmin: true,
    params: z.strictObject({ ...sidParams.shape, place: z.int().min(1).max(1000) }),
    answers: {
      200: {
        description: "The document.",
        mediaType: ["application/pdf", "image/jpeg", "image/png", "image/tiff"],
        headers: { "Content-Disposition": "The name of the file." },
      },
    },
    refusals: ["not-found"],
    async handle({ params }, unit) {
      const document = await unit.portDocuments.read(params.sid, params.place);
      return document ? ok({ status: 200, file: document }) : refused(problem("not-found"));
    },
  }),
  operatorOperation({
    id: "revealPortPins",
    sdk: "portOrders.revealPins",
    command: {
      name: "operator ports pins",
      about: "Reveal the transfer PINs of a port order. The audit log tells that you have seen them.",
      arguments: { "<sid>": "the order" },
      json: "print JSON instead of a table",
      shows: [{ table: members("number, PIN = pin"), of: "pins" }],
    },
    summary: "Reveal the PINs of a port order",
    description: "For an operator who ports by hand. A closed order has none any more.",
    route: "POST /PortOrders/{sid}/revealPins",
    // Changes nothing, but is recorded in the audit log.
    params: sidParams,
    answers: { 200: { description: "The PINs that were given.", body: portPins } },
    refusals: ["not-found", "conflict"],
    async handle({ params }, unit) {
      if (!(await unit.portOrders.find(params.sid))) return refused(problem("not-found"));
      const pins = await unit.portOrders.pins(params.sid);
      if (!pins) return refused(problem("conflict", UNREADABLE));
      return ok({
        status: 200,
        body: { sid: params.sid, pins: [...pins].map(([number, pin]) => ({ number, pin })) },
      });
    },
  }),
  handOperation({
    id: "confirmPortDate",
    sdk: "portOrders.confirmDate",
    command: {
      name: "operator ports foc",
      about: "Confirm the date at which the losing carrier lets go.",
      arguments: STEP_ARGUMENTS,
      options: {
        "--json": null,
        "--on <time>": ["on", "in 30m, 2h, 3d, or 2026-01-31T14:00:00Z", { kind: "ahead", isRequired: true }],
      },
      shows: PORT_ORDER,
    },
    verb: "foc",
    summary: "Confirm the date of a port",
    body: z.strictObject({ on: focDate, numbers }).meta({ id: "PortDate" }),
    action: ({ on }) => ({ kind: "foc", on: new Date(on) }),
  }),
  handOperation({
    id: "completePort",
    sdk: "portOrders.complete(sid, body?)",
    command: {
      name: "operator ports complete",
      about: "Say that numbers have moved.",
      arguments: STEP_ARGUMENTS,
      options: { "--json": null, "--halves <list>": ["halves", "what has moved: voice,messaging; both unless told"] },
      shows: PORT_ORDER,
    },
    verb: "complete",
    summary: "Say that numbers have moved",
    description: "Voice and messaging, or one of them.",
    body: z
      .strictObject({
        halves: z
          .array(z.enum(["voice", "messaging"]))
          .min(1)
          .max(2)
          .optional(),
        numbers,
      })
      .meta({ id: "PortCompletion" }),
    action: ({ halves }) => ({ kind: "complete", halves: [...new Set(halves ?? (["voice", "messaging"] as const))] }),
  }),
  handOperation({
    id: "rejectPort",
    sdk: "portOrders.reject",
    command: {
      name: "operator ports reject",
      about: "Say that numbers will not come.",
      arguments: STEP_ARGUMENTS,
      options: REASON_OPTIONS,
      shows: PORT_ORDER,
    },
    verb: "reject",
    summary: "Say that numbers will not come",
    description: "They become `Removed`, with the reason.",
    body: z.strictObject({ ...reason, numbers }).meta({ id: "PortRejection" }),
    action: (body) => ({ kind: "reject", reason: portReasonOf(body.reason, body.detail ?? null) }),
  }),
  handOperation({
    id: "holdPort",
    sdk: "portOrders.hold",
    command: {
      name: "operator ports exception",
      about: "Ask the account to put something right: tandem port-in answer.",
      arguments: STEP_ARGUMENTS,
      options: REASON_OPTIONS,
      shows: PORT_ORDER,
    },
    verb: "exception",
    summary: "Ask the account to put something right",
    description: "It answers with `PATCH /v1/Phones/port-in/{sid}`.",
    body: z.strictObject({ ...reason, numbers }).meta({ id: "PortException" }),
    action: (body) => ({ kind: "exception", reason: portReasonOf(body.reason, body.detail ?? null) }),
  }),
]);
