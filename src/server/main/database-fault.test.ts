import { once } from "node:events";
import { createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { DatabaseClock } from "../../adapters/store/engine/database-clock.ts";
import { systemClock } from "../../base/clock.ts";
import { readConfig } from "../config/config.ts";
import { connectDatabase } from "./connect-database.ts";
import { databaseFault } from "./database-fault.ts";
import { openLog } from "./log.ts";
import { untilDatabaseAnswers } from "./until-database-answers.ts";

const URL = "postgres://tandem:hush@db.example:5433/phones?sslmode=require";

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function connectTo(url: string, progress: (step: string) => void = () => undefined) {
  const config = readConfig({ TANDEM_DATABASE_URL: url });
  if (!config.ok) throw new Error(config.refusal.join());
  return connectDatabase({
    config: config.value,
    clock: new DatabaseClock(systemClock),
    log: openLog("silent", { fd: 2, stream: () => process.stderr }),
    progress,
    onLost: () => undefined,
  });
}

test.each(["127.0.0.1", "localhost"])("a PostgreSQL that is not there is told, and what to do: %s", async (host) => {
  const started = connectTo(`postgres://me:hush@${host}:${await closedPort()}/tandem`);
  await expect(started).rejects.toThrow(/^TANDEM_DATABASE_URL: .*me@.*ECONNREFUSED.*start PostgreSQL/);
  await expect(started).rejects.not.toThrow("hush");
});

/** A PostgreSQL that refuses its connections with these codes, and from then on with the last one. */
async function refusing(...codes: readonly [string, ...string[]]): Promise<string> {
  const left = [...codes];
  const server = createServer((socket) => {
    socket.once("data", () => {
      const code = left.length > 1 ? left.shift() : left[0];
      const fields = `SFATAL\0C${code}\0Mnot now\0\0`;
      const length = Buffer.alloc(4);
      length.writeInt32BE(4 + fields.length);
      socket.end(Buffer.concat([Buffer.from("E"), length, Buffer.from(fields)]));
    });
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  return `postgres://me@127.0.0.1:${(server.address() as { port: number }).port}/tandem`;
}

const until = (url: string, progress: (step: string) => void, stop = new AbortController().signal) =>
  untilDatabaseAnswers(() => connectTo(url, progress), { clock: systemClock, progress, stop });

test("a PostgreSQL that is starting is waited for, and that is told once", async () => {
  const told: string[] = [];
  const started = until(await refusing("57P03", "57P03", "28P01"), (step) => void told.push(step));
  await expect(started).rejects.toThrow("User or password is wrong");
  expect(told.filter((step) => step.startsWith("waiting"))).toEqual(["waiting for PostgreSQL: not now"]);
});

test("a stop ends the wait for a PostgreSQL that is starting", async () => {
  const stopping = new AbortController();
  const stop = () => stopping.abort(new Error("stopped"));
  const started = until(
    await refusing("57P03"),
    (step) => {
      if (step.startsWith("waiting")) stop();
    },
    stopping.signal,
  );
  await expect(started).rejects.toThrow("stopped");
});

test.each([
  ["28P01", "password authentication failed", "User or password is wrong"],
  ["3D000", 'database "phones" does not exist', "createdb"],
  ["ENOTFOUND", "getaddrinfo ENOTFOUND db.example", "no such host"],
  ["", "timeout expired", "does not answer"],
])("%s is reported with its place and an advice", (code, message, advice) => {
  const told = databaseFault(Object.assign(new Error(message), code === "" ? {} : { code }), URL) as Error;
  expect(told.message).toContain("postgres://tandem@db.example:5433/phones cannot be used");
  expect(told.message).toContain(message);
  expect(told.message).toContain(advice);
  expect(told.message).not.toContain("hush");
});

test("all servers of an address are named", () => {
  const url = "postgres://tandem:hush@one:5433,two/phones?target_session_attrs=read-write";
  const fault = Object.assign(new Error("this PostgreSQL is read-only"), { code: "25006" });
  const { message } = databaseFault(fault, url) as Error;
  expect(message).toContain("postgres://tandem@one:5433,two/phones cannot be used");
  expect(message).not.toContain("hush");
});

test("a fault of the schema is reported as it is", () => {
  const fault = new Error("schema step 3 was changed");
  expect(databaseFault(fault, URL)).toBe(fault);
});
