// A part of the product: the operations and routes it serves, its periodic tasks, and how it is closed. Every part is
// opened with the same context; `start.ts` passes it what it needs of other parts. Its operations are described by a
// constant beside it, so that the API can be documented with nothing open.

import type { AddressGuard } from "../../adapters/guard/address-guard.ts";
import type { HttpServer } from "../../adapters/http/core/http-server.ts";
import type { LiveTap } from "../../adapters/http/core/live-tap.ts";
import { type Operation, type OperationGroup, served } from "../../adapters/http/core/operation.ts";
import { operatorViews } from "../../adapters/http/core/operator-view.ts";
import type { Credentials } from "../../adapters/http/core/ports.ts";
import type { Metrics } from "../../adapters/metrics.ts";
import type { SecretKeys } from "../../adapters/secrets.ts";
import type { RateCounters } from "../../adapters/store/accounts/rate-limits.ts";
import type { ConnectionSettings } from "../../adapters/store/engine/database.ts";
import type { DatabaseClock } from "../../adapters/store/engine/database-clock.ts";
import type { OpenStore } from "../../adapters/store/store.ts";
import type { Traces } from "../../adapters/traces/traces.ts";
import type { ActiveAccounts } from "../../base/active-accounts.ts";
import type { Ids } from "../../base/ids.ts";
import type { Log } from "../../base/log.ts";
import type { Result } from "../../base/result.ts";
import type { Config } from "../config/config.ts";
import type { Outside } from "../config/outside.ts";
import type { FollowedKeys } from "../keys/followed-keys.ts";
import type { Task } from "./tasks.ts";

export interface Part {
  /** Names the part in the log. */
  readonly name: string;
  /** Served where this process has the role `api`. */
  readonly operations?: readonly OperationGroup[];
  /** Routes that are not operations, served where this process has the role `api`. */
  readonly routes?: (http: HttpServer) => void;
  /** Routes that every process serves. */
  readonly commonRoutes?: (http: HttpServer) => void;
  /** Tasks of every process; ended before `close`. */
  readonly tasks?: readonly Task[];
  /** Tasks of processes with the role `worker`; ended before `close`. */
  readonly workerTasks?: readonly Task[];
  /** Opens a part of processes with the role `worker`; it is closed before this one. */
  readonly work?: () => Part | Promise<Part>;
  /** Tells others that this process is about to stop; it serves on until `drain`. */
  readonly leave?: () => void;
  /**
   * Takes no new work; resolves when the work in progress has ended or its time is over. All parts drain at the same
   * time, before any is closed.
   */
  readonly drain?: () => Promise<void>;
  readonly close?: () => Promise<void>;
}

export interface Context {
  readonly config: Config;
  readonly outside: Outside;
  readonly connection: ConnectionSettings;
  readonly store: OpenStore;
  readonly keys: FollowedKeys;
  readonly box: SecretKeys;
  readonly clock: DatabaseClock;
  readonly ids: Ids;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Undefined where traces are off. */
  readonly traces: Traces | undefined;
  readonly limits: RateCounters;
  readonly credentials: Credentials;
  /** Hears of every account that has something to do. */
  readonly active: ActiveAccounts;
  /** Receives requests and protocol messages for current listeners. */
  readonly live: LiveTap;
  readonly guard: AddressGuard;
  /** Our id at the campaign registry. */
  readonly upstreamCnpId: string | null;
  /** The contact named in refusals. */
  readonly supportContact: string;
  /** Refuses an address that webhooks may not be sent to, with the reason. */
  readonly checkUrl: (url: string) => Result<unknown, string>;
  readonly isListening: () => boolean;
  /** The URL under which others reach this process. May be called once it listens. */
  readonly publicUrl: () => string;
  /** `publicUrl`, or undefined where this process does not serve the API. */
  readonly apiUrl: () => string | undefined;
}

const PREFIXES = {
  lookup: ["/carrierLookup/v1"],
  account: ["/v1", "/messaging/v1"],
  messaging: ["/messaging/v1", "/v1"],
  operator: ["/operator/v1"],
  testkit: ["/testkit/v1"],
  twilio: ["/2010-04-01"],
  twilioLookups: ["/v2"],
} as const;

export type Place = keyof typeof PREFIXES;

/** The prefix under which a place is documented. */
export const prefixOf = (place: Place): string => PREFIXES[place][0];

/** The operations of a part by the place in the URL space where they are served. */
export type Api<Deps> = { readonly [place in Place]?: readonly Operation<Deps>[] };

/** The operations served at a place: for operators, also those of accounts that operators may view. */
export function operationsAt<Deps>(api: Api<Deps>, place: Place): readonly Operation<Deps>[] {
  const own = api[place] ?? [];
  return place === "operator" ? [...own, ...operatorViews([...(api.account ?? []), ...(api.messaging ?? [])])] : own;
}

/** The operations with the dependencies of their handlers, ready to be mounted. */
export function servedApi<Deps>(api: Api<Deps>, deps: Deps): readonly OperationGroup[] {
  return Object.entries(PREFIXES).map(([place, prefixes]) =>
    served({ prefixes, operations: operationsAt(api, place as Place) }, deps),
  );
}
