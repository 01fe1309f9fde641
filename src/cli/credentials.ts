// Finds the server and the credentials: flags first, then the environment, else the demo account of a local server.

import { resolve } from "node:path";
import { readDemoEnv } from "../server/sandbox/demo-env.ts";
import { UsageError } from "./exit-codes.ts";

export interface Credentials {
  readonly baseUrl: string;
  readonly accountSid: string;
  readonly token: string;
  /** A number of the account to send from, if one is known. */
  readonly number: string | undefined;
}

export interface CredentialFlags {
  readonly url?: string;
  readonly account?: string;
  readonly token?: string;
}

export interface OperatorCredentials {
  readonly baseUrl: string;
  readonly token: string;
}

export interface OperatorFlags {
  readonly url?: string;
  readonly token?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const LOCAL_URL = "http://localhost:8080";

export function findCredentials(flags: CredentialFlags, environment: Environment): Credentials {
  const url = flags.url ?? given(environment, "TANDEM_URL");
  const account = flags.account ?? given(environment, "TANDEM_ACCOUNT_SID");
  const token = flags.token ?? given(environment, "TANDEM_TOKEN");
  // All three or none come from the demo, so that its token is never sent to another server.
  if (url === undefined && account === undefined && token === undefined) return demoCredentials(environment);
  const missing = [
    ...(account === undefined ? ["the account (--account or TANDEM_ACCOUNT_SID)"] : []),
    ...(token === undefined ? ["the token (--token or TANDEM_TOKEN)"] : []),
  ];
  if (account === undefined || token === undefined) throw new UsageError(`Not given: ${missing.join(" and ")}.`);
  const number = given(environment, "TANDEM_NUMBER");
  return { baseUrl: checkedUrl(url ?? LOCAL_URL), accountSid: account, token, number };
}

export function findOperatorCredentials(flags: OperatorFlags, environment: Environment): OperatorCredentials {
  const url = flags.url ?? given(environment, "TANDEM_URL");
  const token = flags.token ?? given(environment, "TANDEM_OPERATOR_TOKEN");
  // Both or none come from the demo, as for accounts.
  if (url === undefined && token === undefined) return demoOperator(environment);
  if (token !== undefined) return { baseUrl: checkedUrl(url ?? LOCAL_URL), token };
  throw new UsageError("Not given: the operator's token (--token or TANDEM_OPERATOR_TOKEN).");
}

function demoOperator(environment: Environment): OperatorCredentials {
  const { dataDir, demo } = readDemo(environment);
  const [baseUrl, token] = ["TANDEM_URL", "TANDEM_OPERATOR_TOKEN"].map((name) => demo.get(name));
  if (baseUrl && token) return { baseUrl, token };
  throw new UsageError(
    `No credentials: give --url and --token, or set TANDEM_URL and TANDEM_OPERATOR_TOKEN, or run this where \`npm start\` has written ${dataDir}/demo.env.`,
  );
}

function readDemo(environment: Environment) {
  const dataDir = given(environment, "TANDEM_DATA_DIR") ?? "./data";
  return { dataDir, demo: readDemoEnv(resolve(dataDir)) };
}

function demoCredentials(environment: Environment): Credentials {
  const { dataDir, demo } = readDemo(environment);
  const [baseUrl, accountSid, token] = ["TANDEM_URL", "TANDEM_ACCOUNT_SID", "TANDEM_TOKEN"].map((n) => demo.get(n));
  const number = given(environment, "TANDEM_NUMBER") ?? demo.get("TANDEM_NUMBER");
  if (baseUrl && accountSid && token) return { baseUrl, accountSid, token, number };
  throw new UsageError(
    `No credentials: give --url, --account and --token, or set TANDEM_URL, TANDEM_ACCOUNT_SID and TANDEM_TOKEN, or run this where \`npm start\` has written ${dataDir}/demo.env.`,
  );
}

function given(environment: Environment, name: string): string | undefined {
  return environment[name] || undefined;
}

function checkedUrl(url: string): string {
  const protocol = URL.canParse(url) ? new URL(url).protocol : "";
  if (protocol === "http:" || protocol === "https:") return url;
  throw new UsageError(`${url} is no address of a server: http:// or https:// is wanted.`);
}
