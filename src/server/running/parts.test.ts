import { beforeEach, expect, test, vi } from "vitest";
import { VirtualClock } from "../../../test/fakes/virtual-clock.ts";
import type { HttpServer } from "../../adapters/http/core/http-server.ts";
import type { Role } from "../config/settings.ts";
import type { Part } from "./part.ts";
import { Parts } from "./parts.ts";

let clock: VirtualClock;
let told: string[];
let log: ReturnType<typeof logOf>;

const logOf = () => ({ debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() });

beforeEach(() => {
  clock = new VirtualClock();
  told = [];
  log = logOf();
});

const partsOf = (...roles: Role[]) => new Parts({ roles, clock, log });

async function openOf(name: string, part: Partial<Part> = {}): Promise<Part> {
  told.push(`open ${name}`);
  return { name, close: async () => void told.push(`close ${name}`), ...part };
}

test("parts are closed in the reverse of the order they were opened in, and once", async () => {
  const parts = partsOf("api");
  await parts.open(openOf("one"));
  await parts.open(openOf("two"));
  await Promise.all([parts.close(), parts.close()]);
  await parts.close();
  expect(told).toStrictEqual(["open one", "open two", "close two", "close one"]);
});

test("what was opened before a part that fails to open can still be closed", async () => {
  const parts = partsOf("worker");
  await parts.open(openOf("one"));
  const work = () => Promise.reject(new Error("no lease"));
  await expect(parts.open(openOf("two", { work }))).rejects.toThrow("no lease");
  await expect(parts.open(Promise.reject(new Error("port taken")))).rejects.toThrow("port taken");
  await parts.close();
  expect(told).toStrictEqual(["open one", "open two", "close two", "close one"]);
});

test("a part that fails to close keeps none of the others open, and closing says so", async () => {
  const parts = partsOf();
  await parts.open(openOf("one"));
  const close = () => Promise.reject(new Error("still in use"));
  await parts.open(openOf("two", { close }));
  await expect(parts.close()).rejects.toThrow("still in use");
  await expect(parts.close()).rejects.toThrow("still in use");
  expect(told).toStrictEqual(["open one", "open two", "close one"]);
  expect(log.error).toHaveBeenCalledTimes(1);
  expect(log.error).toHaveBeenCalledWith({ part: "two", err: new Error("still in use") }, "part not closed");
});

test("all parts drain at the same time before any is closed, and what is not closed yet is known by name", async () => {
  const parts = partsOf();
  let finish = () => {};
  const drain = () => {
    told.push("drain");
    return new Promise<void>((resolve) => {
      finish = resolve;
    });
  };
  await parts.open(openOf("one", { drain: async () => void told.push("drain") }));
  await parts.open(openOf("two", { drain }));
  const closing = parts.close();
  await clock.advance(1);
  expect(told).toStrictEqual(["open one", "open two", "drain", "drain"]);
  expect(parts.unclosed.filter((name) => !name.includes("tasks"))).toStrictEqual(["two", "one"]);
  finish();
  await closing;
  expect(told.slice(-2)).toStrictEqual(["close two", "close one"]);
  expect(parts.unclosed).toStrictEqual([]);
});

test("only a worker opens what a worker does, and closes it before the rest of the part", async () => {
  const work = () => openOf("sending");
  const server = partsOf("api");
  await server.open(openOf("messaging", { work }));
  await server.close();
  expect(told).toStrictEqual(["open messaging", "close messaging"]);
  told = [];
  const worker = partsOf("worker");
  await worker.open(openOf("messaging", { work }));
  await worker.close();
  expect(told).toStrictEqual(["open messaging", "open sending", "close sending", "close messaging"]);
});

test("a stop that is asked for while parts are opened ends their opening, and they can be closed", async () => {
  const stopping = new AbortController();
  const parts = new Parts({ roles: ["worker"], clock, log, stop: stopping.signal });
  await parts.open(openOf("one"));
  stopping.abort("SIGTERM");
  await expect(parts.open(openOf("two", { work: () => openOf("its work") }))).rejects.toBe("SIGTERM");
  await parts.close();
  expect(told).toStrictEqual(["open one", "open two", "close two", "close one"]);
});

test("only a worker runs the tasks of workers", async () => {
  const task = (name: string) => ({ name, everyMs: 1000, run: async () => void told.push(name) });
  for (const role of ["api", "worker"] as const) {
    const parts = partsOf(role);
    await parts.open({ name: "one", tasks: [task(`${role}: every`)], workerTasks: [task(`${role}: workers'`)] });
    await clock.advance(1000);
    await parts.close();
  }
  expect(told).toStrictEqual(["api: every", "worker: every", "worker: workers'"]);
});

test("the tasks of a part are cancelled and have ended when it is closed", async () => {
  const parts = partsOf();
  let end = () => {};
  const run = () =>
    new Promise<void>((resolve) => {
      told.push("run");
      end = () => {
        told.push("ended");
        resolve();
      };
    });
  const cancel = async () => {
    told.push("cancel");
    end();
  };
  await parts.open(openOf("one", { tasks: [{ name: "ask", everyMs: 1000, run, cancel }] }));
  await clock.advance(1000);
  await parts.close();
  await clock.advance(60_000);
  expect(told).toStrictEqual(["open one", "run", "cancel", "ended", "close one"]);
});

test("operations and routes are served by the api, common routes by every process", async () => {
  const group = { prefixes: ["/v1"], operations: [] };
  const part: Part = {
    name: "one",
    operations: [group],
    routes: () => told.push("routes"),
    commonRoutes: () => told.push("common routes"),
  };
  const shown = async (...roles: Role[]) => {
    told = [];
    const parts = partsOf(...roles);
    await parts.open(part);
    parts.mountRoutes({} as HttpServer);
    return [parts.operations, told];
  };
  expect(await shown("api", "worker")).toStrictEqual([[group], ["common routes", "routes"]]);
  expect(await shown("worker")).toStrictEqual([[], ["common routes"]]);
});
