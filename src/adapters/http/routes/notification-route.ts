// The route for notifications of external systems. A notification has a signature over its content instead of
// credentials, so its bytes are passed on unchanged. It is answered once its content is stored.

import type { IncomingHttpHeaders } from "node:http";
import type { Result } from "../../../base/result.ts";
import type { Problem } from "../../../domain/problems.ts";
import { renderProblem } from "../core/answer.ts";
import type { HttpServer } from "../core/http-server.ts";
import { FIELDS_BYTES_MAX } from "../reading/request-body.ts";

export interface NotificationRoute<Refusal extends string> {
  readonly path: string;
  readonly take: (headers: IncomingHttpHeaders, body: Uint8Array) => Promise<Result<unknown, Refusal>>;
}

/** A refusal without a problem gets the answer of a success. */
export function mountNotificationRoute<Refusal extends string>(
  http: HttpServer,
  { path, take }: NotificationRoute<Refusal>,
  problems: Readonly<Record<Refusal, Problem | undefined>>,
): void {
  http.route({
    method: "POST",
    path,
    body: { form: "bytes", bytesMax: FIELDS_BYTES_MAX },
    async handle(exchange, body) {
      const taken = await take(exchange.headers, (body ?? NOTHING) as Uint8Array);
      const refusal = taken.ok ? undefined : problems[taken.refusal];
      return refusal ? renderProblem(exchange, refusal) : { status: 204, headers: {}, text: "" };
    },
  });
}

const NOTHING = new Uint8Array();
