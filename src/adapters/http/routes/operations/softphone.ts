// A telephone of the simulated world for a person, as a WebSocket. Not in the API documents, which cannot describe its
// messages: docs/sandbox.md does. Mounted only with a sandbox.

import type { IncomingHttpHeaders } from "node:http";
import type { WebSocket } from "ws";
import { z } from "zod";
import { ok, type Result, refused } from "../../../../base/result.ts";
import type { Account } from "../../../../domain/accounts/index.ts";
import { invalid, problem } from "../../../../domain/problems.ts";
import { accountOperation, TEST_KIT, tagged } from "../../core/operation.ts";
import { anyText } from "../../core/schemas.ts";
import { socketFaults } from "../../core/web-socket.ts";
import { numberFaults, readE164 } from "../../reading/read-number.ts";

export interface SoftphoneOrder {
  readonly account: Account;
  /** The telephone's number. */
  readonly number: string;
  /** Headers of the request, to check again later whether its credentials are still valid. */
  readonly headers: IncomingHttpHeaders;
}

export interface SoftphoneDeps {
  /** Returns the function that takes the socket, or why there is no telephone. */
  readonly openPhone: (order: SoftphoneOrder) => Result<(socket: WebSocket) => void, string>;
}

export const softphoneOperations = tagged<SoftphoneDeps>(TEST_KIT, [
  accountOperation({
    id: "openSoftphone",
    summary: "Take a telephone of the simulated world",
    route: "GET /Phone",
    query: z.strictObject({ Number: anyText(64) }),
    answers: { 101: { description: "The telephone is yours until the WebSocket ends." } },
    refusals: ["conflict"],
    furtherFaults: ({ query, headers, country }) => ({
      ...numberFaults({ Number: query.Number }, country),
      ...socketFaults(headers),
    }),
    async handle({ account, query, headers }, _unit, { openPhone }) {
      const faults = socketFaults(headers);
      const number = readE164(query.Number, account.country);
      if (!number.ok)
        return refused(invalid({ ...numberFaults({ Number: query.Number }, account.country), ...faults }));
      // Pages cannot read why a WebSocket was refused: they learn it from a plain request to the same address.
      const opened = openPhone({ account, number: number.value, headers });
      if (!opened.ok) return refused(problem("conflict", opened.refusal));
      if (Object.keys(faults).length > 0) return refused(invalid(faults));
      return ok({ status: 101, socket: opened.value });
    },
  }),
]);
