import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseMultipart } from "./multipart.ts";

const TYPE = "multipart/form-data; boundary=x";
const read = (text: string, type = TYPE) => parseMultipart(type, Buffer.from(text, "latin1"));
const shown = (text: string, type = TYPE) => {
  const form = read(text, type);
  return form.ok ? form.value.parts.map(({ name, fileName, bytes }) => [name, fileName, String(bytes)]) : form.refusal;
};
const part = (disposition: string, content: string) =>
  `--x\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`;

async function encoded(form: FormData): Promise<{ readonly type: string; readonly body: Buffer }> {
  const request = new Request("http://tandem.invalid/", { method: "POST", body: form });
  return { type: request.headers.get("content-type") ?? "", body: Buffer.from(await request.arrayBuffer()) };
}

test("a form as browsers write it is read back, whatever its files hold", async () => {
  const name = fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 }).filter((text) => !/[\p{Cc}\\]/u.test(text));
  const file = fc.tuple(name, fc.uint8Array({ maxLength: 500 }));
  await fc.assert(
    fc.asyncProperty(fc.array(file, { maxLength: 5 }), fc.string({ unit: "grapheme" }), async (files, text) => {
      const form = new FormData();
      form.append("data", text);
      for (const [fileName, bytes] of files) form.append("files", new Blob([bytes]), fileName);
      const { type, body } = await encoded(form);
      const read = parseMultipart(type, body);
      if (!read.ok) throw new Error(read.refusal);
      const [data, ...rest] = read.value.parts;
      expect(Buffer.from(data?.bytes ?? []).toString()).toBe(text.toWellFormed().replace(/\r\n?|\n/g, "\r\n"));
      expect(rest.map(({ fileName, bytes }) => [fileName, [...bytes]])).toStrictEqual(
        files.map(([fileName, bytes]) => [fileName.toWellFormed(), [...bytes]]),
      );
    }),
    { numRuns: 200 },
  );
});

describe("what is allowed", () => {
  test.each([
    ["a word before and after the parts", `hello\r\n${part('name="a"', "1")}--x--\r\nbye`, [["a", undefined, "1"]]],
    ["spaces after the boundary", `--x  \t\r\n${part('name="a"', "1").slice(5)}--x--`, [["a", undefined, "1"]]],
    ["a part without content", `${part('name="a"', "")}--x--`, [["a", undefined, ""]]],
    ["a form without parts", "--x--", []],
    [
      "content that looks like a boundary within a line",
      `${part('name="a"', "1--x")}--x--`,
      [["a", undefined, "1--x"]],
    ],
    ["names without quotes", `${part("name=a; filename=b.pdf", "1")}--x--`, [["a", "b.pdf", "1"]]],
    ["quotes within a name", `${part('name="a"; filename="\\"b\\".pdf"', "1")}--x--`, [["a", '"b".pdf', "1"]]],
    ["quotes as browsers write them", `${part('name="a"; filename="%22b%22"', "1")}--x--`, [["a", '"b"', "1"]]],
    ["a path of Windows", `${part('name="a"; filename="C:\\dir\\b"', "1")}--x--`, [["a", "C:\\dir\\b", "1"]]],
  ])("%s", (_, text, parts) => {
    expect(shown(text)).toStrictEqual(parts);
  });

  test("a boundary in quotes", () => {
    const text = '--a b\r\nContent-Disposition: form-data; name="n"\r\n\r\n1\r\n--a b--';
    expect(shown(text, 'multipart/form-data; charset=utf-8; boundary="a b"')).toStrictEqual([["n", undefined, "1"]]);
  });
});

describe("what is refused", () => {
  test.each([
    ["nothing", ""],
    ["no boundary in it", "hello"],
    ["a part without an end", part('name="a"', "1")],
    ["an end that is cut", `${part('name="a"', "1")}--x`],
    ["a part without headers", "--x\r\n1\r\n--x--"],
    ["headers without an end", '--x\r\nContent-Disposition: form-data; name="a"\r\n--x--'],
    ["a part without a name", `${part("filename=b", "1")}--x--`],
    ["a part with an empty name", `${part('name=""', "1")}--x--`],
    ["a name without end", `${part(`name="${"a".repeat(65)}"`, "1")}--x--`],
    ["a part of another kind", "--x\r\nContent-Disposition: attachment; name=a\r\n\r\n1\r\n--x--"],
    ["two dispositions", `${part('name="a"\r\nContent-Disposition: form-data; name="b"', "1")}--x--`],
    ["an encoded part", `${part('name="a"\r\nContent-Transfer-Encoding: base64', "MQ==")}--x--`],
    ["headers without end", `${part(`name="a"\r\nX: ${"y".repeat(5000)}`, "1")}--x--`],
    ["too many parts", `${part('name="a"', "1").repeat(33)}--x--`],
  ])("%s", (_, text) => {
    expect(shown(text)).toEqual(expect.any(String));
  });

  test.each([
    "multipart/form-data",
    "multipart/form-data; boundary=",
    'multipart/form-data; boundary=""',
    `multipart/form-data; boundary=${"x".repeat(71)}`,
    "multipart/form-data; boundary=ü",
  ])("a body of type %s", (type) => {
    expect(shown("--x--", type)).toEqual(expect.any(String));
  });
});

test("any bytes are a form or a refusal", () => {
  const good = Buffer.from(`${part('name="data"', "{}")}${part('name="files"; filename="a.pdf"', "abc")}--x--\r\n`);
  const bent = fc
    .array(fc.tuple(fc.nat(good.length), fc.nat(8), fc.uint8Array({ maxLength: 4 })), { maxLength: 4 })
    .map((cuts) =>
      cuts.reduce(
        (body, [at, count, more]) => Buffer.concat([body.subarray(0, at), more, body.subarray(at + count)]),
        good,
      ),
    );
  fc.assert(
    fc.property(
      fc.oneof(
        bent,
        fc.uint8Array().map((bytes) => Buffer.from(bytes)),
      ),
      fc.string(),
      (body, more) => {
        const form = parseMultipart(TYPE, body);
        if (form.ok) expect(form.value.parts.length).toBeLessThanOrEqual(32);
        else expect(form.refusal).not.toBe("");
        parseMultipart(more, body);
      },
    ),
    { numRuns: 3000 },
  );
});
