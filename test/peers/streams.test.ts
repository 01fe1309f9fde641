// A stream with a real telephone: baresip calls a number whose program connects it with a WebSocket. The program sends
// back what it hears, and baresip hears it.

import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocketServer } from "ws";
import { newAccount, type TestAccount } from "../contract/account.ts";
import { answerOf, type List, newNumber, SOON, take, WIDE } from "../contract/numbers.ts";
import { certificateFor } from "../fakes/certificate.ts";
import { encodeUlaw } from "../fakes/tone.ts";
import { ownPort } from "../own-port.ts";
import { json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { Baresip } from "./baresip.ts";
import { requirePeer } from "./peer.ts";

const baresip = requirePeer("baresip", "baresip-core");

const TELEPHONE_HZ = 440;
const PROGRAM_HZ = 1_000;

interface Message {
  readonly event: string;
  readonly dtmf?: { readonly digit: string };
  readonly media?: { readonly payload: string };
}

describe.skipIf(!baresip)("a telephone and a program", () => {
  let [sipPort, phonePort] = [0, 0];
  const tandem = useTandem(async () => {
    [sipPort, phonePort] = [await ownPort(2), await ownPort(2)];
    const trunk = { name: "first", host: "127.0.0.1", port: phonePort, sources: ["127.0.0.1"], optionsSeconds: 0 };
    const file = join(mkdtempSync(join(tmpdir(), "tandem-streams-")), "tandem.config.json");
    writeFileSync(file, JSON.stringify({ sip: { sourceAddresses: ["127.0.0.2"], trunks: [trunk] } }));
    return {
      environment: { TANDEM_CONFIG: file, TANDEM_SIP_PORT: String(sipPort), TANDEM_RTP_PORTS: "0" },
    };
  });
  let account: TestAccount;
  let number: string;
  let phone: Baresip;
  let server: Server;
  let sockets: WebSocketServer;
  let format = "";
  let heard: Message[] = [];
  let frames = 0;

  beforeAll(async () => {
    const limits = { read: WIDE, write: WIDE, call: WIDE };
    account = await newAccount(tandem, { features: ["voice"], limits, allowedCountries: ["US"] });
    number = await newNumber(tandem);
    await take(account, number);
    server = createServer((request, response) => {
      request.resume();
      const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/agent`;
      response.end(`<Response><Connect><Stream Url="${url}"${format}/></Connect></Response>`);
    });
    sockets = new WebSocketServer({ server });
    sockets.on("connection", (socket) => {
      let isEcho = true;
      const say = (message: object) => socket.send(JSON.stringify(message));
      socket.on("message", (data: Buffer, isBinary) => {
        if (isBinary) {
          frames++;
          socket.send(data);
          return;
        }
        const message = JSON.parse(data.toString()) as Message;
        heard.push(message);
        if (message.event === "media" && isEcho) say({ event: "media", media: { payload: message.media?.payload } });
        if (message.dtmf?.digit === "#") socket.close();
        else if (message.dtmf) {
          isEcho = false;
          say({ event: "clear" });
          const payload = Buffer.from(encodeUlaw(PROGRAM_HZ, 60)).toString("base64");
          say({ event: "media", media: { payload } });
        }
      });
    });
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const order = { type: "InboundCallReceivedWebhook", url };
    await answerOf(await account.call("/v1/Webhooks", json("POST", order)), 201);
    phone = await Baresip.start({
      ...{ program: baresip ?? "", users: ["alice"], address: "127.0.0.1", port: phonePort },
      ...{ codec: "PCMA", hz: TELEPHONE_HZ, certificate: await certificateFor("127.0.0.1") },
    });
  });
  afterAll(async () => {
    await phone?.stop();
    sockets?.close();
    server?.closeAllConnections();
    server?.close();
  });

  const hears = (hz: number) =>
    expect.poll(() => phone.purity(hz), { ...SOON, message: phone.report() }).toBeGreaterThan(0.9);

  async function callProgram(): Promise<void> {
    heard = [];
    phone.forget();
    phone.dial(`sip:${number}@127.0.0.2:${sipPort}`);
    await hears(TELEPHONE_HZ);
  }

  async function endOfCall(): Promise<void> {
    await expect.poll(() => phone.isFree, SOON).toBe(true);
    const last = async () => {
      const { items } = await answerOf<List<{ status: string; endReason: string | null }>>(
        await account.call("/v1/Voice/Calls?PageSize=1"),
        200,
      );
      return items[0];
    };
    await expect.poll(last, SOON).toMatchObject({ status: "Completed" });
  }

  test("hear each other: its own tone comes back, and after a key the program's alone", async () => {
    format = "";
    await callProgram();
    phone.press("5");
    await expect.poll(() => heard.flatMap(({ dtmf }) => (dtmf ? [dtmf.digit] : [])), SOON).toEqual(["5"]);
    await hears(PROGRAM_HZ);
    expect(phone.purity(TELEPHONE_HZ)).toBeLessThan(0.1);
    phone.press("#");
    await endOfCall();
    expect(heard[1]).toMatchObject({ event: "start" });
  });

  test("hear each other in 16-bit samples at 16 kHz", async () => {
    format = ' Format="pcm16" Rate="16000"';
    await callProgram();
    expect(frames).toBeGreaterThan(0);
    expect(heard.filter(({ event }) => event === "media")).toEqual([]);
    phone.hangUp();
    await endOfCall();
    await expect.poll(() => heard.at(-1)?.event, SOON).toBe("stop");
  });
});
