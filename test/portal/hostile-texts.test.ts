// Text from untrusted sources is shown as it was written and never runs: texts, names, file names, responses of
// receivers, SIP headers and attachments, on every screen that shows them. And pages of other origins cannot act
// through a browser that has signed in here, from another port of the same host or from another host.

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newAccount } from "../contract/account.ts";
import { UNTIL } from "../contract/messages.ts";
import { answerOf, type List } from "../contract/numbers.ts";
import { chromiumPath } from "../peers/chromium.ts";
import { json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { type OpenPage, usePortal } from "./browser.ts";
import { type HostileAccount, hostile, newHostileAccount } from "./hostile.ts";

const OPERATOR = `hostile-${process.pid}-${Date.now()}`;
const PLANTED = `${"A".repeat(42)}x`;

/** By path: the planted texts that must be visible. */
const SHOWN: Readonly<Record<string, readonly string[]>> = {
  "/": ["account"],
  "/log": ["received"],
  "/messages": ["sent", "received"],
  "/messages/PERSON": ["sent", "received", "number", "carrier"],
  "/messages/OUTBOUND": ["sent"],
  "/messages/INBOUND": ["received"],
  "/calls": [],
  "/calls/CALL": ["caller"],
  "/conferences": ["conference"],
  "/conferences/CONFERENCE": ["conference"],
  "/webhooks": [],
  "/webhooks/WEBHOOK": [],
  "/webhooks/deliveries/DELIVERY": ["answer", "header", "received"],
  "/numbers": ["number"],
  "/numbers/NUMBER": ["number", "config"],
  "/lookup?n=PERSON": ["carrier"],
  "/campaigns": ["config"],
  "/migrations/CAMPAIGN": ["config"],
  "/sandbox": [],
  "/api/sendMessage": [],
  "/account": ["account"],
  "/more": [],
  // Text in a URL is untrusted, too.
  "/messages?q=HOSTILE": [],
  "/log?q=HOSTILE": [],
  "/calls?q=HOSTILE": [],
  "/conferences?q=HOSTILE": [],
  "/conferences/HOSTILE": [],
  "/webhooks/WEBHOOK?q=HOSTILE": [],
  "/lookup?n=HOSTILE": [],
  "/campaigns?move=HOSTILE": [],
  "/migrations/HOSTILE": [],
  "/numbers/HOSTILE": [],
  "/messages/HOSTILE": [],
  "/calls/HOSTILE": [],
  "/api/HOSTILE": [],
  "/HOSTILE": [],
};
const SHOWN_TO_OPERATORS: Readonly<Record<string, readonly string[]>> = {
  "/": [],
  "/log": [],
  "/operator/accounts": ["account"],
  "/operator/accounts/ACCOUNT": ["account"],
  "/operator/accounts/SUSPENDED": ["reason"],
  "/operator/ports": ["losing"],
  "/operator/ports/PORT": ["subscriber", "person", "losing", "reference"],
  // The other lists may be too long for one screen.
  "/operator/campaigns": [],
  "/operator/overrides": ["carrier", "note"],
  "/operator/inventory": [],
  "/operator/links": [],
  "/operator/nodes": [],
  "/operator/audit": [],
};

describe.skipIf(!chromiumPath)("in the portal", () => {
  const tandem = useTandem();
  const portal = usePortal();
  let planted: HostileAccount;
  let suspended: string;
  let visitor: OpenPage;
  let operator: OpenPage;
  let places: Readonly<Record<string, string>>;
  const dialogs: string[] = [];

  /** A browser that records dialogs and violations of the content security policy. */
  async function openWatched(): Promise<OpenPage> {
    const opened = await portal.open();
    opened.page.on("dialog", (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    await opened.context.addInitScript(
      "window.kept = []; addEventListener('securitypolicyviolation', (e) => window.kept.push(e.violatedDirective))",
    );
    return opened;
  }

  async function signIn({ page }: OpenPage, tab: "Account" | "Operator", fields: Readonly<Record<string, string>>) {
    if (!page.url().includes("/sign-in")) await page.goto(`${tandem.url}/sign-in`);
    await page.getByRole("tab", { name: tab }).click();
    for (const [label, value] of Object.entries(fields)) await page.getByLabel(label).fill(value);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL(({ pathname }) => pathname !== "/sign-in");
  }

  const credentials = () => ({ "Account SID": planted.account.sid, Token: planted.account.token });

  beforeAll(async () => {
    planted = await newHostileAccount(tandem);
    const other = await newAccount(tandem);
    await other.change({ status: "Suspended", suspendedReason: hostile("reason") });
    suspended = other.sid;
    places = {
      PERSON: planted.person,
      OUTBOUND: planted.outbound,
      INBOUND: planted.inbound,
      CALL: planted.call,
      CONFERENCE: planted.conference,
      WEBHOOK: planted.webhook,
      DELIVERY: planted.delivery,
      NUMBER: planted.sender.number,
      CAMPAIGN: planted.sender.tcrCampaignId,
      ACCOUNT: planted.account.sid,
      SUSPENDED: suspended,
      PORT: planted.portOrder,
      HOSTILE: encodeURIComponent(hostile("address")),
    };
    visitor = await openWatched();
    operator = await openWatched();
    const made = await tandem.operator("/operator/v1/Tokens", json("POST", { name: OPERATOR }));
    const { token } = await answerOf<{ token: string }>(made, 201);
    await signIn(operator, "Operator", { "Operator token": token });
  });
  afterAll(async () => {
    await planted?.close();
    await tandem.operator(`/operator/v1/Tokens/${OPERATOR}`, { method: "DELETE" });
  });

  /** All readable text, including the values of fields. */
  const textOf = (page: Page) =>
    page.evaluate<string>(
      "document.body.innerText + [...document.querySelectorAll('input, textarea, select')].map((field) => field.value).join(' ') + [...document.querySelectorAll('option')].map((option) => option.text).join(' ')",
    );

  async function expectHarmless(page: Page): Promise<void> {
    expect(await page.evaluate("window.ran")).toBeUndefined();
    expect(await page.locator('img[src="x"]').count()).toBe(0);
    expect(await page.evaluate("window.kept")).toEqual([]);
    expect(dialogs).toEqual([]);
  }

  const pathOf = (path: string) => path.replace(/[A-Z]{4,}/g, (name) => places[name] ?? name);

  test("a session begins with the sign-in: a cookie that was planted is not taken up", async () => {
    const { page, context } = visitor;
    const { hostname } = new URL(tandem.url);
    await context.addCookies([{ name: "tandem_session", value: PLANTED, domain: hostname, path: "/" }]);
    await page.goto(`${tandem.url}/sign-in`);
    await signIn(visitor, "Account", credentials());
    const [cookie, ...others] = await context.cookies();
    expect(others).toEqual([]);
    expect(cookie).toMatchObject({ name: "tandem_session", httpOnly: true, sameSite: "Strict", path: "/" });
    expect(cookie?.value).not.toBe(PLANTED);
    // No secret is accessible to scripts, other pages or the history.
    const kept = await page.evaluate<string>(
      "JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }, location.href, history.state, window.name])",
    );
    for (const secret of [planted.account.token, cookie?.value ?? ""]) expect(kept).not.toContain(secret);
    const before = await fetch(`${tandem.url}/v1/Session`, { headers: { Cookie: `tandem_session=${PLANTED}` } });
    expect(await before.json()).toBeNull();
  });

  test.each(Object.entries(SHOWN))("%s shows it and runs nothing", async (path, shown) => {
    const { page } = visitor;
    await page.goto(tandem.url + pathOf(path));
    await page.getByRole("main").or(page.getByText("There is no such page")).first().waitFor();
    for (const what of shown) await expect.poll(() => textOf(page), UNTIL).toContain(hostile(what));
    await expectHarmless(page);
  });

  test.each(Object.entries(SHOWN_TO_OPERATORS))("%s shows it to operators and runs nothing", async (path, shown) => {
    const { page } = operator;
    await page.goto(tandem.url + pathOf(path));
    await page.getByRole("main").first().waitFor();
    for (const what of shown) await expect.poll(() => textOf(page), UNTIL).toContain(hostile(what));
    await expectHarmless(page);
  });

  test("the log shows events and what was sent, entry by entry", async () => {
    const { page } = visitor;
    await page.goto(`${tandem.url}/log`);
    await page
      .getByRole("row", { name: /InboundMessageReceived|Received|received/ })
      .first()
      .click();
    await page.getByRole("tab", { name: "JSON" }).click();
    await expect.poll(() => textOf(page), UNTIL).toContain("window.ran=1");
    await expectHarmless(page);
  });

  test("a webhook has no address that runs, however it is asked for", async () => {
    for (const url of ["javascript:window.ran=1", "data:text/html,<script>window.ran=1</script>", "vbscript:x"]) {
      const made = await planted.account.call("/v1/Webhooks", json("POST", { type: "OptOutChanged", url }));
      expect(made.status).toBe(400);
    }
  });

  test.each(["svg", "html", "js"] as const)("an attachment in %s is saved, and is never run", async (kind) => {
    const { page, context } = visitor;
    await page.goto(tandem.url);
    const url = `${tandem.url}/v1/Media/${planted.media[kind]}`;
    const answer = await context.request.get(url);
    expect(answer.headers()).toMatchObject({
      "content-disposition": expect.stringMatching(/^attachment; filename="[\w.-]+"$/),
      "content-security-policy": "sandbox; default-src 'none'",
      "x-content-type-options": "nosniff",
    });
    const download = page.waitForEvent("download");
    await page.evaluate(`location.href = "${url}"`);
    await (await download).cancel();
    // Nor embedded in our own page.
    await page.evaluate(`Promise.all(["iframe", "img", "script"].map((tag) => new Promise((tried) => {
      const element = document.createElement(tag);
      Object.assign(element, { src: "${url}", onload: tried, onerror: tried });
      document.body.append(element);
    })))`);
    expect(await page.evaluate("window.ran")).toBeUndefined();
  });

  test("an address of the API is no page, whatever it contains", async () => {
    const { page } = visitor;
    for (const path of [`/v1/${places.HOSTILE}`, `/v1/OutboundMessages/${planted.outbound}`, "/v1/Account"]) {
      const answer = await page.goto(tandem.url + path);
      expect(answer?.headers()).toMatchObject({ "x-content-type-options": "nosniff" });
      expect(answer?.headers()["content-type"]).toMatch(/^(application|text)\/(json|plain)/);
      expect(await page.evaluate("window.ran")).toBeUndefined();
      expect(await page.locator('img[src="x"]').count()).toBe(0);
    }
  });

  test.each(["//evil.example", "/\t/evil.example", "/..//evil.example", "/\\evil.example", "javascript:window.ran=1"])(
    "a sign-in leads nowhere else: %j",
    async (next) => {
      const stranger = await openWatched();
      await stranger.page.goto(`${tandem.url}/sign-in?next=${encodeURIComponent(next)}`);
      await signIn(stranger, "Account", credentials());
      await stranger.page.getByRole("main").first().waitFor();
      expect(new URL(stranger.page.url()).origin).toBe(tandem.url);
      await expectHarmless(stranger.page);
      await stranger.context.close();
    },
  );

  describe("pages of others", () => {
    let evil: Server;
    beforeAll(async () => {
      evil = createServer((_request, response) => {
        response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Other</title><body>");
      });
      await new Promise<void>((done) => evil.listen(0, "127.0.0.1", done));
    });
    afterAll(() => evil?.close());

    const configs = async () => {
      const answer = await planted.account.call("/v1/MessagingConfigs?PageSize=1000");
      return (await answerOf<List<{ name: string }>>(answer, 200)).items.map(({ name }) => name);
    };

    async function openEvil(host: string): Promise<Page> {
      const page = await visitor.context.newPage();
      await page.goto(`http://${host}:${(evil.address() as AddressInfo).port}/`);
      return page;
    }

    /** Submits a form into a frame of its own; returns the status. */
    async function sendForm(page: Page, path: string, enctype: string): Promise<number> {
      const answer = page.waitForResponse((response) => response.url() === tandem.url + path);
      await page.evaluate(`{
        const frame = document.createElement("iframe");
        frame.name = "sent";
        const form = document.createElement("form");
        Object.assign(form, { method: "POST", action: ${JSON.stringify(tandem.url + path)}, target: "sent" });
        form.enctype = ${JSON.stringify(enctype)};
        const field = document.createElement("input");
        Object.assign(field, { name: '{"name":"Forged","optOutReply":"', value: '"}' });
        form.append(field);
        document.body.append(frame, form);
        form.submit();
      }`);
      return (await answer).status();
    }

    const HOSTS = ["127.0.0.1", "localhost"];
    const TYPES = ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"];
    const PATHS = ["/v1/MessagingConfigs", "/messaging/v1/OutboundMessages", "/v1/Session", "/v1/Account/tokens"];

    test.each(HOSTS)("on %s change nothing by forms", async (host) => {
      const before = await configs();
      for (const path of PATHS) {
        for (const type of TYPES) {
          const page = await openEvil(host);
          expect({ path, type, status: await sendForm(page, path, type) }).toEqual({ path, type, status: 403 });
          await page.close();
        }
      }
      expect(await configs()).toEqual(before);
    });

    test.each(HOSTS)("on %s change and read nothing by scripts", async (host) => {
      const page = await openEvil(host);
      const before = await configs();
      const call = (path: string, init: object) =>
        page.evaluate<string>(
          `fetch(${JSON.stringify(tandem.url + path)}, { credentials: "include", ...${JSON.stringify(init)} }).then((r) => r.type + " " + r.status, () => "refused")`,
        );
      const body = JSON.stringify({ name: "Forged" });
      const json = { "Content-Type": "application/json", "X-Tandem-Session": "1" };
      expect(await call("/v1/MessagingConfigs", { method: "POST", body, mode: "no-cors" })).toBe("opaque 0");
      expect(await call("/v1/MessagingConfigs", { method: "POST", body })).toBe("refused");
      expect(await call("/v1/MessagingConfigs", { method: "POST", body, headers: json })).toBe("refused");
      expect(await call("/v1/Session", { method: "DELETE", headers: json })).toBe("refused");
      expect(await call("/v1/Account", {})).toBe("refused");
      expect(await call("/v1/Events/stream", {})).toBe("refused");
      expect(await configs()).toEqual(before);
      expect(await (await visitor.context.request.get(`${tandem.url}/v1/Session`)).json()).not.toBeNull();
      await page.close();
    });

    test.each(HOSTS)("on %s hold ours in no frame, and have no window of it", async (host) => {
      const page = await openEvil(host);
      await page.evaluate(
        `{ const frame = document.createElement("iframe"); frame.src = ${JSON.stringify(tandem.url)}; document.body.append(frame); }`,
      );
      await expect
        .poll(() => page.frames().map((frame) => frame.url()), UNTIL)
        .toContain("chrome-error://chromewebdata/");
      const popup = page.waitForEvent("popup");
      await page.evaluate(`window.opened = window.open(${JSON.stringify(`${tandem.url}/account`)})`);
      await (await popup).waitForURL(/account/);
      expect(await (await popup).evaluate("window.opener")).toBeNull();
      await page.close();
    });
  });

  test("a user who signs out everywhere is signed out in every browser", async () => {
    const elsewhere = await openWatched();
    await signIn(elsewhere, "Account", credentials());
    const { page } = visitor;
    await page.goto(`${tandem.url}/account`);
    await page.getByRole("button", { name: "Sign out everywhere" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Sign out everywhere" }).click();
    await page.waitForURL("**/sign-in");
    expect(await visitor.context.cookies()).toEqual([]);
    await elsewhere.page.goto(`${tandem.url}/account`);
    await elsewhere.page.waitForURL(/\/sign-in/);
    expect((await elsewhere.context.request.get(`${tandem.url}/v1/Account`)).status()).toBe(401);
    await elsewhere.context.close();
  });
});
