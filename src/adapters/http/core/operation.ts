// An operation of the API as data: the same value mounts the route, validates the request and writes the OpenAPI
// document.

import type { IncomingHttpHeaders } from "node:http";
import type { WebSocket } from "ws";
import { z } from "zod";
import type { ByteStream } from "../../../base/byte-stream.ts";
import type { MaybePromise } from "../../../base/maybe-promise.ts";
import type { CommandDescription } from "../../../base/plain-command.ts";
import type { Readable } from "../../../base/readable.ts";
import type { Result } from "../../../base/result.ts";
import type { Account, LimitClass } from "../../../domain/accounts/index.ts";
import type { AuditEntry } from "../../../domain/audit.ts";
import type { FieldErrors, Problem, ProblemCode } from "../../../domain/problems.ts";
import type { Unit } from "./ports.ts";
import type { RequestContext, RequestName } from "./request-context.ts";

export interface Reply {
  readonly status: number;
  readonly body?: unknown;
  /** The body, already written. */
  readonly json?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Server-sent events, instead of a body. */
  readonly stream?: AsyncIterable<string>;
  /** Takes the connection as a WebSocket, instead of a body. */
  readonly socket?: (socket: WebSocket) => void;
  /** A file to download, instead of a body. */
  readonly file?: ReplyFile;
  /** A file that is too large to be held in memory, or a part of it. */
  readonly content?: ReplyContent;
  /** Nothing was done, so the answer is not stored for repeats. */
  readonly isTrial?: true;
}

export interface ReplyFile {
  readonly name: string;
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

export interface ReplyContent {
  readonly name: string;
  readonly contentType: string;
  /** The size of what is sent. */
  readonly sizeBytes: number;
  /** Read to its end, or destroyed. */
  readonly stream: ByteStream;
}

export type Outcome = Result<Reply, Problem>;

export type MediaType =
  | "text/event-stream"
  | "application/pdf"
  | "image/jpeg"
  | "image/png"
  | "image/tiff"
  | "audio/mpeg"
  | "application/vnd.tcpdump.pcap";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface AnswerDescription {
  readonly description: string;
  readonly body?: z.ZodType;
  /** For an answer that is not JSON: its media type, or the list of those that it may have. */
  readonly mediaType?: MediaType | readonly MediaType[];
  /** Header name → description, in addition to the headers of every answer. */
  readonly headers?: Readonly<Record<string, string>>;
}

interface Input<Params extends z.ZodType, Query extends z.ZodType, Shaped> {
  readonly params: z.output<Params>;
  readonly query: z.output<Query>;
  readonly body: Shaped;
  readonly now: Date;
  readonly headers: IncomingHttpHeaders;
  readonly request: RequestName;
}

/** The input as far as its schemas could read it. */
interface ReadInput<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType, Shaped> {
  readonly params: Readable<z.output<Params>>;
  readonly query: Readable<z.output<Query>>;
  readonly body: [Shaped] extends [z.output<Body>] ? Readable<Shaped> : Shaped;
  readonly now: Date;
  /** The account's country, for numbers without a plus in bodies and queries. */
  readonly country: string | null;
  readonly headers: IncomingHttpHeaders;
}

interface Described<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType, Deps, Shaped> {
  /** The operation's name in generated clients. */
  readonly id: string;
  /**
   * Its method in the SDK, such as `calls.hangUp`; every documented operation has one. The method takes the path
   * parameters, the body and options; where it takes something else, that is in parentheses: members of the body or the
   * query by their names, `query` for all of it, `body?` for an optional body.
   */
  readonly sdk?: string;
  /** Its commands. One that does more than this call is written by hand, and given here as the explorer shows it. */
  readonly command?: string | CommandDescription | readonly (string | CommandDescription)[];
  readonly summary: string;
  readonly description?: string;
  readonly method: Method;
  /** Relative to the mount, parameters in braces: `/Numbers/{Number}`. */
  readonly path: string;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /**
   * Also takes a form, and reads form or JSON by the schema; the handler reports the faults. Pure: requests under one
   * Idempotency-Key are compared by what it returns.
   */
  readonly readBody?: (schema: Body, raw: unknown) => Shaped;
  /**
   * What the handler would refuse that the schemas do not check and that needs no store. Only called when the request
   * is refused before the handler, so that all faults are reported together.
   */
  readonly furtherFaults?: (input: ReadInput<Params, Query, Body, Shaped>, deps: Deps) => FieldErrors;
  /**
   * Adds to the refusal of a request that could not be read what all refusals of this operation carry. `body` is what
   * `readBody` returned, where it got that far.
   */
  readonly refuse?: (refusal: Problem, body: Shaped | undefined) => Problem;
  /** Takes a form with files: `data`, which the schema describes, and `files`. */
  readonly form?: {
    /** If false, JSON is accepted too. */
    readonly isRequired: boolean;
    readonly bytesMax: number;
    /** Like `readBody`; runs before the store is used. */
    readonly read: (schema: Body, raw: unknown, deps: Deps) => Promise<Shaped>;
  };
  readonly answers: Readonly<Record<number, AnswerDescription>>;
  /** For a POST that changes nothing: a lookup of many numbers, a trial. */
  readonly isRead?: true;
  /** In addition to those of every operation; by default none. */
  readonly refusals: readonly ProblemCode[];
  /**
   * Served by the fast path too (fast-path.ts): a POST without parameters, or a GET with one at the end of its path and
   * no query, answered with JSON.
   */
  readonly isFrequent?: true;
}

export interface AccountOperation<
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Deps,
  Shaped = z.output<Body>,
> extends Described<Params, Query, Body, Deps, Shaped> {
  readonly who: "account";
  /** By default `read` or `write`, by the method. */
  readonly limit: LimitClass;
  /** How much of the rate limit the request uses; 1 by default. */
  readonly cost?: (body: Shaped) => number;
  readonly servesSuspended?: boolean;
  /** For a request without credentials: the account of its signed link, if the link is valid. */
  readonly byLink?: (
    request: { readonly params: unknown; readonly query: unknown },
    deps: Deps,
  ) => Promise<Account | undefined>;
  /** Operators may read it too, under the account's path (operator-view.ts). */
  readonly isSeenByOperators?: true;
  /**
   * True: runs in one transaction with the answer stored for repeats. False: no transaction is held open. `grouped`:
   * what it accepts commits together with concurrent requests. By default true where the method is not GET.
   */
  readonly writes: boolean | "grouped";
  readonly handle: (
    input: Input<Params, Query, Shaped> & { readonly account: Account },
    unit: Unit,
    deps: Deps,
  ) => MaybePromise<Outcome>;
}

export type Audited = Pick<AuditEntry, "subject" | "details">;

export interface OperatorOperation<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType, Deps>
  extends Described<Params, Query, Body, Deps, z.output<Body>> {
  readonly who: "operator";
  /** Whether the role `support` is refused; by default it is where the method is not GET. */
  readonly needsAdmin?: boolean;
  /**
   * Writes are recorded in the audit log under the operation's id, in the same transaction. By default true where the
   * method is not GET.
   */
  readonly writes: boolean;
  /** What a read records in the audit log before it is answered; without it, nothing. */
  readonly audit?: (input: Pick<Input<Params, Query, never>, "params" | "query">) => Audited;
  readonly handle: (input: Input<Params, Query, z.output<Body>>, unit: Unit, deps: Deps) => MaybePromise<Outcome>;
}

/** What the request itself reveals about the caller. */
export type AskedBy = Pick<RequestContext, "id" | "ip" | "method" | "headers">;

/** For callers without credentials in `Authorization`: the handler itself decides whom to admit. */
export interface OpenOperation<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType, Deps>
  extends Described<Params, Query, Body, Deps, z.output<Body>> {
  readonly who: "anyone";
  readonly writes: false;
  readonly handle: (
    input: Input<Params, Query, z.output<Body>> & { readonly by: AskedBy },
    unit: Unit,
    deps: Deps,
  ) => MaybePromise<Outcome>;
}

export type Untagged<Deps> =
  | AccountOperation<z.ZodType, z.ZodType, z.ZodType, Deps>
  | OperatorOperation<z.ZodType, z.ZodType, z.ZodType, Deps>
  | OpenOperation<z.ZodType, z.ZodType, z.ZodType, Deps>;

/**
 * `Deps` is what the handler needs in addition to the store, passed in at each call: an operation can be described
 * before anything is open. `Operation` needs nothing and can be served; `Operation<never>` is any operation and can
 * only be described.
 */
export type Operation<Deps = unknown> = Untagged<Deps> & {
  /** The section of the document that it is in. */
  readonly tag: string;
};

/** Operations served under one or more prefixes; the first prefix is the one documented as canonical. */
export interface OperationGroup<Deps = unknown> {
  readonly prefixes: readonly string[];
  readonly operations: readonly Operation<Deps>[];
}

/** The tag of what happens in the simulated world. */
export const TEST_KIT = "Test kit";

/** Operations of one section of the document. */
export function tagged<Deps>(tag: string, operations: readonly Untagged<Deps>[]): readonly Operation<Deps>[] {
  return operations.map((operation) => ({ ...operation, tag }));
}

type Defaults = "limit" | "writes" | "refusals";

/** Method and path, as in `GET /Numbers/{Number}`. */
export type OperationRoute = `${Method} /${string}`;

/** An operation as it is written: with its route, and without what follows from its method. */
type Order<Whole> = Omit<Whole, "who" | "method" | "path" | Defaults> &
  Partial<Pick<Whole, Defaults & keyof Whole>> & { readonly route: OperationRoute };

/** Whether it writes follows from the method, unless the order says so. */
function wholeOf<Ordered extends { readonly route: OperationRoute }>({ route, ...order }: Ordered) {
  const [method = "", path = ""] = route.split(" ");
  return { method, path, writes: method !== "GET", refusals: [], ...order };
}

export function accountOperation<
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Deps,
  Shaped = z.output<Body>,
>(order: Order<AccountOperation<Params, Query, Body, Deps, Shaped>>): Untagged<Deps> {
  const limit = order.route.startsWith("GET ") ? "read" : "write";
  // Safe: the handler only receives what its own schemas accept.
  return { limit, ...wholeOf(order), who: "account" } as unknown as Untagged<Deps>;
}

export function operatorOperation<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType, Deps>(
  order: Order<OperatorOperation<Params, Query, Body, Deps>>,
): Untagged<Deps> {
  return { ...wholeOf(order), who: "operator" } as unknown as Untagged<Deps>;
}

export function openOperation<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType, Deps>(
  order: Order<OpenOperation<Params, Query, Body, Deps>>,
): Untagged<Deps> {
  return { ...wholeOf(order), writes: false, who: "anyone" } as unknown as Untagged<Deps>;
}

/** Its commands that are not written by hand. */
export function plainCommandsOf({ command = [] }: Untagged<never>): readonly CommandDescription[] {
  return [command].flat().filter((each) => typeof each !== "string");
}

/** The only place where the role decides, for every operation. */
export function needsAdmin(operation: Operation<never>): boolean {
  return operation.who === "operator" && (operation.needsAdmin ?? operation.method !== "GET");
}

/** Whether it answers with a page of records. */
export function isList({ query }: Operation<never>): boolean {
  return query instanceof z.ZodObject && "PageSize" in query.shape;
}

/** Binds the operations to what their handlers need, so that they can be served. */
export function served<Deps>({ prefixes, operations }: OperationGroup<Deps>, deps: Deps): OperationGroup {
  return { prefixes, operations: operations.map((operation) => bound(operation, deps)) };
}

function bound<Deps>({ form, furtherFaults, ...operation }: Operation<Deps>, deps: Deps): Operation {
  const read = {
    ...(form && { form: { ...form, read: (schema: z.ZodType, raw: unknown) => form.read(schema, raw, deps) } }),
    ...(furtherFaults && { furtherFaults: (input: Parameters<typeof furtherFaults>[0]) => furtherFaults(input, deps) }),
  };
  const given =
    <Given>(handle: (input: Given, unit: Unit, deps: Deps) => MaybePromise<Outcome>) =>
    (input: Given, unit: Unit) =>
      handle(input, unit, deps);
  if (operation.who === "account") {
    const { byLink, handle, ...rest } = operation;
    const linked = byLink && { byLink: (request: Parameters<typeof byLink>[0]) => byLink(request, deps) };
    return { ...rest, ...read, ...linked, handle: given(handle) };
  }
  if (operation.who === "anyone") return { ...operation, ...read, handle: given(operation.handle) };
  return { ...operation, ...read, handle: given(operation.handle) };
}
