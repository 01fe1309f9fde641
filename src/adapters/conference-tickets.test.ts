import { expect, test } from "vitest";
import { ConferenceTickets } from "./conference-tickets.ts";
import { newSecretKey } from "./secrets.ts";

const START = Date.UTC(2026, 0, 1);
const key = newSecretKey();

function ticketsOf(...keys: readonly ReturnType<typeof newSecretKey>[]) {
  const clock = { ms: START };
  return {
    clock,
    tickets: new ConferenceTickets(
      () => keys,
      () => new Date(clock.ms),
    ),
  };
}

test("a ticket is read by every process with the key that signed it, also when another one signs by now", () => {
  const { id, text } = ticketsOf(key).tickets.make();
  expect(text).toMatch(/^[a-z0-9-]{80,90}$/);
  expect(ticketsOf(key).tickets.read(text)).toBe(id);
  expect(ticketsOf(newSecretKey(), key).tickets.read(text)).toBe(id);
});

test("nobody without the key makes one", () => {
  const { text } = ticketsOf(key).tickets.make();
  expect(ticketsOf(newSecretKey()).tickets.read(text)).toBeUndefined();
});

test("a ticket of which anything was changed is none", () => {
  const { tickets } = ticketsOf(key);
  const { text } = tickets.make();
  for (let at = 0; at < text.length; at++) {
    const other = text[at] === "0" ? "1" : "0";
    expect(tickets.read(text.slice(0, at) + other + text.slice(at + 1))).toBeUndefined();
  }
  for (const made of [
    "",
    "conference-",
    `${text}0`,
    ` ${text}`,
    text.toUpperCase(),
    "conference-team",
    "+14155550100",
  ]) {
    expect(tickets.read(made)).toBeUndefined();
  }
});

test("a ticket is good for half a minute", () => {
  const { tickets, clock } = ticketsOf(key);
  const { id, text, expiresOn } = tickets.make();
  expect(expiresOn).toEqual(new Date(START + 30_000));
  clock.ms += 30_000;
  expect(tickets.read(text)).toBe(id);
  clock.ms++;
  expect(tickets.read(text)).toBeUndefined();
});
