// The program of a call on the call's page, while it runs and when it is over.

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { answerOf, type List, SOON } from "../contract/numbers.ts";
import { chromiumPath } from "../peers/chromium.ts";
import { json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { look, type OpenPage, signInLink, usePortal } from "./browser.ts";

const CALLER = "+12125550123";

describe.skipIf(!chromiumPath)("a program in the portal", () => {
  const tandem = useTandem({});
  const portal = usePortal();
  const streams: WebSocket[] = [];
  let visitor: OpenPage;
  let origin = "";
  let server: Server;
  let sockets: WebSocketServer;

  const place = () => `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ANSWERS: Readonly<Record<string, () => string>> = {
    "/": () =>
      '<Response><Gather NumDigits="1" Timeout="60" Action="pressed"><Say>Press a key.</Say></Gather></Response>',
    "/pressed": () =>
      `<Response><Say>Hi.</Say><Connect Action="over"><Stream Url="ws://${place()}/agent"/></Connect></Response>`,
    "/over": () => "<Response><Hangup/></Response>",
  };

  beforeAll(async () => {
    server = createServer((request, response) => {
      request.resume();
      response.setHeader("Content-Type", "application/xml").end(ANSWERS[request.url ?? ""]?.());
    });
    sockets = new WebSocketServer({ server });
    sockets.on("connection", (socket) => streams.push(socket));
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    const link = signInLink(tandem.output());
    origin = new URL(link).origin;
    visitor = await portal.open();
    await visitor.page.goto(link);
    await visitor.page.getByRole("heading", { name: "Send yourself a text" }).waitFor();
  });
  afterAll(() => {
    sockets?.close();
    server?.closeAllConnections();
    server?.close();
  });

  test("grows with each instruction, and says what came of it", async () => {
    const { page } = visitor;
    const { items } = await answerOf<List<{ number: string }>>(await tandem.get("/v1/Phones"), 200);
    const [phone] = items;
    const webhook = { type: "InboundCallReceivedWebhook", url: `http://${place()}/` };
    await answerOf(await tandem.get("/v1/Webhooks", json("POST", webhook)), 201);
    const order = { from: CALLER, to: phone?.number, durationSeconds: 600, digits: "5" };
    await answerOf(await tandem.get("/testkit/v1/Emulate/inbound-call", json("POST", order)), 200);
    const calls = async () => (await answerOf<List<{ sid: string }>>(await tandem.get("/v1/Voice/Calls"), 200)).items;
    await expect.poll(async () => (await calls()).length, SOON).toBe(1);
    await page.goto(`${origin}/calls/${(await calls())[0]?.sid}`);

    const program = page.getByRole("region", { name: "Program" });
    await program.getByText("The script gathers keys").waitFor();
    await program.getByText("Keys: 5").waitFor();
    await program.getByText(`Asked http://${place()}/pressed`).waitFor();
    await program.getByText("The program has answered").waitFor();
    await program.getByText("runs", { exact: true }).waitFor();
    await look(page, "call-program");
    for (const stream of streams) stream.close();
    await program.getByText("The stream has ended").waitFor();
    await program.getByText("The script hangs up").waitFor();
    await program.getByText("runs", { exact: true }).waitFor({ state: "detached" });
  });
});
