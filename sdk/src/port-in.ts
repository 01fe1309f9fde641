// Numbers from other carriers: ordering them, following the order, and the letter it needs.

import { type Answer, ask, askForFile, type CallOptions, type ClientOrder, type WriteOptions } from "./exchange.ts";
import { type PageOptions, pageQuery } from "./page.ts";
import type {
  OrderedPort,
  PortAnswer,
  Portability,
  PortFile,
  PortInOrder,
  PortLetterOrder,
  PortOrder,
  PortOrderStatus,
} from "./porting-types.ts";
import type { ListAnswer } from "./types.ts";

export interface PortOrderListOptions extends PageOptions {
  readonly status?: PortOrderStatus;
}

export interface PortIn {
  /** Refused as a whole, with all that is wrong; the numbers are yours at once as `PendingPortIn`. */
  submit(port: PortInOrder, files: readonly PortFile[], options?: WriteOptions): Promise<Answer<OrderedPort>>;
  list(options?: PortOrderListOptions): Promise<Answer<ListAnswer<PortOrder>>>;
  get(sid: string, options?: CallOptions): Promise<Answer<PortOrder>>;
  /** For the numbers of which nothing has moved. */
  cancel(sid: string, options?: WriteOptions): Promise<Answer<PortOrder>>;
  /** Answers an exception: only the members given are changed, and files are added. */
  answer(
    sid: string,
    change: PortAnswer,
    files?: readonly PortFile[],
    options?: CallOptions,
  ): Promise<Answer<PortOrder>>;
  /** Can a number be ported in, as far as can be told without asking its carrier? */
  check(number: string, options?: CallOptions): Promise<Answer<Portability>>;
  /** A letter of authorization, filled in and to be signed: a PDF. */
  letter(port: PortLetterOrder, options?: CallOptions): Promise<Answer<Uint8Array>>;
  /** The same for an order that was made. */
  letterOf(sid: string, options?: CallOptions): Promise<Answer<Uint8Array>>;
}

const PATH = "/v1/Phones/port-in";

export function portInOf(order: ClientOrder): PortIn {
  const pathOf = (sid: string) => `${PATH}/${encodeURIComponent(sid)}`;
  return {
    submit: (port, files, options) => ask(order, { ...options, method: "POST", path: PATH, form: formOf(port, files) }),
    list: ({ signal, ...options } = {}) =>
      ask(order, {
        ...(signal && { signal }),
        method: "GET",
        path: PATH,
        query: { ...pageQuery(options), Status: options.status },
      }),
    get: (sid, options) => ask(order, { ...options, method: "GET", path: pathOf(sid) }),
    cancel: (sid, options) => ask(order, { ...options, method: "POST", path: `${pathOf(sid)}/cancel` }),
    answer: (sid, change, files = [], options = {}) =>
      ask(order, {
        ...options,
        method: "PATCH",
        path: pathOf(sid),
        ...(files.length === 0 ? { body: change } : { form: formOf(change, files) }),
      }),
    check: (number, options) =>
      ask(order, { ...options, method: "GET", path: `${PATH}/check`, query: { Number: number } }),
    letter: (port, options) => askForFile(order, { ...options, method: "POST", path: `${PATH}/loa`, body: port }),
    letterOf: (sid, options) => askForFile(order, { ...options, method: "GET", path: `${pathOf(sid)}/loa` }),
  };
}

function formOf(data: PortAnswer, files: readonly PortFile[]): FormData {
  const form = new FormData();
  form.append("data", JSON.stringify(data));
  for (const { name, bytes } of files) form.append("files", new Blob([new Uint8Array(bytes)]), name);
  return form;
}
