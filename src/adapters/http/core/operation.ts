// An operation of the API as data: the same value mounts the route, validates the request and writes the OpenAPI
// document.

import type { IncomingHttpHeaders } from "node:http";
import type { WebSocket } from "ws";
import type { z } from "zod";
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
  /** Of what is sent. */
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

export interface AnswerDescription {
  readonly description: string;
  readonly body?: z.ZodType;
  /** For an answer that is not JSON: the one that it has, or those of which it has one. */
  readonly mediaType?: MediaType | readonly MediaType[];
  /** Header name → description, besides the headers of every answer. */
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
  /** The account's, for numbers without a plus in bodies and queries. */
  readonly country: string | null;
  readonly headers: IncomingHttpHeaders;
}

interface Described<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType, Deps, Shaped> {
  /** The operation's name in generated clients. */
  readonly id: string;
  /**
   * Its method in the SDK, such as `calls.hangUp`; every documented operation has one. The method takes the parameters
   * of the path, the body and options; where it takes something else, that stands in parentheses: members of the body
   * or the query by their names, `query` for all of it, `body?` for a body that may be left out.
   */
  readonly sdk?: string;
  /** Its commands. One that does more than this call is written by hand, and shown here as the explorer shows it. */
  readonly command?: string | CommandDescription | readonly CommandDescription[];
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below the mount, parameters in braces: `/Numbers/{Number}`. */
  readonly path: string;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /**
   * Also takes a form, and reads form or JSON by the schema; the handler reports the faults. Pure: requests under one
   * Idempotency-Key are compared by what it answers.
   */
  readonly readBody?: (schema: Body, raw: unknown) => Shaped;
  /**
   * What the handler would refuse beyond the schemas and without the store. Only called when the request is refused
   * before the handler, so that all faults are reported together.
   */
  readonly furtherFaults?: (input: ReadInput<Params, Query, Body, Shaped>, deps: Deps) => FieldErrors;
  /**
   * Gives the refusal of a request that could not be read what all refusals of this operation carry. `body` is what
   * `readBody` answered, where it got that far.
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
  /** Of a POST that changes nothing: a lookup of many numbers, a trial. */
  readonly isRead?: true;
  /** Besides those that every operation may answer. */
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
  readonly limit: LimitClass;
  /** What the request takes from the limit; 1 by default. */
  readonly cost?: (body: Shaped) => number;
  readonly servesSuspended?: boolean;
  /** The account whose signed link a request without credentials is, if it is a good one. */
  readonly byLink?: (
    request: { readonly params: unknown; readonly query: unknown },
    deps: Deps,
  ) => Promise<Account | undefined>;
  /** Operators may read it too, below the account (operator-view.ts). */
  readonly isSeenByOperators?: true;
  /**
   * True: runs in one transaction with the answer stored for repeats. False: no transaction is held open. `grouped`:
   * only a request with an Idempotency-Key runs in a transaction; others commit together with concurrent requests.
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
  /** Whether the role `support` is refused; by default where the method is not GET. */
  readonly needsAdmin?: boolean;
  /** Writes are entered in the audit log under the operation's id, in the same transaction. */
  readonly writes: boolean;
  /** What a read enters in the audit log before it is answered; without it, nothing. */
  readonly audit?: (input: Pick<Input<Params, Query, never>, "params" | "query">) => Audited;
  readonly handle: (input: Input<Params, Query, z.output<Body>>, unit: Unit, deps: Deps) => MaybePromise<Outcome>;
}

/** Who asks, as far as the request itself tells. */
export type AskedBy = Pick<RequestContext, "id" | "ip" | "method" | "headers">;

/** For callers without credentials in `Authorization`: the handler itself says who may. */
export interface OpenOperation<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType, Deps>
  extends Described<Params, Query, Body, Deps, z.output<Body>> {
  readonly who: "anyone";
  readonly writes: boolean;
  readonly handle: (
    input: Input<Params, Query, z.output<Body>> & { readonly by: AskedBy },
    unit: Unit,
    deps: Deps,
  ) => MaybePromise<Outcome>;
}

/**
 * `Deps` is what the handler needs besides the store, handed in at each call: an operation can be described before
 * anything is open. `Operation` needs nothing and can be served, `Operation<never>` is any operation and can only be
 * described.
 */
export type Operation<Deps = unknown> =
  | AccountOperation<z.ZodType, z.ZodType, z.ZodType, Deps>
  | OperatorOperation<z.ZodType, z.ZodType, z.ZodType, Deps>
  | OpenOperation<z.ZodType, z.ZodType, z.ZodType, Deps>;

/** Operations served under one or more prefixes; the first prefix is the one documented as canonical. */
export interface OperationGroup<Deps = unknown> {
  readonly prefixes: readonly string[];
  readonly operations: readonly Operation<Deps>[];
}

export function accountOperation<
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Deps,
  Shaped = z.output<Body>,
>(operation: Omit<AccountOperation<Params, Query, Body, Deps, Shaped>, "who">): Operation<Deps> {
  // Safe: the handler only gets what its own schemas accept.
  return { ...operation, who: "account" } as unknown as Operation<Deps>;
}

export function operatorOperation<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType, Deps>(
  operation: Omit<OperatorOperation<Params, Query, Body, Deps>, "who">,
): Operation<Deps> {
  return { ...operation, who: "operator" } as unknown as Operation<Deps>;
}

export function openOperation<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType, Deps>(
  operation: Omit<OpenOperation<Params, Query, Body, Deps>, "who">,
): Operation<Deps> {
  return { ...operation, who: "anyone" } as unknown as Operation<Deps>;
}

/** Its commands that are not written by hand. */
export function plainCommandsOf({ command = [] }: Operation<never>): readonly CommandDescription[] {
  if (typeof command === "string") return [];
  return "name" in command ? [command] : command;
}

/** The role decides here alone, for every operation. */
export function needsAdmin(operation: Operation<never>): boolean {
  return operation.who === "operator" && (operation.needsAdmin ?? operation.method !== "GET");
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
