// Kamailio, which handles requests by the route in its configuration.

import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const EDGE_FILES = fileURLToPath(new URL("../../deploy/kamailio/", import.meta.url));

export interface Kamailio {
  /** Its output. */
  report(): string;
  stop(): Promise<void>;
}

/** A place where it registers, as its user and password. */
interface KamailioRegistration {
  readonly user: string;
  readonly password: string;
  /** Address and port. */
  readonly place: string;
}

interface KamailioOptions {
  readonly registrations?: readonly KamailioRegistration[];
  /** Whether it listens for TCP, too. */
  readonly hasTcp?: boolean;
  /** Where its rtpengine is controlled. */
  readonly rtpenginePort?: number;
}

export function startKamailio(program: string, port: number, route: string, options: KamailioOptions = {}): Kamailio {
  return runKamailio(program, (directory) => ({
    version: "table_name(string) table_version(int)\nuacreg:5\n",
    uacreg: uacTableOf(options.registrations ?? [], port),
    "kamailio.cfg": configOf(port, route, directory, options),
  }));
}

interface EdgeOrder {
  readonly port: number;
  /** Address and port of each node. */
  readonly nodes: readonly string[];
  /** Its address and port. */
  readonly carrier: string;
}

/** With the sample files of deploy. */
export function startEdge(program: string, { port, nodes, carrier }: EdgeOrder): Kamailio {
  const sample = readFileSync(join(EDGE_FILES, "kamailio.cfg"), "utf8");
  const [carrierAddress = ""] = carrier.split(":");
  return runKamailio(program, (directory) => ({
    "kamailio.cfg": sample
      .replace("log_stderror=no", "log_stderror=yes")
      .replaceAll("198.51.100.7:5060", carrier)
      .replaceAll("198.51.100.7", carrierAddress)
      .replaceAll("192.0.2.20:5060", `127.0.0.1:${port}`)
      .replaceAll("192.0.2.20", "127.0.0.1")
      .replace("/etc/kamailio/dispatcher.list", join(directory, "dispatcher.list")),
    "dispatcher.list": nodes.map((node) => `1 sip:${node}\n`).join(""),
  }));
}

function runKamailio(program: string, filesIn: (directory: string) => Readonly<Record<string, string>>): Kamailio {
  const directory = mkdtempSync(join(tmpdir(), "tandem-kamailio-"));
  for (const [name, content] of Object.entries(filesIn(directory))) writeFileSync(join(directory, name), content);
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

/** What its text database says of the registrations that it keeps. */
function uacTableOf(registrations: readonly KamailioRegistration[], port: number): string {
  const columns =
    "id(int,auto) l_uuid(string) l_username(string) l_domain(string) r_username(string) r_domain(string) realm(string) " +
    "auth_username(string) auth_password(string) auth_ha1(string) auth_proxy(string) expires(int) flags(int) " +
    "reg_delay(int) contact_addr(string) socket(string)";
  const rows = registrations.map(({ user, password, place }, at) =>
    [
      ...[String(at + 1), `row${at}`, user, "kamailio.test", user, place, "tandem", user, password, ""],
      ...[`sip:${place}`, "60", "0", "0", `127.0.0.1:${port}`, `udp:127.0.0.1:${port}`],
    ]
      .map((value) => value.replaceAll(":", "\\:"))
      .join(":"),
  );
  return `${[columns, ...rows].join("\n")}\n`;
}

function configOf(port: number, route: string, directory: string, options: KamailioOptions): string {
  const { registrations, hasTcp = false, rtpenginePort } = options;
  const modules = [
    ...["corex", "tm", "sl", "rr", "pv", "maxfwd", "textops", "siputils", "auth", "usrloc", "registrar"],
    ...(registrations ? ["db_text", "uac"] : []),
    ...(rtpenginePort === undefined ? [] : ["rtpengine"]),
  ];
  const uac = `modparam("db_text", "emptystring", 1)
modparam("uac", "reg_db_url", "text://${directory}")
modparam("uac", "reg_timer_interval", 1)
modparam("uac", "reg_contact_addr", "127.0.0.1:${port}")
modparam("uac", "restore_mode", "none")`;
  return `
debug=0
log_stderror=yes
children=2
${hasTcp ? `listen=tcp:127.0.0.1:${port}` : "disable_tcp=yes"}
listen=udp:127.0.0.1:${port}
mpath="${modulesFolder()}"
${modules.map((name) => `loadmodule "${name}.so"`).join("\n")}
${registrations ? uac : ""}
${rtpenginePort === undefined ? "" : `modparam("rtpengine", "rtpengine_sock", "udp:127.0.0.1:${rtpenginePort}")`}
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

interface Places {
  /** Where calls come from that go to the telephone; all others go to the server. */
  readonly server: string;
  readonly telephone: string;
  readonly tandem: string;
}

/** A proxy before a telephone, with rtpengine for the audio, as in docs/trunks/kamailio.md. */
export function relayBetween({ server, telephone, tandem }: Places): string {
  const media = `if (has_body("application/sdp")) { rtpengine_manage("replace-origin replace-session-connection"); }`;
  return `
  if (is_method("BYE")) { rtpengine_manage(); }
  if (has_totag() && is_method("INVITE")) { ${media} t_on_reply("MEDIA"); }
${FOLLOWING}
  if ($si == "${server}") { $du = "sip:${telephone}"; } else { $du = "sip:${tandem}"; }
  ${media}
  t_on_reply("MEDIA");
  t_relay();
}

onreply_route[MEDIA] {
  ${media}`;
}

/** Takes registrations of any user with the password "secret", and every call, which it answers with 486. */
export const REGISTRAR = `
  if (is_method("REGISTER")) {
    if (!pv_www_authenticate("carrier", "secret", "0")) { www_challenge("carrier", "1"); exit; }
    save("location");
    exit;
  }
  if (is_method("INVITE")) { sl_send_reply("486", "Busy Here"); exit; }`;

/** Responds for numbers as a portability database does, depending on the last digits. */
export const REDIRECTING = `
  if (is_method("ACK")) { exit; }
  if ($rU =~ "00$") { $ru = "sip:" + $rU + ";rn=+12155550199;npdi;cic=+16789@127.0.0.1"; sl_send_reply("302", "Moved"); exit; }
  if ($rU =~ "01$") { $ru = "sip:" + $rU + "@127.0.0.1;npdi;rn=2155550198"; sl_send_reply("302", "Moved"); exit; }
  if ($rU =~ "02$") { $ru = "sip:" + $rU + ";npdi@127.0.0.1"; sl_send_reply("302", "Moved"); exit; }
  if ($rU =~ "03$") { sl_send_reply("603", "Decline"); exit; }
  if ($rU =~ "04$") { sl_send_reply("500", "Broken"); exit; }
  sl_send_reply("404", "Not Found");`;
