// The campaign registry as its public description shows it: literal documents over plain HTTP, nothing computed. A test
// may replace the response to any request.

import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

export interface SeenRequest {
  readonly method: string;
  /** Includes the query. */
  readonly url: string;
  readonly authorization: string | undefined;
  readonly body: string;
}

export interface RegistryStub {
  readonly baseUrl: string;
  readonly requests: readonly SeenRequest[];
  /** `question` is like `GET /partnerCampaign/C8PWPWB/sharing?cnpMigration=true`, or `*` for all that are not named. */
  answer(question: string, status: number, document?: unknown): void;
  behave(question: string, listener: RequestListener): void;
  close(): Promise<void>;
}

export const STUB_CAMPAIGN = "C8PWPWB";

const NOT_FOUND = [{ code: 502, description: "Record not found", fields: ["campaignId"] }];

const CAMPAIGN = `{
  "campaignId": "C8PWPWB", "status": "ACTIVE", "createDate": "2024-03-05T14:21:07.000Z", "brandId": "BFHXANR", "usecase": "MIXED",
  "subUsecases": ["CUSTOMER_CARE", "DELIVERY_NOTIFICATION"],
  "description": "Tells customers of the shop when their parcels leave the warehouse and when they arrive, and answers questions.",
  "subscriberOptin": true, "subscriberOptout": true, "subscriberHelp": true, "directLending": false, "numberPool": false,
  "embeddedLink": false, "embeddedPhone": false, "termsAndConditions": true, "ageGated": false,
  "sample1": "Your parcel has left the warehouse.", "messageFlow": "Customers tick a box when they order.", "helpMessage": null
}`;

const METADATA = `{
  "10017": { "minMsgSamples": 1, "msgClass": "A", "reqSubscriberOptout": false, "mnoReview": false, "noEmbeddedPhone": true, "mno": "AT&T",
             "tpm": 1800, "mmsTpm": 900, "reqSubscriberHelp": true, "reqSubscriberOptin": true, "mnoSupport": true,
             "noEmbeddedLink": true, "qualify": true },
  "10035": { "minMsgSamples": 1, "reqSubscriberHelp": true, "reqSubscriberOptout": false, "reqSubscriberOptin": true,
             "mnoReview": false, "mnoSupport": true, "brandTier": "TOP", "noEmbeddedLink": true, "noEmbeddedPhone": true,
             "qualify": true, "mno": "T-Mobile" }
}`;

const share = (downstreamCnpId: string, upstreamCnpId: string, sharingStatus: string) => ({
  downstreamCnpId,
  upstreamCnpId,
  sharingStatus,
  rejectionCategory: [],
  explanation: null,
  sharedDate: "2026-10-01T10:00:00.000Z",
  statusDate: "2026-10-01T10:00:00.000Z",
  cnpMigration: true,
});

/** A migration that waits for us: the old chain carries the traffic, the provisional one ends at us. */
const DOCUMENTS: Readonly<Record<string, readonly [status: number, document?: unknown]>> = {
  "GET /partnerCampaign/C8PWPWB?cnpMigration=false": [400, NOT_FOUND],
  "GET /partnerCampaign/C8PWPWB?cnpMigration=true": [200, JSON.parse(CAMPAIGN)],
  "GET /partnerCampaign/C8PWPWB/sharing?cnpMigration=false": [400, NOT_FOUND],
  "GET /partnerCampaign/C8PWPWB/sharing?cnpMigration=true": [
    200,
    { sharedWithMe: share("SUEKBB1", "STANDEM", "PENDING"), sharedByMe: null },
  ],
  "GET /partnerCampaign/C8PWPWB/mnoMetadata": [200, JSON.parse(METADATA)],
  "GET /partnerCampaign/C8PWPWB/operationStatus": [200, { "10017": "REGISTERED", "10035": "REVIEW" }],
  "GET /campaign/C8PWPWB/migrateCnp": [
    200,
    {
      campaignId: "C8PWPWB",
      status: "ACTIVE",
      cancellationReason: null,
      expirationDate: "2126-10-31T10:00:00.000Z",
      createDate: "2026-10-01T10:00:00.000Z",
    },
  ],
  "PUT /partnerCampaign/C8PWPWB/sharing/DUPSTRM": [200, share("STANDEM", "DUPSTRM", "PENDING")],
  "GET /settings/cnpMigration": [200, { migrationSupported: false, migrationAutoComplete: true }],
  "PUT /settings/cnpMigration": [200, { migrationSupported: true, migrationAutoComplete: true }],
  "GET /webhook/subscription": [200, [{ eventCategory: "BRAND", webhookEndpoint: "http://test2.com" }]],
  "PUT /webhook/subscription": [200, { eventCategory: "CAMPAIGN", webhookEndpoint: "https://t.example/registry" }],
};

export async function startRegistryStub(): Promise<RegistryStub> {
  const requests: SeenRequest[] = [];
  const listeners = new Map<string, RequestListener>();
  const answer: RegistryStub["answer"] = (question, status, document) => {
    listeners.set(question, (_, response) => {
      if (document === undefined) response.writeHead(status).end();
      else response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(document));
    });
  };
  for (const [question, [status, document]] of Object.entries(DOCUMENTS)) answer(question, status, document);
  answer("*", 400, NOT_FOUND);
  const server = createServer(async (request, response) => {
    const url = (request.url ?? "").replace(/^\/v2/, "");
    const { method = "", headers } = request;
    const body = Buffer.concat(await request.toArray()).toString();
    requests.push({ method, url, authorization: headers.authorization, body });
    const listener = listeners.get(`${method} ${url}`) ?? listeners.get("*");
    listener?.(request, response);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2`,
    requests,
    answer,
    behave: (question, listener) => void listeners.set(question, listener),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
