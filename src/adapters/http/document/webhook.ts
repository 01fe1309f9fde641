// What the server posts to subscribers, described as operations on their side: one for each type of event, with its
// payload in every shape that a subscription may choose.

import type { z } from "zod";
import { type Components, type Json, schemaOf } from "./json-schema.ts";

export interface EventDescription {
  readonly type: string;
  readonly tag: string;
  readonly summary: string;
  readonly payloads: readonly PayloadDescription[];
  /** For an event that expects an answer: what the answer may contain. */
  readonly answer?: { readonly description: string; readonly mediaType: string; readonly example: string };
}

export interface PayloadDescription {
  readonly shape: string;
  readonly mediaType: "application/json" | "application/x-www-form-urlencoded";
  /** Named: each payload is a component. */
  readonly schema: z.ZodType;
  readonly example: unknown;
}

export function webhookOf(event: EventDescription, components: Components): Json {
  const { type, tag, summary, answer } = event;
  return {
    operationId: `on${type}`,
    tags: [tag],
    summary,
    description: "Posted to every subscription of this type, in the shape that the subscription asks for.",
    security: [],
    parameters: HEADERS.map(([name, description, example]) => ({
      name,
      in: "header",
      required: true,
      description,
      schema: { type: "string" },
      example,
    })),
    requestBody: { required: true, content: contentOf(event, components) },
    responses: {
      "200": {
        description: answer?.description ?? "Taken. Any other 2xx is as good.",
        ...(answer && { content: { [answer.mediaType]: { schema: { type: "string" }, example: answer.example } } }),
      },
      "410": { description: "The subscription is switched off." },
    },
  };
}

const HEADERS = [
  ["webhook-id", "The delivery; the same on every attempt.", "WH01935f1e4c7b7000a3c41f0e5d9b2a0f"],
  ["webhook-timestamp", "When it was signed, in seconds since 1970.", "1769860800"],
  [
    "webhook-signature",
    "Standard Webhooks, keyed by the subscription's secret.",
    "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
  ],
  ["X-Event-Type", "The type of the event.", "InboundMessageReceived"],
] as const;

function contentOf({ payloads }: EventDescription, components: Components): Json {
  const mediaTypes = [...new Set(payloads.map(({ mediaType }) => mediaType))];
  return Object.fromEntries(
    mediaTypes.map((mediaType) => {
      const several = payloads.filter((payload) => payload.mediaType === mediaType);
      const schemas = several.map(({ schema }) => schemaOf(schema, "input", components));
      const examples = several.map(({ shape, example }) => [shape, { summary: `Shape ${shape}`, value: example }]);
      const schema = schemas.length === 1 ? schemas[0] : { anyOf: schemas };
      return [mediaType, { schema, examples: Object.fromEntries(examples) }];
    }),
  );
}
