// Orders to port in numbers of other carriers, with their letters of authorization.

import type { PortAnswerData, PortInAnswer, PortInData, PortOrder } from "./api.generated.ts";
import { type Answer, ask, type CallOptions, type ClientOrder, type WriteOptions } from "./exchange.ts";
import type { PlainPortIn } from "./methods.generated.ts";

/** A letter of authorization: PDF, JPEG, PNG or TIFF, 10 MiB at most. */
export interface PortFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface PortIn extends PlainPortIn {
  /**
   * Accepted or refused as a whole, with all faults in one response; the numbers are yours immediately as
   * `PendingPortIn`.
   */
  submit(port: PortInData, files: readonly PortFile[], options?: WriteOptions): Promise<Answer<PortInAnswer>>;
  /** Answers an exception: only the given members are changed, and files are added. */
  answer(
    sid: string,
    change: PortAnswerData,
    files?: readonly PortFile[],
    options?: CallOptions,
  ): Promise<Answer<PortOrder>>;
}

export function portInOf(order: ClientOrder, plain: PlainPortIn): PortIn {
  return {
    ...plain,
    submit: (data, files, options) =>
      ask(order, "POST /v1/Phones/port-in", { ...options, form: { data, files: files.map(fileOf) } }),
    answer: (sid, data, files = [], options = {}) =>
      ask(order, "PATCH /v1/Phones/port-in/{sid}", {
        ...options,
        params: { sid },
        ...(files.length === 0 ? { body: data } : { form: { data, files: files.map(fileOf) } }),
      }),
  };
}

function fileOf({ name, bytes }: PortFile): File {
  return new File([new Uint8Array(bytes)], name);
}
