// Requests that were refused, kept for a week so that the account and support can find them by their trace or request
// id. Nothing of a request's body is kept, and no secret.

import type { Optional } from "../base/optional.ts";
import type { Page, PageRequest } from "../base/page.ts";
import type { ProblemCode } from "./problems.ts";

export interface RefusedRequest {
  readonly createdOn: Date;
  /** Null if the caller did not authenticate as an account. */
  readonly accountSid: string | null;
  /** The operation's id; null if the address belongs to none. */
  readonly operation: string | null;
  readonly status: number;
  readonly code: ProblemCode;
  /** The fields at fault, or the server's own sentence. */
  readonly fault: string | null;
  readonly traceId: string;
  readonly requestId: string;
}

export type RefusedRequestFilters = Optional<
  Pick<RefusedRequest, "requestId" | "traceId" | "status"> & {
    readonly accountSid: string;
    readonly from: Date;
    readonly to: Date;
  }
>;

export interface RefusedRequestStore {
  keep(requests: readonly RefusedRequest[]): Promise<void>;
  list(page: PageRequest, filters: RefusedRequestFilters): Promise<Page<RefusedRequest>>;
  /** By its request id or its trace id, newest first. Without an account, searches all callers. */
  find(id: string, accountSid?: string): Promise<readonly RefusedRequest[]>;
}
