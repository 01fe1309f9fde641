import { expect, test } from "vitest";
import { findWritable, type Place, serversOf } from "./writable-server.ts";

const READ_ONLY = Object.assign(new Error("this PostgreSQL is read-only"), { code: "25006" });
const REFUSED = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });

/** What the servers answer by their addresses; one that is not listed hangs. */
function asking(answers: Readonly<Record<string, Place | Error>>) {
  const asked: string[] = [];
  const ask = (server: string) => {
    asked.push(server);
    const answer = answers[server];
    if (answer === undefined) return new Promise<never>(() => undefined);
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
  return { asked, ask };
}

const [ONE, TWO] = [
  { host: "one", port: 5432 },
  { host: "two", port: 5432 },
];

test.each([
  ["postgres://a/b", ["postgres://a/b"]],
  ["postgres:///b", ["postgres:///b"]],
  [
    "postgres://u:p%40@a:1,b:2,c/d?x=y,z",
    ["postgres://u:p%40@a:1/d?x=y,z", "postgres://u:p%40@b:2/d?x=y,z", "postgres://u:p%40@c/d?x=y,z"],
  ],
  ["postgresql://u,v:p,q@a,b/d", ["postgresql://u,v:p,q@a/d", "postgresql://u,v:p,q@b/d"]],
  ["postgres://[::1]:5432,%2Frun%2Fpg:5433/d", ["postgres://[::1]:5432/d", "postgres://%2Frun%2Fpg:5433/d"]],
])("the servers of %s", (address, servers) => {
  expect(serversOf(address)).toEqual(servers);
});

test("while the first one takes writes the others hear nothing", async () => {
  const { asked, ask } = asking({ one: ONE, two: TWO });
  expect(await findWritable(["one", "two"], ask)).toBe(ONE);
  expect(asked).toEqual(["one"]);
});

test.each([
  ["is a standby", READ_ONLY],
  ["is not there", REFUSED],
  ["hangs", undefined],
])("the second one is taken when the first one %s", async (_how, answer) => {
  const { ask } = asking({ ...(answer && { one: answer }), two: TWO });
  expect(await findWritable(["one", "two"], ask, 1)).toBe(TWO);
});

test("an answer that comes late counts when there is no other", async () => {
  let answer = (_place: Place) => {};
  const late = new Promise<Place>((resolve) => {
    answer = resolve;
  });
  const found = findWritable(
    ["one", "two"],
    (server) => {
      if (server === "one") return late;
      answer(ONE);
      return Promise.reject(READ_ONLY);
    },
    1,
  );
  expect(await found).toBe(ONE);
});

test("while one is read-only, that none takes writes will pass, and what each answered is told", async () => {
  const { ask } = asking({ "postgres://u:hush@a:1/d": REFUSED, "postgres://u:hush@b/d": READ_ONLY });
  await expect(findWritable(serversOf("postgres://u:hush@a:1,b/d"), ask)).rejects.toMatchObject({
    code: "57P03",
    message: "no server takes writes (a:1: connect ECONNREFUSED; b: this PostgreSQL is read-only)",
  });
});

test("where nobody answers, the code is that of the first one", async () => {
  const { ask } = asking({ one: REFUSED, two: REFUSED });
  await expect(findWritable(["one", "two"], ask)).rejects.toMatchObject({ code: "ECONNREFUSED" });
});
