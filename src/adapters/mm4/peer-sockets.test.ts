import { Socket } from "node:net";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { endpointOf, PeerSockets, SOCKETS_MAX } from "./peer-sockets.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

function addSocket(sockets: PeerSockets, remotePort: number): Socket {
  const socket = new Socket();
  Object.defineProperties(socket, { remoteAddress: { value: "192.0.2.7" }, remotePort: { value: remotePort } });
  sockets.add(socket);
  return socket;
}

test("a peer has its time again with every mail it brings, and no more", () => {
  const sockets = new PeerSockets({ mailWaitMsMax: 100, hangUpMsMax: 10 });
  const socket = addSocket(sockets, 1);
  vi.advanceTimersByTime(99);
  sockets.extend(endpointOf(socket));
  vi.advanceTimersByTime(99);
  expect(socket.destroyed).toBe(false);
  vi.advanceTimersByTime(1);
  expect(socket.destroyed).toBe(true);
});

test("all are cut but those who are spared, and nothing is kept of who has gone", () => {
  const sockets = new PeerSockets({ mailWaitMsMax: 100, hangUpMsMax: 10 });
  const [cut, spared] = [addSocket(sockets, 1), addSocket(sockets, 2)];
  sockets.cutAllBut(new Set([endpointOf(spared)]));
  expect([cut.destroyed, spared.destroyed]).toEqual([true, false]);
  sockets.forgetEnded();
  expect(vi.getTimerCount()).toBe(1);
  spared.destroy();
  sockets.forgetEnded();
  expect(vi.getTimerCount()).toBe(0);
});

test("when there are too many, those who were told to go are cut first, the oldest before the others", () => {
  const sockets = new PeerSockets({ mailWaitMsMax: 100, hangUpMsMax: 10 });
  const all = Array.from({ length: SOCKETS_MAX }, (_, index) => addSocket(sockets, index + 1));
  const told = [all[3], all[7]];
  for (const socket of told) socket?.end();
  addSocket(sockets, SOCKETS_MAX + 1);
  expect(all.filter(({ destroyed }) => destroyed)).toEqual([told[0]]);
});

test("a peer has one name, whoever tells of it", () => {
  expect(endpointOf({ remoteAddress: "::ffff:192.0.2.7", remotePort: 5 })).toBe(
    endpointOf({ remoteAddress: "192.0.2.7", remotePort: 5 }),
  );
});
