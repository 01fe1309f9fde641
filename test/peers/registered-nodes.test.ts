// Two servers on one database, with one of which baresip has registered. A call that is ordered at the other one rings
// baresip. When the first one restarts, a registration over UDP is known again; when it is killed, calls fail with what
// is wrong.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../src/adapters/store/engine/database.ts";
import { newAccount, type TestAccount } from "../contract/account.ts";
import type { Trail } from "../contract/messages.ts";
import { answerOf, type List, newNumber, SOON, take, WIDE } from "../contract/numbers.ts";
import { certificateFor } from "../fakes/certificate.ts";
import { ownPort } from "../own-port.ts";
import { dropDatabase, newDatabase } from "../shared-database.ts";
import { json, startTandem, type Tandem } from "../tandem.ts";
import { databaseOf } from "../tandem-database.ts";
import { Baresip } from "./baresip.ts";
import { requirePeer } from "./peer.ts";

const baresip = requirePeer("baresip", "baresip-core");
const OFFICE = "+14155550199";

interface TrunkBody {
  readonly isUp: boolean;
  readonly reason: string;
  readonly registration: { readonly isUp: boolean; readonly reason: string };
}

describe.skipIf(!baresip)("baresip registers with one of two servers", () => {
  const scratch = mkdtempSync(join(tmpdir(), "tandem-registered-"));
  let databaseUrl: string;
  let database: Database;
  let common: Readonly<Record<string, string>>;
  let other: Tandem;
  let account: TestAccount;
  let holder: Tandem;
  let phone: Baresip;

  beforeAll(async () => {
    databaseUrl = await newDatabase();
    database = databaseOf({ databaseUrl });
    common = { TANDEM_DRAIN_SECONDS: "1" };
    other = await startAt("127.0.0.3", await ownPort(2));
    const key = readFileSync(join(other.dataDir, "secret.key"), "utf8").trim();
    common = { ...common, TANDEM_SECRET_KEY: key, TANDEM_OPERATOR_TOKEN: other.operatorToken };
    const limits = { read: WIDE, write: WIDE, call: WIDE };
    account = await newAccount(other, { features: ["voice"], limits, allowedCountries: ["US"] });
    await take(account, await newNumber(other));
  });
  afterEach(async () => {
    await phone?.stop();
    await holder?.stop();
    // One over UDP would wait for its server.
    await database.query("delete from registrations");
  });
  afterAll(async () => {
    await other.stop();
    await database.close();
    await dropDatabase(databaseUrl);
    rmSync(scratch, { recursive: true });
  });

  function startAt(address: string, port: number): Promise<Tandem> {
    const registrar = { username: "office", password: "secret", requestUri: "contact" };
    const sip = { sourceAddresses: [address], digests: ["MD5"], trunks: [{ name: "office", registrar }] };
    const path = join(scratch, `${address}.json`);
    writeFileSync(path, JSON.stringify({ sip }));
    return startTandem({
      databaseUrl,
      environment: { ...common, TANDEM_CONFIG: path, TANDEM_SIP_PORT: String(port) },
    });
  }

  const officeAt = async (server: Tandem) =>
    (await answerOf<List<TrunkBody>>(await server.operator("/operator/v1/Trunks"), 200)).items[0];
  const order = async () => {
    const script = '<Response><Pause Length="30"/></Response>';
    const body = json("POST", { to: OFFICE, script });
    return (await answerOf<{ sid: string }>(await account.call("/v1/Voice/Calls", body), 201)).sid;
  };
  const statusOf = async (sid: string) =>
    (await answerOf<{ status: string }>(await account.call(`/v1/Voice/Calls/${sid}`), 200)).status;
  const whyOf = async (sid: string) => answerOf<Trail>(await account.call(`/v1/Voice/Calls/${sid}/why`), 200);

  async function orderRings(): Promise<void> {
    phone.forget();
    const sid = await order();
    const isAnswered = async () => (await whyOf(sid)).steps.some(({ step }) => step === "answered");
    await expect.poll(isAnswered, { ...SOON, message: phone.report() }).toBe(true);
    const { calls } = (await (await fetch(`${holder.url}/readyz`)).json()) as { calls: number };
    expect(calls, "the server that baresip has registered with has the call").toBe(1);
    await answerOf(await account.call(`/v1/Voice/Calls/${sid}/hangup`, json("POST", {})), 200);
    await expect.poll(() => phone.isFree, SOON).toBe(true);
  }

  test.each(["udp", "tcp"])("over %s", async (transport) => {
    const port = await ownPort(2);
    holder = await startAt("127.0.0.2", port);
    phone = await Baresip.start({
      ...{ program: baresip ?? "", users: ["office"], address: "127.0.0.1", port: await ownPort(2) },
      ...{ codec: "PCMU", hz: 440, certificate: await certificateFor("127.0.0.1") },
      registrar: { place: `127.0.0.2:${port};transport=${transport}`, password: "secret" },
    });
    const place = `127.0.0.2:${port}`;
    const registered = { isUp: true, registration: { isUp: true, reason: expect.stringContaining(place) } };
    await expect.poll(() => officeAt(other), { ...SOON, message: phone.report() }).toMatchObject(registered);
    await orderRings();

    if (transport === "udp") {
      await holder.stop();
      await expect.poll(() => officeAt(other), SOON).toMatchObject({ isUp: false });
      // baresip registers again after a minute only.
      holder = await startAt("127.0.0.2", port);
      expect(await officeAt(holder)).toMatchObject({ isUp: true, reason: "registered" });
      await expect.poll(() => officeAt(other), SOON).toMatchObject(registered);
      await orderRings();
    }

    await holder.kill();
    await expect.poll(() => officeAt(other), SOON).toMatchObject({ isUp: false, registration: { isUp: false } });
    const sid = await order();
    await expect.poll(() => statusOf(sid), SOON).toBe("Completed");
    const reason = transport === "udp" ? `was registered at ${place}, where no server runs now.` : "is not registered.";
    expect(JSON.stringify(await whyOf(sid))).toContain(`trunk office ${reason}`);
  });
});
