import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { bindTo, startSmsc } from "../../../test/fakes/sandbox-smsc.ts";

async function selfSigned(): Promise<{ readonly key: string; readonly cert: string }> {
  const folder = await mkdtemp(join(tmpdir(), "tandem-smsc-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const subject = ["-subj", "/CN=localhost", "-days", "1"];
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  await promisify(execFile)("openssl", ["req", "-x509", ...curve, "-keyout", key, "-out", cert, ...subject]);
  const read = { key: await readFile(key, "utf8"), cert: await readFile(cert, "utf8") };
  await rm(folder, { recursive: true });
  return read;
}

test("with a certificate the SMSC speaks TLS, and only TLS", async () => {
  const smsc = await startSmsc({ tls: await selfSigned() });
  const plain = await bindTo(smsc);
  expect(plain.events.map(({ kind }) => kind)).toEqual(["ended"]);
  const esme = await bindTo(smsc, { tls: true });
  await esme.submitted("+14155551234");
  await esme.receipts(1);
});

test("closing does not wait for a handshake", async () => {
  const smsc = await startSmsc({ tls: await selfSigned() });
  const socket = connect(smsc.port, "127.0.0.1");
  const ended = once(socket, "close");
  await once(socket, "connect");
  const esme = await bindTo(smsc, { tls: true });
  await smsc.close();
  await ended;
  await esme.ended();
});
