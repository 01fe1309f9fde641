// A part of the product: what it serves, what it does again and again, and how it ends. Every part is opened with the
// same context; what it needs of another part, `start.ts` hands to it. Its operations are described by a constant
// beside it, so that nothing has to be open to document them or to read requests.

import type { FastifyInstance } from "fastify";
import type { AddressGuard } from "../../adapters/guard/address-guard.ts";
import { type Operation, type OperationGroup, served } from "../../adapters/http/core/operation.ts";
import type { Metrics } from "../../adapters/metrics.ts";
import type { SecretBox } from "../../adapters/secrets.ts";
import type { RateCounters } from "../../adapters/store/accounts/rate-limits.ts";
import type { ConnectionSettings } from "../../adapters/store/engine/database.ts";
import type { OpenStore } from "../../adapters/store/store.ts";
import type { Clock } from "../../base/clock.ts";
import type { Ids } from "../../base/ids.ts";
import type { Log } from "../../base/log.ts";
import type { Result } from "../../base/result.ts";
import type { Config } from "../config/config.ts";
import type { Outside } from "../config/outside.ts";
import type { Task } from "./tasks.ts";

export interface Part {
  /** Served where this process has the role `api`. */
  readonly operations?: readonly OperationGroup[];
  /** Routes that are no operations, served where this process has the role `api`. */
  readonly routes?: (app: FastifyInstance) => void;
  /** Routes that every process serves. */
  readonly commonRoutes?: (app: FastifyInstance) => void;
  /** What every process does; ended before `close`. */
  readonly tasks?: readonly Task[];
  /** Opens what only a worker does; closed before the rest. */
  readonly work?: () => Part | Promise<Part>;
  readonly close?: () => Promise<void>;
}

export interface Context {
  readonly config: Config;
  readonly outside: Outside;
  readonly connection: ConnectionSettings;
  readonly store: OpenStore;
  readonly secretKey: Uint8Array;
  readonly box: SecretBox;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly limits: RateCounters;
  readonly guard: AddressGuard;
  /** Why an address may not be called, if it may not. */
  readonly checkUrl: (url: string) => Result<unknown, string>;
  readonly isListening: () => boolean;
  /** Where others reach this process. Known when it listens. */
  readonly publicUrl: () => string;
  /** The same; undefined where this process does not serve the API. */
  readonly apiUrl: () => string | undefined;
}

const PREFIXES = {
  lookup: ["/carrierLookup/v1"],
  account: ["/v1", "/messaging/v1"],
  operator: ["/operator/v1"],
  testkit: ["/testkit/v1"],
} as const;

type Place = keyof typeof PREFIXES;

/** The operations of a part, by where they are found. */
export type Api<Deps> = { readonly [place in Place]?: readonly Operation<Deps>[] };

/** Ready to be served, with what their handlers need. */
export function servedApi<Deps>(api: Api<Deps>, deps: Deps): readonly OperationGroup[] {
  return Object.entries(api).map(([place, operations]) =>
    served({ prefixes: PREFIXES[place as Place], operations }, deps),
  );
}
