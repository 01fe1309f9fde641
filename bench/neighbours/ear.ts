// Reads an account's stream of events, and finds those that are waited for, whether they came already or not.

import { Happenings } from "../../test/fakes/happenings.ts";
import type { Tenant } from "./tenants.ts";

export interface HeardEvent {
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

export class Ear {
  readonly #heard: HeardEvent[] = [];
  readonly #happenings = new Happenings();
  readonly #leaving = new AbortController();

  /** Resolves when every later event is heard. */
  static async open(tenant: Tenant): Promise<Ear> {
    const ear = new Ear();
    const answer = await tenant.request("/v1/Events/stream", { signal: ear.#leaving.signal });
    if (!answer.ok) throw new Error(`the stream was refused: ${await answer.text()}`);
    await new Promise<void>((opened) => {
      ear.#read(answer, opened).catch(() => opened());
    });
    return ear;
  }

  event(wants: (event: HeardEvent) => boolean): Promise<HeardEvent> {
    return this.#happenings.until(() => this.#heard.findLast(wants));
  }

  close(): void {
    this.#leaving.abort();
  }

  async #read(answer: Response, opened: () => void): Promise<void> {
    const decoder = new TextDecoder();
    let text = "";
    for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
      opened();
      text += decoder.decode(chunk, { stream: true });
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) {
        const data = /^data: (.*)$/m.exec(block)?.[1];
        if (data !== undefined) this.#heard.push(JSON.parse(data) as HeardEvent);
      }
      this.#happenings.ring();
    }
  }
}
