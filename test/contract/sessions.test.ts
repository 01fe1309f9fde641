// Sessions: people sign in by a page, and have their token's rights until the token, the account or the session ends.

import { createHash, randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { basic, json } from "../tandem.ts";
import { useTandem } from "../use-tandem.ts";
import { limitOf, newAccount, type TestAccount } from "./account.ts";
import { newMessenger } from "./messages.ts";
import { answerOf, type List } from "./numbers.ts";
import { problemOf } from "./problem.ts";

const tandem = useTandem();
const NAMES = { admin: `portal-${process.pid}-${Date.now()}`, support: `help-${process.pid}-${Date.now()}` };
const PAGE = { "X-Tandem-Session": "1" };

interface SessionBody {
  readonly kind: string;
  readonly accountSid: string | null;
  readonly name: string;
  readonly role: string | null;
  readonly token: number | null;
  readonly sandbox: boolean;
  readonly demoEnv: string | null;
  readonly expiresOn: string;
}

/** A browser that has signed in. */
interface Browser {
  readonly session: SessionBody;
  readonly cookie: string;
  call(path: string, init?: RequestInit): Promise<Response>;
}

const signInWith = (order: object, headers: Readonly<Record<string, string>> = PAGE) =>
  fetch(`${tandem.url}/v1/Session`, {
    ...json("POST", order),
    headers: { "Content-Type": "application/json", ...headers },
  });

async function signIn(order: object, headers: Readonly<Record<string, string>> = PAGE): Promise<Browser> {
  const answer = await signInWith(order, headers);
  const session = await answerOf<SessionBody>(answer, 201);
  const [cookie = ""] = (answer.headers.get("Set-Cookie") ?? "").split(";", 1);
  return {
    session,
    cookie,
    call: (path, init) => fetch(tandem.url + path, { ...init, headers: { Cookie: cookie, ...PAGE, ...init?.headers } }),
  };
}

const signInAs = ({ sid: accountSid, token }: Pick<TestAccount, "sid" | "token">) => signIn({ accountSid, token });
const isOver = async ({ call }: Browser) => (await answerOf(await call("/v1/Session"), 200)) === null;

let account: TestAccount;
let admin: string;
let support: string;

async function newOperator(name: string, role: string): Promise<string> {
  const made = await tandem.operator("/operator/v1/Tokens", json("POST", { name, role }));
  return (await answerOf<{ token: string }>(made, 201)).token;
}

beforeAll(async () => {
  account = await newMessenger(tandem);
  admin = await newOperator(NAMES.admin, "admin");
  support = await newOperator(NAMES.support, "support");
});
afterAll(async () => {
  for (const name of Object.values(NAMES)) await tandem.operator(`/operator/v1/Tokens/${name}`, { method: "DELETE" });
});

describe("an account's session", () => {
  test("is told who it is, in a cookie that no script and no other site gets", async () => {
    const answer = await signInWith({ accountSid: account.sid, token: account.token });
    expect(answer.headers.get("Set-Cookie")).toMatch(/^tandem_session=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/$/);
    expect(await answerOf(answer, 201)).toMatchObject({
      kind: "Account",
      accountSid: account.sid,
      name: "Test",
      role: null,
      token: 1,
      sandbox: true,
      demoEnv: null,
    });
    const browser = await signInAs(account);
    expect(await answerOf(await browser.call("/v1/Session"), 200)).toStrictEqual(browser.session);
  });

  test("says by which token it was opened, and that the token was used", async () => {
    const own = await newMessenger(tandem);
    const second = await answerOf<{ token: string }>(await own.call("/v1/Account/tokens", { method: "POST" }), 201);
    const tokens = async ({ call }: Browser) =>
      (await answerOf<{ tokens: { lastUsedOn: string | null }[] }>(await call("/v1/Account"), 200)).tokens;
    const first = await signInAs(own);
    expect(first.session.token).toBe(1);
    expect(await tokens(first)).toMatchObject([{ lastUsedOn: expect.stringMatching(/Z$/) }, { lastUsedOn: null }]);
    const other = await signInAs({ sid: own.sid, token: second.token });
    expect(other.session.token).toBe(2);
    expect((await tokens(other))[1]?.lastUsedOn).toMatch(/Z$/);
  });

  test("calls all families of the API as the account, and no operator's", async () => {
    const browser = await signInAs(account);
    expect(await answerOf(await browser.call("/v1/Account"), 200)).toMatchObject({ sid: account.sid });
    await answerOf(await browser.call("/messaging/v1/OutboundMessages"), 200);
    await answerOf(await browser.call("/carrierLookup/v1/Numbers/+12024561414"), 200);
    const unread = json("POST", { from: "+14154740200", to: [], text: "" });
    const headers = { ...unread.headers, ...PAGE };
    await problemOf(await browser.call("/testkit/v1/Emulate/inbound-message", { ...unread, headers }), 400);
    await problemOf(await browser.call("/operator/v1/Accounts"), 401);
    await problemOf(await browser.call(`/operator/v1/Accounts/${account.sid}/OutboundMessages`), 401);
  });

  test("sees nothing of another account", async () => {
    const other = await newAccount(tandem);
    const made = await other.call("/v1/MessagingConfigs", json("POST", { name: "Theirs" }));
    const { sid } = await answerOf<{ sid: string }>(made, 201);
    const browser = await signInAs(account);
    await problemOf(await browser.call(`/v1/MessagingConfigs/${sid}`), 404);
    await answerOf(await (await signInAs(other)).call(`/v1/MessagingConfigs/${sid}`), 200);
  });

  test("reads within a limit of its own, which leaves the account's programs theirs", async () => {
    const own = await newAccount(tandem, { limits: { read: limitOf(1), session: limitOf(2) } });
    const browser = await signInAs(own);
    const answer = await browser.call("/v1/Account");
    expect(answer.headers.get("RateLimit-Limit")).toBe("2");
    await answerOf(answer, 200);
    await answerOf(await browser.call("/v1/Phones"), 200);
    await problemOf(await browser.call("/v1/Phones"), 429);
    const program = await own.call("/v1/Phones");
    expect(program.headers.get("RateLimit-Limit")).toBe("1");
    await answerOf(program, 200);
    await problemOf(await own.call("/v1/Phones"), 429);
  });

  test("reads the event stream, which ends with it", async () => {
    const browser = await signInAs(account);
    const stream = await browser.call("/v1/Events/stream");
    expect(stream.headers.get("Content-Type")).toContain("text/event-stream");
    const reader = (stream.body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    await answerOf(await browser.call("/v1/Session", { method: "DELETE" }), 204);
    await tandem.database.query("select pg_notify('events_stored', $1)", [account.sid]);
    expect((await reader.read()).done).toBe(true);
  });
});

describe("a request without a session", () => {
  test("of a page is refused without a challenge, of anyone else with one", async () => {
    const challengeOf = async (headers: Readonly<Record<string, string>>) => {
      const answer = await fetch(`${tandem.url}/v1/Account`, { headers });
      await problemOf(answer, 401);
      return answer.headers.get("WWW-Authenticate");
    };
    expect(await challengeOf({})).toMatch(/^Basic/);
    expect(await challengeOf(basic(account.sid, "wrong"))).toMatch(/^Basic/);
    expect(await challengeOf(PAGE)).toBeNull();
    expect(await challengeOf({ ...basic(account.sid, "wrong"), ...PAGE })).toBeNull();
    expect(await challengeOf({ Cookie: "tandem_session=x" })).toBeNull();
    expect(await challengeOf({ Cookie: `theme=dark; tandem_session=${"A".repeat(43)}` })).toBeNull();
    expect(await challengeOf({ "Sec-Fetch-Site": "same-origin" })).toBeNull();
  });

  test.each([{}, PAGE, basic("AC", "wrong")])("learns that nobody has signed in (%j)", async (headers) => {
    const answer = await fetch(`${tandem.url}/v1/Session`, { headers });
    expect(await answerOf(answer, 200)).toBeNull();
    expect(answer.headers.get("WWW-Authenticate")).toBeNull();
  });

  test.each([
    [{ accountSid: "AC0123456789abcdef0123456789abcdef", token: "guess" }, 401],
    [{ operatorToken: "guess" }, 401],
    [{ ticket: "guess" }, 401],
    [{}, 400],
    [{ accountSid: "AC0123456789abcdef0123456789abcdef" }, 400],
    [{ token: "guess" }, 400],
    [{ ticket: "guess", operatorToken: "guess" }, 400],
  ])("does not sign in with %j", async (order, status) => {
    const answer = await signInWith(order);
    await problemOf(answer, status);
    expect(answer.headers.get("Set-Cookie")).toBeNull();
    expect(answer.headers.get("WWW-Authenticate")).toBeNull();
  });
});

describe("another site", () => {
  test("can make a session do nothing: a form cannot send the header", async () => {
    const browser = await signInAs(account);
    const order = json("POST", { name: "By a form" });
    const forged = await fetch(`${tandem.url}/v1/MessagingConfigs`, {
      ...order,
      headers: { ...order.headers, Cookie: browser.cookie },
    });
    expect(await problemOf(forged, 403)).toMatchObject({ code: "cross-site" });
    const out = await fetch(`${tandem.url}/v1/Session`, { method: "DELETE", headers: { Cookie: browser.cookie } });
    await problemOf(out, 403);
    const foreign = await browser.call("/v1/Session", {
      method: "DELETE",
      headers: { Origin: "https://evil.example" },
    });
    await problemOf(foreign, 403);
    const made = await browser.call("/v1/MessagingConfigs", { ...order, headers: { ...order.headers, ...PAGE } });
    await answerOf(made, 201);
  });

  test("cannot sign anyone in", async () => {
    const order = { accountSid: account.sid, token: account.token };
    await problemOf(await signInWith(order, {}), 403);
    await problemOf(await signInWith(order, { ...PAGE, Origin: "https://evil.example" }), 403);
  });

  test("cannot choose the session: each sign-in makes a new one and ends the one before", async () => {
    const chosen = `tandem_session=${"A".repeat(43)}`;
    const fixed = await signIn({ accountSid: account.sid, token: account.token }, { ...PAGE, Cookie: chosen });
    expect(fixed.cookie).not.toBe(chosen);
    const next = await signIn({ accountSid: account.sid, token: account.token }, { ...PAGE, Cookie: fixed.cookie });
    expect(next.cookie).not.toBe(fixed.cookie);
    expect(await isOver(fixed)).toBe(true);
    const both = { headers: { Cookie: `${next.cookie}; ${fixed.cookie}` } };
    await problemOf(await fetch(`${tandem.url}/v1/Account`, both), 401);
    await answerOf(await next.call("/v1/Account"), 200);
  });
});

describe("a request that names whom its page shows", () => {
  const shown = (owner: string) => ({ headers: { "X-Tandem-Account": owner } });

  test("does nothing in the session of another account", async () => {
    const other = await newMessenger(tandem);
    const browser = await signInAs(other);
    await answerOf(await browser.call("/v1/Account", shown(other.sid)), 200);
    const order = { ...json("POST", { name: "Wrong" }), headers: { "Content-Type": "application/json", ...PAGE } };
    const wrong = await browser.call("/v1/MessagingConfigs", {
      ...order,
      headers: { ...order.headers, ...shown(account.sid).headers },
    });
    expect(await problemOf(wrong, 409)).toMatchObject({ code: "other-account" });
    const { items } = await answerOf<List<unknown>>(await other.call("/v1/MessagingConfigs"), 200);
    expect(items).toEqual([]);
    expect((await problemOf(await browser.call("/v1/Session", shown(account.sid)), 409)).code).toBe("other-account");
    const out = await browser.call("/v1/Session", { method: "DELETE", ...shown(account.sid) });
    expect((await problemOf(out, 409)).code).toBe("other-account");
    await answerOf(await browser.call("/v1/Session", { method: "DELETE", ...shown(other.sid) }), 204);
  });

  test("does nothing in the session of another operator, or of the other kind", async () => {
    const browser = await signIn({ operatorToken: support });
    const own = `operator:${encodeURIComponent(NAMES.support)}`;
    await answerOf(await browser.call("/operator/v1/Accounts", shown(own)), 200);
    for (const owner of [`operator:${NAMES.admin}`, account.sid]) {
      const wrong = await browser.call("/operator/v1/Accounts", shown(owner));
      expect((await problemOf(wrong, 409)).code).toBe("other-account");
    }
    const ofAccount = await browser.call("/v1/Account", shown(account.sid));
    expect((await problemOf(ofAccount, 409)).code).toBe("other-account");
  });

  test("needs no session where it has credentials", async () => {
    await answerOf(await account.call("/v1/Account", shown("AC0")), 200);
  });
});

describe("a session ends", () => {
  test("when its token is deleted, and only that one's", async () => {
    const own = await newAccount(tandem);
    const first = await signInAs(own);
    const made = await own.call("/v1/Account/tokens", { method: "POST" });
    const { token } = await answerOf<{ token: string }>(made, 201);
    const second = await signIn({ accountSid: own.sid, token });
    await answerOf(await second.call("/v1/Account/tokens/1", { method: "DELETE" }), 204);
    expect(await isOver(first)).toBe(true);
    await answerOf(await second.call("/v1/Session"), 200);
  });

  test("when the account is suspended, for good; nobody signs in until it is resumed", async () => {
    const own = await newAccount(tandem);
    const browser = await signInAs(own);
    await own.change({ status: "Suspended", suspendedReason: "The bill is not paid" });
    expect(await isOver(browser)).toBe(true);
    const refused = await problemOf(await signInWith({ accountSid: own.sid, token: own.token }), 403);
    expect(refused).toMatchObject({ code: "account-suspended", detail: expect.stringContaining("not paid") });
    await own.change({ status: "Active" });
    expect(await isOver(browser)).toBe(true);
    await signInAs(own);
  });

  test("at its sign-out, and everywhere when asked for", async () => {
    const own = await newAccount(tandem);
    const [one, two, three] = [await signInAs(own), await signInAs(own), await signInAs(own)];
    const out = await one.call("/v1/Session", { method: "DELETE" });
    expect(out.headers.get("Set-Cookie")).toMatch(/^tandem_session=; .*Max-Age=0$/);
    await answerOf(out, 204);
    expect(await isOver(one)).toBe(true);
    await answerOf(await two.call("/v1/Session?Everywhere=true", { method: "DELETE" }), 204);
    expect(await isOver(three)).toBe(true);
    await answerOf(await own.call("/v1/Account"), 200);
  });

  test("after twelve hours without use, and every use puts that off", async () => {
    const browser = await signInAs(account);
    const digest = digestOf(browser.cookie.slice("tandem_session=".length));
    const expire = (inMs: number) =>
      tandem.database.query("update sessions set expires_at = $2 where digest = $1", [
        digest,
        new Date(Date.now() + inMs),
      ]);
    await expire(60_000);
    const used = await answerOf<SessionBody>(await browser.call("/v1/Session"), 200);
    expect(Date.parse(used.expiresOn) - Date.now()).toBeGreaterThan(11 * 3_600_000);
    await expire(-1);
    expect(await isOver(browser)).toBe(true);
  });

  test("seven days after it was opened, whatever its use", async () => {
    const browser = await signInAs(account);
    const end = new Date(Date.now() + 3_600_000);
    await tandem.database.query("update sessions set created_at = $2, expires_at = $3 where digest = $1", [
      digestOf(browser.cookie.slice("tandem_session=".length)),
      new Date(end.getTime() - 7 * 86_400_000),
      new Date(Date.now() + 60_000),
    ]);
    const used = await answerOf<SessionBody>(await browser.call("/v1/Session"), 200);
    expect(new Date(used.expiresOn)).toStrictEqual(end);
  });
});

const digestOf = (text: string) => createHash("sha256").update(text).digest();

test("a ticket signs in once, and not after its time", async () => {
  const ticketFor = async (inMs: number) => {
    const ticket = randomBytes(32).toString("base64url");
    await tandem.database.query(
      "insert into sign_in_tickets (digest, account_sid, token_n, expires_at) values ($1, $2, 1, $3)",
      [digestOf(ticket), account.sid, new Date(Date.now() + inMs)],
    );
    return ticket;
  };
  const ticket = await ticketFor(3_600_000);
  expect((await signIn({ ticket })).session).toMatchObject({ kind: "Account", accountSid: account.sid });
  await problemOf(await signInWith({ ticket }), 401);
  await problemOf(await signInWith({ ticket: await ticketFor(-1) }), 401);
});

describe("an operator's session", () => {
  test("has the rights of its token on the operator's API alone, and the audit log names the token", async () => {
    const browser = await signIn({ operatorToken: admin });
    expect(browser.session).toMatchObject({ kind: "Operator", accountSid: null, name: NAMES.admin, role: "admin" });
    const made = await browser.call("/operator/v1/Accounts", {
      ...json("POST", { name: "By a session" }),
      headers: { "Content-Type": "application/json", ...PAGE },
    });
    const { sid } = await answerOf<{ sid: string }>(made, 201);
    await problemOf(await browser.call("/v1/Account"), 401);
    await answerOf(await browser.call("/v1/Session", { method: "DELETE" }), 204);
    const audit = await tandem.operator(`/operator/v1/AuditLog?Operator=${NAMES.admin}`);
    const { items } = await answerOf<List<{ action: string }>>(audit, 200);
    expect(items.map(({ action }) => action).reverse()).toStrictEqual(["openSession", "createAccount", "endSession"]);
    expect(sid).toMatch(/^AC/);
  });

  test("of support only reads, and ends with its token", async () => {
    const browser = await signIn({ operatorToken: support });
    await answerOf(await browser.call("/operator/v1/Accounts"), 200);
    const order = json("POST", { name: "By support" });
    const refused = await browser.call("/operator/v1/Accounts", { ...order, headers: { ...order.headers, ...PAGE } });
    expect(await problemOf(refused, 403)).toMatchObject({ code: "admin-only" });
    await tandem.operator(`/operator/v1/Tokens/${NAMES.support}`, { method: "DELETE" });
    expect(await isOver(browser)).toBe(true);
  });
});

test("the database has only digests", async () => {
  const browser = await signInAs(account);
  const text = browser.cookie.slice("tandem_session=".length);
  const [row] = await tandem.database.query<{ text: string }>(
    "select string_agg(sessions::text, ' ') as text from sessions",
  );
  expect(row?.text).toContain(digestOf(text).toString("hex"));
  expect(row?.text).not.toContain(text);
});

describe("views that people have named", () => {
  interface View {
    readonly sid: string;
    readonly name: string;
    readonly address: string;
  }
  const VIEWS = "/v1/Session/Views";
  const order = (method: string, body: object) => {
    const plain = json(method, body);
    return { ...plain, headers: { ...plain.headers, ...PAGE } };
  };
  const save = ({ call }: Browser, name: string, address = "/messages?q=status:Failed") =>
    call(VIEWS, order("POST", { name, address }));
  const listOf = async ({ call }: Browser) => (await answerOf<List<View>>(await call(VIEWS), 200)).items;

  test("are the account's: its other people see them by name, rename and delete them", async () => {
    const own = await newAccount(tandem);
    const browser = await signInAs(own);
    const second = await answerOf<View>(await save(browser, "Later"), 201);
    const first = await answerOf<View>(await save(browser, "Before", "/calls"), 201);
    expect(first).toMatchObject({ sid: expect.stringMatching(/^SV[0-9a-f]{32}$/), name: "Before", address: "/calls" });
    const colleague = await signInAs(own);
    expect(await listOf(colleague)).toStrictEqual([first, second]);
    const renamed = await colleague.call(`${VIEWS}/${first.sid}`, order("PATCH", { name: "Now" }));
    expect(await answerOf(renamed, 200)).toStrictEqual({ ...first, name: "Now" });
    expect((await listOf(browser)).map(({ name }) => name)).toEqual(["Later", "Now"]);
    const stranger = await signInAs(account);
    expect(await listOf(stranger)).toEqual([]);
    await problemOf(await stranger.call(`${VIEWS}/${first.sid}`, order("PATCH", { name: "Mine" })), 404);
    await problemOf(await stranger.call(`${VIEWS}/${first.sid}`, { method: "DELETE" }), 404);
    await answerOf(await browser.call(`${VIEWS}/${first.sid}`, { method: "DELETE" }), 204);
    expect(await listOf(colleague)).toStrictEqual([second]);
  });

  test("have different names, and addresses of the portal", async () => {
    const browser = await signInAs(await newAccount(tandem));
    const { sid } = await answerOf<View>(await save(browser, "Failed"), 201);
    await answerOf(await save(browser, "Sent"), 201);
    expect(await problemOf(await save(browser, " Failed "), 409)).toMatchObject({ code: "conflict" });
    await problemOf(await browser.call(`${VIEWS}/${sid}`, order("PATCH", { name: "Sent" })), 409);
    await answerOf(await browser.call(`${VIEWS}/${sid}`, order("PATCH", { name: "Failed" })), 200);
    for (const address of [
      "//elsewhere.example",
      "/\\elsewhere.example",
      "https://elsewhere.example",
      "messages",
      "/a b",
      "",
    ]) {
      await problemOf(await save(browser, "Elsewhere", address), 400);
    }
    await problemOf(await save(browser, " "), 400);
    await problemOf(await save(browser, "n".repeat(81)), 400);
  });

  test("are at most a hundred, also when many are saved at once", async () => {
    const own = await newAccount(tandem);
    const browser = await signInAs(own);
    await tandem.database.query(
      `insert into saved_views (sid, account_sid, name, address, created_at)
       select 'SV' || substr($1, 3, 24) || lpad(n::text, 8, '0'), $1, 'View ' || n, '/calls', now() from generate_series(1, 98) n`,
      [own.sid],
    );
    const answers = await Promise.all(Array.from({ length: 6 }, (_, at) => save(browser, `Late ${at}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409, 409]);
    await Promise.all(answers.map((answer) => answer.body?.cancel()));
    expect(await listOf(browser)).toHaveLength(100);
  });

  test("are an operator's own, also of support, and changes of them are in the audit log", async () => {
    const name = `${NAMES.support}-views`;
    const mine = await signIn({ operatorToken: await newOperator(name, "support") });
    const theirs = await signIn({ operatorToken: admin });
    const { sid } = await answerOf<View>(await save(mine, "Waiting", "/operator/ports?status=Submitted"), 201);
    expect(await listOf(mine)).toMatchObject([{ name: "Waiting" }]);
    expect(await listOf(theirs)).toEqual([]);
    await problemOf(await theirs.call(`${VIEWS}/${sid}`, { method: "DELETE" }), 404);
    const log = await tandem.operator(`/operator/v1/AuditLog?Subject=${sid}`);
    expect((await answerOf<List<object>>(log, 200)).items).toMatchObject([{ operator: name, action: "saveView" }]);
    await tandem.operator(`/operator/v1/Tokens/${name}`, { method: "DELETE" });
    const left = await tandem.database.query("select from saved_views where sid = $1", [sid]);
    expect(left).toHaveLength(0);
  });

  test("are for sessions, which show that no other site asks", async () => {
    const basicCall = await account.call(VIEWS);
    await problemOf(basicCall, 401);
    const { cookie } = await signInAs(account);
    const headers = { Cookie: cookie, "Content-Type": "application/json" };
    const forged = json("POST", { name: "Forged", address: "/" });
    await problemOf(await fetch(tandem.url + VIEWS, { ...forged, headers }), 403);
  });
});
