import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Command } from "commander";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { UsageError } from "../../exit-codes.ts";
import { addOrderOptions, filesOf, type OrderFlags, orderOf } from "./order-options.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tandem-order-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

/** The flags of a typed command line. */
function flagsOf(...args: readonly string[]): OrderFlags {
  const command = addOrderOptions(new Command())
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });
  return command.parse(args, { from: "user" }).opts();
}

describe("a port order", () => {
  test("says only what was said", () => {
    expect(orderOf([], flagsOf())).toEqual({});
    expect(orderOf(["+1"], flagsOf("--city", "Denver", "--name", "Shop"))).toEqual({
      phones: [{ number: "+1" }],
      subscriber: { type: "Business", name: "Shop" },
      serviceAddress: { country: "US", city: "Denver" },
    });
  });

  test("is read from a file, and options go before it", () => {
    const data = {
      accountNumber: "1",
      phones: [{ number: "+1", pin: "1111" }, { number: "+2" }],
      subscriber: { type: "Individual", name: "Ann", authorizedPerson: "Ann" },
      serviceAddress: { street: "1 Main St", country: "CA" },
    };
    const path = fileOf("order.json", JSON.stringify(data));
    const flags = flagsOf(
      "--data",
      path,
      "--account-number",
      "2",
      "--person",
      "Bob",
      "--pin",
      "+2=2222",
      "--city",
      "X",
    );
    expect(orderOf(["+2", "+1"], flags)).toEqual({
      accountNumber: "2",
      phones: [
        { number: "+1", pin: "1111" },
        { number: "+2", pin: "2222" },
      ],
      subscriber: { type: "Individual", name: "Ann", authorizedPerson: "Bob" },
      serviceAddress: { street: "1 Main St", country: "CA", city: "X" },
    });
  });

  test.each([
    [["+1", "+3"], []],
    [["+1"], []],
    [["+1", "+2", "+3"], []],
    [[], ["--pin", "+3=1"]],
    [
      ["+1", "+2"],
      ["--pin", "+3=1"],
    ],
  ])("names its numbers once: %j and %j beside a file with two others are refused", (numbers, options) => {
    const path = fileOf("two.json", JSON.stringify({ phones: [{ number: "+1" }, { number: "+2" }] }));
    expect(() => orderOf(numbers, flagsOf("--data", path, ...options))).toThrow(UsageError);
    const [, wrong] = options;
    if (wrong !== undefined) expect(() => orderOf(numbers, flagsOf("--data", path, ...options))).toThrow(/\+3/);
  });

  test("takes numbers from their PINs, and the same number however it is written", () => {
    expect(orderOf([], flagsOf("--pin", "+1=1"))).toEqual({ phones: [{ number: "+1", pin: "1" }] });
    const path = fileOf("written.json", JSON.stringify({ phones: [{ number: "+1 (303) 555-0123" }] }));
    expect(orderOf(["+13035550123"], flagsOf("--data", path, "--pin", "13035550123=1"))).toEqual({
      phones: [{ number: "+1 (303) 555-0123", pin: "1" }],
    });
  });

  test.each([
    ["[]", "is not a JSON object"],
    ["{", "is not a JSON object"],
  ])("is not read from %s", (content, says) => {
    const path = fileOf("wrong.json", content);
    expect(() => orderOf([], { data: path })).toThrow(new UsageError(`${path} ${says}.`));
  });

  test("a file that is not there is the caller's fault", () => {
    expect(() => orderOf([], { data: join(folder, "none.json") })).toThrow(UsageError);
    expect(() => filesOf({ file: [join(folder, "none.pdf")] })).toThrow(UsageError);
  });

  test("a PIN goes with its number", () => {
    expect(() => flagsOf("--pin", "1234")).toThrow("NUMBER=PIN is wanted.");
  });

  test("letters keep their names and bytes", () => {
    const path = fileOf("loa.pdf", "%PDF");
    expect(filesOf({ file: [path] })).toEqual([{ name: "loa.pdf", bytes: Buffer.from("%PDF") }]);
  });
});
