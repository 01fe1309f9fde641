// What is printed once the server is ready, for people or for programs. The demo's credentials are printed at every
// start, so that its lines work as pasted; an operator's token only at the start that made it.

import type { DemoAccount } from "../sandbox/demo.ts";
import type { KnownToken } from "./operator-token.ts";
import type { RunningServer } from "./start.ts";

export interface BannerFacts {
  readonly server: Pick<RunningServer, "url" | "publicUrl" | "real">;
  readonly demo: DemoAccount | undefined;
  /** A link that signs in once. */
  readonly signInUrl: string | undefined;
  readonly operator: KnownToken | undefined;
  readonly version: string;
  readonly seconds: string;
  readonly dataDir: string;
}

/** Unknown members are left out. */
export function readyFact({ server, demo, signInUrl, operator, version, seconds }: BannerFacts): object {
  const { sid: accountSid, token, number } = demo ?? {};
  const { url } = server;
  return {
    event: "ready",
    version,
    seconds: Number(seconds),
    url,
    accountSid,
    token,
    number,
    operatorToken: operator?.source === "made" ? operator.text : undefined,
    signInUrl,
  };
}

export function banner({ server, demo, signInUrl, operator, version, seconds, dataDir }: BannerFacts): string {
  const { url } = server;
  const lines = [
    "",
    `Tandem ${version} is ready after ${seconds} s.`,
    "",
    `  API        ${url}`,
    `  Reference  ${url}/docs`,
  ];
  if (signInUrl !== undefined) lines.push(`  Portal     ${signInUrl}   (signs in once)`);
  else if (demo) lines.push(`  Portal     ${server.publicUrl}/sign-in`);
  if (demo) lines.push(`  Account    ${demo.sid}`, ...tokenLines(demo, dataDir));
  if (demo?.number !== undefined) lines.push(`  Number     ${demo.number}`);
  if (operator) lines.push(`  Operator   ${operatorText(operator, demo && dataDir)}`);
  if (demo) {
    lines.push(`  Kept in    ${dataDir}/demo.env`, "", ...realLines(server.real), ...exampleLines(server, demo));
  }
  return `${lines.join("\n").trimEnd()}\n\nCtrl-C stops it.\n`;
}

function tokenLines({ token }: DemoAccount, dataDir: string): readonly string[] {
  if (token !== undefined) return [`  Token      ${token}`];
  return [
    "  Token      not known here: both tokens of the account were made since. Write one of them to",
    `             ${dataDir}/demo.env as TANDEM_TOKEN=…, or delete one, and the next start makes another.`,
  ];
}

function operatorText({ text, source }: KnownToken, keptIn: string | undefined): string {
  if (source === "environment") return "its token is that of TANDEM_OPERATOR_TOKEN";
  if (source === "demo.env") return `its token is in ${keptIn}/demo.env`;
  return `operator:${text}${keptIn === undefined ? "   (shown once: keep it)" : ""}`;
}

function realLines(real: readonly string[]): readonly string[] {
  if (real.length === 0) return [];
  const messages = real.includes("carriers") ? " Messages are real: they reach people and cost money." : "";
  return [`Configured, and so not simulated by the sandbox: ${real.join(", ")}.${messages}`, ""];
}

/** Lines that work as pasted. */
function exampleLines({ url, real }: BannerFacts["server"], { sid, token, number }: DemoAccount): readonly string[] {
  if (token === undefined) return [];
  const curl = `  curl -u ${sid}:${token} ${url}`;
  const lookup = ["Look a number up:", "", `${curl}/carrierLookup/v1/Numbers/+14074740200`];
  if (number === undefined || real.includes("carriers")) return lookup;
  const send = `${curl}/messaging/v1/OutboundMessages --data-urlencode From=${number} --data-urlencode To=+14074740200 -d Text=Hello`;
  return ["Send a text:", "", send, "", ...lookup];
}
