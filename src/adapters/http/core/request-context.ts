// A request as operations see it, from the HTTP server or the fast path.

import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { type Ids, type SidPrefix, sidOfUuid, type Uuids } from "../../../base/ids.ts";
import type { Operator, SignedInAccount } from "../../../domain/accounts/index.ts";

/** On a page, or with a signed link, it is not a tool: `toolWrites` is then false. */
interface CallingAccount extends Omit<SignedInAccount, "token"> {
  readonly kind: "account";
  /** Null with a signed link. */
  readonly token: number | null;
  /** Signed in on a page. */
  readonly isPerson: boolean;
}

export type Caller = CallingAccount | ({ readonly kind: "operator" } & Operator);

export interface RequestContext {
  readonly id: string;
  readonly method: string;
  readonly url: string;
  readonly ip: string;
  readonly headers: IncomingHttpHeaders;
  readonly params: unknown;
  readonly query: unknown;
  startedMs: number;
  /** Null until signed in. */
  caller: Caller | null;
  /** Names and values alternate; null when no limit applies. */
  limitHeaders: readonly (string | number)[] | null;
}

const SANE_REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** `uuids` are made by PostgreSQL's clock, because the sid of what the request makes begins with the id's time. */
export function requestIdOf(request: { readonly headers: IncomingHttpHeaders }, uuids: Uuids): string {
  const given = request.headers["x-request-id"];
  return typeof given === "string" && SANE_REQUEST_ID.test(given) ? given : uuids.uuid(randomUUID());
}

/** How callers identify a request. */
export interface RequestName {
  readonly id: string;
  /** Chosen by the caller, so it may be any text and may repeat. */
  readonly isGiven: boolean;
}

export function nameOfRequest({ id, headers }: Pick<RequestContext, "id" | "headers">): RequestName {
  return { id, isGiven: headers["x-request-id"] === id };
}

/** Derives the sid of that prefix from the request's id where the id is ours, so that the id leads to the record. */
export function idsFor({ id, isGiven }: RequestName, ids: Ids, prefix: SidPrefix): Ids {
  if (isGiven) return ids;
  return { sid: (wanted) => (wanted === prefix ? sidOfUuid(prefix, id) : ids.sid(wanted)) };
}
