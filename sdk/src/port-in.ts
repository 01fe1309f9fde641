// Numbers ported in from other carriers: orders, their progress, and letters of authorization.

import type {
  ListPortOrdersQuery,
  PortAnswerData,
  Portability,
  PortInAnswer,
  PortInData,
  PortLetterData,
  PortOrder,
} from "./api.generated.ts";
import { type Answer, ask, type CallOptions, type ClientOrder, type WriteOptions } from "./exchange.ts";
import { type Listing, listing } from "./page.ts";

export type PortOrderListOptions = ListPortOrdersQuery & CallOptions;

/** A letter of authorization: PDF, JPEG, PNG or TIFF, 10 MiB at most. */
export interface PortFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface PortIn {
  /** Accepted or refused as a whole, with all faults at once; the numbers are yours at once as `PendingPortIn`. */
  submit(port: PortInData, files: readonly PortFile[], options?: WriteOptions): Promise<Answer<PortInAnswer>>;
  list(options?: PortOrderListOptions): Listing<PortOrder>;
  get(sid: string, options?: CallOptions): Promise<Answer<PortOrder>>;
  /** Cancels the numbers of which nothing has moved yet. */
  cancel(sid: string, options?: WriteOptions): Promise<Answer<PortOrder>>;
  /** Answers an exception: only the members given are changed, and files are added. */
  answer(
    sid: string,
    change: PortAnswerData,
    files?: readonly PortFile[],
    options?: CallOptions,
  ): Promise<Answer<PortOrder>>;
  /** Whether a number can be ported in, as far as is known without asking its carrier. */
  check(number: string, options?: CallOptions): Promise<Answer<Portability>>;
  /** A letter of authorization, filled in and to be signed: a PDF. */
  letter(port: PortLetterData, options?: CallOptions): Promise<Answer<Uint8Array>>;
  /** The letter of authorization for an existing order. */
  letterOf(sid: string, options?: CallOptions): Promise<Answer<Uint8Array>>;
}

export function portInOf(order: ClientOrder): PortIn {
  return {
    submit: (data, files, options) =>
      ask(order, "POST /v1/Phones/port-in", { ...options, form: { data, files: files.map(fileOf) } }),
    list: ({ signal, ...query } = {}) => listing(order, "GET /v1/Phones/port-in", { signal, query }),
    get: (sid, options) => ask(order, "GET /v1/Phones/port-in/{sid}", { ...options, params: { sid } }),
    cancel: (sid, options) => ask(order, "POST /v1/Phones/port-in/{sid}/cancel", { ...options, params: { sid } }),
    answer: (sid, data, files = [], options = {}) =>
      ask(order, "PATCH /v1/Phones/port-in/{sid}", {
        ...options,
        params: { sid },
        ...(files.length === 0 ? { body: data } : { form: { data, files: files.map(fileOf) } }),
      }),
    check: (number, options) => ask(order, "GET /v1/Phones/port-in/check", { ...options, query: { number } }),
    letter: (body, options) => ask(order, "POST /v1/Phones/port-in/loa", { changesNothing: true, ...options, body }),
    letterOf: (sid, options) => ask(order, "GET /v1/Phones/port-in/{sid}/loa", { ...options, params: { sid } }),
  };
}

function fileOf({ name, bytes }: PortFile): File {
  return new File([new Uint8Array(bytes)], name);
}
