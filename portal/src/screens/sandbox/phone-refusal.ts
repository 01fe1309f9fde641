// Why the sandbox's telephone was not opened. Browsers do not report how a WebSocket was refused, so the same address
// is requested without one, which is refused in the same way.

import { TandemError } from "@tandem/sdk";
import { client } from "../../api/client.ts";

/** `None`: no reason against it. `Unknown`: the server cannot answer now. */
export type PhoneRefusal =
  | { readonly kind: "None" | "SignedOut" | "Unknown" }
  | { readonly kind: "Refused"; readonly why: string };

const ASK_MS = 10_000;
/** The status of a request that only lacks the WebSocket upgrade. */
const NO_SOCKET = 400;
const MAY_PASS = new Set([408, 429]);

export async function findPhoneRefusal(number: string): Promise<PhoneRefusal> {
  const address = client.sandbox.phoneUrl(number).replace(/^ws/, "http");
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(ASK_MS) });
    const body: unknown = await response.json().catch(() => undefined);
    return refusalOf(new TandemError(response.status, response.headers, body));
  } catch {
    return { kind: "Unknown" };
  }
}

function refusalOf({ status, detail, message }: TandemError): PhoneRefusal {
  if (status === NO_SOCKET) return { kind: "None" };
  if (status === 401) return { kind: "SignedOut" };
  if (status === 404) return { kind: "Refused", why: "This server has no simulated telephones." };
  if (status < 400 || status >= 500 || MAY_PASS.has(status)) return { kind: "Unknown" };
  return { kind: "Refused", why: detail ?? message };
}
