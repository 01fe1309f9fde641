import fc from "fast-check";
import { expect, test } from "vitest";
import type { MediaOrder, MediaReport } from "./control.ts";
import { packOrders, packReports, unpackOrders, unpackReports } from "./packed-sound.ts";

/** With the sound in plain arrays of octets, which buffers are not equal to. */
function plain(report: MediaReport): MediaReport {
  if (report.kind !== "streamed") return report;
  return { ...report, inbound: Uint8Array.from(report.inbound), outbound: Uint8Array.from(report.outbound) };
}

const name = fc.integer({ min: 1, max: 9 });
const octets = fc.uint8Array({ maxLength: 200 });
const report: fc.Arbitrary<MediaReport> = fc.oneof(
  fc.record({
    kind: fc.constant("streamed" as const),
    leg: name,
    stream: name,
    inbound: octets,
    outbound: octets,
    gone: fc.nat(2 ** 40),
  }),
  fc.record({ kind: fc.constant("marked" as const), leg: name, stream: name, mark: fc.nat() }),
);
const order: fc.Arbitrary<MediaOrder> = fc.oneof(
  fc.record({ kind: fc.constant("streamAudio" as const), leg: name, stream: name, octets }),
  fc.record({ kind: fc.constant("streamMark" as const), leg: name, stream: name, mark: fc.nat() }),
);

test("reports arrive as they were, in their order, with one array for frames that follow one another", () => {
  fc.assert(
    fc.property(fc.array(report), (reports) => {
      const sent = packReports(reports);
      const arrived: MediaReport[] = [];
      unpackReports(structuredClone(sent), (each) => arrived.push(plain(each)));
      expect(arrived).toEqual(reports);
      expect(sent.filter((item, at) => item.kind === "frames" && sent[at - 1]?.kind === "frames")).toEqual([]);
    }),
  );
});

test("orders arrive as they were, in their order, with one array for sound that follows one another", () => {
  fc.assert(
    fc.property(fc.array(order), (orders) => {
      const sent = packOrders(orders);
      const arrived: MediaOrder[] = [];
      unpackOrders(structuredClone(sent), (each) => arrived.push(each));
      expect(arrived).toEqual(orders);
      expect(sent.filter((item, at) => item.kind === "audio" && sent[at - 1]?.kind === "audio")).toEqual([]);
    }),
  );
});
