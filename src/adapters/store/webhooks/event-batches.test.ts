import { expect, test } from "vitest";
import { fieldsTextOf, readRows } from "./event-batches.ts";

const first = {
  firstSid: "OM1",
  firstFields:
    '{"Sid":"OM1","To":"+14155550101","Status":"Sent","ErrorDescription":null,"SegmentCount":1,"Carrier":"T-Mobile"}',
};

test("the only event of a row has the fields that were stored, to the letter", () => {
  const firstFields = '{ "Sid": "a\\tb", "Note": null }';
  expect(fieldsTextOf({ firstSid: "a\tb", firstFields, line: null })).toBe(firstFields);
});

test("an event has what its line says, and the rest from the first of its row but for the sid", () => {
  const line = 'OM2\t3\t\t"+14155550102"\t\t\t2\tnull';
  expect(fieldsTextOf({ ...first, line })).toBe(
    '{"Sid":"OM2","To":"+14155550102","Status":"Sent","ErrorDescription":null,"SegmentCount":2,"Carrier":null}',
  );
});

test("rows that were read together give the events that are wanted, by place", () => {
  const batch = ['OM1\t1\t\t"+1"\t\t\t1\t"A"', 'OM2\t2\t\t"+2"\t\t\t1\t"A"', 'OM3\t2\t\t"+3"\t\t\t1\t"A"'].join("\n");
  const type = "OutboundMessageStatusChanged";
  const rows = [
    [0, type, 1, first.firstFields, "OM1", batch],
    [3, "OptOutChanged", 7, "{}", "line\nline"],
  ];
  const text = rows.map((row) => row.join("\x1f")).join("\x1e");
  const events = readRows(text, new Set([1, 3, 9]));
  expect([...events].map(([place, { resourceSid, sequence }]) => [place, resourceSid, sequence])).toEqual([
    [1, "OM2", 2],
    [3, "line\nline", 7],
  ]);
  expect(JSON.parse(events.get(1)?.fields ?? "")).toMatchObject({ Sid: "OM2", To: "+2", Status: "Sent" });
});
