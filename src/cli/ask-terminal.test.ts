import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { askTerminal, type Question } from "./ask-terminal.ts";

/** A terminal where a person types. */
async function typed(keys: string, question: Question) {
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => input });
  const output = new PassThrough();
  const asked = askTerminal({ input: input as unknown as NodeJS.ReadStream, output }, question);
  input.write(keys);
  return { answer: await asked, shown: String(output.read() ?? "") };
}

test("an answer is shown as it is typed", async () => {
  const { answer, shown } = await typed("AC1 \r", { prompt: "Account: " });
  expect({ answer, hasAnswer: shown.includes("AC1") }).toEqual({ answer: "AC1", hasAnswer: true });
  expect(shown).toContain("Account: ");
});

test("a secret is not shown", async () => {
  const { answer, shown } = await typed("opensesame\r", { prompt: "Token: ", isSecret: true });
  expect({ answer, shown }).toEqual({ answer: "opensesame", shown: "Token: \n" });
});

test("a secret is asked for when the terminal no longer echoes", async () => {
  const seen: string[] = [];
  const input = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode(isRaw: boolean) {
      seen.push(isRaw ? "silent" : "echoing");
      return input;
    },
  });
  const output = new PassThrough().on("data", (chunk: Buffer) => seen.push(String(chunk)));
  input.write("opensesame\r");
  await askTerminal({ input: input as unknown as NodeJS.ReadStream, output }, { prompt: "Token: ", isSecret: true });
  expect(seen.slice(0, 2)).toEqual(["silent", "Token: "]);
});

test("whoever gives up has not answered", async () => {
  expect((await typed("half\u0003", { prompt: "Token: ", isSecret: true })).answer).toBeUndefined();
  expect((await typed("\u0004", { prompt: "Account: " })).answer).toBeUndefined();
});
