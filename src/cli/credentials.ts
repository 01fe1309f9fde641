// Finds the server and the credentials: options first, then the environment, then a profile of `tandem login`,
// otherwise the demo account of a local server. --profile counts as an option: the environment is ignored.
//
// Guarantees: a token that was stored for a server and an account is sent to no other server and for no other account.

import { resolve } from "node:path";
import { readDemoEnv } from "../server/sandbox/demo-env.ts";
import { UsageError } from "./exit-codes.ts";
import { type Profile, readProfiles } from "./profiles.ts";

export interface Credentials {
  readonly baseUrl: string;
  readonly accountSid: string;
  readonly token: string;
  /** A number of the account to send from, if one is known. */
  readonly number: string | undefined;
}

export interface OperatorFlags {
  readonly url?: string;
  readonly token?: string;
  readonly profile?: string;
}

export interface CredentialFlags extends OperatorFlags {
  readonly account?: string;
}

export interface OperatorCredentials {
  readonly baseUrl: string;
  readonly token: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const LOCAL_URL = "http://localhost:8080";

export function findCredentials(flags: CredentialFlags, environment: Environment): Credentials {
  const settings = flags.profile === undefined ? environment : {};
  const url = flags.url ?? given(settings, "TANDEM_URL");
  const account = flags.account ?? given(settings, "TANDEM_ACCOUNT_SID");
  const token = flags.token ?? given(settings, "TANDEM_TOKEN");
  const number = given(settings, "TANDEM_NUMBER");
  if (url !== undefined && account !== undefined && token !== undefined) {
    return { baseUrl: checkedUrl(url), accountSid: account, token, number };
  }
  const stored = storedProfile(flags, environment);
  // All three or none come from the demo, so that its token is never sent to another server.
  if (!stored && [url, account, token].every((each) => each === undefined)) return demoCredentials(environment);
  const baseUrl = checkedUrl(url ?? stored?.profile.url ?? LOCAL_URL);
  const own = stored && isSameServer(baseUrl, stored.profile.url) ? stored.profile : undefined;
  const accountSid = account ?? own?.accountSid;
  const ownToken = own?.accountSid === accountSid ? own?.token : undefined;
  return {
    baseUrl,
    ...complete({ accountSid, token: token ?? ownToken }, stored?.name),
    number: number ?? (own?.accountSid === accountSid ? own?.number : undefined),
  };
}

interface Found {
  readonly accountSid: string | undefined;
  readonly token: string | undefined;
}

function complete({ accountSid, token }: Found, profile: string | undefined) {
  if (accountSid !== undefined && token !== undefined) return { accountSid, token };
  const missing = [
    ...(accountSid === undefined ? ["the account (--account or TANDEM_ACCOUNT_SID)"] : []),
    ...(token === undefined ? ["the token (--token or TANDEM_TOKEN)"] : []),
  ];
  const own = profile === undefined ? "" : ` What the profile ${profile} has is for its own server and account only.`;
  throw new UsageError(`Not given: ${missing.join(" and ")}.${own}`);
}

export function findOperatorCredentials(flags: OperatorFlags, environment: Environment): OperatorCredentials {
  const settings = flags.profile === undefined ? environment : {};
  const url = flags.url ?? given(settings, "TANDEM_URL");
  const token = flags.token ?? given(settings, "TANDEM_OPERATOR_TOKEN");
  if (url !== undefined && token !== undefined) return { baseUrl: checkedUrl(url), token };
  const stored = storedProfile(flags, environment);
  // Both or none come from the demo, as for accounts.
  if (!stored && url === undefined && token === undefined) return demoOperator(environment);
  const baseUrl = checkedUrl(url ?? stored?.profile.url ?? LOCAL_URL);
  const own = stored && isSameServer(baseUrl, stored.profile.url) ? stored.profile : undefined;
  const found = token ?? own?.operatorToken;
  if (found !== undefined) return { baseUrl, token: found };
  const advice = own ? ` The profile ${stored?.name} has none: tandem login --operator --profile ${stored?.name}` : "";
  throw new UsageError(`Not given: the operator's token (--token or TANDEM_OPERATOR_TOKEN).${advice}`);
}

interface NamedProfile {
  readonly name: string;
  readonly profile: Profile;
}

/** The named profile, or the current one. */
function storedProfile(flags: OperatorFlags, environment: Environment): NamedProfile | undefined {
  const { all, current } = readProfiles(environment);
  const named = flags.profile ?? given(environment, "TANDEM_PROFILE");
  const name = named ?? current;
  const profile = name === undefined ? undefined : all.get(name);
  if (name !== undefined && profile) return { name, profile };
  if (named === undefined) return undefined;
  throw new UsageError(
    `There is no profile ${named}: tandem login --profile ${named} makes it, tandem profiles list shows those that are there.`,
  );
}

function isSameServer(one: string, other: string): boolean {
  return URL.canParse(one) && URL.canParse(other) && new URL(one).origin === new URL(other).origin;
}

function demoOperator(environment: Environment): OperatorCredentials {
  const { dataDir, demo } = readDemo(environment);
  const [baseUrl, token] = ["TANDEM_URL", "TANDEM_OPERATOR_TOKEN"].map((name) => demo.get(name));
  if (baseUrl && token) return { baseUrl, token };
  throw new UsageError(
    `No credentials: give --url and --token, or set TANDEM_URL and TANDEM_OPERATOR_TOKEN, or sign in with tandem login --operator, or run this where \`npm start\` has written ${dataDir}/demo.env.`,
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
    `No credentials: give --url, --account and --token, or set TANDEM_URL, TANDEM_ACCOUNT_SID and TANDEM_TOKEN, or sign in with tandem login, or run this where \`npm start\` has written ${dataDir}/demo.env.`,
  );
}

function given(environment: Environment, name: string): string | undefined {
  return environment[name] || undefined;
}

export function checkedUrl(url: string): string {
  const protocol = URL.canParse(url) ? new URL(url).protocol : "";
  if (protocol === "http:" || protocol === "https:") return url;
  throw new UsageError(`${url} is no address of a server: http:// or https:// is wanted.`);
}
