// Reads the messages between a client and PostgreSQL, for proxies that act on certain statements.

export interface Message {
  readonly type: string;
  /** The whole message. */
  readonly octets: Buffer;
  readonly body: Buffer;
}

export interface Executed {
  /** Empty where the statement has none. */
  readonly name: string;
  readonly text: string;
}

/** Cuts what one side sends into messages. */
export class Messages {
  #rest: Buffer = Buffer.alloc(0);
  #isTyped: boolean;

  /** A client's first message has no type. */
  constructor(from: "client" | "server") {
    this.#isTyped = from === "server";
  }

  *read(chunk: Buffer): Generator<Message> {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    for (;;) {
      const typeLength = this.#isTyped ? 1 : 0;
      if (this.#rest.length < typeLength + 4) return;
      const length = typeLength + this.#rest.readUInt32BE(typeLength);
      if (this.#rest.length < length) return;
      const octets = this.#rest.subarray(0, length);
      this.#rest = this.#rest.subarray(length);
      this.#isTyped = true;
      yield { type: octets.toString("latin1", 0, typeLength), octets, body: octets.subarray(typeLength + 4) };
    }
  }
}

/** The statements of one session. */
export class Statements {
  readonly #prepared = new Map<string, string>();

  /** The statement that this message of the client executes. */
  executedBy({ type, body }: Message): Executed | undefined {
    if (!"PBQ".includes(type) || type === "") return undefined;
    const [first = "", second = ""] = body.toString("utf8").split("\0", 2);
    if (type === "P") this.#prepared.set(first, second);
    if (type === "B") return { name: second, text: this.#prepared.get(second) ?? "" };
    // A commit contains its deadline.
    return type === "Q" ? { name: "", text: first.replace(/'[\d:TZ.-]+'/g, "'…'") } : undefined;
  }
}
