import { deflateSync } from "node:zlib";
import { PDFDocument } from "@cantoo/pdf-lib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkDocument, DOCUMENT_BYTES_MAX } from "./check-document.ts";
import { PAGES_MAX } from "./document-fault.ts";
import { BYTES_PER_SLICE } from "./work-budget.ts";

const base64 = (text: string) => Buffer.from(text, "base64");
const latin1 = (text: string) => Buffer.from(text, "latin1");

/** Four pixels wide, made by poppler. */
const JPEG = base64(
  "/9j/4AAQSkZJRgABAQEAAAAAAAD/2wBDAAgGBgcGBQgHBwcJCQgKDBQNDAsLDBkSEw8UHRofHh0aHBwgJC4nICIsIxwcKDcpLDAxNDQ0Hyc5PTgyPC4zNDL/2wBDAQkJCQwLDBgNDRgyIRwhMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjL/wAARCAAEAAQDASIAAhEBAxEB/8QAHwAAAQUBAQEBAQEAAAAAAAAAAAECAwQFBgcICQoL/8QAtRAAAgEDAwIEAwUFBAQAAAF9AQIDAAQRBRIhMUEGE1FhByJxFDKBkaEII0KxwRVS0fAkM2JyggkKFhcYGRolJicoKSo0NTY3ODk6Q0RFRkdISUpTVFVWV1hZWmNkZWZnaGlqc3R1dnd4eXqDhIWGh4iJipKTlJWWl5iZmqKjpKWmp6ipqrKztLW2t7i5usLDxMXGx8jJytLT1NXW19jZ2uHi4+Tl5ufo6erx8vP09fb3+Pn6/8QAHwEAAwEBAQEBAQEBAQAAAAAAAAECAwQFBgcICQoL/8QAtREAAgECBAQDBAcFBAQAAQJ3AAECAxEEBSExBhJBUQdhcRMiMoEIFEKRobHBCSMzUvAVYnLRChYkNOEl8RcYGRomJygpKjU2Nzg5OkNERUZHSElKU1RVVldYWVpjZGVmZ2hpanN0dXZ3eHl6goOEhYaHiImKkpOUlZaXmJmaoqOkpaanqKmqsrO0tba3uLm6wsPExcbHyMnK0tPU1dbX2Nna4uPk5ebn6Onq8vP09fb3+Pn6/9oADAMBAAIRAxEAPwD3uKJYQQueTk5ooooA/9k=",
);
const PNG = base64(
  "iVBORw0KGgoAAAANSUhEUgAAAAQAAAAECAIAAAAmkwkpAAAACXBIWXMAAAAOAAAADgFO7FpaAAAAL0lEQVQI1zXBQQ0AMAgEwW0DHvCvByunAJLrqzNIktTdtmNmgKoCbmbuLgAc23wPyCMUMK0wVdMAAAAASUVORK5CYII=",
);
const TIFF = base64(
  "SUkqABgAAADt7cz/6Ojk/+3k5P//////DgAAAQMAAQAAAAQAAAABAQMAAQAAAAQAAAACAQMAAQAAAAgAAAADAQMAAQAAAAEAAAAGAQMAAQAAAAEAAAARAQQAAQAAAAgAAAASAQMAAQAAAAEAAAAVAQMAAQAAAAEAAAAWAQMAAQAAAAAIAAAXAQQAAQAAABAAAAAaAQUAAQAAAMYAAAAbAQUAAQAAAM4AAAAcAQMAAQAAAAEAAAAoAQMAAQAAAAIAAAAAAAAAo4suAAAAgACjiy4AAACAAA==",
);

async function pdf(pages: number, useObjectStreams: boolean, password?: string): Promise<Buffer> {
  const document = await PDFDocument.create();
  for (let page = 0; page < pages; page++) document.addPage();
  if (password !== undefined) document.encrypt({ userPassword: password, ownerPassword: "owner" });
  return Buffer.from(await document.save({ useObjectStreams }));
}

/** Objects by number, and a trailer. */
function smallPdf(objects: readonly string[], trailer = "<</Root 1 0 R>>"): Buffer {
  const body = objects.map((object, at) => `${at + 1} 0 obj\n${object}\nendobj\n`).join("");
  return latin1(`%PDF-1.4\n${body}trailer\n${trailer}\nstartxref\n0\n%%EOF\n`);
}

const CATALOG = "<</Type/Catalog/Pages 2 0 R>>";
const stream = (dict: string, bytes: Buffer) =>
  `<<${dict}/Length ${bytes.length}>>stream\n${bytes.toString("latin1")}\nendstream`;

async function codeOf(bytes: Uint8Array): Promise<string> {
  const checked = await checkDocument(bytes, "letter.pdf");
  return checked.ok ? "taken" : checked.refusal.code;
}

async function pagesOf(bytes: Uint8Array): Promise<number | string> {
  const checked = await checkDocument(bytes, "letter.pdf");
  return checked.ok ? checked.value.pageCount : checked.refusal.says;
}

describe("a letter is known by its content", () => {
  test.each([
    ["image/jpeg", "scan.jpg", JPEG],
    ["image/png", "scan.png", PNG],
    ["image/tiff", "scan.tif", TIFF],
  ])("%s", async (contentType, name, bytes) => {
    const checked = await checkDocument(bytes, "C:\\letters\\scan.exe");
    expect(checked).toMatchObject({ ok: true, value: { contentType, name, pageCount: 1 } });
  });

  test("a PDF of today and one of old, page by page", async () => {
    expect(await pagesOf(await pdf(3, true))).toBe(3);
    expect(await pagesOf(await pdf(3, false))).toBe(3);
  });

  test("its digest is SHA-256", async () => {
    const checked = await checkDocument(PNG, "x");
    expect(checked).toMatchObject({ value: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/), bytes: PNG } });
  });

  test.each([
    ["../../etc/passwd", "passwd.png"],
    ["  .hidden.pdf ", "hidden.png"],
    ["", "document.png"],
    ["...", "document.png"],
    ['a"b\r\nc.png', "a_b_c.png"],
    ["Vollmacht für Łódź (2).PDF", "Vollmacht für Łódź (2).png"],
    ["x".repeat(5000), `${"x".repeat(80)}.png`],
  ])("%j is called %j", async (given, name) => {
    expect(await checkDocument(PNG, given)).toMatchObject({ value: { name } });
  });
});

describe("what is no letter is refused with a reason", () => {
  test.each<[string, string, Uint8Array]>([
    ["nothing", "empty", Buffer.alloc(0)],
    ["more than 10 MiB", "larger than 10 MiB", Buffer.concat([PNG, Buffer.alloc(DOCUMENT_BYTES_MAX)])],
    ["a web page", "a web page", latin1("<!DOCTYPE html><html>%PDF-1.7</html>")],
    ["a web page after a mark", "a web page", Buffer.from("\ufeff \n<html>")],
    ["a Word document", "an Office document", latin1("PK\x03\x04word")],
    ["a phone's photo", "a HEIC photo", latin1("\0\0\0\x18ftypheic")],
    ["a GIF", "a GIF", latin1("GIF89a")],
    ["a big TIFF", "a BigTIFF", latin1("II+\0")],
    ["words", "something else", latin1("Dear carrier,")],
    ["a PDF's name alone", "its end is missing", latin1("%PDF-1.7\n")],
    ["a PDF without pages", "no page", smallPdf([CATALOG])],
    ["a PDF whose pages run in a circle", "no page", smallPdf([CATALOG, "<</Kids[2 0 R 2 0 R]>>"])],
    ["half a JPEG", "damaged", JPEG.subarray(0, 300)],
    ["a JPEG without its end", "its end is missing", JPEG.subarray(0, -2)],
    ["half a PNG", "damaged", PNG.subarray(0, 80)],
    ["a PNG without its end", "its end is missing", PNG.subarray(0, -12)],
    ["half a TIFF", "damaged", TIFF.subarray(0, -20)],
  ])("%s", async (_, reason, bytes) => {
    expect(await pagesOf(bytes)).toContain(reason);
  });

  test("a protected PDF, which nobody could read", async () => {
    const says = await pagesOf(await pdf(1, true, "secret"));
    expect(says).toContain("protected by a password");
  });

  test("a PDF that was cut off on its way", async () => {
    const whole = await pdf(3, false);
    expect(await codeOf(whole.subarray(0, whole.length / 2))).toBe("broken");
  });

  test("a picture made to burst", async () => {
    const png = Buffer.from(PNG);
    png.writeUInt32BE(100_000, 16);
    png.writeUInt32BE(100_000, 20);
    const jpeg = Buffer.from(JPEG);
    const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
    jpeg.writeUInt32BE(0xffffffff, frame + 5);
    for (const bytes of [png, jpeg]) expect(await codeOf(bytes)).toBe("too-complex");
  });

  test("a TIFF whose pages run in a circle", async () => {
    const circle = Buffer.from(TIFF);
    const first = circle.readUInt32LE(4);
    circle.writeUInt32LE(first, first + 2 + 12 * circle.readUInt16LE(first));
    expect(await pagesOf(circle)).toContain("circle");
  });
});

describe("a PDF", () => {
  test("whose table of contents is wrong is read all the same", async () => {
    const bytes = await pdf(2, false);
    const damaged = latin1(bytes.toString("latin1").replace(/startxref\n\d+/, "startxref\n7"));
    expect(await pagesOf(damaged)).toBe(2);
  });

  test("that was changed by appending is as it was changed last", async () => {
    const before = smallPdf([CATALOG, "<</Kids[3 0 R 4 0 R]>>", "<</Type/Page>>", "<</Type/Page>>"]);
    const change = latin1("2 0 obj<</Kids[3 0 R]>>endobj trailer<</Root 1 0 R>>%%EOF");
    expect(await pagesOf(before)).toBe(2);
    expect(await pagesOf(Buffer.concat([before, change]))).toBe(1);
  });

  test("may say odd things in its texts and streams", async () => {
    const odd =
      "<</Title(\\) 2 0 obj << (nested) trailer<</Encrypt 9 0 R>>)/Id<ab cd>/T true %comment >>\n/Z[1 -.5 null]>>";
    const text = stream("", latin1("9 0 obj trailer<</Encrypt 9 0 R>> endobj"));
    expect(await pagesOf(smallPdf([CATALOG, "<</Kids[3 0 R]>>", "<</Type/Page>>", odd, text]))).toBe(1);
  });

  test("of too many pages is refused, and so is one with too many parts", async () => {
    const kids = Array.from({ length: PAGES_MAX + 1 }, (_, at) => `${at + 3} 0 R`);
    const pages = kids.map(() => "<</Type/Page>>");
    expect(await pagesOf(smallPdf([CATALOG, `<</Kids[${kids.join(" ")}]>>`, ...pages]))).toContain("200 pages");
    expect(await pagesOf(smallPdf([CATALOG, `[${"[".repeat(400_000)}`]))).toContain("too many parts");
    expect(await pagesOf(smallPdf(Array.from({ length: 50_001 }, () => "1")))).toContain("too many parts");
  });

  test("that is small, but would be large when inflated, is refused", async () => {
    const bomb = deflateSync(Buffer.alloc(20 << 20));
    const dict = "/Type/ObjStm/N 1/First 5/Filter/FlateDecode";
    expect(bomb.length).toBeLessThan(100_000);
    expect(await codeOf(smallPdf([CATALOG, stream(dict, bomb)]))).toBe("too-complex");
  });

  test("keeps objects in compressed streams, whole or damaged", async () => {
    const inside = latin1("2 0 3 18 <</Kids[3 0 R]>>  <</Type/Page>>");
    const dict = "/Type/ObjStm/N 2/First 9";
    expect(await pagesOf(smallPdf([CATALOG, "null", "null", stream(dict, inside)]))).toBe(1);
    const packed = deflateSync(inside);
    expect(await pagesOf(smallPdf([CATALOG, "null", "null", stream(`${dict}/Filter[/FlateDecode]`, packed)]))).toBe(1);
    const damaged = stream(`${dict}/Filter/FlateDecode`, latin1("not deflated"));
    expect(await pagesOf(smallPdf([CATALOG, "null", "null", damaged]))).toContain("no page");
  });
});

/** How many iterations the event loop made while a file was checked. */
async function checkedInTurns(bytes: Uint8Array): Promise<{ says: number | string; turns: number }> {
  let turns = 0;
  let isChecking = true;
  const tick = () => {
    turns += 1;
    if (isChecking) setImmediate(tick);
  };
  setImmediate(tick);
  const says = await pagesOf(bytes);
  isChecking = false;
  return { says, turns };
}

function packed(index: string, content: string): string {
  const dict = `/Type/ObjStm/N 1000/First ${index.length}/Filter/FlateDecode`;
  return stream(dict, deflateSync(latin1(index + content)));
}

const pngChunk = (type: string, data = "") => {
  const chunk = Buffer.alloc(12 + data.length);
  chunk.writeUInt32BE(data.length);
  chunk.write(type + data, 4, "latin1");
  return chunk;
};
const pngOf = (...chunks: readonly Buffer[]) => Buffer.concat([PNG.subarray(0, 33), ...chunks, pngChunk("IEND")]);

const JPEG_SCAN = JPEG.indexOf(Buffer.from([0xff, 0xda]));
const jpegWith = (segments: Buffer) => Buffer.concat([JPEG.subarray(0, JPEG_SCAN), segments, JPEG.subarray(JPEG_SCAN)]);

/** One directory per page with this many entries, `apart` bytes apart, so that directories may overlap. */
function tiffOf(pages: number, entries: number, apart: number): Buffer {
  const bytes = Buffer.alloc(8 + (pages - 1) * apart + 2 + entries * 12 + 4);
  bytes.write("II*\0\x08\0\0\0", "latin1");
  for (let page = 0; page < pages; page++) {
    const at = 8 + page * apart;
    bytes.writeUInt16LE(entries, at);
    bytes.writeUInt32LE(page + 1 < pages ? at + apart : 0, at + 2 + entries * 12);
    for (const [index, tag] of [256, 257, 273].entries()) {
      const entry = at + 2 + (entries - 9 + index) * 12;
      bytes.writeUInt16LE(tag, entry);
      bytes.writeUInt16LE(3, entry + 2);
      bytes.writeUInt32LE(1, entry + 4);
      bytes.writeUInt16LE(1, entry + 8);
    }
  }
  return bytes;
}

describe("a file made to keep us busy is refused:", () => {
  test.each<[string, string, () => Buffer]>([
    [
      "a PDF that names one long text over and over",
      "too many parts",
      () => smallPdf([CATALOG, packed("3 0 ".repeat(100), "(".repeat(1 << 20))]),
    ],
    [
      "a PDF of streams that turn out to be damaged at their end",
      "too many parts",
      () => {
        const damaged = deflateSync(Buffer.alloc(1 << 20));
        damaged.writeUInt32BE(0, damaged.length - 4);
        const one = stream("/Type/ObjStm/N 1/First 4/Filter/FlateDecode", damaged);
        return smallPdf([CATALOG, ...Array.from({ length: 24 }, () => one)]);
      },
    ],
    [
      "a PDF of streams with nothing in them",
      "too many parts",
      () => smallPdf([CATALOG, ...Array.from({ length: 5000 }, () => "<</Type/ObjStm>>stream\nendstream")]),
    ],
    ["a TIFF whose pages lie over each other", "too many parts", () => tiffOf(3, 20_000, 12)],
    ["a PNG in crumbs", "too many parts", () => pngOf(...Array.from({ length: 60_000 }, () => pngChunk("IDAT", "x")))],
    ["a JPEG in crumbs", "too many parts", () => jpegWith(Buffer.from("ffe00002".repeat(60_000), "hex"))],
    ["a JPEG with much before its picture", "too many parts", () => jpegWith(Buffer.alloc(60_000, 0xff))],
  ])("%s", async (_, reason, make) => {
    expect(await pagesOf(make())).toContain(reason);
  });
});

describe("others get their turn while a file is checked:", () => {
  const long = 2_000_000;
  const scan = Buffer.concat([JPEG.subarray(0, -2), Buffer.alloc(long, 0xff)]);

  test.each<[string, Buffer]>([
    ["a PDF with a text that never ends", smallPdf([CATALOG, "(".repeat(long)])],
    ["a PDF with a long comment", smallPdf([CATALOG, `%${" ".repeat(long)}`])],
    ["a PDF with much between its objects", smallPdf([CATALOG, `1 ${"x".repeat(long)}`])],
    ["a PDF with a stream that never ends", smallPdf([CATALOG, `<<>>stream\n${"e".repeat(long)}`])],
    ["a PDF of many values", smallPdf([CATALOG, `[${"1 ".repeat(20_000)}]`])],
    ["a JPEG without its end", scan],
    ["a TIFF of many entries", tiffOf(1, 20_000, 0)],
    ["a PNG of many parts", pngOf(...Array.from({ length: 20_000 }, () => pngChunk("IDAT", "x")))],
  ])("%s", async (_, bytes) => {
    expect((await checkedInTurns(bytes)).turns).toBeGreaterThan(30);
  });

  test("also while its digest is made", async () => {
    const { says, turns } = await checkedInTurns(pngOf(pngChunk("IDAT", "x".repeat(8_000_000))));
    expect(says).toBe(1);
    expect(turns).toBeGreaterThan(10);
  });
});

describe("a letter may be long:", () => {
  test("a PDF of two hundred scanned pages, whose streams say their length elsewhere", async () => {
    const ids = Array.from({ length: PAGES_MAX }, (_, at) => at + 3);
    const pages = ids.map((id) => `<</Type/Page/Contents ${id + PAGES_MAX} 0 R>>`);
    const scans = ids.map(() => `<</Length 2 0 R>>stream\n${"obj (<".repeat(7000)}\nendstream`);
    const kids = `<</Kids[${ids.map((id) => `${id} 0 R`).join(" ")}]>>`;
    expect(await pagesOf(smallPdf([CATALOG, kids, ...pages, ...scans]))).toBe(PAGES_MAX);
  });

  test("a PDF with ten thousand objects in compressed streams", async () => {
    const streams = Array.from({ length: 100 }, (_, at) => {
      const index = Array.from({ length: 100 }, (_, n) => `${1000 + at * 100 + n} ${n * 100} `).join("");
      return packed(index, "<</Type/Font/Name(a (nested) one)/Widths[1 2 3]>>".padEnd(100).repeat(100));
    });
    expect(await pagesOf(smallPdf([CATALOG, "<</Kids[3 0 R]>>", "<</Type/Page>>", ...streams]))).toBe(1);
  });

  test("a TIFF of two hundred pages with many tags", async () => {
    expect(await pagesOf(tiffOf(PAGES_MAX, 100, 1300))).toBe(PAGES_MAX);
  });

  test("a PNG in small parts, and a JPEG with something after its end", async () => {
    expect(await pagesOf(pngOf(...Array.from({ length: 5000 }, () => pngChunk("IDAT", "x".repeat(1000)))))).toBe(1);
    expect(await pagesOf(Buffer.concat([JPEG, Buffer.alloc(1_000_000)]))).toBe(1);
  });

  test("and its words and marks are found wherever they are, also where a step of the search ends", async () => {
    for (let length = 150; length < 650; length++) {
      const text = `<<>>stream\n${"x".repeat(length)} 2 0 obj endstream ${"y".repeat(length)} 2 0 objection`;
      expect(await pagesOf(smallPdf([CATALOG, "<</Kids[4 0 R]>>", text, "<</Type/Page>>"]))).toBe(1);
    }
    for (let length = BYTES_PER_SLICE - 5; length < BYTES_PER_SLICE + 5; length++) {
      expect(await pagesOf(Buffer.concat([JPEG, Buffer.alloc(length)]))).toBe(1);
    }
  });
});

describe("any bytes at all", () => {
  const heads = ["", "%PDF-1.7\n", "\xff\xd8\xff\xc0", "\x89PNG\r\n\x1a\n", "II*\0\x08\0\0\0", "MM\0*\0\0\0\x08"];

  test("give an answer", async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...heads), fc.uint8Array({ maxLength: 400 }), async (head, tail) => {
        expect(["taken", "empty", "not-a-document", "broken", "too-complex"]).toContain(
          await codeOf(Buffer.concat([latin1(head), tail])),
        );
      }),
    );
  });

  test("that were once a letter give an answer", async () => {
    const letters = [JPEG, PNG, TIFF, await pdf(2, true), await pdf(2, false)];
    const change = fc.record({
      at: fc.double({ min: 0, max: 0.999, noNaN: true }),
      to: fc.integer({ min: 0, max: 255 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...letters), fc.array(change, { maxLength: 8 }), async (letter, changes) => {
        const bytes = Buffer.from(letter);
        for (const { at, to } of changes) bytes[Math.floor(at * bytes.length)] = to;
        expect(typeof (await codeOf(bytes))).toBe("string");
      }),
    );
  });

  test("of a PDF's own words give an answer", async () => {
    const words = [
      "1 0 obj",
      "<<",
      ">>",
      "[",
      "]",
      "(",
      ")",
      "/Type",
      "/Pages",
      "/Kids",
      "1 0 R",
      "stream\n",
      "endstream",
      "trailer",
      "/Root",
      "%",
      "\n",
      "7",
      "endobj",
      "/Catalog",
      "<",
      "\\",
    ];
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...words), { maxLength: 60 }), async (chosen) => {
        expect(typeof (await codeOf(latin1(`%PDF-1.7\n${chosen.join(" ")}\n%%EOF`)))).toBe("string");
      }),
    );
  });
});
