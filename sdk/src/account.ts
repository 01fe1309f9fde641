// The account itself: what it may, its tokens, the secret of its callbacks, and asking for features.

import type {
  AccountWebhookSecret,
  Feature,
  FeatureRequest,
  NewToken,
  OwnAccount,
  TokenOrder,
} from "./api.generated.ts";
import { type Answer, ask, type CallOptions, type ClientOrder, type WriteOptions } from "./exchange.ts";

export interface AccountItself {
  get(options?: CallOptions): Promise<Answer<OwnAccount>>;
  /** Makes a second token, which is shown once; refused when there are two already. `signs`: a signing token. */
  createToken(order?: TokenOrder, options?: WriteOptions): Promise<Answer<NewToken>>;
  /** `n`: the token's place, 1 or 2. The last one cannot be deleted. */
  deleteToken(n: number, options?: CallOptions): Promise<Answer<undefined>>;
  /** From now on this signing token signs, and not the older one. */
  promoteToken(n: number, options?: WriteOptions): Promise<Answer<undefined>>;
  /** The secret that signs callbacks which messages bring along; shown once. */
  rotateWebhookSecret(options?: WriteOptions): Promise<Answer<AccountWebhookSecret>>;
  /** The operator grants or declines it. */
  requestFeature(feature: Feature, options?: WriteOptions): Promise<Answer<FeatureRequest>>;
}

export function accountOf(order: ClientOrder): AccountItself {
  return {
    get: (options) => ask(order, "GET /v1/Account", { ...options }),
    createToken: (body = {}, options = {}) => ask(order, "POST /v1/Account/tokens", { ...options, body }),
    deleteToken: (n, options) => ask(order, "DELETE /v1/Account/tokens/{n}", { ...options, params: { n: String(n) } }),
    promoteToken: (n, options) =>
      ask(order, "POST /v1/Account/tokens/{n}/promote", { ...options, params: { n: String(n) } }),
    rotateWebhookSecret: (options) => ask(order, "POST /v1/Account/webhookSecret", { ...options }),
    requestFeature: (feature, options) =>
      ask(order, "POST /v1/Account/featureRequests", { ...options, body: { feature } }),
  };
}
