// The secret key is rotated under load, by a command that is killed again and again, on a server that is killed and
// restarted meanwhile. During this webhooks are signed, PINs are revealed and responses are replayed, and all of it is
// checked from outside: against what the API has shown, and at the end with the new key alone.

import { createHmac } from "node:crypto";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { expect, test } from "vitest";
import { readSecretKeys, type SecretKey, SecretKeys } from "../../src/adapters/secrets.ts";
import { OPENING_KEY_LOCKS } from "../../src/adapters/store/engine/locks.ts";
import { SEALED_COLUMNS } from "../../src/adapters/store/sealed-values.ts";
import { newAccount, type TestAccount } from "../contract/account.ts";
import { answerOf, newConfig, SOON, WIDE } from "../contract/numbers.ts";
import { portIn, strangeNumbers } from "../contract/port-orders.ts";
import { startCommand } from "../journeys/tandem-command.ts";
import { connectionTo, dropDatabase, newDatabase } from "../shared-database.ts";
import { forgetTandem, json, startTandem, type Tandem } from "../tandem.ts";
import { isLong, LONG_TIMEOUT_MS, roundsOf } from "./form.ts";
import { type HealthyReceiver, type ReceivedRequest, startHealthy } from "./webhook-receivers.ts";

const OLD_ANSWERS = 1_000;
const WRITERS = 3;
const BEARER = "of-the-receiver";
/** How many of each kind are checked during the load. */
const LOOKED_AT = 40;
const ENVIRONMENT = { TANDEM_SANDBOX_PORT_SECONDS: "86400", TANDEM_LOG_LEVEL: "warn" };

interface Hook {
  readonly sid: string;
  /** The newest first. */
  readonly secrets: readonly string[];
}

/** What was acknowledged, and has to exist whatever happens. */
interface Ledger {
  readonly answers: Map<string, string>;
  readonly pins: Map<string, string>;
  readonly hooks: Map<string, Hook>;
  readonly sent: Set<string>;
}

test(
  "everything can be read at every moment while the secret key is rotated and whoever takes part is killed",
  async () => {
    const world = await World.open();
    try {
      const rounds = roundsOf({ quick: 1, long: 20 });
      for (let round = 1; round <= rounds; round++) {
        await world.storeOldAnswers(`round ${round}`);
        const before = world.fileKeys()[0] as SecretKey;
        const load = world.startLoad();
        await world.killWhileProcessesAreWaitedFor();
        await world.restartServer();
        await world.killWhileSealing();
        await world.killAtAnyMoment();
        const after = await world.rotateToTheEnd();
        await load.end();
        expect(after.id).not.toStrictEqual(before.id);
        await world.expectAllUnder(after);
        await world.restartServer();
        await world.expectEverything();
        console.log(`round ${round}/${rounds}: ${world.summary()}`);
      }
    } finally {
      await world.close();
    }
  },
  isLong ? LONG_TIMEOUT_MS : undefined,
);

class World {
  readonly #dataDir = mkdtempSync(join(tmpdir(), "tandem-keys-"));
  readonly #ledger: Ledger = { answers: new Map(), pins: new Map(), hooks: new Map(), sent: new Set() };
  readonly #received = new Map<string, ReceivedRequest>();
  readonly #url: string;
  readonly #onlooker: pg.Client;
  #receiver!: HealthyReceiver;
  #tandem!: Tandem;
  #account!: TestAccount;
  #config!: string;
  /** Odd while the server is restarted: a call that fails meanwhile is no fault. */
  #ends = 0;
  #made = 0;

  static async open(): Promise<World> {
    const world = new World(await newDatabase());
    await world.#begin();
    return world;
  }

  private constructor(url: string) {
    this.#url = url;
    this.#onlooker = new pg.Client(connectionTo(url));
  }

  async #begin(): Promise<void> {
    await this.#onlooker.connect();
    this.#receiver = await startHealthy({
      answer: (request) => {
        this.#received.set(String(request.headers["webhook-id"]), request);
        return {};
      },
    });
    await this.#startServer();
    const limits = { read: WIDE, write: WIDE, webhooks: WIDE };
    const { sid, token, change } = await newAccount(this.#tandem, { features: ["campaignMigration"], limits });
    const headers = { Authorization: `Basic ${Buffer.from(`${sid}:${token}`).toString("base64")}` };
    // Each restart replaces the server.
    const call: TestAccount["call"] = (path, init) =>
      fetch(this.#tandem.url + path, { ...init, headers: { ...headers, ...init?.headers } });
    this.#account = { sid, token, call, change };
    this.#config = await newConfig(this.#account);
    for (let at = 0; at < 3; at++) await this.#newHook();
  }

  async close(): Promise<void> {
    await this.#tandem?.stop();
    await this.#receiver?.close();
    await this.#onlooker.end();
    await dropDatabase(this.#url);
    forgetTandem(this.#dataDir);
  }

  summary(): string {
    const { answers, pins, sent } = this.#ledger;
    return `${answers.size} answers, ${pins.size} PINs, ${sent.size} webhooks`;
  }

  fileKeys(): readonly SecretKey[] {
    return readSecretKeys(readFileSync(join(this.#dataDir, "secret.key"), "utf8")) ?? [];
  }

  /** Stores responses in the format of earlier versions, so that there is enough to be sealed again. */
  async storeOldAnswers(scope: string): Promise<void> {
    const box = new SecretKeys(this.fileKeys());
    const sealed = Array.from({ length: OLD_ANSWERS }, () => box.seal(scope).subarray(8));
    await this.#onlooker.query(
      `insert into kept_answers (scope, key, claim_id, request_digest, claimed_at, answer)
       select $1, number::text, gen_random_uuid(), '', now(), answer from unnest($2::bytea[]) with ordinality as given (answer, number)`,
      [scope, sealed],
    );
  }

  startLoad(): { end(): Promise<void> } {
    let isEnding = false;
    const deeds = [
      () => this.#keepAnswer(),
      () => this.#keepPin(),
      () => this.#sendWebhook(),
      () => this.#rotateHook(),
    ];
    const write = async (writer: number) => {
      for (let at = writer; !isEnding; at++) {
        await this.#unlessKilled(deeds[at % deeds.length] as () => Promise<void>);
        await this.#unlessKilled(() => this.#checkOne());
      }
    };
    const writers = Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
    // The error fails the test at the end of the load.
    writers.catch(() => undefined);
    return {
      async end() {
        isEnding = true;
        await writers;
      },
    };
  }

  /** Another machine's process does not have the key yet: the file holds both, and the previous key still seals. */
  async killWhileProcessesAreWaitedFor(): Promise<void> {
    const stranger = new pg.Client(connectionTo(this.#url));
    await stranger.connect();
    await stranger.query(`select pg_advisory_lock_shared(${OPENING_KEY_LOCKS}, 1)`);
    const { child, ended } = this.#rotate();
    await new Promise<void>((resolve, reject) => {
      child.stderr?.on("data", (chunk: Buffer) => chunk.includes("yet: 1.") && resolve());
      child.once("close", () => reject(new Error("nobody was waited for")));
    });
    child.kill("SIGKILL");
    expect((await ended).signal).toBe("SIGKILL");
    expect(this.fileKeys()).toHaveLength(2);
    await this.#expectLatest();
    await stranger.end();
  }

  /** A locked row keeps the rotation from ending. The server is killed and restarted meanwhile, too. */
  async killWhileSealing(): Promise<void> {
    const holder = new pg.Client(connectionTo(this.#url));
    await holder.connect();
    await holder.query("begin");
    await holder.query("select from kept_answers where key = '1' and scope like 'round %' for update");
    const next = this.fileKeys()[0] as SecretKey;
    const { child, ended } = this.#rotate();
    await expect.poll(() => this.#countUnder(next), SOON).toBeGreaterThan(OLD_ANSWERS / 2);
    await this.restartServer();
    await this.#expectLatest();
    child.kill("SIGKILL");
    expect((await ended).signal).toBe("SIGKILL");
    expect(this.fileKeys()).toHaveLength(2);
    await holder.query("rollback");
    await holder.end();
    await this.#expectLatest();
  }

  async killAtAnyMoment(): Promise<void> {
    const { child, ended } = this.#rotate();
    // Any moment is possible, even after its end.
    setTimeout(() => child.kill("SIGKILL"), 300 + Math.random() * 700);
    await ended;
    await this.#expectLatest();
  }

  async rotateToTheEnd(): Promise<SecretKey> {
    const { code, stdout, stderr } = await this.#rotate("--json").ended;
    expect({ code, stderr }).toStrictEqual({ code: 0, stderr: expect.any(String) });
    expect(JSON.parse(stdout)).toMatchObject({ unreadable: 0 });
    const keys = this.fileKeys();
    expect(keys).toHaveLength(1);
    return keys[0] as SecretKey;
  }

  async restartServer(): Promise<void> {
    this.#ends += 1;
    await this.#tandem.kill();
    await this.#startServer();
    this.#ends += 1;
  }

  /** Every value in the database, read without the product. */
  async expectAllUnder(key: SecretKey): Promise<void> {
    const box = new SecretKeys([key]);
    for (const { table, column, isList } of SEALED_COLUMNS) {
      const { rows } = await this.#onlooker.query<{ values: Buffer[] }>(
        `select ${isList ? column : `array[${column}]`} as values from ${table} where ${column} is not null`,
      );
      for (const sealed of rows.flatMap(({ values }) => values)) {
        expect(sealed.subarray(0, 8), `${table}.${column}`).toStrictEqual(key.id);
        box.open(sealed);
      }
    }
  }

  async expectEverything(): Promise<void> {
    await this.#expect([...this.#ledger.answers], [...this.#ledger.pins]);
  }

  async #expectLatest(): Promise<void> {
    await this.#expect([...this.#ledger.answers].slice(-LOOKED_AT), [...this.#ledger.pins].slice(-LOOKED_AT));
  }

  async #expect(answers: readonly [string, string][], pins: readonly [string, string][]): Promise<void> {
    const sent = [...this.#ledger.sent];
    for (const [key, text] of answers) expect(await this.#accountUnder(key), key).toBe(text);
    for (const [sid, pin] of pins) expect(await this.#revealed(sid)).toBe(pin);
    await expect.poll(() => sent.filter((id) => !this.#received.has(id)), SOON).toStrictEqual([]);
    const secrets = [...this.#ledger.hooks.values()].flatMap((hook) => hook.secrets);
    for (const [id, request] of this.#received) expect(isSigned(request, secrets), `webhook ${id}`).toBe(true);
    const { rows } = await this.#onlooker.query(
      "select text from attempts, unnest(texts) as text where text::json ->> 'failure' like 'not sent%'",
    );
    expect(rows).toStrictEqual([]);
  }

  #rotate(...options: string[]) {
    return startCommand(["keys", "rotate", ...options], {
      environment: { TANDEM_DATA_DIR: this.#dataDir, TANDEM_DATABASE_URL: this.#url },
    });
  }

  async #startServer(): Promise<void> {
    this.#tandem = await startTandem({ dataDir: this.#dataDir, databaseUrl: this.#url, environment: ENVIRONMENT });
  }

  async #unlessKilled(deed: () => Promise<void>): Promise<void> {
    const ends = this.#ends;
    const isBetween = ends % 2 === 1;
    await deed().catch((fault: unknown) => {
      if (!isBetween && ends === this.#ends) throw fault;
    });
  }

  async #checkOne(): Promise<void> {
    const [key, text] = anyOf(this.#ledger.answers) ?? [];
    if (key !== undefined) expect(await this.#accountUnder(key), key).toBe(text);
    const [sid, pin] = anyOf(this.#ledger.pins) ?? [];
    if (sid !== undefined) expect(await this.#revealed(sid)).toBe(pin);
  }

  async #keepAnswer(): Promise<void> {
    const key = `answer ${++this.#made}`;
    this.#ledger.answers.set(key, await this.#accountUnder(key));
  }

  /** Creates an account, or gets the stored response, which has its token. */
  async #accountUnder(key: string): Promise<string> {
    const order = json("POST", { name: key });
    const answer = await this.#tandem.operator("/operator/v1/Accounts", {
      ...order,
      headers: { ...order.headers, "Idempotency-Key": key },
    });
    expect(answer.status).toBe(201);
    return answer.text();
  }

  async #keepPin(): Promise<void> {
    const pin = `pin-${++this.#made}`;
    const { sid } = await portIn(
      this.#account,
      this.#config,
      strangeNumbers(1).map((number) => ({ number, pin })),
    );
    this.#ledger.pins.set(sid, pin);
  }

  async #revealed(sid: string): Promise<string | undefined> {
    const answer = await this.#tandem.operator(`/operator/v1/PortOrders/${sid}/revealPins`, { method: "POST" });
    return (await answerOf<{ pins: { pin: string }[] }>(answer, 200)).pins[0]?.pin;
  }

  async #newHook(): Promise<void> {
    const order = { type: "OutboundMessageStatusChanged", url: this.#receiver.url, authorizationBearer: BEARER };
    const made = await this.#account.call("/v1/Webhooks", json("POST", order));
    const { sid, secret } = await answerOf<{ sid: string; secret: string }>(made, 201);
    this.#ledger.hooks.set(sid, { sid, secrets: [secret] });
  }

  #anyHook(): Hook {
    return (anyOf(this.#ledger.hooks) as [string, Hook])[1];
  }

  async #sendWebhook(): Promise<void> {
    const { sid } = this.#anyHook();
    const sent = await this.#account.call(`/v1/Webhooks/${sid}/test`, { method: "POST" });
    this.#ledger.sent.add((await answerOf<{ sid: string }>(sent, 202)).sid);
  }

  /** Stays within the number of rotations that a day allows. */
  async #rotateHook(): Promise<void> {
    const { sid, secrets } = this.#anyHook();
    if (secrets.length > 2) return this.#sendWebhook();
    const rotated = await this.#account.call(`/v1/Webhooks/${sid}/rotateSecret`, { method: "POST" });
    const { secret } = await answerOf<{ secret: string }>(rotated, 200);
    this.#ledger.hooks.set(sid, { sid, secrets: [secret, ...secrets] });
  }

  async #countUnder(key: SecretKey): Promise<number> {
    const { rows } = await this.#onlooker.query<{ count: number }>(
      "select count(*)::int as count from kept_answers where substring(answer from 1 for 8) = $1",
      [key.id],
    );
    return rows[0]?.count ?? 0;
  }
}

function anyOf<Key, Value>(map: ReadonlyMap<Key, Value>): [Key, Value] | undefined {
  return [...map][Math.floor(Math.random() * map.size)];
}

/** Whether one of the secrets that were shown has signed it, and it carries the bearer token. */
function isSigned({ headers, body }: ReceivedRequest, secrets: readonly string[]): boolean {
  const content = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body.toString()}`;
  const given = String(headers["webhook-signature"]).split(" ");
  const isKnown = secrets.some((secret) => {
    const key = Buffer.from(secret.slice("whsec_".length), "base64");
    return given.includes(`v1,${createHmac("sha256", key).update(content).digest("base64")}`);
  });
  return isKnown && headers.authorization === `Bearer ${BEARER}`;
}
