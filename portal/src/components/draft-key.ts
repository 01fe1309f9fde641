// The Idempotency-Key of a draft: the same order has the same key, so that the server carries it out once however often
// it is sent, also when the answer was lost. Another order, or the next draft, has another one.

import { useRef } from "react";

/** `next` begins the next draft, after which the same order is a new one. */
export function useDraftKey(order: unknown): { readonly key: string; readonly next: () => void } {
  const current = useRef({ written: "", key: "" });
  const written = JSON.stringify(order);
  if (current.current.written !== written) current.current = { written, key: newKey() };
  const next = () => {
    current.current = { written: "", key: "" };
  };
  return { key: current.current.key, next };
}

/** Not `randomUUID`, which browsers have only on pages over HTTPS. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
