// Kamailio, which handles requests by the route in its configuration.

import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Kamailio {
  /** Its output. */
  report(): string;
  stop(): Promise<void>;
}

export function startKamailio(program: string, port: number, route: string): Kamailio {
  const directory = mkdtempSync(join(tmpdir(), "tandem-kamailio-"));
  writeFileSync(join(directory, "kamailio.cfg"), configOf(port, route));
  const args = ["-f", "kamailio.cfg", "-DD", "-E", "-Y", directory, "-P", join(directory, "pid"), "-m", "16"];
  const child = spawn(program, args, { cwd: directory, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  const exited = new Promise<void>((resolve) => child.once("close", () => resolve()));
  return {
    report: () => output.slice(-4000),
    async stop() {
      child.kill("SIGTERM");
      await exited;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** The path of its modules contains the name of the architecture. */
export function modulesFolder(): string {
  const found = readdirSync("/usr/lib").find((name) => {
    try {
      return readdirSync(`/usr/lib/${name}/kamailio/modules`).length > 0;
    } catch {
      return false;
    }
  });
  return `/usr/lib/${found}/kamailio/modules/`;
}

function configOf(port: number, route: string): string {
  const modules = ["corex", "tm", "sl", "rr", "pv", "maxfwd", "textops", "siputils", "auth"];
  return `
debug=0
log_stderror=yes
children=2
disable_tcp=yes
listen=udp:127.0.0.1:${port}
mpath="${modulesFolder()}"
${modules.map((name) => `loadmodule "${name}.so"`).join("\n")}
request_route {
  if (is_method("OPTIONS")) { sl_send_reply("200", "OK"); exit; }
${route}
}
`;
}

/** Proxies requests of known calls; the rest of the route handles new calls. */
const FOLLOWING = `
  if (!mf_process_maxfwd_header("10")) { sl_send_reply("483", "Too Many Hops"); exit; }
  if (has_totag()) {
    if (loose_route()) { t_relay(); exit; }
    if (is_method("ACK") && t_check_trans()) { t_relay(); }
    exit;
  }
  if (is_method("CANCEL")) { if (t_check_trans()) { t_relay(); } exit; }
  record_route();
`;

/** Challenges for credentials (any user with the password "secret"), and forks to two telephones. */
export function forkTo(one: string, two: string): string {
  return `${FOLLOWING}
  if (!pv_proxy_authenticate("carrier", "secret", "0")) { proxy_challenge("carrier", "1"); exit; }
  consume_credentials();
  $ru = "sip:one@${one}";
  append_branch("sip:two@${two}");
  t_relay();`;
}

/** Sends every call back to `address`, with or without the headers that name the forwarding numbers. */
export function sendBackTo(address: string, keeps: "diversions" | "nothing"): string {
  const forgetting = keeps === "nothing" ? 'remove_hf("Diversion"); remove_hf("History-Info");' : "";
  return `${FOLLOWING}
  ${forgetting}
  $du = "sip:${address}";
  t_relay();`;
}

/** Responds for numbers as a portability database does, depending on the last digits. */
export const REDIRECTING = `
  if (is_method("ACK")) { exit; }
  if ($rU =~ "00$") { $ru = "sip:" + $rU + ";rn=+12155550199;npdi;cic=+16789@127.0.0.1"; sl_send_reply("302", "Moved"); exit; }
  if ($rU =~ "01$") { $ru = "sip:" + $rU + "@127.0.0.1;npdi;rn=2155550198"; sl_send_reply("302", "Moved"); exit; }
  if ($rU =~ "02$") { $ru = "sip:" + $rU + ";npdi@127.0.0.1"; sl_send_reply("302", "Moved"); exit; }
  if ($rU =~ "03$") { sl_send_reply("603", "Decline"); exit; }
  if ($rU =~ "04$") { sl_send_reply("500", "Broken"); exit; }
  sl_send_reply("404", "Not Found");`;
