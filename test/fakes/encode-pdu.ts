// Encodes one PDU into its own octets, for peers that tests simulate.

import { ok, type Result, refused } from "../../src/base/result.ts";
import { writePdu } from "../../src/wire/smpp/encode.ts";
import type { Unnumbered } from "../../src/wire/smpp/pdu.ts";
import { PduWriter } from "../../src/wire/smpp/pdu-writer.ts";

const writer = new PduWriter();

export function encodePdu(pdu: Unnumbered, sequence: number): Result<Uint8Array, string> {
  const fault = writePdu(writer, pdu, sequence);
  return fault === undefined ? ok(writer.take()) : refused(fault);
}
