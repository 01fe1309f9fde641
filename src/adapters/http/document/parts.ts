// Parts of the document that answers and refusals share: headers and media types.

import type { Operation } from "../core/operation.ts";
import type { Components, Json } from "./json-schema.ts";

const MEDIA_TYPES = ["application/json", "text/json", "text/plain"] as const;

/** The same JSON under every media type that `Accept` may ask for. */
export function jsonContent(media: Json): Json {
  return Object.fromEntries(MEDIA_TYPES.map((type) => [type, media]));
}

const EVERY_ANSWER = { "X-Request-Id": "Names this exchange in logs; an incoming one is echoed." };

const LIMITED = {
  "RateLimit-Limit": "Requests allowed in a window.",
  "RateLimit-Remaining": "Requests left in this window.",
  "RateLimit-Reset": "Seconds until the window ends.",
  "RateLimit-Policy": "The limit and its window, as in `100;w=10`.",
};

/** `extra`: name → description, for this answer only. */
export function headersOf(
  { who }: Operation<never>,
  extra: Readonly<Record<string, string>>,
  components: Components,
): Json {
  const all = { ...EVERY_ANSWER, ...(who === "account" ? LIMITED : {}), ...extra };
  return Object.fromEntries(
    Object.entries(all).map(([name, description]) => {
      components.headers[name] ??= { description, schema: { type: "string" } };
      return [name, { $ref: `#/components/headers/${name}` }];
    }),
  );
}
